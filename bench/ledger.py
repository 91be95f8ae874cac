"""What the ledger of recalls costs a recall: the same questions with it and without, in turns, in one process."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import recollect
from bench.building import work_folder
from bench.report import Request, Row, Table, say, write
from bench.speed import ask, asker, save_in_batches
from bench.text import Texts
from bench.timing import Laps
from recollect.memory import Memory

_NOTES = 1_000
_QUERIES = 4_000
_QUICK = 200
_WARM_UP = 200
_THREADS = 8


def run(request: Request) -> Path:
    """Measure and write the result."""
    texts = Texts(request.seed)
    count = _QUICK if request.quick else _QUERIES
    with work_folder() as folder, _opened(folder, "off") as without, _opened(folder, "on") as kept:
        memories = {"off": without, "on": kept}
        for memory in memories.values():
            save_in_batches(memory, texts.notes("small", 0, _NOTES))
        ask([asker(memory) for memory in memories.values()], Texts(request.seed + 1).queries(_WARM_UP, "small"), "warm")
        rows = [*_alone(memories, texts, count), *_together(memories, texts, count)]
        lost = kept.upkeep.check().lost_recalls
        note = (
            f"{_NOTES:,} notes of one owner on SQLite, no embedder, {count:,} distinct questions, asked of both files "
            f"in turns; with {_THREADS} threads one file after the other, twice. Rows lost: {lost}."
        )
        return write("ledger", request, [Table(title="The ledger", note=note, rows=rows)])


def _opened(folder: Path, ledger: str) -> Memory:
    settings = {"database": str(folder / f"{ledger}.db"), "recall": {"ledger": ledger}}
    return recollect.open_memory(recollect.Settings.model_validate(settings))


def _alone(memories: dict[str, Memory], texts: Texts, count: int) -> list[Row]:
    laps, _ = ask([asker(memory) for memory in memories.values()], texts.queries(count, "small"), "one thread")
    return [{"threads": 1, "ledger": name, **found["all"].row()} for name, found in zip(memories, laps, strict=True)]


def _together(memories: dict[str, Memory], texts: Texts, count: int) -> list[Row]:
    laps = {name: Laps() for name in memories}
    queries = [text for _, text in texts.queries(count, "small")]
    for name in [*memories, *reversed(memories)]:
        say(f"{_THREADS} threads, ledger {name}")
        answer = asker(memories[name])
        with ThreadPoolExecutor(_THREADS) as pool:
            list(pool.map(lambda text, answer=answer, name=name: laps[name].time(lambda: answer(text)), queries))
    return [{"threads": _THREADS, "ledger": name, **found.row()} for name, found in laps.items()]
