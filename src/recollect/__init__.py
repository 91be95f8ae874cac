"""recollect: the long-term memory of AI agents."""

from recollect.aio import AsyncMemory
from recollect.domain.errors import (
    ConfigError,
    Conflict,
    Forgotten,
    Invalid,
    NewerSchema,
    NotFound,
    RecollectError,
    Refused,
    StorageError,
)
from recollect.domain.query import Found, Hit, LeftOut
from recollect.domain.record import Draft, Page, Receipt, Record, Revision, Saved
from recollect.memory import Memory
from recollect.settings import Settings
from recollect.wiring import open_memory

__all__ = [
    "AsyncMemory",
    "ConfigError",
    "Conflict",
    "Draft",
    "Forgotten",
    "Found",
    "Hit",
    "Invalid",
    "LeftOut",
    "Memory",
    "NewerSchema",
    "NotFound",
    "Page",
    "Receipt",
    "RecollectError",
    "Record",
    "Refused",
    "Revision",
    "Saved",
    "Settings",
    "StorageError",
    "open_memory",
]
