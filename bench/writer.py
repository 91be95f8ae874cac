"""A process that saves, to be run beside others or to be killed: `python -m bench.writer FILE NUMBER COUNT [SHARED]`.

With SHARED, a file of two bytes, it tells at any time how often it began to write (modulo 256) and whether a
transaction is open. Every write that has returned is a line of ids on standard output.
"""

import mmap
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from recollect.domain.record import Draft
from recollect.domain.scope import Scope
from recollect.records.saving import Policy, Saving
from recollect.records.tables import Tables
from recollect.storage.backend import Question, Row
from recollect.storage.sqlite import SqliteDatabase

BATCH = 25
BEGUN, INSIDE = 0, 1


class _Watched(SqliteDatabase):
    """A database that shows whether a transaction is open."""

    shared: mmap.mmap | bytearray = bytearray(2)

    @contextmanager
    def transaction(self, *asked: Question) -> Generator[list[list[Row]]]:
        with super().transaction(*asked) as answers:
            self.shared[INSIDE] = 1
            yield answers
        self.shared[INSIDE] = 0


def text(number: int, at: int) -> str:
    """Return what a writer saves: a word of its own in a text of ordinary length."""
    return (
        f"word{number}x{at} 支付模块重构本周完成，截止日期 2026-04-15，负责人是陈晨。"
        + "The release waits for it. " * 4
    )


def main() -> None:
    """Save one by one and in batches, in turns, until `count` texts are saved."""
    file, number, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    database = _Watched(file)
    if len(sys.argv) > 4:
        with open(sys.argv[4], "r+b") as handle:
            database.shared = mmap.mmap(handle.fileno(), 2)
    saving = Saving(Tables(database), Policy())
    scope = Scope(user="writer")
    at = 0
    while at < count:
        size = min(BATCH if len(sys.argv) > 4 and at % 2 else 1, count - at)
        drafts = [Draft(content=text(number, at + place)) for place in range(size)]
        database.shared[BEGUN] = (database.shared[BEGUN] + 1) % 256
        saved = [saving.save(scope, drafts[0])] if size == 1 else saving.save_many(scope, drafts)
        print(*(f"{one.record.id}:{at + place}" for place, one in enumerate(saved)), flush=True)
        at += size
    database.close()


if __name__ == "__main__":
    main()
