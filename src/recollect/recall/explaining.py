"""Why a record was given for a question, or the first rule that kept it out."""

from recollect.domain import clock
from recollect.domain.checks import check_id
from recollect.domain.errors import NotFound
from recollect.domain.query import Hit, LeftOut, Query, Reason
from recollect.domain.record import Record
from recollect.domain.scope import Scope
from recollect.recall.ordering import below_floor, to_hit
from recollect.recall.recalling import Recalling, check_query
from recollect.records.tables import Tables


class Explaining:
    """Answers "why" and "why not" about one record and one question."""

    def __init__(self, tables: Tables, recalling: Recalling) -> None:
        self._tables = tables
        self._recalling = recalling

    def why(self, scope: Scope, query: Query, record_id: object, *, language: str) -> Hit | LeftOut:
        """Return the hit when the record is given for the question, else what kept it out, with its rank and parts."""
        asked, number = check_query(query), check_id(record_id)
        owner = self._tables.owners.get(scope.owner_id)
        if owner is None:
            raise NotFound("record_missing", "id", id=number)
        record = self._tables.records.get(owner.no, scope, number)
        if record is None:
            return self._out_of_scope(scope, owner.no, number)
        now = clock.now()
        evidence = self._recalling.evidence(scope, owner, asked)
        reason = asked.refuses(record, now)
        if reason is None and number not in evidence.coverage and number not in evidence.near.candidates:
            reason = "no_common_term"
        hit = to_hit(record, evidence, now)
        if reason is None and below_floor(hit, evidence, asked):
            reason = "below_floor"
        if reason is not None:
            failed = self._recalling.failures(evidence)
            return LeftOut(id=number, reason=reason, name=record.name, score=hit.score, parts=hit.parts, failed=failed)
        answer = self._recalling.recall(scope, asked, language=language)
        given = [one for one in answer.hits if one.record.id == number]
        out = [one for one in answer.left_out if one.id == number]
        if given or out:
            return (given or out)[0]
        return LeftOut(id=number, reason="out_ranked", name=record.name, score=hit.score, parts=hit.parts)

    def _out_of_scope(self, scope: Scope, owner_no: int, number: int) -> LeftOut:
        """A person may know where a memory of their own is; for an agent it does not exist."""
        record: Record | None = None
        if scope.actor == "person":
            record = self._tables.records.get(owner_no, scope.everything(), number)
        if record is None:
            raise NotFound("record_missing", "id", id=number)
        reason: Reason = "other_agent" if record.agent not in ("", scope.agent) else "other_session"
        return LeftOut(id=number, reason=reason, name=record.name)
