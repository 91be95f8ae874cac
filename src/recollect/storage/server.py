"""What database servers have in common: pooled connections, short transactions, going on after the server did not."""

import threading
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from recollect.domain.errors import ConfigError, NewerSchema, RecollectError, StorageError
from recollect.storage import forks
from recollect.storage.backend import Database, Description, Question, Row
from recollect.storage.binding import bound, check_column
from recollect.storage.pool import Pool
from recollect.storage.sql import LIST, PARAMETER, load_migrations, load_queries

SETTINGS_AT_FAULT = ("login_refused", "no_such_database", "bad_option")

T = TypeVar("T")

Columns = list[list[Any]]

_abandoned: list[object] = []
"""Connections of a parent process. Closing one here would end it there, so they are kept and never touched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of a server one process may take, and for how long."""

    pool_size: int = 10
    connect_seconds: float = 10.0
    statement_seconds: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A URL taken apart; what stands behind its question mark are options of the driver."""

    host: str
    port: int | None
    user: str
    password: str
    database: str
    options: Mapping[str, str]

    @classmethod
    def parse(cls, url: str) -> "Address":
        """Return the parts of a URL such as postgresql://user:password@host:5432/name?sslmode=require."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as problem:
            raise ConfigError("bad_url", "database", problem="host:port") from problem  # its words may quote a password
        if "\0" in unquote(url):
            raise ConfigError("bad_url", "database", problem="%00")  # where a driver would cut it off
        database = unquote(parts.path.removeprefix("/"))
        if not database:
            raise ConfigError("no_database_named", "database", scheme=parts.scheme)
        return cls(
            host=unquote(parts.hostname or ""),
            port=port,
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            database=database,
            options=dict(parse_qsl(parts.query)),
        )

    @property
    def place(self) -> str:
        """The address as it may be shown: without the password."""
        port = f":{self.port}" if self.port else ""
        where = self.host or self.options.get("host") or self.options.get("unix_socket") or "localhost"
        return f"{where}{port}/{self.database}"


class ServerDatabase(Database):
    """A database on a server. A dialect gives the driver: how to connect, execute and insert, and what errors mean.

    A call that finds its connection broken is made once more on a new one, when nothing can have been written by it.
    """

    dialect: ClassVar[str]
    engine: ClassVar[str]
    list_form: ClassVar[str]
    errors: ClassVar[tuple[type[Exception], ...]]

    def __init__(self, url: str, limits: Limits, *, as_is: bool = False, queries: str = "") -> None:
        """Open a database and make its tables; `as_is` leaves it as it is, `queries` names those of another program."""
        self.address = Address.parse(url)
        self.limits = limits
        self._queries = _in_driver_words(load_queries(queries or self.dialect), self.list_form)
        self._migrations = load_migrations(self.dialect)
        self._begin_empty()
        forks.watch(self)
        try:
            if not as_is:
                self._arrive()
        except RecollectError:
            self.close()
            raise

    @abstractmethod
    def _connect(self) -> Any:
        """Return a new connection that commits each statement by itself, with our settings for a session."""

    @abstractmethod
    def _execute(self, connection: Any, query: str, params: Mapping[str, object] | None) -> Any:
        """Execute one statement and return its cursor."""

    @abstractmethod
    def _change(self, connection: Any, query: str, params: Mapping[str, object]) -> int:
        """Execute one statement that writes and return how many rows it changed."""

    @abstractmethod
    def _insert(self, connection: Any, query: str, columns: Columns) -> None:
        """Execute an insert for every row; each of its parameters comes as a column."""

    @abstractmethod
    def _begin(self, connection: Any, asked: Sequence[tuple[str, Mapping[str, object]]]) -> list[list[Row]]:
        """Begin a transaction and return the rows of the queries asked in it."""

    @abstractmethod
    def _flow(self, connection: Any) -> AbstractContextManager[object]:
        """Return a context in which the statements of a transaction may be sent without waiting for each."""

    @abstractmethod
    def _finish(self, connection: Any) -> None:
        """Commit, and return when the server has said that it did."""

    @abstractmethod
    def _is_lost(self, connection: Any, problem: Exception) -> bool:
        """Tell whether a connection can no longer be used."""

    @abstractmethod
    def _to_error(self, problem: Exception) -> RecollectError:
        """Return what is said of an error that the driver reports."""

    @abstractmethod
    def _apply(self, connection: Any, script: str) -> None:
        """Execute the statements of a migration."""

    @abstractmethod
    def _migrating(self, connection: Any) -> Any:
        """Return a context in which nobody else migrates."""

    def run(self, name: str, /, **params: object) -> int:
        query, connection = self._queries[name], self._writing()
        checked = bound(query, params)
        return self._told(lambda: self._change(connection, query, checked))

    def one(self, name: str, /, **params: object) -> Row | None:
        return self._read(name, params, lambda cursor: cursor.fetchone())

    def all(self, name: str, /, **params: object) -> list[Row]:
        return self._read(name, params, lambda cursor: list(cursor.fetchall()))

    def many(self, name: str, rows: Iterable[Row]) -> None:
        connection = self._writing()
        columns = [list(column) for column in zip(*rows, strict=True)]
        for at, column in enumerate(columns):
            check_column(str(at), column)
        if columns:
            self._told(lambda: self._insert(connection, self._queries[name], columns))

    @contextmanager
    def transaction(self, *asked: Question) -> Generator[list[list[Row]]]:
        if self._mine.connection is not None:
            raise RuntimeError("a transaction is open in this thread")
        mine, pool = self._mine, self._pool  # others in a child that was forked meanwhile, which owns nothing of this
        answers, ending, connection = self._begun(asked)
        mine.connection = connection
        is_kept = is_sound = False
        try:
            with ending:
                yield answers
                if self._mine is not mine:
                    raise StorageError("forked_in_use", file=self.address.place)
                self._commit(connection)
                is_kept = True
            is_sound = True
        except self.errors:
            if not is_kept:  # a connection that breaks after the server kept it all is no failure of the transaction
                raise
        finally:
            mine.connection = mine.flow = None
            if self._mine is mine:
                pool.give(connection, sound=is_sound or (not is_kept and self._rolled_back(connection)))

    def migrate(self) -> list[str]:
        return self._alone(self._migrate)

    def _alone(self, work: Callable[[Any], T]) -> T:
        """Do what must not happen while somebody changes the tables."""
        connection = self._pool.take()
        is_sound = False
        try:
            with self._migrating(connection):
                done = self._told(lambda: work(connection))
            is_sound = True
        except self.errors as problem:
            raise self._to_error(problem) from problem
        finally:
            self._pool.give(connection, sound=is_sound)
        return done

    def describe(self, *, thorough: bool = False) -> Description:
        version, size = self.one("server_says") or ("", 0)
        return Description(
            engine=self.engine,
            version=str(version),
            place=self.address.place,
            schema=self._schema_found(),
            newest_schema=self._migrations[-1].number,
            size_bytes=int(size),
            problems=(),
        )

    def close(self) -> None:
        self._pool.close()
        forks.forget(self)

    def rest(self) -> None:
        """Nothing need rest before a fork: a child leaves these connections alone."""

    def go_on(self) -> None:
        """Go on in the parent."""

    def start_anew(self) -> None:
        """Connect anew in the child."""
        _abandoned.extend((self._pool, self._mine))
        self._begin_empty()

    def _begin_empty(self) -> None:
        self._pool: Pool[Any] = Pool(
            self._connected, self._close_connection, self.limits.pool_size, self.limits.statement_seconds
        )
        self._mine = _ThisThread()

    def _arrive(self) -> None:
        """Make the tables where there are none; refuse a schema that is not this program's."""
        found = self._schema_found()
        if found == 0:
            self.migrate()
            return
        self._refuse_newer(str(found))
        if found < self._migrations[-1].number:  # or somebody is making them at this moment
            self._alone(lambda _: None)
            found = self._schema_found()
        if found < self._migrations[-1].number:
            raise ConfigError("schema_old", "database", found=found, known=self._migrations[-1].number)

    def _schema_found(self) -> int:
        return int((self.one("schema_get") or (0,))[0]) if self.one("meta_found") else 0

    def _connected(self) -> Any:
        try:
            return self._connect()
        except RecollectError:
            raise
        except self.errors as problem:
            raise self._to_error(problem) from problem
        except UnicodeError as problem:
            raise StorageError("database_failed", problem=str(problem)) from problem
        except (TypeError, ValueError, LookupError) as problem:  # what drivers say of options that they cannot read
            names = ", ".join(sorted(self.address.options))
            raise ConfigError("unknown_option", "database", names=names) from problem

    def _close_connection(self, connection: Any) -> None:
        try:
            connection.close()
        except self.errors:
            pass  # it is gone already

    def _read(self, name: str, params: Mapping[str, object], fetch: Callable[[Any], T]) -> T:
        query = self._queries[name]
        checked = bound(query, params)
        mine = self._mine.connection
        if mine is not None:
            return self._told(lambda: fetch(self._execute(mine, query, checked)))
        return self._tried_twice(lambda connection: fetch(self._execute(connection, query, checked)), keep=False)[0]

    def _begun(self, asked: Iterable[Question]) -> tuple[list[list[Row]], ExitStack, Any]:
        named: list[Question] = [("schema_get", {}), *asked]
        checked = [(self._queries[name], bound(self._queries[name], params)) for name, params in named]

        def begin(connection: Any) -> tuple[list[list[Row]], ExitStack]:
            try:
                with ExitStack() as ending:
                    self._mine.flow = ending.enter_context(self._flow(connection))
                    return self._begin(connection, checked), ending.pop_all()
            except self.errors:
                self._mine.flow = None
                self._rolled_back(connection)
                raise

        ((schema, *answers), ending), connection = self._tried_twice(begin, keep=True)
        try:
            self._refuse_newer(schema[0][0] if schema else "")
        except NewerSchema:
            ending.close()
            self._mine.flow = None
            self._pool.give(connection, sound=self._rolled_back(connection))
            raise
        return answers, ending, connection

    def _tried_twice(self, work: Callable[[Any], T], *, keep: bool) -> tuple[T, Any]:
        """Do what writes nothing; when the connection turns out to be lost, once more on a new one."""
        for is_last in (False, True):
            connection = self._pool.take(fresh=is_last)
            is_sound = is_kept = False
            try:
                result = work(connection)
                is_sound, is_kept = True, keep
                return result, connection
            except self.errors as problem:
                is_lost = self._is_lost(connection, problem)
                is_sound = not is_lost
                if is_last or not is_lost:
                    raise self._to_error(problem) from problem
            finally:
                if not is_kept:
                    self._pool.give(connection, sound=is_sound)
        raise AssertionError("the last try returns or raises")

    def _commit(self, connection: Any) -> None:
        try:
            self._finish(connection)
        except self.errors as problem:
            if self._is_lost(connection, problem):
                raise StorageError("commit_unknown", problem=str(problem)) from problem
            raise self._to_error(problem) from problem

    def _rolled_back(self, connection: Any) -> bool:
        try:
            self._execute(connection, "rollback", None)
        except self.errors:
            return False
        return True

    def _told(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except self.errors as problem:
            raise self._to_error(problem) from problem

    def _writing(self) -> Any:
        if self._mine.connection is None:
            raise RuntimeError("writing needs a transaction")
        return self._mine.connection

    def _refuse_newer(self, schema: str) -> None:
        if int(schema or 0) > self._migrations[-1].number:
            raise NewerSchema("newer_schema", found=int(schema), known=self._migrations[-1].number)

    def _migrate(self, connection: Any) -> list[str]:
        found = 0
        if self._execute(connection, self._queries["meta_found"], {}).fetchone():
            row = self._execute(connection, self._queries["schema_get"], {}).fetchone()
            found = int(row[0]) if row else 0
        elif taken := self._execute(connection, self._queries["tables_found"], {}).fetchone():
            raise ConfigError("not_ours_here", "database", table=taken[0], place=self.address.place)
        self._refuse_newer(str(found))
        due = [step for step in self._migrations if step.number > found]
        for step in due:
            self._apply(connection, step.script)
            self._execute(connection, self._queries["schema_put"], {"value": str(step.number)})
        return [f"{step.number:04}_{step.name}" for step in due]


def _in_driver_words(queries: Mapping[str, str], list_form: str) -> dict[str, str]:
    """Return queries with their parameters as the drivers of servers write them."""
    return {
        name: PARAMETER.sub(r"%(\1)s", LIST.sub(list_form, query.replace("%", "%%"))) for name, query in queries.items()
    }


class _ThisThread(threading.local):
    connection: Any = None
    flow: Any = None
