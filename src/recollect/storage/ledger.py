"""The ledger of recalls as rows. Beside the question a row holds ids and numbers only."""

import json
import re
from datetime import datetime

from recollect.domain import clock
from recollect.domain.ledger import QUESTION_LENGTH, Recalled, RecalledHit
from recollect.domain.query import LeftOut
from recollect.domain.scope import Scope
from recollect.storage.backend import Database, Row
from recollect.storage.history import NEWEST

_WILD = re.compile("[%_!]")


class RecallTable:
    """The recalls of all owners; their ids are the moments at which they were kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, owner_no: int, rows: list[Recalled]) -> None:
        """Append recalls in a transaction that holds the owner, each under the moment it was made, or the next free."""
        last = int((self._database.one("recall_last", owner_no=owner_no) or (0,))[0])
        numbered: list[Row] = []
        for row in rows:
            last = max(clock.to_micros(row.at), last + 1)
            numbered.append(_to_row(owner_no, last, row))
        self._database.many("recall_add", numbered)

    def page(self, owner_no: int, scope: Scope, before: int = NEWEST, limit: int = 100) -> list[Recalled]:
        """Return recalls of a scope, newest first."""
        whose = {"agent": scope.agent, "session": scope.session}
        rows = self._database.all("recalls_page", owner_no=owner_no, before=before, limit=limit, **whose)
        return [_to_recalled(row) for row in rows]

    def count(self, owner_no: int) -> int:
        """Return how many an owner has."""
        row = self._database.one("count_recalls", owner_no=owner_no)
        return int(row[0]) if row else 0

    def empty(self, owner_no: int, before: datetime, keep: int) -> int:
        """Delete what is older than a moment, and all but the newest `keep`; return how many that were."""
        over = self._database.one("recalls_over", owner_no=owner_no, keep=keep)
        last = over[0] if over else 0
        return self._database.run("recalls_empty", owner_no=owner_no, before=clock.to_micros(before), last=last)

    def scrub(self, owner_no: int, record_id: int, content: str) -> None:
        """Take away the questions for which a record was given or considered, and those that hold its text."""
        mention = f"%,{record_id},%"
        plain = _WILD.sub(r"!\g<0>", content)
        held = f"%{plain}%" if len(content) <= QUESTION_LENGTH else mention  # no longer one is in a kept question
        self._database.run("recall_scrub", owner_no=owner_no, mention=mention, held=held)


def _to_row(owner_no: int, number: int, row: Recalled) -> Row:
    """Return a row in the order in which the query names its parameters."""
    answer = {
        "hits": [[hit.id, hit.score, dict(hit.parts)] for hit in row.hits],
        "left_out": [[out.id, out.reason] for out in row.left_out],
        "floor": row.floor,
        "sources": dict(row.sources),
    }
    named = "".join(f",{one.id}" for one in (*row.hits, *row.left_out)) + ","
    written = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    whose = (owner_no, number, clock.to_micros(row.at), row.agent, row.session, row.asked_by)
    return (*whose, row.question, named, written, round(row.milliseconds * 1_000))


def _to_recalled(row: Row) -> Recalled:
    answer = json.loads(row[6])
    return Recalled(
        id=row[0],
        at=clock.from_micros(row[1]),
        agent=row[2],
        session=row[3],
        asked_by=row[4],
        question=row[5],
        hits=tuple(RecalledHit(id=id, score=score, parts=parts) for id, score, parts in answer["hits"]),
        left_out=tuple(LeftOut(id=id, reason=reason) for id, reason in answer["left_out"]),
        floor=answer["floor"],
        sources=answer["sources"],
        milliseconds=row[7] / 1_000,
    )
