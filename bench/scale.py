"""How saving, recalling and the file grow with the notes of others: an owner's memory should not notice them."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import recollect
from bench.building import Shape, copy, others, work_folder
from bench.report import Request, Row, Table, write
from bench.speed import ask, asker, save_in_batches, save_one_by_one, trigram_asker, trigram_others
from bench.text import Texts
from bench.trigram import Trigram
from recollect.memory import Memory

_OWN = 1_000
_ONE_BY_ONE = 500
_TRIGRAM_QUERIES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """Each shape of the notes of others, and how many questions are asked."""

    shapes: tuple[Shape, ...]
    queries: int


_QUICK = _Steps(shapes=(Shape(4, 500), Shape(1, 2_000)), queries=100)
_FULL = _Steps(
    shapes=(
        Shape(10, 1_000),
        Shape(1, 10_000),
        Shape(100, 1_000),
        Shape(1, 100_000),
        Shape(1_000, 1_000),
        Shape(1, 1_000_000),
    ),
    queries=1_000,
)


def run(request: Request) -> Path:
    """Measure every step and write the result."""
    steps = _QUICK if request.quick else _FULL
    texts = Texts(request.seed)
    queries = texts.queries(steps.queries, "own")
    rows: list[Row] = []
    with ExitStack() as stack:
        folder = stack.enter_context(work_folder())
        alone = stack.enter_context(recollect.open_memory(folder / "alone.db"))
        rows.append({"others": "none", "bytes/note": None, **_fill(alone, texts)})
        for shape in steps.shapes:
            path = copy(others(texts, shape), folder / "beside.db")
            size = round(path.stat().st_size / shape.notes)
            with recollect.open_memory(path) as beside:
                row: Row = {"others": shape.label, "bytes/note": size, **_fill(beside, texts)}
                askers = [asker(memory.within(user="own", agent="")) for memory in (alone, beside)]
                ask(askers, queries[:40], "warming up")
                laps, _ = ask(askers, queries, f"recall, others: {shape.label}")
            first, found = (one["all"] for one in laps)
            ratios = {f"p{share * 100:.0f} ratio": round(found.at(share) / first.at(share), 2) for share in (0.5, 0.99)}
            rows.append({**row, **found.row(), **ratios})
            for file in folder.glob("beside.db*"):
                file.unlink()
        baseline = [_baseline(folder, texts, shape, queries[:_TRIGRAM_QUERIES]) for shape in steps.shapes[1::2]]
    note = (
        f"An owner of {_OWN:,} notes; {steps.queries:,} distinct questions, asked in turns of its file alone and of "
        f"the one with others; {_ONE_BY_ONE:,} notes saved one by one. `bytes/note` is the whole file of others."
    )
    tables = (
        Table(title="Beside others", note=note, rows=rows),
        Table(title="baseline-trigram", note=f"The first {_TRIGRAM_QUERIES} of the questions, quoted.", rows=baseline),
    )
    return write("scale", request, tables)


def _fill(memory: Memory, texts: Texts) -> Row:
    saved = save_one_by_one(memory.within(user="one", agent=""), texts, _ONE_BY_ONE)
    save_in_batches(memory.within(user="own", agent=""), texts.notes("own", 0, _OWN))
    return {"save one by one/s": saved.rate()}


def _baseline(folder: Path, texts: Texts, shape: Shape, queries: list[tuple[str, str]]) -> Row:
    path = copy(trigram_others(texts, shape), folder / "trigram.db")
    size = path.stat().st_size / shape.notes
    base = Trigram(path)
    base.save("own", texts.notes("own", 0, _OWN))
    laps, _ = ask([trigram_asker(base, "own")], queries, f"baseline-trigram, others: {shape.label}")
    base.close()
    path.unlink()
    return {"others": shape.label, "bytes/note": round(size), **laps[0]["all"].row()}
