"""What can go wrong, as one tree: every error has a code, a message in Chinese and English, and a path if it has one.

RecollectError
├── Invalid         invalid        the caller gave something that is not allowed; the path names the field
├── NotFound        not_found      no such record in this scope, whoever else may have one of that number
├── Conflict        conflict       somebody else was faster, or the step cannot be taken from here
├── Refused         refused        well formed, but this caller may not do it
├── Forgotten       forgotten      it was forgotten or erased on purpose and does not come back by itself
├── ConfigError     config         a setting is missing or wrong; also a ValueError
├── ProviderError   provider       a model that is called did not answer as it should
└── StorageError    storage        the database could not do it
    └── NewerSchema newer_schema   a newer recollect wrote this database
"""

import errno
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from inspect import isfunction
from typing import Any, ClassVar, Protocol, TypeVar

from recollect.domain import messages

T = TypeVar("T")

STATUS: dict[str, int] = {
    "invalid": 2,
    "not_found": 3,
    "conflict": 4,
    "refused": 5,
    "forgotten": 4,
    "config": 2,
    "provider": 1,
    "storage": 1,
    "newer_schema": 1,
}
"""Error code to exit status of the command line."""


class RecollectError(Exception):
    """Everything that recollect raises on purpose; `key` names its message, `facts` fill it."""

    code: ClassVar[str] = "storage"

    def __init__(self, key: str, path: str = "", **facts: object) -> None:
        super().__init__(key)
        self.key = key
        self.path = path
        self.facts = facts
        self.language: str | None = None

    def text(self, language: str | None = None) -> str:
        """Return the message in `language`, or in that of the Memory which it comes from."""
        return messages.text(self.key, language or self.language, **self.facts)

    def __str__(self) -> str:
        return f"{self.path}: {self.text()}" if self.path else self.text()


class Invalid(RecollectError):
    """The caller gave something that is not allowed."""

    code = "invalid"


class NotFound(RecollectError):
    """There is no such thing in this scope."""

    code = "not_found"


class Conflict(RecollectError):
    """Somebody else changed it first, or it is not in a state for this."""

    code = "conflict"


class Refused(RecollectError):
    """Well formed, but not allowed to this caller."""

    code = "refused"


class Forgotten(RecollectError):
    """It was forgotten or erased on purpose."""

    code = "forgotten"


class ConfigError(RecollectError, ValueError):
    """A setting is missing or wrong; the path names its key."""

    code = "config"


class ProviderError(RecollectError):
    """A model that is called could not be reached or did not answer as it should; `retryable`: later it may."""

    code = "provider"

    def __init__(self, key: str, path: str = "", *, retryable: bool = False, **facts: object) -> None:
        super().__init__(key, path, **facts)
        self.retryable = retryable


class StorageError(RecollectError):
    """The database could not do what was asked."""

    code = "storage"


class NewerSchema(StorageError):
    """The database was written by a newer version of recollect."""

    code = "newer_schema"


_FILE_PROBLEMS = {
    errno.ENOENT: "cannot_open",
    errno.EEXIST: "file_exists",
    errno.EACCES: "file_denied",
    errno.EPERM: "file_denied",
    errno.EISDIR: "file_is_folder",
    errno.ENOTDIR: "file_in_file",
    errno.ENOSPC: "disk_full",
}


def file_problem(
    problem: OSError, file: object, kind: type[RecollectError] = StorageError, path: str = ""
) -> RecollectError:
    """Return what the system says of a file as one of ours, in words that both languages have."""
    key = _FILE_PROBLEMS.get(problem.errno or 0, "file_failed")
    return kind(key, path, file=str(file), problem=problem.strerror or str(problem))


class Speaking(Protocol):
    """What knows the language of whoever uses it."""

    language: str


@contextmanager
def worded(language: str) -> Generator[None]:
    """Give the errors that leave this block their language."""
    try:
        yield
    except RecollectError as problem:
        problem.language = problem.language or language
        raise


def speaking(kind: type[T]) -> type[T]:
    """Let the errors that leave the public verbs of a class speak the language of the object."""
    for name, verb in vars(kind).copy().items():
        if isfunction(verb) and not name.startswith("_"):
            setattr(kind, name, _speaking(verb))
    return kind


def _speaking(verb: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(verb)
    def speak(self: Speaking, *given: Any, **named: Any) -> Any:
        try:
            return verb(self, *given, **named)
        except RecollectError as problem:
            problem.language = problem.language or self.language
            raise

    return speak
