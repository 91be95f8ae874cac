"""`demo`: the whole idea on sample memories, in a folder that is thrown away."""

import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

import click

from recollect.domain import clock
from recollect.domain.checks import check_range
from recollect.domain.errors import ConfigError, RecollectError
from recollect.domain.query import Found
from recollect.faces.cli.command import Command
from recollect.faces.cli.failing import Mistake, unreadable
from recollect.faces.cli.recalling import tell_found
from recollect.faces.cli.session import Session

if TYPE_CHECKING:
    from recollect import Memory

_SAMPLES = Path(__file__).with_name("samples.yaml")
_OLDEST_DAYS = 3650


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """What the demonstration remembers, asks and changes."""

    memories: Sequence[object]
    questions: Sequence[object]
    change: Mapping[str, object]


@click.command(cls=Command)
@click.argument("question", required=False)
@click.option("--samples", metavar="FILE")
@click.pass_obj
def demo(session: Session, *, question: str | None, samples: str | None) -> None:
    chosen = _read(_SAMPLES if samples is None else Path(samples))
    questions = [str(asked) for asked in chosen.questions] if question is None else [question]
    with _throw_away_memory(session.lang) as memory:
        for at, sample in enumerate(chosen.memories):
            _remember(memory, sample, f"memories[{at}].")
        session.remark("demo_start", count=len(chosen.memories))
        answers = [(asked, _ask(session, memory, asked)) for asked in questions]
        changed = _change(session, memory, chosen.change, answers)
    if session.json:
        shown = [{"question": asked, **found.public()} for asked, found in answers]
        session.answer({"memories": len(chosen.memories), "answers": shown, "change": changed})
    session.remark("demo_end", samples=str(_SAMPLES))


@contextmanager
def _throw_away_memory(language: str) -> Generator["Memory"]:
    """Open a memory of its own that no setting of this machine touches; it is gone when the block ends."""
    from recollect import Settings, open_memory

    with tempfile.TemporaryDirectory(prefix="recollect-demo-", ignore_cleanup_errors=True) as folder:
        place, prompts = str(Path(folder, "memory.db")), {"prompt_language": language}
        settings = Settings.model_validate({"database": place, "lang": language, "user": "demo", "prompts": prompts})
        with open_memory(settings) as memory:
            yield memory


def _read(file: Path) -> Samples:
    import yaml

    try:
        given: Any = yaml.safe_load(file.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise unreadable(problem) from problem
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise ConfigError("bad_yaml", file=str(file), problem=" ".join(str(problem).split())) from problem
    return Samples(
        memories=_part(given, "memories", list),
        questions=_part(given, "questions", list),
        change=_part(given, "change", dict),
    )


def _part(given: Any, name: str, kind: type[Any]) -> Any:
    """Return one part of a samples file, which may be absent but not of another shape."""
    part: Any = None
    if isinstance(given, dict):
        part = cast("dict[object, Any]", given).get(name) or kind()
    if not isinstance(part, kind):
        raise Mistake("bad_samples", name, shape=kind.__name__)
    return part


def _remember(memory: "Memory", sample: object, path: str) -> None:
    """Save one sample as it would have been saved that many days ago."""
    if not isinstance(sample, dict):
        raise ConfigError("not_object", path.rstrip("."))
    note: dict[str, Any] = dict(sample)  # pyright: ignore[reportUnknownArgumentType]
    days = check_range(note.pop("days_ago", 0), 0, _OLDEST_DAYS, path=f"{path}days_ago")
    then = clock.now() - timedelta(days=days)
    try:
        with clock.running(lambda: then):
            memory.notes.save_many([note])
    except RecollectError as problem:
        problem.path = path + problem.path.removeprefix("[0].")
        raise


def _ask(session: Session, memory: "Memory", question: str) -> Found:
    began = perf_counter()
    found = memory.recall(question)
    took = perf_counter() - began
    if not session.json:
        print()
        tell_found(session, memory, question, found, took)
        if found.block:
            session.remark("demo_block")
            print(found.block)
    return found


def _change(
    session: Session, memory: "Memory", change: Mapping[str, object], answers: Sequence[tuple[str, Found]]
) -> dict[str, object] | None:
    """Change one memory that was an answer, ask again, undo it, ask again; say what each time was found."""
    name, old, new = (str(change.get(key, "")) for key in ("name", "old", "new"))
    hits = ((asked, hit.record) for asked, found in answers for hit in found.hits)
    question, record = next(((q, r) for q, r in hits if r.name == name and old and old in r.content), (None, None))
    if question is None or record is None:
        return None

    def told_now(key: str, **facts: object) -> str:
        contents = [hit.record.content for hit in memory.recall(question).hits if hit.record.id == record.id]
        session.remark(key, content=contents[0] if contents else "-", **facts)
        return contents[0] if contents else ""

    saved = memory.notes.update(record.id, content=record.content.replace(old, new))
    changed = told_now("demo_changed", id=record.id, old=old, new=new)
    memory.undo(revision=saved.revision)
    undone = told_now("demo_undone", revision=saved.revision)
    return {"id": record.id, "revision": saved.revision, "changed": changed, "undone": undone}
