"""The sharded edition: which tables lie where on a Citus cluster, and what keeps the schema fit for it.

An owner's rows lie together on one server, in every table, since all of them are spread by owner_no. What belongs to
nobody is small, and every server has it whole.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from recollect.domain.errors import ConfigError
from recollect.storage.backend import Database
from recollect.storage.server import ServerDatabase
from recollect.storage.shard_queries import query_faults
from recollect.storage.sql import load_queries

REFERENCE_TABLES = ("meta", "erasures")
"""The tables that every server has whole. Each other one is spread by owner_no."""

FIRST = "owners"
"""The table beside whose shards those of the others lie."""

LOCK = 0x5245434F
"""What a transaction holds that changes the tables of a PostgreSQL database."""

_FAULTS = {
    "owner_no": "has no owner_no bigint not null",
    "primary_key": "is a primary key that owner_no does not lead",
    "unique_key": "is a unique key that owner_no does not lead",
    "index": "is an index that owner_no does not lead",
    "foreign_key": "is a foreign key that does not carry owner_no to owner_no",
    "trigger": "is a trigger",
    "default": "has a default that is not the same everywhere and always",
    "sequence": "takes its value from a sequence",
    "volatile_write": "writes what a volatile function or the server's clock says",
    "owner_moved": "sets owner_no in an update",
    "cross_owner": "joins distributed tables without owner_no = owner_no",
    "lock": "locks rows without owner_no = a parameter",
    "insert": "inserts into a distributed table without naming owner_no",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a cluster would refuse, or answer wrongly: the rule, and the table, column or query at fault."""

    rule: str
    place: str

    def __str__(self) -> str:
        return f"{self.place} {_FAULTS[self.rule]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharding:
    """How the tables of a database lie: spread by owner, whole on every server, or on this server alone."""

    distributed: tuple[str, ...]
    reference: tuple[str, ...]
    local: tuple[str, ...]

    @property
    def is_sharded(self) -> bool:
        """Whether every table lies where it should on a cluster."""
        return bool(self.distributed) and not self.local


def sharding(database: Database) -> Sharding:
    """Return how the tables of a database lie; where there is no cluster, all of them are local."""
    if not _is_postgres(database):
        return Sharding(distributed=(), reference=(), local=())
    tables = [row[0] for row in database.all("shard_tables")]
    known = dict(database.all("shard_kinds")) if database.one("cluster_found") else {}

    def of(kind: str | None) -> tuple[str, ...]:
        return tuple(table for table in tables if known.get(table) == kind)

    return Sharding(distributed=of("distributed"), reference=of("reference"), local=of(None))


def distribute(database: Database) -> list[str]:
    """Make a database the sharded edition, with the rows it has; return the tables that moved.

    Each table moves for itself: what was interrupted goes on when it is called again, and at the end that is harmless.
    """
    if not _is_postgres(database):
        raise ConfigError("not_shardable", "database")
    if database.one("cluster_found") is None:
        raise ConfigError("no_citus", "database", place=database.describe().place)
    tables = [row[0] for row in database.all("shard_tables")]
    spread = sorted((table for table in tables if table not in REFERENCE_TABLES), key=lambda table: table != FIRST)
    steps = [("shard_reference", table) for table in tables if table in REFERENCE_TABLES]
    steps += [("shard_first" if table == FIRST else "shard_beside", table) for table in spread]
    return [table for step, table in steps if _moved(database, step, table)]


def faults(database: Database, queries: Mapping[str, str] | None = None) -> list[Finding]:
    """Return everything in the schema of a PostgreSQL database, and in the queries sent to it, that Citus forbids."""
    found = list(_schema_faults(database))
    distributed = {row[0] for row in database.all("shard_tables")} - set(REFERENCE_TABLES)
    volatile = {row[0] for row in database.all("shard_volatile")}
    for name, query in (load_queries("postgres") if queries is None else queries).items():
        found += [Finding(rule=rule, place=name) for rule in query_faults(query, distributed, volatile)]
    return found


def _schema_faults(database: Database) -> Iterator[Finding]:
    for table, _, is_sound in database.all("shard_tables"):
        if table not in REFERENCE_TABLES and not is_sound:
            yield Finding(rule="owner_no", place=table)
    for table, name, rule in database.all("shard_keys", reference=list(REFERENCE_TABLES)):
        yield Finding(rule=rule, place=f"{table}.{name}")
    for table, name in database.all("shard_foreign_keys", reference=list(REFERENCE_TABLES)):
        yield Finding(rule="foreign_key", place=f"{table}.{name}")
    for table, name in database.all("shard_triggers"):
        yield Finding(rule="trigger", place=f"{table}.{name}")
    for table, column, rule in database.all("shard_defaults"):
        yield Finding(rule=rule, place=f"{table}.{column}")


def _moved(database: Database, step: str, table: str) -> bool:
    """Move a table unless it lies where it should; then clear what the move left behind."""
    with database.transaction():
        database.run("shard_patience")
        database.run("shard_alone", lock=LOCK)
        is_due = table not in {row[0] for row in database.all("shard_kinds")}
        if is_due:
            database.run(step, name=table)
    with database.transaction():
        database.run("shard_patience")
        if database.one("shard_left", name=table):
            database.run("shard_clear", name=table)
    return is_due


def _is_postgres(database: Database) -> bool:
    return isinstance(database, ServerDatabase) and database.dialect == "postgres"
