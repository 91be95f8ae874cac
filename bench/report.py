"""What a bench found: rows with the facts one needs to repeat them, kept as JSON and shown as Markdown."""

import json
import os
import platform
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

Cell = str | int | float | bool | None
Row = dict[str, Cell]

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of one kind, with the sentence that says how they were measured."""

    title: str
    note: str
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """How a bench was asked for; `quick` is a smoke run whose numbers mean nothing."""

    command: str
    seed: int
    quick: bool
    full: bool
    results: Path
    sets: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    limit: int = 0
    again: bool = False
    kept: bool = False


def say(text: str) -> None:
    """Tell how far a bench is, on standard error."""
    print(f"{datetime.now(UTC):%H:%M:%S} {text}", file=sys.stderr, flush=True)


def write(name: str, request: Request, tables: Sequence[Table]) -> Path:
    """Keep the tables as <name>.json and <name>.md and return the path of the second."""
    request.results.mkdir(parents=True, exist_ok=True)
    facts = _facts(request)
    rows = [{"table": table.title, **row} for table in tables for row in table.rows]
    notes = {table.title: table.note for table in tables}
    kept = json.dumps({**facts, "notes": notes, "rows": rows}, ensure_ascii=False, indent=1)
    (request.results / f"{name}.json").write_text(kept + "\n", encoding="utf-8")
    shown = request.results / f"{name}.md"
    shown.write_text(_markdown(name, facts, tables), encoding="utf-8")
    return shown


def _facts(request: Request) -> dict[str, object]:
    return {
        "command": request.command,
        "seed": request.seed,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "quick": request.quick,
        "versions": {
            "recollect": version("recollect"),
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
        },
        "machine": {"cpus": os.cpu_count(), "system": platform.system(), "architecture": platform.machine()},
    }


def _markdown(name: str, facts: dict[str, object], tables: Sequence[Table]) -> str:
    versions, machine = facts["versions"], facts["machine"]
    lines = [f"# {name}", "", f"`{facts['command']}`, {facts['date']}, {_listed(versions)}, {_listed(machine)}.", ""]
    if facts["quick"]:
        lines += ["A smoke run: the numbers mean nothing.", ""]
    for table in tables:
        lines += [f"## {table.title}", "", table.note, "", markdown_table(table.rows), ""]
    return "\n".join(lines)


def markdown_table(rows: Sequence[Row]) -> str:
    """Return rows as a table of Markdown; a column is there when any row has it."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    lines = [_line(columns), _line(["---"] * len(columns))]
    return "\n".join([*lines, *(_line([_shown(row.get(column)) for column in columns]) for row in rows)])


def _listed(facts: object) -> str:
    return ", ".join(f"{key} {value}" for key, value in facts.items()) if isinstance(facts, dict) else str(facts)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) else cell.replace("|", "\\|")
