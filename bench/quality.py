"""What is found: recollect, plain methods and other memories on sets with known answers, question by question."""

import gzip
import json
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

from bench import showing
from bench.asking import Asked, ask
from bench.known import DATA, OWN, Known, read_set, set_names
from bench.report import RESULTS, Request, Row, say, write
from bench.systems import CHECK, PEER, Entry, listed
from bench.systems.peers import Broken, NotToBeHad
from bench.vectors import NoVectors, Vectors

_QUICK_QUESTIONS = 6
_QUICK_SYSTEMS = ("recollect", "bm25", "baseline-trigram")
_ROWS = "quality-rows.json.gz"


def run(request: Request) -> Path:
    """Ask every system everything and write the result."""
    names = request.sets or ((OWN,) if request.quick else tuple(set_names()))
    if set_names() == [OWN]:
        say(f"{DATA} is not set: only the project's own set is measured")
    limit = request.limit or (_QUICK_QUESTIONS if request.quick else 0)
    chosen = request.systems or (_QUICK_SYSTEMS if request.quick else ())
    entries = [entry for entry in listed(cache(Vectors)) if not chosen or entry.name in chosen]
    unknown = set(chosen) - {entry.name for entry in entries}
    if unknown:
        raise SystemExit(f"there is no system {', '.join(sorted(unknown))}")
    sets = [read_set(name).limited(limit) for name in names]
    found, missing = _measured(entries, sets, request)
    tables = showing.tables(sets, found, missing, request.seed, own_only=set_names() == [OWN])
    shown = write("quality", request, tables)
    _keep_rows(request.results / _ROWS, sets, found)
    whole = not (request.quick or limit or request.sets or request.systems)
    if whole and request.results == RESULTS:
        showing.into_docs(tables, sets, found, request.seed)
    return shown


def _measured(
    entries: Sequence[Entry], sets: Sequence[Known], request: Request
) -> tuple[dict[str, list[Asked]], list[Row]]:
    """Return what each system did on each set, and what could not be measured and why."""
    found: dict[str, list[Asked]] = {known.name: [] for known in sets}
    missing: list[Row] = []
    for entry in entries:
        try:
            with closing(entry.make()) as system:
                for known in sets:
                    if entry.role == CHECK and known.name != OWN:
                        continue
                    say(f"{known.name}: {system.label}")
                    only_kept = request.kept and entry.role == PEER
                    asked = ask(system, entry.role, known, again=request.again, only_kept=only_kept)
                    if asked is None:
                        missing.append({"system": system.label, "set": known.name, "why": "not asked yet"})
                    else:
                        found[known.name].append(asked)
        except (Broken, NotToBeHad, NoVectors) as problem:
            say(f"{entry.name}: {problem}")
            missing.append({"system": entry.name, "set": "all", "why": str(problem)})
    return found, missing


def _keep_rows(file: Path, sets: Sequence[Known], found: dict[str, list[Asked]]) -> None:
    """Keep the row of every question, packed, the same bytes for the same rows."""
    kept = {
        "sets": {known.name: known.digest for known in sets},
        "rows": [row for known in sets for asked in found[known.name] for row in asked.rows],
    }
    text = json.dumps(_rounded(kept), ensure_ascii=False, separators=(",", ":"))
    file.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


def _rounded(kept: dict) -> dict:
    rows = [
        {name: round(cell, 4) if isinstance(cell, float) else cell for name, cell in row.items()}
        for row in kept["rows"]
    ]
    return {**kept, "rows": rows}
