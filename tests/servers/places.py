"""Where servers and their data lie, who they run as, and how several test runs share what was fetched once."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# The settings of the person who runs the tests shall not reach a server.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
SOCKET_FOLDER_LENGTH = 70  # the name of a socket has at most 103 bytes on some systems


class Unavailable(Exception):
    """A server that cannot be had here; the message says why, in one sentence."""


def server_user() -> dict[str, Any]:
    """Return what makes `subprocess` run a server as somebody it agrees to run as: nobody, when we are root."""
    if sys.platform == "win32":
        raise Unavailable("Servers for tests start on Linux and macOS alone; name a server in RECOLLECT_TEST_….")
    if os.geteuid() != 0:
        return {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def reachable(path: Path) -> bool:
    """Tell whether the server's user may enter a folder, as far as its nearest parent that exists."""
    user = server_user()

    def open_to_it(found: os.stat_result) -> bool:
        return bool(found.st_mode & (0o100 if found.st_uid == user["user"] else 0o001))

    path = path.resolve()
    return not user or all(open_to_it(folder.stat()) for folder in (path, *path.parents) if folder.exists())


def cache_folder() -> Path:
    """Return the folder of what was fetched, kept between runs; outside the tree, and open to the server's user."""
    if chosen := os.environ.get("RECOLLECT_TEST_CACHE"):
        folder = Path(chosen).resolve()
        if not reachable(folder):
            raise Unavailable(f"RECOLLECT_TEST_CACHE={folder} is closed to `nobody`, whom servers of root run as.")
    else:
        own = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = (own if reachable(own) else Path("/var/cache")) / "recollect-test"
    folder.mkdir(parents=True, exist_ok=True)
    if server_user():
        folder.chmod(0o755)
    return folder


def new_folder(parent: Path | None = None) -> Path:
    """Make an empty folder of the server's user; the caller removes it."""
    user = server_user()
    if parent is None:
        parent = Path(tempfile.gettempdir()).resolve()
        if not reachable(parent) or len(os.fsencode(parent)) > SOCKET_FOLDER_LENGTH:
            parent = Path("/tmp")
    elif not reachable(parent):
        raise Unavailable(f"{parent} is closed to `nobody`, whom servers of root run as.")
    folder = Path(tempfile.mkdtemp(prefix="recollect-", dir=parent))
    if user:
        os.chown(folder, user["user"], user["group"])
    return folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes out of a folder of the cache while it is being made."""
    import fcntl

    with folder.with_name(folder.name + ".lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return a folder of the cache that `make` fills, once for all runs: nobody ever sees half of it."""
    folder = cache_folder() / name
    with locked(folder):
        if not folder.exists():
            half = folder.with_name(folder.name + ".half")
            shutil.rmtree(half, ignore_errors=True)
            half.mkdir()
            half.chmod(0o755)
            make(half)
            half.rename(folder)
    return folder


def run(command: list[str], *, why: str, timeout_seconds: float = 300, **options: Any) -> str:
    """Run a program to its end and return what it printed; `why` begins the sentence that says why it failed."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout_seconds, **options
        )
    except FileNotFoundError:
        raise Unavailable(f"{why}: there is no {command[0]} here.") from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{why}: {Path(command[0]).name} was not done after {timeout_seconds} s.") from None
    said = done.stdout.decode("utf-8", errors="replace")
    if done.returncode:
        raise Unavailable(f"{why}: {last_words(said) or f'status {done.returncode}'}")
    return said


def run_as_server(command: list[str], *, why: str) -> str:
    """Run a program as the server's user."""
    return run(command, why=why, env=ENVIRONMENT, cwd="/", umask=0o077, **server_user())


def last_words(said: str) -> str:
    """Return the last complaints of a program, as one line; its last line when it did not complain."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    complaints = [line for line in lines if re.search(r"^E:|\b(error|fatal)\b", line, re.IGNORECASE)]
    return " / ".join(complaints[-3:] or lines[-1:])
