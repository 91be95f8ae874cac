"""recollect: the long-term memory of AI agents."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.aio import AsyncMemory
    from recollect.domain.errors import (
        ConfigError,
        Conflict,
        Forgotten,
        Invalid,
        NewerSchema,
        NotFound,
        ProviderError,
        RecollectError,
        Refused,
        StorageError,
    )
    from recollect.domain.ledger import Recalled, RecallPage
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
    "ProviderError",
    "RecallPage",
    "Recalled",
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

_HOMES = {
    "recollect.aio": "AsyncMemory",
    "recollect.domain.errors": (
        "ConfigError Conflict Forgotten Invalid NewerSchema NotFound ProviderError RecollectError Refused StorageError"
    ),
    "recollect.domain.ledger": "RecallPage Recalled",
    "recollect.domain.query": "Found Hit LeftOut",
    "recollect.domain.record": "Draft Page Receipt Record Revision Saved",
    "recollect.memory": "Memory",
    "recollect.settings": "Settings",
    "recollect.wiring": "open_memory",
}


# A name is loaded when it is first used: the command line answers --help without the parts that it does not need.
def __getattr__(name: str) -> object:
    home = next((home for home, names in _HOMES.items() if name in names.split()), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
