"""A MySQL 9, unpacked from Debian unstable; how to use it is told in `tests.servers`."""

import os
import platform
import random
import secrets
import shutil
import signal
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pymysql

from tests.servers import debian
from tests.servers.places import Unavailable, made_once, new_folder, run_as_server, server_user
from tests.servers.server import Server

VARIABLE = "RECOLLECT_TEST_MYSQL"
PACKAGES = ("mysql-server-core", "mysql-client-core")
TOOLS = {"mysql", "mysqladmin", "mysqlbinlog", "mysqldump"}
WHY = f"MySQL from Debian unstable (a server in {VARIABLE} would do as well)"
PORTS = range(20000, 32000)  # below those that systems give to outgoing connections

# What was committed is with the system before it is acknowledged: a kill of the server takes none of it.
QUICK = {"innodb_flush_log_at_trx_commit": 2, "innodb_doublewrite": "OFF", "skip_log_bin": None}
DURABLE = {
    "innodb_flush_log_at_trx_commit": 1,
    "innodb_doublewrite": "ON",
    "log_bin": "binlog",
    "server_id": 1,
    "sync_binlog": 1,
}
USUAL = {
    "bind_address": "127.0.0.1",
    "mysqlx": "OFF",
    "performance_schema": "OFF",
    "secure_file_priv": "NULL",
    "max_connections": 200,
}

ABROAD = {
    "default_time_zone": "+08:00",
    "sql_mode": "ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,IGNORE_SPACE",
    "character_set_server": "latin1",
    "collation_server": "latin1_swedish_ci",
    "transaction_isolation": "READ-COMMITTED",
}


class MysqlServer(Server):
    """A MySQL server."""

    end_signal = signal.SIGKILL  # an orderly end takes seconds, and saves what nobody needs

    def connect(self, **choices: Any) -> "pymysql.Connection[Any]":
        return pymysql.connect(**arguments(self.url), **choices)

    @property
    def version(self) -> tuple[int, ...]:
        with self.connect() as connection:
            return tuple(int(part) for part in connection.get_server_info().partition("-")[0].split("."))

    def execute(self, *statements: str) -> None:
        with self.connect(autocommit=True) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def tool(self, name: str) -> list[str]:
        """Return a program of MySQL, told how to reach this server; the name of a database may follow."""
        login = self._folders[0] / "login"
        if not login.exists():
            login.touch(mode=0o600)
            login.write_text("\n".join(["[client]", *login_lines(self.url)]), encoding="utf-8")
        root = unpacked()
        return [*debian.runnable(root / "usr/bin" / name, root), f"--defaults-file={login}"]

    def _answers(self) -> str | None:
        try:
            with self.connect(connect_timeout=10):
                return None
        except pymysql.OperationalError as error:
            return str(error)

    def _drop(self, name: str) -> None:
        with self.connect(autocommit=True) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT id FROM information_schema.processlist WHERE db = %s", [name])
            for [number] in cursor.fetchall():
                try:
                    cursor.execute(f"KILL {number}")
                except pymysql.OperationalError:
                    pass  # it went by itself
            cursor.execute(f"DROP DATABASE IF EXISTS {name}")


def arguments(url: str) -> dict[str, Any]:
    """Return what the driver wants to know instead of a URL."""
    found = urlsplit(url)
    asked = {
        "host": found.hostname,
        "port": found.port,
        "user": unquote(found.username or "root"),
        "password": unquote(found.password or ""),
        "database": found.path.strip("/"),
        "unix_socket": parse_qs(found.query).get("unix_socket", [""])[0],
    }
    return {name: value for name, value in asked.items() if value}


def login_lines(url: str) -> list[str]:
    """Return the same for an options file of MySQL's own programs."""
    names = {"host": "host", "port": "port", "user": "user", "password": "password", "unix_socket": "socket"}
    given = arguments(url)
    return [f'{option}="{given[name]}"' for name, option in names.items() if name in given]


def unpacked() -> Path:
    """Return the folder of an unpacked MySQL."""

    def make(folder: Path) -> None:
        debian.unpack(PACKAGES, folder, why=WHY)
        for unused in ("doc", "icu", "locale", "man", "perl"):
            shutil.rmtree(folder / "usr/share" / unused, ignore_errors=True)
        for program in (folder / "usr/bin").iterdir():
            if program.name not in TOOLS:
                program.unlink()

    return made_once(f"mysql-{platform.machine()}", make)


def mysqld(root: Path, data: Path) -> list[str]:
    """Return how to call an unpacked MySQL on a data directory."""
    places = {
        "basedir": root / "usr",
        "character-sets-dir": root / "usr/share/mysql/charsets",
        "lc-messages-dir": root / "usr/share/mysql",
        "plugin-dir": root / "usr/lib/mysql/plugin",
        "datadir": data,
    }
    command = [*debian.runnable(root / "usr/sbin/mysqld", root), "--no-defaults"]
    return command + [f"--{name}={place}" for name, place in places.items()]


def initialised(root: Path) -> Path:
    """Return a data directory to copy, as the server's user owns it."""

    def make(folder: Path) -> None:
        if user := server_user():
            os.chown(folder, user["user"], user["group"])
        small = ["--innodb-redo-log-capacity=8M", "--secure-file-priv=NULL", "--skip-log-bin"]
        command = [*mysqld(root, folder / "data"), "--initialize-insecure", *small]
        run_as_server(command, why="MySQL's first data directory")

    return made_once(f"{root.name}/data", make) / "data"


def free_port() -> int:
    """Return a port that nobody listens on."""
    for port in random.sample(PORTS, 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise Unavailable("MySQL: no port of the loopback is free.")


def mysql_server(
    *,
    durable: bool = False,
    options: Mapping[str, object] | None = None,
    private: bool = False,
    folder: Path | None = None,
) -> MysqlServer:
    """Return a server to be used in a `with`; the one in RECOLLECT_TEST_MYSQL, unless one's own is needed."""
    if not private and not options and (given := os.environ.get(VARIABLE)):
        return MysqlServer(given, folders=[new_folder()])
    root = unpacked()
    template = initialised(root)
    own = new_folder()
    folders = [own, *([new_folder(folder)] if folder else [])]
    data = folders[-1] / "data"
    run_as_server(["cp", "-Rp", str(template), str(data)], why="A copy of MySQL's data directory")
    password, port = secrets.token_hex(8), free_port()
    first = own / "first.sql"
    first.write_text(f"ALTER USER root@localhost IDENTIFIED BY '{password}';\n", encoding="utf-8")
    if user := server_user():
        os.chown(first, user["user"], user["group"])
    first.chmod(0o400)
    places = {"port": port, "socket": own / "socket", "pid-file": own / "pid", "tmpdir": own, "init-file": first}
    command = mysqld(root, data)
    for name, value in {**USUAL, **(DURABLE if durable else QUICK), **(options or {}), **places}.items():
        command.append(f"--{name.replace('_', '-')}" + ("" if value is None else f"={value}"))
    return MysqlServer(f"mysql://root:{password}@127.0.0.1:{port}/mysql", command=command, folders=folders)
