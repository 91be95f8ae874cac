"""What an administrator wants to know of a database, and bringing its schema up."""

from dataclasses import dataclass
from typing import Literal

from recollect.domain import clock
from recollect.domain.errors import ConfigError, NewerSchema
from recollect.records.tables import Tables
from recollect.storage.backend import Description
from recollect.storage.shards import Sharding, faults, sharding

_FILE = "SQLite"
_SHARDABLE = "PostgreSQL"

State = Literal["empty", "older", "current", "newer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What a database is and how much it holds, None where its schema is not this program's; whether it is sharded."""

    database: Description
    owners: int | None
    records: int | None
    jobs: int | None
    sharded: bool = False

    @property
    def state(self) -> State:
        """How the schema stands to this program's."""
        found, known = self.database.schema, self.database.newest_schema
        if not found:
            return "empty"
        return "current" if found == known else "older" if found < known else "newer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrated:
    """The steps that were taken, and the database after them."""

    database: Description
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """What a server says of itself: its encryption towards us, its clock, how many it lets in, how it keeps text.

    Of a PostgreSQL also how its tables lie, and what a cluster would refuse in them.
    """

    local: bool
    tls: str
    seconds_ahead: float
    connections: int
    charset: str
    lies: Sharding | None = None
    faults: tuple[str, ...] = ()


def status(tables: Tables) -> Status:
    """Say what a database is; nothing is changed and nothing read whole."""
    database = tables.database.describe()
    if database.schema != database.newest_schema:
        return Status(database=database, owners=None, records=None, jobs=None)
    owners, records, jobs = (
        int((tables.database.one(query) or (0,))[0]) for query in ("all_owners", "all_records", "all_jobs")
    )
    lies = sharding(tables.database)
    return Status(database=database, owners=owners, records=records, jobs=jobs, sharded=lies.is_sharded)


def need_memory(tables: Tables) -> None:
    """Refuse a database that holds no memory, or one with a schema that is not this program's."""
    need_tables(tables)
    database = tables.database.describe()
    found, known = database.schema, database.newest_schema
    if found > known:
        raise NewerSchema("newer_schema", found=found, known=known)
    if found < known:
        raise ConfigError("schema_old", "database", found=found, known=known)


def need_tables(tables: Tables) -> None:
    """Refuse a database that holds no memory."""
    database = tables.database.describe()
    if not database.schema:
        raise ConfigError("no_memory_there", "database", place=database.place)


def migrate(tables: Tables) -> Migrated:
    """Take the steps that are missing."""
    steps = tuple(tables.database.migrate())
    return Migrated(database=tables.database.describe(), steps=steps)


def ask_server(tables: Tables) -> Server | None:
    """Ask a server about itself; None of a file."""
    database = tables.database.describe()
    if database.engine == _FILE:
        return None
    began = clock.now()
    facts = tables.database.one("server_facts") or (0, 0, "")
    between = began + (clock.now() - began) / 2
    tls = tables.database.one("server_tls") or ("", "")
    host = database.place.rpartition("/")[0]
    return Server(
        local=host.startswith(("/", "localhost", "127.", "[::1]", "::1")),
        tls=str(tls[1] or ""),
        seconds_ahead=(facts[0] - clock.to_micros(between)) / 1e6,
        connections=int(facts[1]),
        charset=str(facts[2] or ""),
        lies=sharding(tables.database) if database.engine == _SHARDABLE else None,
        faults=tuple(str(fault) for fault in faults(tables.database)) if database.engine == _SHARDABLE else (),
    )
