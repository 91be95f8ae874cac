"""The statements of one transaction on PostgreSQL, sent together and answered in their order.

The driver's own cursors send every statement by itself, and wake the server for it. Here they go out with the next one
whose answer somebody waits for; what goes wrong with one is said by whatever is waited for next.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Any, cast
from weakref import WeakKeyDictionary

import psycopg
from psycopg.adapt import Transformer
from psycopg.pq import ConnStatus, ExecStatus, Format

from recollect.storage.backend import Row
from recollect.storage.binding import NAMED

_INT8, _BYTEA = 20, 17

_Prepared = tuple[bytes, tuple[int, ...]]
"""A statement and the types of its parameters."""

_prepared: WeakKeyDictionary[Any, dict[_Prepared, bytes]] = WeakKeyDictionary()
"""By connection, the names of what it has prepared; a name is never given twice."""

_numbers = count()


def forget(connection: Any) -> None:
    """Prepare everything anew: a driver that rolls back or changes tables lets go of all that was prepared."""
    _prepared.pop(connection, None)


class Answer:
    """What a statement gave; asking for it waits for it."""

    def __init__(self, line: "Line", prepares: _Prepared | None = None) -> None:
        self._line = line
        self.prepares = prepares
        self.result: Any = None

    def fetchall(self) -> list[Row]:
        """Return every row."""
        result = self._line.read(self)
        transformer = Transformer(self._line.connection)
        transformer.set_pgresult(result)
        return transformer.load_rows(0, result.ntuples, tuple)

    def fetchone(self) -> Row | None:
        """Return the first row, if there is one."""
        return next(iter(self.fetchall()), None)

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._line.read(self).command_tuples or 0

    @property
    def said(self) -> bytes:
        """What the server calls what it did."""
        return self._line.read(self).command_status


class Line:
    """A connection while its statements need not wait for each other. Leaving the block waits for every answer."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self._pgconn = connection.pgconn
        self._known = _prepared.setdefault(connection, {})
        self._preparing: dict[_Prepared, bytes] = {}
        self._awaited: deque[Answer | None] = deque()  # None for the end of everything
        self._problem: Exception | None = None
        self._is_asked = True  # whether the server knows that somebody waits for what was sent last
        self._is_closed = False

    def __enter__(self) -> "Line":
        self._pgconn.enter_pipeline_mode()
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, _trace: object) -> None:
        try:
            self.close()
        except psycopg.Error:
            if problem is None:
                raise

    def close(self) -> None:
        """Wait for every answer and let statements be sent one by one again; calling it again is harmless."""
        if self._is_closed:
            return
        self._is_closed = True
        self._pgconn.pipeline_sync()
        self._awaited.append(None)
        while self._awaited:
            self._take()
        self._pgconn.exit_pipeline_mode()
        if self._problem is not None:
            raise self._problem

    def execute(self, query: str, params: Mapping[str, object]) -> Answer:
        """Have a statement sent with the next one that somebody waits for."""
        text, names = _numbered(query)
        values, types, formats = _written([params[name] for name in names])
        self._pgconn.send_query_prepared(self._prepare(text, types), values, formats)
        answer = Answer(self)
        self._awaited.append(answer)
        self._is_asked = False
        return answer

    def send(self) -> None:
        """Let the server begin with what there is, as far as it takes it now."""
        self._pgconn.flush()

    def read(self, answer: Answer) -> Any:
        """Wait for the answer of one statement, and with it for those of all before."""
        if answer.result is None and not self._is_asked:
            self._pgconn.send_flush_request()
            self._is_asked = True
        while answer.result is None and self._problem is None:
            self._take()
        if self._problem is not None:
            raise self._problem
        return answer.result

    def _prepare(self, text: bytes, types: tuple[int, ...]) -> bytes:
        key = (text, types)
        name = self._known.get(key) or self._preparing.get(key)
        if name is None:
            name = b"line_%d" % next(_numbers)
            self._pgconn.send_prepare(name, text, types)
            self._preparing[key] = name
            self._awaited.append(Answer(self, key))
        return name

    def _take(self) -> None:
        """Read the next result of those that are awaited."""
        self._wait()
        result = self._pgconn.get_result()
        if result is None:  # the end of one answer, or of the connection
            if self._pgconn.status != ConnStatus.OK:
                raise psycopg.OperationalError("the connection is lost")
            return
        answer = self._awaited.popleft()
        if result.status in (ExecStatus.FATAL_ERROR, ExecStatus.PIPELINE_ABORTED):
            self._problem = self._problem or psycopg.errors.error_from_result(result)
        elif answer is not None:
            answer.result = result
            if answer.prepares:
                self._known[answer.prepares] = self._preparing[answer.prepares]

    def _wait(self) -> None:
        """Wait until there is a result, and send meanwhile: who sends a lot without reading could wait forever."""
        unsent = self._pgconn.flush()
        if not unsent and not self._pgconn.is_busy():
            return
        with DefaultSelector() as selector:
            selector.register(self._pgconn.socket, EVENT_READ)
            while unsent or self._pgconn.is_busy():
                selector.modify(self._pgconn.socket, EVENT_READ | EVENT_WRITE if unsent else EVENT_READ)
                if not selector.select(self.connection.patience):
                    self.connection.give_up()
                self._pgconn.consume_input()
                unsent = unsent and self._pgconn.flush()


@cache
def _numbered(query: str) -> tuple[bytes, list[str]]:
    """Return a query with its parameters as the server numbers them, and their names in that order."""
    names = list(dict.fromkeys(NAMED.findall(query)))
    return NAMED.sub(lambda name: f"${names.index(name[1]) + 1}", query).replace("%%", "%").encode(), names


def _written(values: Sequence[object]) -> tuple[list[bytes | None], tuple[int, ...], list[Format]]:
    """Return values as they travel, what the server shall take them for where it would not know, and in which form."""
    written: list[bytes | None] = []
    types: list[int] = []
    formats: list[Format] = []
    for value in values:
        type_, form = 0, Format.TEXT
        if isinstance(value, bytes):
            type_, form = _BYTEA, Format.BINARY
            written.append(value)
        elif value is None:
            written.append(None)
        else:
            type_ = _INT8 if isinstance(value, int) else 0
            is_list = isinstance(value, list)
            text = array(cast("list[Any]", value)) if is_list else str(int(value) if isinstance(value, bool) else value)
            if "\0" in text:
                raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
            written.append(text.encode())
        types.append(type_)
        formats.append(form)
    return written, tuple(types), formats


def array(values: list[Any]) -> str:
    """Return a list as PostgreSQL writes an array."""
    kinds = set(map(type, values))
    return "{" + ",".join(map(str, values) if kinds == {int} else map(_element, values)) + "}"


def _element(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bytes):
        return f'"\\\\x{value.hex()}"'
    return '"' + str(value).replace("\\", r"\\").replace('"', r"\"") + '"'
