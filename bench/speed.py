"""Saving and recalling: alone, and beside a million notes of other people; the usual design in the same run.

Every file is asked every question once, and the files take turns, so that a busy moment of the machine meets all.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import recollect
from bench.building import Shape, cache_folder, copy, others, same_as_door, work_folder
from bench.report import Request, Row, Table, say, write
from bench.text import Note, Texts
from bench.timing import Laps, told
from bench.trigram import Trigram
from recollect.memory import Memory

_BATCH = 500
_LIMIT = 5
_WARM_UP = 40
_AS_PLANNED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much of everything."""

    others: tuple[Shape, ...]
    small: int
    large: int
    one_by_one: int
    queries: int
    trigram_queries: int  # beside others: there it takes up to seconds a question
    verified: int


FULL = Sizes(
    others=(Shape(1_000, 1_000), Shape(1, 1_000_000)),
    small=1_000,
    large=20_000,
    one_by_one=2_000,
    queries=2_000,
    trigram_queries=200,
    verified=10_000,
)
QUICK = Sizes(
    others=(Shape(4, 500), Shape(1, 2_000)),
    small=300,
    large=1_000,
    one_by_one=200,
    queries=200,
    trigram_queries=50,
    verified=600,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One file with two owners of known size in it, and what it took to put their notes there."""

    label: str
    memory: Memory
    saved: list[Row]

    def within(self, user: str) -> Memory:
        """Return the memory of one of its owners."""
        return self.memory.within(user=user, agent="")


def run(request: Request) -> Path:
    """Measure everything and write the result."""
    sizes = QUICK if request.quick else FULL
    texts = Texts(request.seed)
    say(f"holding that built files are what the door makes, {sizes.verified:,} notes")
    same = same_as_door(texts, sizes.verified)
    with ExitStack() as stack:
        folder = stack.enter_context(work_folder())
        grounds = [_ground(folder, texts, sizes, None)]
        grounds += [_ground(folder, texts, sizes, shape) for shape in sizes.others]
        for ground in grounds:
            stack.callback(ground.memory.close)
        recalled = [row for user in ("small", "large") for row in _recalls(grounds, texts, sizes, user)]
        alone, beside = _trigrams(folder, texts, sizes)
        trigram_saved, trigram_found = _trigram_rows(alone, beside, texts, sizes)
        tables = (
            Table(title="Saving", note=_saving_note(sizes, same), rows=[row for g in grounds for row in g.saved]),
            Table(title="Recalling", note=_recalling_note(sizes), rows=recalled),
            Table(title="baseline-trigram saving", note="The same notes.", rows=trigram_saved),
            Table(title="baseline-trigram searching", note=_trigram_note(sizes), rows=trigram_found),
        )
        return write("speed", request, tables)


def _ground(folder: Path, texts: Texts, sizes: Sizes, shape: Shape | None) -> Ground:
    label = shape.label if shape else "none"
    path = folder / f"beside {label}.db"
    if shape:
        copy(others(texts, shape), path)
    memory = recollect.open_memory(path)
    say(f"others: {label}: saving {sizes.one_by_one:,} one by one, then {sizes.small + sizes.large:,} in batches")
    one = save_one_by_one(memory.within(user="one", agent=""), texts, sizes.one_by_one)
    rows: list[Row] = [{"others": label, "how": "one by one", "notes/s": one.rate(), **one.row()}]
    save_in_batches(memory.within(user="small", agent=""), texts.notes("small", 0, sizes.small))
    many = save_in_batches(memory.within(user="large", agent=""), texts.notes("large", 0, sizes.large))
    rows.append({"others": label, "how": f"batches of {_BATCH}", "notes/s": many.rate(_BATCH), **many.row()})
    return Ground(label=label, memory=memory, saved=rows)


def save_one_by_one(mine: Memory, texts: Texts, count: int) -> Laps:
    """Save notes of the stream "one" and return what each took."""
    laps = Laps()
    for note in list(texts.notes("one", 0, count)):
        laps.time(lambda note=note: mine.notes.save(note.content, name=note.name, type=note.type))
    return laps


def save_in_batches(mine: Memory, notes: Iterable[Note], batch: int = _BATCH) -> Laps:
    """Save notes in batches and return what each batch took."""
    laps = Laps()
    fields = [note.fields() for note in notes]
    for start in range(0, len(fields), batch):
        laps.time(lambda start=start: mine.notes.save_many(fields[start : start + batch]))
    return laps


def ask(
    askers: Sequence[Callable[[str], bool]], queries: Sequence[tuple[str, str]], what: str
) -> tuple[list[dict[str, Laps]], list[int]]:
    """Ask every asker every question, in turns; return times by kind of question, and how many were answered."""
    laps: list[dict[str, Laps]] = [{} for _ in askers]
    answered = [0] * len(askers)
    for at, (kind, text) in enumerate(told(queries, len(queries), what)):
        for turn in range(len(askers)):
            place = (at + turn) % len(askers)
            timed = Laps()
            answered[place] += bool(timed.time(partial(askers[place], text)))
            for name in (kind, "all"):
                laps[place].setdefault(name, Laps()).milliseconds += timed.milliseconds
    return laps, answered


def asker(mine: Memory) -> Callable[[str], bool]:
    """Return what asks a memory and tells whether it answered."""
    return lambda text: bool(mine.recall(text, limit=_LIMIT).hits)


def _recalls(grounds: Sequence[Ground], texts: Texts, sizes: Sizes, user: str) -> list[Row]:
    queries = texts.queries(sizes.queries, user)
    askers = [asker(ground.within(user)) for ground in grounds]
    ask(askers, Texts(texts.seed + 1).queries(_WARM_UP, user), "warming up")
    laps, answered = ask(askers, queries, f"recall, {user} owner")
    alone = laps[0]["all"]
    rows: list[Row] = []
    for ground, found, count in zip(grounds, laps, answered, strict=True):
        own = sizes.small if user == "small" else sizes.large
        for kind in ("all", *sorted(set(found) - {"all"})):
            row: Row = {"own notes": own, "others": ground.label, "questions": kind, **found[kind].row()}
            if kind == "all":
                row |= {"p50 ratio": round(found[kind].at(0.5) / alone.at(0.5), 2)}
                row |= {"p99 ratio": round(found[kind].at(0.99) / alone.at(0.99), 2), "answered": count}
            rows.append(row)
    return rows


def trigram_others(texts: Texts, shape: Shape) -> Path:
    """Return a file of the usual design with the notes of others, built now unless it is there."""
    final = cache_folder() / f"trigram-{shape.owners}x{shape.each}-{texts.seed}.db"
    if final.exists():
        return final
    part = final.with_suffix(".part")
    base = Trigram(part)
    done = base.count()
    numbers = range(done, shape.notes, _BATCH * 10)
    for start in told(numbers, len(numbers), f"baseline-trigram {shape.label}: batches"):
        count = min(_BATCH * 10, shape.notes - start)
        for owner, first, size in _owned(shape, start, count):
            base.save(owner, texts.notes(owner, first, size))
    base.close()
    part.rename(final)
    return final


def _owned(shape: Shape, start: int, count: int) -> Iterable[tuple[str, int, int]]:
    """Cut a range of all notes into owner, first number of theirs, and size."""
    while count:
        owner, first = divmod(start, shape.each)
        size = min(count, shape.each - first)
        yield f"other-{owner + 1}", first, size
        start, count = start + size, count - size


def _trigrams(folder: Path, texts: Texts, sizes: Sizes) -> tuple[Trigram, Trigram]:
    beside = folder / "trigram beside.db"
    copy(trigram_others(texts, sizes.others[-1]), beside)
    return Trigram(folder / "trigram.db"), Trigram(beside)


def _trigram_rows(alone: Trigram, beside: Trigram, texts: Texts, sizes: Sizes) -> tuple[list[Row], list[Row]]:
    saved: list[Row] = []
    labels = ("none", sizes.others[-1].label)
    for base, label in zip((alone, beside), labels, strict=True):
        say(f"baseline-trigram, others: {label}: saving")
        one, many = Laps(), Laps()
        for note in list(texts.notes("one", 0, sizes.one_by_one)):
            one.time(lambda base=base, note=note: base.save("one", [note]))
        base.save("small", texts.notes("small", 0, sizes.small))
        for start in range(0, sizes.large, _BATCH):
            notes = list(texts.notes("large", start, _BATCH))
            many.time(lambda base=base, notes=notes: base.save("large", notes))
        saved.append({"others": label, "how": "one by one", "notes/s": one.rate(), **one.row()})
        saved.append({"others": label, "how": f"batches of {_BATCH}", "notes/s": many.rate(_BATCH), **many.row()})
    found = [row for user in ("small", "large") for row in _trigram_searches(alone, beside, texts, sizes, user)]
    alone.close()
    beside.close()
    return saved, found


def _trigram_searches(alone: Trigram, beside: Trigram, texts: Texts, sizes: Sizes, user: str) -> list[Row]:
    queries = texts.queries(sizes.queries, user)
    refused = sum(alone.refuses(user, text) for _, text in queries)
    some = queries[: sizes.trigram_queries]
    own = sizes.small if user == "small" else sizes.large
    rows: list[Row] = []
    runs = [(alone, "none", queries, False), (beside, sizes.others[-1].label, some, False)]
    if user == "small":
        runs.append((alone, "none", queries[:_AS_PLANNED], True))
    for base, label, asked, as_planned in runs:
        asker = trigram_asker(base, user, as_planned=as_planned)
        laps, [answered] = ask([asker], asked, f"baseline-trigram, others: {label}")
        row: Row = {"own notes": own, "others": label, "join": "as planned" if as_planned else "text first"}
        row |= {**laps[0]["all"].row(), "answered": answered}
        rows.append({**row, "raw questions refused": refused if asked is queries else None})
    return rows


def trigram_asker(base: Trigram, user: str, *, as_planned: bool = False) -> Callable[[str], bool]:
    """Return what asks the usual design and tells whether it answered."""
    return lambda text: bool(base.search(user, text, _LIMIT, as_planned=as_planned))


def _saving_note(sizes: Sizes, same: bool) -> str:
    return (
        f"Through the door, WAL with synchronous NORMAL, duplicate check, postings and revisions on; one by one with "
        f"the search for near notes. {sizes.one_by_one:,} notes one by one for a new owner, {sizes.large:,} in batches "
        f"for another. The notes of others were written by the bulk loader, whose rows are those of the door: "
        f"{'yes' if same else 'NO'}, compared at {sizes.verified:,} notes."
    )


def _recalling_note(sizes: Sizes) -> str:
    return (
        f"{sizes.queries:,} distinct questions, each asked once of every file, the files in turns; limit {_LIMIT}. "
        f"`ratio` is against the same owner alone in a file. `answered` counts questions with a hit."
    )


def _trigram_note(sizes: Sizes) -> str:
    return (
        f"The same questions, each in double quotes so that it parses; beside others only the first "
        f"{sizes.trigram_queries:,}. `raw questions refused` counts those that are an error when they are not quoted. "
        f"As SQLite plans the join it reads the user's notes first and asks the index for each; hence `text first`."
    )
