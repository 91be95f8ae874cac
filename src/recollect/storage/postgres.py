"""PostgreSQL 15 and newer, alone or as the coordinator of a Citus cluster."""

import logging
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, LiteralString, cast

import psycopg

from recollect.domain.errors import ConfigError, RecollectError, StorageError
from recollect.storage.backend import Row
from recollect.storage.binding import NAMED
from recollect.storage.line import Line, forget
from recollect.storage.patience import PatientConnection
from recollect.storage.server import SETTINGS_AT_FAULT, Address, Columns, Limits, ServerDatabase
from recollect.storage.shards import LOCK

_OLDEST = 150_000
_PREPARED = 400
_REFUSED = ("authentication failed", "no password supplied", "pg_hba.conf rejects", 'role "')
# What the driver's library says before there is a connection, without a SQLSTATE: of options, and of encryption.
_BAD_OPTION = re.compile(
    "invalid [a-z_]+ value|invalid connection option|invalid integer value|invalid port number|"
    "bad value for [a-z_]+|definition of service|service file"
)
_TLS_FAILED = re.compile("certificate|does not support SSL|private key file|SSL error: .*(?:alert|wrong version)")
# When a connection that says nothing is asked for a sign of life, in seconds, and how often.
_KEEPALIVES = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3}
_WORTH_SENDING = 16  # rows that keep the server busy, while what follows is made ready
_SCHEMA = "recollect"
_SEARCH_PATH = re.compile(r"(?:^|\s)-(?:c\s*|-)search_path=([^\s,]*)")
_SCHEMA_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
# Our plans are the same for every owner, and making one takes longer than most of our queries. A cluster needs to see
# whose rows are asked for.
_PLANS = (
    "select set_config('plan_cache_mode', 'force_generic_plan', false) "
    "where not exists (select 1 from pg_extension where extname = 'citus')"
)
# By SQLSTATE, else by its class.
_MESSAGES = {
    "08": "unreachable",
    "28": "login_refused",
    "3D000": "no_such_database",
    "40001": "busy",
    "40P01": "busy",
    "42501": "not_permitted",
    "53100": "disk_full",
    "53300": "too_many_connections",
    "55P03": "busy",
    "57014": "too_slow",
    "57P": "unreachable",
    "25006": "read_only_server",
    "option": "bad_option",
    "tls": "tls_failed",
}
# A coordinator has no SQLSTATE of its own for a worker that went away in the middle of something.
_INTERNAL = "XX000"
_WORKER_GONE = re.compile(
    "connection to the remote node|server closed the connection|connection not open|could not connect|"
    "failure on connection marked as essential"
)


logging.getLogger("psycopg").addHandler(logging.NullHandler())  # what goes wrong is raised, and said once


class PostgresDatabase(ServerDatabase):
    """A database of PostgreSQL, in which the schema `recollect` is ours, or the one that the URL says.

    postgresql://host/name?options=-csearch_path%3Dother names it as PostgreSQL itself reads it.
    """

    dialect: ClassVar[str] = "postgres"
    engine: ClassVar[str] = "PostgreSQL"
    list_form: ClassVar[str] = r"= any(:\1)"
    errors: ClassVar[tuple[type[Exception], ...]] = (psycopg.Error,)

    def __init__(self, url: str, limits: Limits, *, as_is: bool = False, queries: str = "") -> None:
        self.schema = _schema_of(Address.parse(url))
        super().__init__(url, limits, as_is=as_is, queries=queries)

    def _connect(self) -> PatientConnection:
        address = self.address
        named = {"host": address.host, "port": address.port, "user": address.user, "password": address.password}
        given: dict[str, Any] = {name: value for name, value in named.items() if value}
        ours: dict[str, Any] = {
            "connect_timeout": max(2, round(self.limits.connect_seconds)),
            "application_name": "recollect",
            "tcp_user_timeout": round(self.limits.statement_seconds * 1000),
            **_KEEPALIVES,
            **address.options,
        }
        connection = PatientConnection.connect(
            **ours, **given, dbname=address.database, autocommit=True, prepare_threshold=2
        )
        connection.allow(self.limits.statement_seconds)
        connection.prepared_max = _PREPARED
        settings = (
            f"set search_path to \"{self.schema}\", public; set client_encoding to utf8; set timezone to 'UTC'; "
            "set default_transaction_isolation to 'read committed'; set standard_conforming_strings to on; "
            f"set statement_timeout to {round(self.limits.statement_seconds * 1000)}; set jit to off; "
            f"{_PLANS}"
        )
        connection.execute(cast(LiteralString, settings), prepare=False)
        return connection

    def _execute(self, connection: Any, query: str, params: Mapping[str, object] | None) -> Any:
        line = self._mine.flow
        return connection.execute(query, params) if line is None else line.execute(query, params or {})

    def _change(self, connection: Any, query: str, params: Mapping[str, object]) -> int:
        return self._execute(connection, query, params).rowcount

    def _flow(self, connection: Any) -> AbstractContextManager[Any]:
        return Line(connection)

    def _begin(self, connection: Any, asked: Sequence[tuple[str, Mapping[str, object]]]) -> list[list[Row]]:
        answers = [self._execute(connection, query, params) for query, params in [("begin", None), *asked]]
        return [answer.fetchall() for answer in answers[1:]]

    def _rolled_back(self, connection: Any) -> bool:
        forget(connection)
        return super()._rolled_back(connection)

    def _finish(self, connection: Any) -> None:
        try:
            done = self._execute(connection, "commit", None)
            self._mine.flow.close()
        except psycopg.Error as problem:
            # A worker of a cluster went away in the commit itself; one that went before left the transaction open.
            is_over = connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
            if is_over and self._to_error(problem).key == "unreachable":
                raise StorageError("commit_unknown", problem=str(problem)) from problem
            raise
        if done.said != b"COMMIT":
            raise StorageError("database_failed", problem="a statement failed before, so nothing was kept")

    def _insert(self, connection: Any, query: str, columns: Columns) -> None:
        """Columns travel as arrays where a query takes them so; a row at a time is several times slower."""
        names = NAMED.findall(query)
        for values in [columns] if "unnest(" in query else zip(*columns, strict=True):
            self._execute(connection, query, dict(zip(names, values, strict=True)))
        if len(columns[0]) >= _WORTH_SENDING:
            self._mine.flow.send()

    def _is_lost(self, connection: Any, problem: Exception) -> bool:
        return bool(connection.closed) or connection.broken

    def _to_error(self, problem: Exception) -> RecollectError:
        state = getattr(problem, "sqlstate", None) or _state_of(problem)
        text = " ".join(str(problem).split())
        if state == _INTERNAL and _WORKER_GONE.search(text):
            state = "08"
        key = next((_MESSAGES[part] for part in (state, state[:3], state[:2]) if part in _MESSAGES), "database_failed")
        kind, path = (ConfigError, "database") if key in SETTINGS_AT_FAULT else (StorageError, "")
        return kind(key, path, place=self.address.place, problem=text, seconds=round(self.limits.statement_seconds))

    @contextmanager
    def _migrating(self, connection: Any) -> Generator[None]:
        self._refuse_unsuitable(connection)
        forget(connection)
        with connection.transaction():
            connection.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
            connection.execute(cast(LiteralString, f'create schema if not exists "{self.schema}"'))
            yield

    def _apply(self, connection: Any, script: str) -> None:
        connection.execute(cast(LiteralString, script), prepare=False)

    def _refuse_unsuitable(self, connection: Any) -> None:
        if connection.info.server_version < _OLDEST:
            version = connection.info.parameter_status("server_version")
            raise ConfigError("old_server", "database", engine="PostgreSQL", version=version, oldest=15)
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise ConfigError("not_utf8", "database", encoding=encoding)


def _state_of(problem: Exception) -> str:
    """Return the state of an error that came before there was a connection, of which only the words are left."""
    said = str(problem)
    if isinstance(problem, psycopg.OperationalError | psycopg.ProgrammingError) and _BAD_OPTION.search(said):
        return "option"
    if not isinstance(problem, psycopg.OperationalError):
        return ""
    if any(refused in said for refused in _REFUSED):
        return "28P01"
    if _TLS_FAILED.search(said):
        return "tls"
    return "3D000" if "FATAL" in said and 'database "' in said and "does not exist" in said else "08"


def _schema_of(address: Address) -> str:
    """Return the schema that the options of a URL put first in the search path, else our own."""
    found = _SEARCH_PATH.findall(address.options.get("options", ""))
    name = found[-1].strip('"') if found else _SCHEMA
    if not _SCHEMA_NAME.fullmatch(name):
        raise ConfigError("bad_schema_name", "database", name=name)
    return name
