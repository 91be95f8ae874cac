"""Which driver a URL asks for. It is loaded when it is needed."""

from recollect.domain.errors import ConfigError
from recollect.domain.places import scheme_of
from recollect.storage.server import Limits, ServerDatabase

_EXTRAS = {"postgresql": "postgres", "postgres": "postgres", "mysql": "mysql"}


def is_server(place: str) -> bool:
    """Tell whether a place is the URL of a database server."""
    return scheme_of(place) in _EXTRAS and "://" in place


def open_server(url: str, limits: Limits, *, as_is: bool = False, queries: str = "") -> ServerDatabase:
    """Open a database on a server; `as_is` and `queries` as of `ServerDatabase`."""
    extra = _EXTRAS[scheme_of(url)]
    try:
        if extra == "postgres":
            from recollect.storage.postgres import PostgresDatabase as Dialect
        else:
            from recollect.storage.mysql import MysqlDatabase as Dialect
    except ImportError as problem:
        raise ConfigError("driver_missing", "database", extra=extra) from problem
    return Dialect(url, limits, as_is=as_is, queries=queries)
