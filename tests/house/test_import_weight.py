"""Importing the package is cheap: whoever imports it pays for what everybody needs, and for nothing else."""

import subprocess
import sys

import pytest

HEAVY = ("click", "fastapi", "httpx", "mcp", "numpy", "onnxruntime", "rich", "sentencepiece")
PEERS = "import pydantic, yaml, sqlite3"
FACTOR = 1.5
ROUNDS = 7

REPORT_LOADED = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
# The interpreter's own start is no part of the comparison.
REPORT_TIME = "import time; began = time.perf_counter(); {statement}; print(time.perf_counter() - began)"


def fresh(code: str) -> str:
    return subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True).stdout


def loaded(statement: str) -> set[str]:
    return set(HEAVY) & set(fresh(f"{statement}; {REPORT_LOADED}").split())


def seconds(statement: str) -> float:
    return float(fresh(REPORT_TIME.format(statement=statement)))


def test_nothing_heavy_is_loaded() -> None:
    assert loaded("import recollect") == set()


@pytest.mark.parametrize("name", ["click", "numpy", "rich"])
def test_a_heavy_import_is_noticed(name: str) -> None:
    assert name in loaded(f"import {name}")


def test_importing_takes_little_longer_than_what_it_needs() -> None:
    rounds = [(seconds("import recollect"), seconds(PEERS)) for _ in range(ROUNDS)]
    ours, theirs = (min(column) for column in zip(*rounds, strict=True))
    assert ours <= FACTOR * theirs, f"import recollect {ours * 1e3:.0f} ms, {PEERS} {theirs * 1e3:.0f} ms"
