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

from typing import ClassVar

from recollect.domain import messages

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

    def text(self, language: str | None = None) -> str:
        """Return the message in `language`, or in the language of this process."""
        return messages.text(self.key, language, **self.facts)

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
