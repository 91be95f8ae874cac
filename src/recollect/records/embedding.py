"""Vectors for records: made after the text was saved, in batches, and never at the cost of the text."""

import logging
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Final

from recollect.domain import clock
from recollect.domain.cards import script_of
from recollect.domain.errors import RecollectError
from recollect.domain.record import Record
from recollect.domain.text import first_line
from recollect.domain.vectors import HAN, LATIN, packed
from recollect.models.base import Embedder
from recollect.records.tables import Tables
from recollect.records.writing import EMBED
from recollect.storage.owners import OwnerState
from recollect.storage.vectors import Maker

BATCH: Final = 64  # texts
_CHARACTERS = 8_000  # of all texts of a batch: about a second of one processor for the built-in model
_LONGEST = 2_000  # of one text that can cost anything

_log = logging.getLogger(__name__)


def passage(record: Record) -> str:
    """Return the text that stands for a record: its words, with its name where that is not their beginning."""
    named = "" if record.name == first_line(record.content) else record.name
    return "\n".join(part for part in (named, record.description, record.content) if part)


class Embedding:
    """Gives the active records of an owner their vectors. Any number of processes may do so at once."""

    def __init__(self, tables: Tables, embedder: Embedder) -> None:
        self._tables = tables
        self._embedder = embedder
        self._reached: dict[int, int] = {}

    def maker(self) -> Maker:
        """Return what makes the vectors now; an embedder may have to ask its service."""
        card = self._embedder.card
        return Maker(card.model, card.dimension)

    def work(self, owner_no: int, _payload: str) -> timedelta | None:
        """Embed one batch of an owner and ask for the next; the last one takes vectors of earlier models away."""
        maker = self.maker()
        if self._some(owner_no, maker, BATCH, after=self._reached.get(owner_no, 0)):
            return timedelta(0)
        self._reached.pop(owner_no, None)
        return None if self._finish(owner_no, maker) else timedelta(0)

    @property
    def model(self) -> str:
        """The name of the model; a service may have to be asked first."""
        return self.maker().model

    def catch_up(
        self,
        owner_no: int,
        limit: int | None = None,
        *,
        batch: int = BATCH,
        told: Callable[[int], None] | None = None,
    ) -> int:
        """Embed at most `limit` records of an owner now, telling of each batch; return how many had no vector."""
        maker, done = self.maker(), 0
        while limit is None or done < limit:
            some = self._some(owner_no, maker, batch if limit is None else min(batch, limit - done))
            done += some
            if told is not None:
                told(some)
            if not some:
                self._finish(owner_no, maker)
                break
        return done

    def catch_up_quietly(self, owner_no: int, limit: int | None = None, *, batch: int = BATCH) -> int:
        """Embed now; when that fails the rest waits for the queue, and the caller goes on."""
        done: list[int] = []
        try:
            self.catch_up(owner_no, limit, batch=batch, told=done.append)
        except RecollectError as problem:
            _log.warning("embedding failed", extra={"action": "embedding_failed", "problem": problem.key})
        return sum(done)

    def queue(self, owner_no: int) -> bool:
        """Queue the records of an owner that have no vector, if there are any and nobody did so before."""
        if not self._tables.vectors.missing(owner_no, self.maker(), 1):
            return False
        with self._tables.database.transaction():
            state = self._hold(owner_no)
            if state is not None and not self._tables.jobs.waits(owner_no, EMBED):
                self._tables.jobs.add(owner_no, state.take_job(), EMBED, "{}", clock.now())
                self._tables.owners.put(state)
        return True

    def count_missing(self) -> int:
        """Return how many active records of all owners have no vector of the model that is used now."""
        return self._tables.vectors.count_missing(self.maker())

    def _some(self, owner_no: int, maker: Maker, limit: int, after: int = 0) -> int:
        """Embed the next records that lack a vector; return how many were looked at."""
        ids = self._tables.vectors.missing(owner_no, maker, limit, after)
        scope = self._tables.owners.scope_of(owner_no)
        if not ids or scope is None:
            return 0
        batch = _fitting(self._tables.records.get_many(owner_no, scope, ids).values())
        made = packed(self._embedder.embed([passage(record) for record in batch], role="passage"))
        with self._tables.database.transaction():
            if self._hold(owner_no):
                now = self._tables.records.get_many(owner_no, scope, [record.id for record in batch])
                kept = [
                    (record.id, _form(record), vector)
                    for record, vector in zip(batch, made, strict=True)
                    if _is_as(now.get(record.id), record)
                ]
                if kept:
                    self._tables.vectors.put(owner_no, maker, kept)
        self._reached[owner_no] = max((record.id for record in batch), default=ids[-1])
        return max(1, len(batch))

    def _finish(self, owner_no: int, maker: Maker) -> bool:
        """Take the job away when every record has its vector: whoever saves meanwhile waits, and queues a new one."""
        with self._tables.database.transaction():
            if self._hold(owner_no):
                if self._tables.vectors.missing(owner_no, maker, 1):
                    return False
                self._tables.vectors.keep_only(owner_no, maker)
            self._tables.jobs.finish(owner_no, EMBED)
        return True

    def _hold(self, owner_no: int) -> OwnerState | None:
        scope = self._tables.owners.scope_of(owner_no)
        return None if scope is None else self._tables.owners.hold(scope.owner_id)


def _fitting(records: Iterable[Record]) -> list[Record]:
    """Return the first records in the order of their ids whose texts are not too much for one batch."""
    batch: list[Record] = []
    room = _CHARACTERS
    for record in sorted(records, key=lambda record: record.id):
        room -= min(len(passage(record)), _LONGEST)
        if batch and room < 0:
            break
        batch.append(record)
    return batch


def _form(record: Record) -> str:
    return HAN if script_of(passage(record)) == "han" else LATIN


def _is_as(now: Record | None, embedded: Record) -> bool:
    """Tell whether a record still says what was embedded."""
    return now is not None and now.status == "active" and passage(now) == passage(embedded)
