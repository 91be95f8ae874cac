"""The one way to a model behind an address: a request that is tried again within bounds, and errors in our own words.

No key and no text that was sent ever reaches a message or a log.
"""

import email.utils
import json
import random
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from recollect.domain import clock
from recollect.domain.errors import ConfigError, ProviderError
from recollect.models import forks
from recollect.models.hurry import seconds_left

if TYPE_CHECKING:
    import httpx

TRIES: Final = 4

_SHORTEST_PAUSE_SECONDS = 0.5
_LONGEST_ANSWER = 256 << 20  # bytes
_LONGEST_COMPLAINT = 200  # characters
_LONGEST_ECHO = 12  # characters of a text that an error may repeat by chance
_KEY_REFUSED = (401, 403)
_WORTH_TRYING_AGAIN = (408, 409, 425, 429)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    status: int
    content: bytes
    wait_seconds: float | None


class Service:
    """A model's address. Connections are opened when they are needed, kept, and never shared with a child."""

    def __init__(self, base_url: str, *, headers: Mapping[str, str], key: str, timeout_seconds: float) -> None:
        if find_spec("httpx") is None:
            raise ConfigError(
                "not_installed", "embedder.provider", package="httpx", install="pip install 'recollect[openai]'"
            )
        self._base_url = _base_url(base_url)
        self._headers = dict(headers)
        self._key = key
        self._timeout_seconds = timeout_seconds
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._closing: weakref.finalize[..., Service] | None = None
        forks.watch(self)

    @property
    def place(self) -> str:
        """The address as it may be shown: without a name, a password or a query."""
        return f"{self._base_url.scheme}://{self._base_url.netloc.decode()}{self._base_url.path}"

    def post(self, path: str, body: object, *, private: Sequence[str] = ()) -> object:
        """Return what is answered to a JSON body. `private` are texts in it that no error may repeat.

        A try takes at most the timeout, and no other begins once that time is over; four are made at most, and one for
        whoever is in a hurry.
        """
        sent = json.dumps(body).encode()
        left = seconds_left()
        patience, tries = (self._timeout_seconds, TRIES) if left is None else (min(self._timeout_seconds, left), 1)
        end = time.monotonic() + patience
        for tried in range(1, tries + 1):
            pause = _SHORTEST_PAUSE_SECONDS * 2 ** (tried - 1) * random.uniform(0.5, 1.0)
            try:
                answer = self._ask(path, sent, patience)
                if answer.status < 300:
                    return self._read(answer.content)
                problem = self._refused(answer, private)
                pause = max(pause, answer.wait_seconds or 0.0)
            except ProviderError as unreachable:
                problem = unreachable
            if not problem.retryable or tried == tries or time.monotonic() + pause >= end:
                raise problem
            time.sleep(pause)
        raise AssertionError("a last try returns or raises")

    def close(self) -> None:
        """Close the connections; the next request opens others."""
        with self._lock:
            self._client = None
            if self._closing is not None:
                self._closing()

    def start_anew(self) -> None:
        """Leave the parent's connections to the parent."""
        self._client = None
        self._lock = threading.Lock()
        if self._closing is not None:
            self._closing.detach()

    def _ask(self, path: str, sent: bytes, seconds: float) -> _Answer:
        import httpx

        end = time.monotonic() + seconds
        content = bytearray()
        headers = {"content-type": "application/json", **self._headers}
        try:
            if not seconds:
                raise httpx.ReadTimeout("no time is left")
            asked = self._connected().stream("POST", path, content=sent, headers=headers, timeout=seconds)
            with asked as response:
                for piece in response.iter_bytes():
                    content += piece
                    if len(content) > _LONGEST_ANSWER:
                        raise ProviderError("provider_too_long", place=self.place, limit=_LONGEST_ANSWER)
                    if time.monotonic() > end:
                        raise httpx.ReadTimeout("the answer took too long")
                wait = _wait_seconds(response.headers.get("retry-after", ""))
                return _Answer(status=response.status_code, content=bytes(content), wait_seconds=wait)
        except (httpx.TransportError, httpx.DecodingError) as problem:
            raise ProviderError(
                "provider_unreachable", retryable=True, place=self.place, problem=type(problem).__name__
            ) from problem

    def _connected(self) -> "httpx.Client":
        import httpx

        with self._lock:
            if self._client is None:
                self._client = httpx.Client(base_url=self._base_url, timeout=self._timeout_seconds)
                self._closing = weakref.finalize(self, self._client.close)  # for whoever forgets to
            return self._client

    def _read(self, content: bytes) -> object:
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as problem:
            raise ProviderError("provider_no_json", place=self.place) from problem

    def _refused(self, answer: _Answer, private: Sequence[str]) -> ProviderError:
        if answer.status in _KEY_REFUSED:  # what comes with it may hold the key
            return ProviderError("provider_key", place=self.place, status=answer.status)
        retryable = answer.status in _WORTH_TRYING_AGAIN or answer.status >= 500
        complaint = _complaint(answer.content)
        echoed = any(text[:_LONGEST_ECHO] in complaint for text in (self._key, *private) if text.strip())
        problem = f": {complaint}" if complaint and not echoed else ""
        return ProviderError(
            "provider_refused", retryable=retryable, place=self.place, status=answer.status, problem=problem
        )


def _base_url(given: str) -> "httpx.URL":
    import httpx

    try:
        url = httpx.URL(given)
    except (httpx.InvalidURL, TypeError) as problem:
        raise ConfigError("not_address", "embedder.base_url") from problem
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigError("not_address", "embedder.base_url")
    return url


def _complaint(content: bytes) -> str:
    """Return what a service says went wrong, in one line; "" where it does not say so in the usual form."""
    try:
        found: object = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    for name in ("error", "message", "detail"):
        if isinstance(found, dict) and name in found:
            found = found[name]  # pyright: ignore[reportUnknownVariableType]
    return " ".join(found.split())[:_LONGEST_COMPLAINT] if isinstance(found, str) else ""


def _wait_seconds(header: str) -> float | None:
    """Return what a Retry-After asks for, in seconds or as a date."""
    try:
        return float(header)
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - clock.now().timestamp())
    except (ValueError, OverflowError):
        return None
