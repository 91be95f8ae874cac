"""`check`: whether a memory answers as a file of expectations says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.domain.errors import ConfigError, Invalid, NotFound
from recollect.domain.expectations import Expectation, Target, parse_expectations
from recollect.domain.query import Hit, LeftOut
from recollect.domain.record import Record
from recollect.faces.cli.command import Command
from recollect.faces.cli.recalling import reason
from recollect.faces.cli.session import Session

if TYPE_CHECKING:
    from recollect import Memory

_MOST_BYTES = 1_048_576
_CAME = 3  # how many of those that came are named
_LOOKED_AT = 20  # notes among which the one that is meant is looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """What was expected and did not come: the record, if there is one, and what kept it out."""

    target: Target
    out: LeftOut | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One expectation that does not hold."""

    at: int
    expectation: Expectation
    missing: Sequence[Missing]
    intruders: Sequence[tuple[Target, int]]
    came: Sequence[Hit]


@click.command(cls=Command)
@click.argument("file")
@click.pass_context
def check(ctx: click.Context, *, file: str) -> None:
    session: Session = ctx.obj
    expectations = parse_expectations(_read(Path(file)))
    if not expectations:
        raise Invalid("no_expectations", file=file)
    with session.memory(ledger=False, made=False) as memory:  # nobody asked these questions
        unasked: dict[str, str] = {}
        found = (_failure(memory, at, one, unasked) for at, one in enumerate(expectations))
        failures = [failure for failure in found if failure is not None]
    held = len(expectations) - len(failures)
    if session.json:
        failed = [_public(failure) for failure in failures]
        session.answer({"checked": len(expectations), "held": held, "failed": failed, "unasked": unasked})
    else:
        for problem in unasked.values():
            session.remark("meaning_failed", problem=problem)
        for failure in failures:
            _tell(session, failure)
        session.remark("check_result", held=held, checked=len(expectations))
    ctx.exit(1 if failures else 0)


def _read(file: Path) -> object:
    import yaml

    try:
        with file.open("rb") as stream:
            text = stream.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as problem:
        told = getattr(problem, "strerror", None) or str(problem)
        raise ConfigError("file_failed", file=str(file), problem=told) from problem
    if len(text) > _MOST_BYTES:
        raise Invalid("file_too_large", file=str(file), limit=_MOST_BYTES)
    try:
        return yaml.safe_load(text.decode("utf-8-sig"))  # the loader in C would crash on a file that nests too deep
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as problem:
        raise ConfigError("bad_yaml", file=str(file), problem=" ".join(str(problem).split())) from problem


def _failure(memory: "Memory", at: int, expectation: Expectation, unasked: dict[str, str]) -> Failure | None:
    """Return what does not hold; `unasked` takes up the arms of the search that could not be asked."""
    mine = memory.within(user=expectation.user, agent=expectation.agent)
    found = mine.recall(expectation.ask, limit=expectation.at)
    hits = found.hits
    unasked.update(found.failed)
    missing = [_missing(mine, expectation, target) for target in expectation.missing(hits)]
    intruders = expectation.intruders(hits)
    if not missing and not intruders and not (expectation.nothing and hits):
        return None
    return Failure(at=at, expectation=expectation, missing=missing, intruders=intruders, came=hits)


def _missing(memory: "Memory", expectation: Expectation, target: Target) -> Missing:
    number = target.id
    if number is None:
        like = memory.notes.search(str(target.name or target.content), limit=_LOOKED_AT)
        number = next((record.id for record in like if target.meets(record)), None)
    if number is None:
        return Missing(target=target, out=None)
    try:
        out = memory.why(expectation.ask, number, limit=expectation.at)
    except NotFound:
        return Missing(target=target, out=None)
    return Missing(target=target, out=out if isinstance(out, LeftOut) else None)


def _tell(session: Session, failure: Failure) -> None:
    session.tell("check_failed", at=failure.at, ask=failure.expectation.ask)
    for one in failure.missing:
        why = session.say("reason_not_found") if one.out is None else reason(session, one.out)
        session.tell("check_missing", target=_shown(one.target), reason=why)
    for target, rank in failure.intruders:
        session.tell("check_unwanted", target=_shown(target), rank=rank)
    if failure.expectation.nothing:
        session.tell("check_nothing", count=len(failure.came))
    for hit in failure.came[:_CAME]:
        session.tell("check_came", id=hit.record.id, name=hit.record.name, score=f"{hit.score:.2f}")
    if not failure.came:
        session.tell("check_came_nothing")


def _shown(target: Target) -> str:
    return f"#{target.id}" if target.id is not None else str(target.name or f"{{content: {target.content}}}")


def _public(failure: Failure) -> Mapping[str, object]:
    came = [_named(hit.record) | {"score": hit.score} for hit in failure.came]
    missing = [
        {
            "target": one.target.public(),
            "id": one.out.id if one.out else one.target.id,
            "reason": one.out.reason if one.out else "not_found",
            "rank": one.out.rank if one.out else None,
            "score": one.out.score if one.out else None,
        }
        for one in failure.missing
    ]
    unwanted = [
        {"target": target.public(), "id": failure.came[rank - 1].record.id, "rank": rank}
        for target, rank in failure.intruders
    ]
    return {
        "path": f"[{failure.at}]",
        "ask": failure.expectation.ask,
        "missing": missing,
        "unwanted": unwanted,
        "nothing": failure.expectation.nothing,
        "came": came,
    }


def _named(record: Record) -> dict[str, object]:
    return {"id": record.id, "type": record.type, "name": record.name}
