"""Recalling with vectors: what it takes beyond the question's vector, alone and beside 1e6 notes of others."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import recollect
from bench.building import Shape, cache_folder, copy, others, work_folder
from bench.report import Request, Row, Table, say, write
from bench.speed import save_in_batches
from bench.text import Texts
from bench.timing import Laps, told
from recollect.domain.vectors import LATIN
from recollect.memory import Memory
from recollect.models.builtin import BuiltinEmbedder

_OWN = 1_000
_LIMIT = 5
_THREADS = (1, 8)
_SHORTEST, _LONGEST = 5, 200
_WARM_UP = 20
_EMBEDDING = "the vector alone"
_GIVE_ALL = "insert into vectors select owner_no, id, ?, ?, ?, randomblob(?) from records"

Ask = Callable[[str], object]


def run(request: Request) -> Path:
    """Measure and write the result."""
    texts = Texts(request.seed)
    shape = Shape(4, 500) if request.quick else Shape(1_000, 1_000)
    wanted = 100 if request.quick else 1_000
    asked = [text for _, text in texts.queries(2 * wanted, "own") if _SHORTEST <= len(text) <= _LONGEST][:wanted]
    embedder = BuiltinEmbedder(cache=cache_folder() / "model")
    asks: dict[str, Ask] = {_EMBEDDING: lambda text: embedder.embed([text], role="query")}
    with ExitStack() as stack:
        folder = stack.enter_context(work_folder())
        for beside in (None, shape):
            memory = stack.enter_context(_opened(folder, texts, beside, embedder))
            mine = memory.within(user="own", agent="")
            asks[f"others: {beside.label if beside else 'none'}"] = partial(_recall, mine)
        rows = [row for threads in _THREADS for row in _rows(asks, asked, threads)]
    note = (
        f"An owner of {_OWN:,} notes with vectors of the built-in embedder; {len(asked):,} distinct questions of "
        f"{_SHORTEST} to {_LONGEST} characters, each asked once of every file and embedded once by itself, in turns; "
        f"limit {_LIMIT}, nothing is kept from one question to the next. Each note of others has a vector too, of "
        f"random numbers. "
        f"`beyond`: above the same figure of the vector alone. `ratio` is against the same owner alone in a file."
    )
    return write("meaning", request, [Table(title="Recalling with vectors", note=note, rows=rows)])


def _recall(mine: Memory, text: str) -> object:
    found = mine.recall(text, limit=_LIMIT)
    if not found.sources["dense"].endswith(f"of {_OWN}"):
        raise RuntimeError(f"not asked with vectors: {found.sources}")
    return found


def _opened(folder: Path, texts: Texts, shape: Shape | None, embedder: BuiltinEmbedder) -> Memory:
    """Return a memory in which the owner and all others have their vectors."""
    label = shape.label if shape else "none"
    path = folder / f"beside {label}.db"
    if shape:
        copy(others(texts, shape), path)
        say(f"others: {label}: vectors")
        card = embedder.card
        with sqlite3.connect(path) as connection:
            connection.execute(_GIVE_ALL, (card.model, card.dimension, LATIN, card.dimension))
        connection.close()
    settings = {"database": str(path), "embedder": {"provider": "builtin", "embed": "inline"}}
    memory = recollect.open_memory(recollect.Settings.model_validate(settings))
    mine = memory.within(user="own", agent="")
    say(f"others: {label}: {_OWN:,} notes and their vectors")
    save_in_batches(mine, texts.notes("own", 0, _OWN))
    return memory


def _rows(asks: Mapping[str, Ask], asked: Sequence[str], threads: int) -> list[Row]:
    for text in asked[:_WARM_UP]:
        for ask in asks.values():
            ask(text)
    laps = {name: Laps() for name in asks}

    def in_turns(at: int) -> None:
        names = list(asks)
        for turn in range(len(names)):
            name = names[(at + turn) % len(names)]
            laps[name].time(partial(asks[name], asked[at]))

    with ThreadPoolExecutor(threads) as pool:
        list(told(pool.map(in_turns, range(len(asked))), len(asked), f"{threads} threads"))
    alone = laps[_EMBEDDING]
    first = laps["others: none"]
    return [
        {
            "threads": threads,
            "what": name,
            **found.row(),
            "p50 beyond": round(found.at(0.5) - alone.at(0.5), 2),
            "p99 beyond": round(found.at(0.99) - alone.at(0.99), 2),
            "p50 ratio": round(found.at(0.5) / first.at(0.5), 2),
            "p99 ratio": round(found.at(0.99) / first.at(0.99), 2),
        }
        for name, found in laps.items()
    ]
