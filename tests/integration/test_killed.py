"""Writers that are killed and writers that are many; `python -m bench crash` does the same with larger numbers."""

import os
from pathlib import Path

from bench.crash import at_once, kill
from tests.integration.programs import needs_posix

FULL = os.environ.get("RECOLLECT_FULL") == "1"


@needs_posix
def test_nothing_acknowledged_is_lost_when_writers_are_killed(tmp_path: Path) -> None:
    killed = kill(tmp_path / "memory.db", 50 if FULL else 5, seed=1)
    assert killed.wrong == []
    assert killed.acknowledged and killed.inside >= (30 if FULL else 1)


def test_eight_processes_lose_nothing_and_meet_no_error(tmp_path: Path) -> None:
    each = 500 if FULL else 40
    row = at_once(tmp_path / "memory.db", 8, each)
    assert (row["acknowledged"], row["there"]) == (8 * each, 8 * each)
    assert row["processes that failed"] == 0 and row["sound"]
