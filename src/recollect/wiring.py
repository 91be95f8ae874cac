"""Putting the parts together: the only place that reads settings and knows which database is which."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from recollect.domain.errors import ConfigError, StorageError
from recollect.domain.messages import use_language
from recollect.domain.scope import Scope
from recollect.memory import Memory, Parts
from recollect.recall.explaining import Explaining
from recollect.recall.recalling import Recalling
from recollect.records import administering
from recollect.records.administering import Migrated, Server, Status
from recollect.records.copying import Copied, Copying
from recollect.records.exporting import Exporting
from recollect.records.importing import Importing
from recollect.records.queue import Queue
from recollect.records.reading import Reading
from recollect.records.removing import Removing
from recollect.records.saving import Policy, Saving
from recollect.records.tables import Tables
from recollect.records.undoing import Undoing
from recollect.records.upkeep import Health, Upkeep
from recollect.records.writing import EMPTY_TRASH
from recollect.settings import ServerSettings, Settings, load_settings
from recollect.storage.backend import Database
from recollect.storage.fulltext import add_fulltext, drop_fulltext
from recollect.storage.server import Limits
from recollect.storage.servers import is_server, open_server
from recollect.storage.sqlite import SqliteDatabase

_SQLITE = "sqlite:///"
_YAML = (".yaml", ".yml")
_PATIENCE_SECONDS = 3600.0  # for one statement of an administrator, who knows that it takes long


def open_memory(target: str | Path | Settings | None = None) -> Memory:
    """Open the memory at a path, a sqlite:/// URL, or as a YAML file or Settings say; nothing means this user's own.

    The Memory is bound to the user, agent and tenant that the settings or the environment name, as the command line is.
    """
    settings = to_settings(target)
    use_language(settings.lang)
    tables = Tables(open_database(settings.database_place(), settings.server))
    policy = Policy(
        secrets=settings.writing.secrets, review=settings.writing.review, trash_days=settings.writing.trash_days
    )
    scope = Scope(tenant=settings.tenant, user=settings.user, agent=settings.agent)
    return Memory(_put_together(tables, policy, settings), scope)


def copy_database(
    source: str | Path | Settings,
    target: str | Path | Settings,
    *,
    agent: str = "*",
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Copied:
    """Copy a database, or what one agent wrote there, into another; the same call again goes on where one stopped."""
    with opened_tables(source, made=False) as origin:
        if dry_run and (empty := _without_tables(target)):
            return Copying(origin, None, agent=agent).copy(dry_run=True, progress=progress, place=empty)
        with opened_tables(target) as aim:
            return Copying(origin, aim, agent=agent).copy(dry_run=dry_run, progress=progress)


def database_status(target: str | Path | Settings | None = None) -> Status:
    """Say what the database at a target is; nothing is made or changed there."""
    with opened_tables(target, made=False, as_is=True) as tables:
        return administering.status(tables)


def check_database(target: str | Path | Settings | None = None) -> tuple[Health, Server | None]:
    """Read the whole database at a target and count everything again; of a server, ask it about itself too."""
    with open_memory(target) as memory:
        return memory.upkeep.check(), memory.upkeep.server()


def migrate_database(target: str | Path | Settings | None = None) -> Migrated:
    """Bring the schema of the database at a target up to this program's."""
    with opened_tables(target, made=False, as_is=True) as tables:
        return administering.migrate(tables)


def set_fulltext(target: str | Path | Settings | None = None, *, wanted: bool = True) -> tuple[bool, str]:
    """Add the engine's own full text to a database, or take it away; return whether that was needed, and the place."""
    with opened_tables(target, made=False) as tables:
        changed = (add_fulltext if wanted else drop_fulltext)(tables.database)
        return changed, tables.database.describe().place


@contextmanager
def opened_tables(target: str | Path | Settings | None, *, made: bool = True, as_is: bool = False) -> Generator[Tables]:
    """Open the tables at a target for an administrator; `made=False` makes no file where there is none."""
    settings = to_settings(target)
    place = settings.database_place()
    if not made and not is_server(place) and not _sqlite_path(place).exists():
        raise StorageError("file_missing", file=str(_sqlite_path(place)))
    patient = settings.server.model_copy(update={"statement_seconds": _PATIENCE_SECONDS})
    tables = Tables(open_database(place, patient, as_is=as_is))
    try:
        yield tables
    finally:
        tables.database.close()


def _without_tables(target: str | Path | Settings) -> str:
    """Return the place of a target where nobody opened a memory before, and leave it so; "" for any other."""
    place = to_settings(target).database_place()
    if not is_server(place):
        file = _sqlite_path(place)
        return "" if file.exists() else str(file)
    with opened_tables(target, as_is=True) as tables:
        found = tables.database.describe()
    return "" if found.schema else found.place


def to_settings(target: str | Path | Settings | None = None) -> Settings:
    """Return the settings that `open_memory` would use for a target."""
    if isinstance(target, Settings):
        return target
    if target is not None and str(target).endswith(_YAML):
        file = Path(target)
        settings = load_settings(file)
        if settings.database and "://" not in settings.database:
            settings = settings.model_copy(update={"database": str(file.parent / settings.database)})
        return settings
    settings = load_settings()
    return settings if target is None else settings.model_copy(update={"database": str(target)})


def open_database(place: str, server: ServerSettings, *, as_is: bool = False) -> Database:
    """Open the database at a path or URL; `as_is` leaves its schema as it is found."""
    if is_server(place):
        return open_server(place, Limits(**server.model_dump()), as_is=as_is)
    return SqliteDatabase(_sqlite_path(place), as_is=as_is)


def _sqlite_path(place: str) -> Path:
    if place.startswith(_SQLITE):
        place = place.removeprefix(_SQLITE)
    elif "://" in place or not place.strip() or place == ":memory:":
        raise ConfigError("unknown_url", "database", url=place)
    return Path(place).expanduser()


def _put_together(tables: Tables, policy: Policy, settings: Settings) -> Parts:
    reading, saving, removing = Reading(tables), Saving(tables, policy), Removing(tables, policy)
    recalling = Recalling(tables)
    queue = Queue(tables, {EMPTY_TRASH: removing.empty_trash})
    queue.start()

    def close() -> None:
        queue.close()
        tables.database.close()

    return Parts(
        reading=reading,
        saving=saving,
        removing=removing,
        undoing=Undoing(tables, removing),
        recalling=recalling,
        explaining=Explaining(tables, recalling),
        exporting=Exporting(tables),
        importing=Importing(tables, policy),
        upkeep=Upkeep(tables, queue, SqliteDatabase),
        prompts_for=settings.prompts_for,
        close=close,
    )
