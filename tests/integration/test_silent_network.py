"""A network that takes everything and brings nothing: whoever waits for PostgreSQL hears that, in the time allowed."""

import select
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from threading import Event, Thread
from time import monotonic

import psycopg
import pytest

from recollect import Memory, Settings, StorageError, open_memory
from recollect.testing.opening import WORDS_ALONE
from tests.integration.programs import needs_posix

pytestmark = needs_posix

ALLOWED = 1.0
BOUND = 20.0  # what one wait takes, the margin and a second try included


class Proxy:
    """Stands between a program and its server, and can stop bringing either what the other says."""

    def __init__(self, url: str) -> None:
        with psycopg.connect(url) as connection:
            server = connection.info
            self._server, user, name = (server.host, server.port), f"{server.user}:{server.password}", server.dbname
        self._listening = socket.create_server(("127.0.0.1", 0))
        port = self._listening.getsockname()[1]
        self.url = f"postgresql://{user}@127.0.0.1:{port}/{name}?sslmode=disable"
        self._is_over = Event()
        self._threads = [Thread(target=self._accept)]
        self._threads[0].start()
        self.is_silent = False
        self.hushed_by = b""  # silent as soon as this is sent

    def close(self) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with self._listening:
            while not self._is_over.is_set():
                if _heard(self._listening):
                    ends = self._listening.accept()[0], self._called()
                    self._threads.append(Thread(target=self._carry, args=ends))
                    self._threads[-1].start()

    def _called(self) -> socket.socket:
        host, port = self._server
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        other = {client: server, server: client}
        with client, server, suppress(ConnectionError):
            while not self._is_over.is_set():
                for end in _heard(client, server):
                    said = end.recv(1 << 16)
                    if not said:
                        return
                    self.is_silent |= bool(self.hushed_by) and self.hushed_by in said
                    if not self.is_silent:
                        other[end].sendall(said)


def _heard(*ends: socket.socket) -> list[socket.socket]:
    return select.select(ends, [], [], 0.1)[0]


@pytest.fixture
def proxy(postgres_url: str) -> Iterator[Proxy]:
    with closing(Proxy(postgres_url)) as proxy:
        yield proxy


@pytest.fixture
def memory(proxy: Proxy) -> Iterator[Memory]:
    limits = {"statement_seconds": ALLOWED, "connect_seconds": 2}
    given = {"database": proxy.url, "server": limits, "recall": {"ledger": False}, **WORDS_ALONE}
    with open_memory(Settings.model_validate(given)) as memory:
        yield memory
        proxy.is_silent, proxy.hushed_by = False, b""


def refused(work: Callable[[], object]) -> str:
    began = monotonic()
    with pytest.raises(StorageError) as caught:
        work()
    assert monotonic() - began < BOUND
    return caught.value.key


# What writes is sent together with the commit.
@pytest.mark.parametrize(("hushed_by", "told"), [(b"begin", "unreachable"), (b"insert into records", "commit_unknown")])
def test_a_save_ends_when_the_network_goes_silent_within_it(
    memory: Memory, proxy: Proxy, hushed_by: bytes, told: str
) -> None:
    proxy.hushed_by = hushed_by
    assert refused(lambda: memory.notes.save("zebra crossing")) == told
    proxy.is_silent, proxy.hushed_by = False, b""
    assert memory.notes.save("afterwards").outcome == "created"


def test_a_question_ends_when_the_network_goes_silent(memory: Memory, proxy: Proxy) -> None:
    memory.notes.save("the payment module uses PostgreSQL")
    proxy.is_silent = True
    assert refused(lambda: memory.recall("payment")) == "unreachable"
    proxy.is_silent = False
    assert memory.recall("payment").hits
