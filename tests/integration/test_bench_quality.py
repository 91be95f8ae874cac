"""The quality bench runs; its numbers are no matter here."""

import gzip
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from bench.vectors import Vectors

ROOT = Path(__file__).parents[2]


def test_a_smoke_run_keeps_a_row_for_every_question(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RECOLLECT_")}
    done = subprocess.run(
        [sys.executable, "-m", "bench", "quality", "--quick"],
        cwd=ROOT,
        env={**environment, "RECOLLECT_BENCH_CACHE": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "RECOLLECT_BENCH_DATA is not set" in done.stderr
    kept = json.loads(gzip.decompress((tmp_path / "results" / "quality-rows.json.gz").read_bytes()))
    by_system: dict[str, list[dict[str, object]]] = {}
    for row in kept["rows"]:
        by_system.setdefault(row["system"], []).append(row)
    assert {len(rows) for rows in by_system.values()} == {6}
    assert any(system.startswith("recollect") for system in by_system)
    table = json.loads((tmp_path / "results" / "quality.json").read_text(encoding="utf-8"))
    measured = [row for row in table["rows"] if row["table"] == "own"]
    assert all(row["versions"] and row["seed"] == 1 for row in measured)


def test_two_threads_may_want_the_vectors_of_the_same_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RECOLLECT_BENCH_CACHE", str(tmp_path))
    vectors = Vectors()
    texts = [f"note {number}" for number in range(300)]
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: vectors.of(texts, "passage"), range(4)))
    assert all(np.array_equal(one, made[0]) for one in made)
    assert capsys.readouterr().err.count("vectors of passages") == 2
    assert not list(tmp_path.rglob("*.part"))
    assert len(list(tmp_path.rglob("*.npy"))) == 2
