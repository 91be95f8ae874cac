"""What every server offers: databases of one's own, an end, a start."""

import os
import re
import secrets
import shutil
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.servers.places import Unavailable
from tests.servers.process import Process

START_SECONDS = 60


def with_name(url: str, name: str) -> str:
    """Return the URL of another database on the same server."""
    return re.sub(r"^([\w+]+://[^/?]*)(/[^?]*)?", lambda found: f"{found[1]}/{name}", url)


class Server(ABC):
    """A server that answers under `url`: one started here by `command`, or one that was there already."""

    stop_signal = signal.SIGTERM  # an orderly end
    end_signal = signal.SIGTERM  # an end when the tests are gone and nobody needs the data

    def __init__(self, url: str, *, command: Sequence[str] = (), folders: Sequence[Path] = ()) -> None:
        self.url = url
        self._command = command
        self._folders = folders
        self._process: Process | None = None
        self._databases: dict[str, str] = {}  # their names by their URLs

    @property
    @abstractmethod
    def version(self) -> tuple[int, ...]:
        """What the server says its version is."""

    @abstractmethod
    def execute(self, *statements: str) -> None:
        """Run statements, each for itself, as the server's administrator."""

    @abstractmethod
    def tool(self, name: str) -> list[str]:
        """Return how to call a program that comes with the server; arguments may follow."""

    @abstractmethod
    def _answers(self) -> str | None:
        """Return why the server does not answer yet."""

    @abstractmethod
    def _drop(self, name: str) -> None:
        """Drop a database, also while somebody uses it."""

    def _create(self, name: str) -> None:
        self.execute(f"CREATE DATABASE {name}")

    def _url_of(self, name: str) -> str:
        return with_name(self.url, name)

    def name_of(self, url: str) -> str:
        """Return the name of a database that `new_database` made."""
        return self._databases[url]

    def new_database(self) -> str:
        """Make an empty database and return its URL."""
        name = f"recollect_{os.getpid()}_{secrets.token_hex(4)}"
        self._create(name)
        url = self._url_of(name)
        self._databases[url] = name
        return url

    def drop_database(self, url: str) -> None:
        """Drop a database that `new_database` made, also while somebody uses it."""
        self._drop(self._databases.pop(url))

    def start(self) -> None:
        """Start the server, on the data it has, and return when it answers."""
        if not self._command:
            raise Unavailable("A server that the environment names is not ours to start or end; ask for private=True.")
        assert self._process is None, "the server runs already"
        process = self._process = Process(self._command, self._folders, self.end_signal)
        patience = time.monotonic() + START_SECONDS
        while trouble := self._answers():
            if not process.running:
                self.kill()
                raise Unavailable(f"The server ended while it was starting: {process.last_words()}")
            if time.monotonic() > patience:
                self.kill()
                raise Unavailable(f"The server did not answer within {START_SECONDS} s: {trouble}")
            time.sleep(0.02)

    def stop(self) -> None:
        """End the server in order; it can be started again."""
        self._ours().stop(self.stop_signal)
        self._process = None

    def kill(self) -> None:
        """End the server and all its children with -9; it can be started again."""
        self._ours().kill()
        self._process = None

    def _ours(self) -> Process:
        if not self._command:
            raise Unavailable("A server that the environment names is not ours to start or end; ask for private=True.")
        assert self._process is not None, "the server does not run"
        return self._process

    def close(self) -> None:
        """Leave nothing: end a server of ours and remove its data, drop what was made in another's."""
        if self._command:
            if self._process is not None:
                self._process.stop(self.end_signal)
                self._process = None
        else:
            for url in [*self._databases]:
                self.drop_database(url)
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            if self._command:
                self.start()
            elif trouble := self._answers():
                raise Unavailable(f"The server that the environment names does not answer: {trouble}")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
