"""Putting the parts together: the only place that reads settings and knows which database is which."""

from pathlib import Path
from threading import Lock

from recollect.domain.errors import ConfigError, StorageError, worded
from recollect.domain.places import scheme_of, to_file, to_place
from recollect.domain.scope import Scope
from recollect.memory import Memory, Parts
from recollect.recall.explaining import Explaining
from recollect.recall.recalling import Recalling
from recollect.records.exporting import Exporting
from recollect.records.importing import Importing
from recollect.records.queue import Queue
from recollect.records.reading import Reading
from recollect.records.removing import Removing
from recollect.records.saving import Policy, Saving
from recollect.records.tables import Tables
from recollect.records.undoing import Undoing
from recollect.records.upkeep import Upkeep
from recollect.records.writing import EMPTY_TRASH
from recollect.settings import ServerSettings, Settings, load_settings
from recollect.storage.backend import Database
from recollect.storage.server import Limits
from recollect.storage.sqlite import SqliteDatabase

_SERVERS = {"postgresql": "postgres", "postgres": "postgres", "mysql": "mysql"}
_YAML = (".yaml", ".yml")


def open_memory(target: str | Path | Settings | None = None) -> Memory:
    """Open the memory at a path, a sqlite:/// URL, or as a YAML file or Settings say; nothing means this user's own.

    The Memory is bound to the user, agent and tenant that the settings or the environment name, as the command line is.
    """
    settings = to_settings(target)
    with worded(settings.lang):
        scope = Scope(tenant=settings.tenant, user=settings.user, agent=settings.agent)
        return Memory(_Databases(settings).for_agent(scope.agent), scope)


def to_settings(target: str | Path | Settings | None = None) -> Settings:
    """Return the settings that `open_memory` would use for a target."""
    if isinstance(target, Settings):
        return target
    if target is None:
        return load_settings()
    place = to_place(target, "database")
    if place.endswith(_YAML):
        return load_settings(Path(place).expanduser())
    return load_settings().model_copy(update={"database": place})


def open_database(place: str, server: ServerSettings) -> Database:
    """Open the database at a path or URL; its driver is loaded when it is needed."""
    extra = _SERVERS.get(scheme_of(place))
    if extra is None:
        return SqliteDatabase(to_file(place, "database"))
    limits = Limits(**server.model_dump())
    try:
        if extra == "postgres":
            from recollect.storage.postgres import PostgresDatabase

            return PostgresDatabase(place, limits)
        from recollect.storage.mysql import MysqlDatabase

        return MysqlDatabase(place, limits)
    except ImportError as problem:
        raise ConfigError("driver_missing", "database", extra=extra) from problem


class _Databases:
    """The parts over each database that the settings name, opened when somebody first needs it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opening = Lock()
        self._opened: dict[str, tuple[Parts, Queue, Tables]] = {}
        self._is_closed = False

    def for_agent(self, agent: str) -> Parts:
        """Return what an agent's memory is made of."""
        place = self._settings.database_place(agent)
        with self._opening:
            if place not in self._opened:
                if self._is_closed:
                    raise StorageError("closed")
                self._opened[place] = self._put_together(Tables(open_database(place, self._settings.server)))
            return self._opened[place][0]

    def close(self) -> None:
        """Finish what is in hand and let go of every database."""
        with self._opening:
            self._is_closed = True
            for _, queue, tables in self._opened.values():
                queue.close()
                tables.database.close()

    def _put_together(self, tables: Tables) -> tuple[Parts, Queue, Tables]:
        writing = self._settings.writing
        lang = self._settings.lang
        policy = Policy(secrets=writing.secrets, review=writing.review, trash_days=writing.trash_days, language=lang)
        reading, saving, removing = Reading(tables), Saving(tables, policy), Removing(tables, policy)
        recalling = Recalling(tables)
        queue = Queue(tables, {EMPTY_TRASH: removing.empty_trash})
        queue.start()
        parts = Parts(
            reading=reading,
            saving=saving,
            removing=removing,
            undoing=Undoing(tables, removing),
            recalling=recalling,
            explaining=Explaining(tables, recalling),
            exporting=Exporting(tables),
            importing=Importing(tables, policy),
            upkeep=Upkeep(tables, queue, lang),
            language=lang,
            prompts_for=self._settings.prompts_for,
            for_agent=self.for_agent,
            close=self.close,
        )
        return parts, queue, tables
