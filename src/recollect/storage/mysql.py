"""MySQL 8 and 9."""

import json
import ssl
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, ClassVar, cast

import pymysql
from pymysql.constants import CLIENT

from recollect.domain.errors import ConfigError, RecollectError, StorageError
from recollect.storage.backend import Row
from recollect.storage.binding import NAMED
from recollect.storage.server import SETTINGS_AT_FAULT, Columns, ServerDatabase

_OLDEST = (8, 0, 19)
_SESSION = (
    "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY', "
    "session time_zone = '+00:00', session transaction_isolation = 'READ-COMMITTED', "
    "session innodb_lock_wait_timeout = {seconds}, session max_execution_time = {milliseconds}, "
    "session sql_safe_updates = 0, session group_concat_max_len = 1048576, "
    "session information_schema_stats_expiry = 0"  # else a size may be that of yesterday
)
_TLS = ("ssl_ca", "ssl_cert", "ssl_key", "ssl_verify_cert", "ssl_verify_identity")
_FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_FILES = {"ssl_ca", "ssl_cert", "ssl_key"}
_TEXT_OPTIONS = ("unix_socket", *_FILES)
_MESSAGES = {
    1021: "disk_full",
    1040: "too_many_connections",
    1044: "not_permitted",
    1045: "login_refused",
    1049: "no_such_database",
    1053: "unreachable",
    1114: "disk_full",
    1142: "not_permitted",
    1203: "too_many_connections",
    1205: "busy",
    1213: "busy",
    1290: "read_only_server",
    1698: "login_refused",
    1792: "read_only_server",
    1836: "read_only_server",
    2003: "unreachable",
    2006: "unreachable",
    2013: "unreachable",
    2026: "tls_failed",
    3024: "too_slow",
}
_STATEMENT = 1_000_000  # bytes of rows; a server takes 4 MB at least, unless its owner said otherwise
_LOST = (0, 1053, 2003, 2006, 2013, 2014, 2055, 4031)


class MysqlDatabase(ServerDatabase):
    """A database of MySQL, which is ours alone."""

    dialect: ClassVar[str] = "mysql"
    engine: ClassVar[str] = "MySQL"
    list_form: ClassVar[str] = r"in :\1"
    errors: ClassVar[tuple[type[Exception], ...]] = (pymysql.Error, OSError)

    def _connect(self) -> Any:
        address, limits = self.address, self.limits
        unknown = set(address.options) - {*_TLS, *_TEXT_OPTIONS}
        if unknown:
            raise ConfigError("unknown_option", "database", names=", ".join(sorted(unknown)))
        unread = [
            name for name, value in address.options.items() if name not in _TEXT_OPTIONS and value.lower() not in _FLAGS
        ]
        if unread:
            raise ConfigError("unknown_option", "database", names=", ".join(unread))
        for name in _FILES & address.options.keys():
            _refuse_unreadable(name, address.options[name])
        options: dict[str, Any] = {
            name: value if name in _TEXT_OPTIONS else _FLAGS[value.lower()] for name, value in address.options.items()
        }
        seconds = max(1, round(limits.statement_seconds))
        connection = pymysql.connect(
            host=address.host or "localhost",
            port=address.port or 3306,
            user=address.user or None,
            password=address.password,
            database=address.database,
            charset="utf8mb4",
            collation="utf8mb4_0900_bin",
            autocommit=True,
            client_flag=CLIENT.FOUND_ROWS,
            connect_timeout=max(1, round(limits.connect_seconds)),
            read_timeout=seconds + 5,
            write_timeout=seconds + 5,
            init_command=None,
            **options,
        )
        try:
            self._refuse_unsuitable(connection)
            self._execute(connection, _SESSION.format(seconds=seconds, milliseconds=seconds * 1000), None)
        except BaseException:
            connection.close()
            raise
        return connection

    def _execute(self, connection: Any, query: str, params: Mapping[str, object] | None) -> Any:
        cursor = connection.cursor()
        cursor.execute(query, _listed(query, params) if params is not None else None)
        return cursor

    def _change(self, connection: Any, query: str, params: Mapping[str, object]) -> int:
        return int(self._execute(connection, query, params).rowcount)

    def _flow(self, connection: Any) -> AbstractContextManager[object]:
        return nullcontext()

    def _finish(self, connection: Any) -> None:
        self._execute(connection, "commit", None)

    def _insert(self, connection: Any, query: str, columns: Columns) -> None:
        """Many rows go in one statement; the driver would take many times as long over each value."""
        form = NAMED.sub("%s", query)
        before, is_insert, values = form.partition("values ")
        if not is_insert or not values.endswith(")"):
            connection.cursor().executemany(form, zip(*columns, strict=True))
            return
        rows = map(values.__mod__, zip(*[_written(connection, column) for column in columns], strict=True))
        for joined in _in_statements(rows):
            self._execute(connection, f"{before}values {joined}", None)

    def _begin(self, connection: Any, asked: Sequence[tuple[str, Mapping[str, object]]]) -> list[list[Row]]:
        self._execute(connection, "begin", None)
        return [list(self._execute(connection, query, params).fetchall()) for query, params in asked]

    def _is_lost(self, connection: Any, problem: Exception) -> bool:
        return not connection.open or isinstance(problem, OSError) or _number(problem) in _LOST

    def _to_error(self, problem: Exception) -> RecollectError:
        number = _number(problem)
        key = _MESSAGES.get(number, "unreachable" if number in _LOST else "database_failed")
        cause = getattr(problem, "original_exception", problem)
        if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError):  # the latter is a lost server
            key = "tls_failed"
        text = " ".join(str(problem.args[-1] if problem.args else problem).split())
        kind, path = (ConfigError, "database") if key in SETTINGS_AT_FAULT else (StorageError, "")
        return kind(key, path, place=self.address.place, problem=text, seconds=round(self.limits.statement_seconds))

    @contextmanager
    def _migrating(self, connection: Any) -> Generator[None]:
        lock = {"name": f"recollect {self.address.database}"[:64], "seconds": round(self.limits.statement_seconds)}
        row = self._execute(connection, "select get_lock(%(name)s, %(seconds)s)", lock).fetchone()
        if row[0] != 1:
            raise StorageError("busy", seconds=lock["seconds"])
        try:
            yield
        finally:
            self._execute(connection, "select release_lock(%(name)s)", lock)

    def _apply(self, connection: Any, script: str) -> None:
        """Each statement is kept by itself: one that was made before is passed over."""
        for statement in script.split(";\n"):
            if statement.strip():
                self._execute(connection, statement, None)

    def _refuse_unsuitable(self, connection: Any) -> None:
        version: str = connection.get_server_info()
        if "mariadb" in version.lower():
            raise ConfigError("mariadb", "database")
        found = tuple(int("".join(filter(str.isdigit, part)) or 0) for part in version.split("-")[0].split(".")[:3])
        if found < _OLDEST:
            raise ConfigError("old_server", "database", engine="MySQL", version=version, oldest=8)


def _refuse_unreadable(option: str, file: str) -> None:
    """Refuse a file that cannot be opened; the driver would not say which."""
    try:
        Path(file).open("rb").close()
    except OSError as problem:
        said = problem.strerror or str(problem)
        raise ConfigError("option_file", "database", name=option, file=file, problem=said) from problem


def _written(connection: Any, column: list[Any]) -> list[Any]:
    """Return values as they stand in a statement."""
    return column if set(map(type, column)) == {int} else [connection.escape(value) for value in column]


def _in_statements(rows: Iterable[str]) -> Iterator[str]:
    """Yield rows joined until they are as long as one statement should be."""
    joined: list[str] = []
    length = 0
    for row in rows:
        size = len(row.encode())
        if joined and length + size > _STATEMENT:
            yield ",".join(joined)
            joined, length = [], 0
        joined.append(row)
        length += size
    yield ",".join(joined)


def _number(problem: Exception) -> int:
    first = problem.args[0] if problem.args else 0
    return first if isinstance(first, int) else 0


def _listed(query: str, params: Mapping[str, object]) -> Mapping[str, object]:
    """Return lists as MySQL takes them: behind `in` as they are, but never empty, and as JSON everywhere else."""
    written: dict[str, object] = {}
    for name, value in params.items():
        if isinstance(value, list):
            items = cast("list[object]", value)
            plain = f"in %({name})s" in query
            written[name] = (items or [None]) if plain else json.dumps(items, ensure_ascii=False)
    return {**params, **written} if written else params
