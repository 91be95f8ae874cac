"""A connection to PostgreSQL that does not wait for ever: a silent network says nothing, not even an error."""

from time import monotonic
from typing import Any, NoReturn, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.waiting import Ready

from recollect.storage.backend import Row

_MARGIN = 5.0  # seconds in which the server's own word, that a statement took too long, arrives

T = TypeVar("T")


class PatientConnection(psycopg.Connection[Row]):
    """A connection that is closed when nothing is heard for longer than any statement may take."""

    patience = 30.0 + _MARGIN

    def allow(self, statement_seconds: float) -> None:
        """Wait for as long as one statement may take, and a little longer."""
        self.patience = statement_seconds + _MARGIN

    def wait(self, gen: PQGen[T], *given: Any, **named: Any) -> T:
        """Wait as the driver does, which looks up ten times a second."""
        return super().wait(self._bounded(gen), *given, **named)

    def give_up(self) -> NoReturn:
        """Close the connection: what comes later would be taken for the answer to something else."""
        self.close()
        raise psycopg.OperationalError(f"the server was silent for {self.patience:g} seconds")

    def _bounded(self, gen: PQGen[T]) -> PQGen[T]:
        try:
            wanted = next(gen)
            heard = monotonic()
            while True:
                ready = yield wanted
                if ready != Ready.NONE:
                    heard = monotonic()
                elif monotonic() - heard > self.patience:
                    self.give_up()
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value
