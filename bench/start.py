"""How long the command takes to start, beside the smallest program that click can make, and what an import costs."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import recollect
from bench.building import copy, work_folder
from bench.report import Request, Row, Table, write
from bench.text import Texts
from bench.timing import Laps, told

_ROUNDS = 40
_NOTES = 1_000
_HEAVY = ("numpy", "fastapi", "mcp", "httpx", "rich")
_BARE = """import click

@click.command()
@click.option("--name", default="", help="A name.")
def main(name: str) -> None:
    \"\"\"Say a name.\"\"\"
    click.echo(name)

main()
"""
_PROVIDER = "RECOLLECT_EMBEDDER__PROVIDER"
_MEANING = f"{_PROVIDER}=builtin"
_PEERS = "import pydantic, yaml, sqlite3"
_LOADED = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"


def run(request: Request) -> Path:
    """Time every program in turns and write the result."""
    rounds = 5 if request.quick else _ROUNDS
    with work_folder() as folder:
        query = _fill(folder / "memory.db", Texts(request.seed))
        bare = folder / "bare.py"
        bare.write_text(_BARE, encoding="utf-8")
        command = str(Path(sysconfig.get_path("scripts")) / "recollect")
        asked = [command, "recall", query, "--json", "--db"]
        _give_vectors(folder / "memory.db", folder / "vectors.db")
        programs = {
            "bare click program --help": [sys.executable, str(bare), "--help"],
            "recollect --help": [command, "--help"],
            "recollect recall … --json": [*asked, str(folder / "memory.db")],
            "recollect recall … --json, with vectors": ["env", _MEANING, *asked, str(folder / "vectors.db")],
            "python -c pass": [sys.executable, "-c", "pass"],
            _PEERS: [sys.executable, "-c", _PEERS],
            "import recollect": [sys.executable, "-c", "import recollect"],
        }
        laps = _timed(programs, rounds)
    bare_time = laps["bare click program --help"].at(0.5)
    rows: list[Row] = [
        {"program": name, **found.row(), "of the bare program": round(found.at(0.5) / bare_time, 2)}
        for name, found in laps.items()
    ]
    loaded = _said([sys.executable, "-c", f"import recollect; {_LOADED}"]).split()
    heavy: Row = {name: "loaded" if name in loaded else "not loaded" for name in _HEAVY}
    tables = (
        Table(
            title="Starting",
            note=f"Whole processes, {rounds} rounds in turns, warm; the recall is of an owner with {_NOTES:,} notes.",
            rows=rows,
        ),
        Table(title="After import recollect", note="Parts that only some need.", rows=[heavy]),
    )
    return write("start", request, tables)


def _fill(file: Path, texts: Texts) -> str:
    """Save notes for the owner that the command line means and return a question about them."""
    with recollect.open_memory(file).within(user="local", agent="") as memory:
        memory.notes.save_many(note.fields() for note in texts.notes("start", 0, _NOTES))
    return texts.queries(10, "start")[0][1]


def _give_vectors(source: Path, target: Path) -> None:
    """Copy a memory and give every note a vector of the built-in model."""
    copy(source, target)
    settings = recollect.Settings.model_validate({"database": str(target), "embedder": {"provider": "builtin"}})
    with recollect.open_memory(settings) as memory:
        memory.upkeep.reindex()


def _timed(programs: dict[str, list[str]], rounds: int) -> dict[str, Laps]:
    laps = {name: Laps() for name in programs}
    for command in programs.values():
        _said(command)
    for _ in told(range(rounds), rounds, "rounds"):
        for name, command in programs.items():
            laps[name].time(lambda command=command: _said(command))
    return laps


def _said(command: Sequence[str]) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RECOLLECT_")}
    environment[_PROVIDER] = "none"
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8", env=environment).stdout
