"""`recall`: what is relevant to a question, and why; `recalls`: what was asked before."""

import sys
from time import perf_counter
from typing import TYPE_CHECKING

import click

from recollect.domain import clock
from recollect.domain.ledger import Recalled
from recollect.domain.query import Found, Hit, LeftOut
from recollect.domain.text import cut
from recollect.faces.cli.command import Command, score, whole
from recollect.faces.cli.failing import Mistake
from recollect.faces.cli.nothing import tell_nothing
from recollect.faces.cli.session import Session
from recollect.faces.cli.wording import moment, sum_of

if TYPE_CHECKING:
    from recollect import Memory

_LIMIT = "5"
_PAGE = "10"
_CUT = 60
_NAMED = 3  # how many of those left out are named


@click.command(cls=Command)
@click.argument("query")
@click.option("-k", "--limit", callback=whole, metavar="N", default=_LIMIT)
@click.option("--type", metavar="TYPE")
@click.option("--max-tokens", callback=whole, metavar="N")
@click.option("--min-score", callback=score, metavar="X")
@click.option("--block", is_flag=True)
@click.option("--why", metavar="ID")
@click.pass_obj
def recall(
    session: Session,
    *,
    query: str,
    limit: int,
    type: str | None,
    max_tokens: int | None,
    min_score: float | None,
    block: bool,
    why: str | None,
) -> None:
    if why is not None:
        if type is not None or max_tokens is not None or block:
            raise Mistake("why_alone", "--why")
        with session.memory() as memory:
            tell_why(session, memory.why(query, why, limit=limit, min_score=min_score), min_score)
        return
    with session.memory() as memory:
        began = perf_counter()
        found = memory.recall(query, limit=limit, type=type, max_tokens=max_tokens, min_score=min_score)
        took = perf_counter() - began
        if session.json:
            session.answer(found.public())
        elif block:
            sys.stdout.write(found.block and found.block + "\n")
            for problem in found.failed.values():
                print(session.say("meaning_failed", problem=problem), file=sys.stderr)
        else:
            tell_found(session, memory, query, found, took)
            if found.hits:
                session.remark("block_size", tokens=found.tokens)


@click.command(cls=Command)
@click.option("-k", "--limit", callback=whole, metavar="N", default=_PAGE)
@click.option("--cursor", metavar="CURSOR")
@click.pass_obj
def recalls(session: Session, *, limit: int, cursor: str | None) -> None:
    with session.memory() as memory:
        page = memory.recalls.list(limit=limit, cursor=cursor)
    if session.json:
        session.answer({"items": [row.public() for row in page.items], "next_cursor": page.next_cursor})
        return
    if page.items:
        columns = ("at", "asked_by", "question", "given", "left_out", "ms")
        session.screen.rows(*columns, rows=[_row(session, row) for row in page.items])
    else:
        session.remark("nothing_asked")
    if page.next_cursor:
        session.remark("more", cursor=page.next_cursor)


def _row(session: Session, row: Recalled) -> list[str]:
    question = session.say("question_forgotten") if row.question is None else cut(" ".join(row.question.split()), _CUT)
    given = " ".join(f"#{hit.id}" for hit in row.hits[:_NAMED]) + (" …" if len(row.hits) > _NAMED else "")
    shown = (moment(row.at), session.say(f"asked_by_{row.asked_by}"), question, given or "-")
    return [*shown, str(len(row.left_out)), f"{row.milliseconds:.1f}"]


def tell_found(session: Session, memory: "Memory", query: str, found: Found, took: float) -> None:
    """Show an answer: the hits with the parts of their scores, what was left out and why."""
    scope = memory.scope
    whose = " ".join(f"{name}={value}" for name, value in (("agent", scope.agent), ("user", scope.user)) if value)
    session.remark("asked", query=query, whose=whose, hits=len(found.hits), milliseconds=f"{took * 1e3:.1f}")
    for problem in found.failed.values():
        session.remark("meaning_failed", problem=problem)
    if found.hits:
        session.screen.hits(found.hits, clock.now())
    elif not memory.enabled:
        session.tell("memory_off")
    elif not found.left_out and not tell_nothing(session, memory):
        session.tell("no_common_word")
    elif found.left_out:
        session.tell("nothing_relevant")
    for out in found.left_out[:_NAMED]:
        session.remark("left_out", id=out.id, name=out.name, reason=reason(session, out))
    if len(found.left_out) > _NAMED:
        session.remark("left_out_more", count=len(found.left_out) - _NAMED)
    if found.left_out and not found.hits:
        session.remark("try_min_score")


def tell_why(session: Session, answer: Hit | LeftOut, min_score: float | None) -> None:
    """Say why one record is given, or the first rule that keeps it out."""
    if session.json:
        session.answer(_public_why(answer))
    elif isinstance(answer, Hit):
        shown = sum_of(answer.parts, session.lang)
        session.tell("given", id=answer.record.id, name=answer.record.name, score=f"{answer.score:.2f}", parts=shown)
    else:
        session.tell("not_given", id=answer.id, name=answer.name, reason=reason(session, answer, min_score))
        for problem in answer.failed.values():
            session.remark("meaning_failed", problem=problem)


def reason(session: Session, out: LeftOut, min_score: float | None = None) -> str:
    """Return in words, and with numbers where there are any, why a record was not given."""
    key = "below_min_score" if out.reason == "below_floor" and min_score is not None else out.reason
    said = session.say(f"reason_{key}", rank=out.rank or "?", min_score=min_score)
    if out.score is None or out.reason in ("no_common_term", "other_agent", "other_session"):
        return said
    return session.say(
        "reason_with_score", reason=said, score=f"{out.score:.2f}", parts=sum_of(out.parts, session.lang)
    )


def _public_why(answer: Hit | LeftOut) -> dict[str, object]:
    if isinstance(answer, Hit):
        numbers: dict[str, object] = {"score": answer.score, "parts": dict(answer.parts)}
        return {"id": answer.record.id, "given": True, "reason": None, "rank": None, **numbers}
    numbers = {"score": answer.score, "parts": None if answer.parts is None else dict(answer.parts)}
    told: dict[str, object] = {"reason": answer.reason, "rank": answer.rank, "failed": dict(answer.failed)}
    return {"id": answer.id, "given": False, **told, **numbers}
