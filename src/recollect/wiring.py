"""Putting the parts together: the only place that reads settings and knows which database is which."""

from pathlib import Path

from recollect.domain.errors import ConfigError
from recollect.domain.messages import use_language
from recollect.domain.scope import Scope
from recollect.memory import Memory, Parts
from recollect.models.base import Embedder, EmbedderChoice
from recollect.models.choosing import choose_earlier, share_embedder
from recollect.recall.calibrating import Calibrating
from recollect.recall.dense import Dense
from recollect.recall.explaining import Explaining
from recollect.recall.recalling import Recalling
from recollect.records.embedding import Embedding
from recollect.records.exporting import Exporting
from recollect.records.importing import Importing
from recollect.records.queue import Handler, Queue
from recollect.records.reading import Reading
from recollect.records.removing import Removing
from recollect.records.saving import Policy, Saving
from recollect.records.tables import Tables
from recollect.records.undoing import Undoing
from recollect.records.upkeep import Upkeep
from recollect.records.writing import EMBED, EMPTY_TRASH
from recollect.settings import ServerSettings, Settings, cache_folder, load_settings
from recollect.storage.backend import Database
from recollect.storage.server import Limits
from recollect.storage.sqlite import SqliteDatabase

_SQLITE = "sqlite:///"
_SERVERS = {"postgresql": "postgres", "postgres": "postgres", "mysql": "mysql"}
_PENDING = 16  # records that a program which does one thing embeds before it recalls
_YAML = (".yaml", ".yml")


def open_memory(target: str | Path | Settings | None = None) -> Memory:
    """Open the memory at a path, a sqlite:/// URL, or as a YAML file or Settings say; nothing means this user's own.

    The Memory is bound to the user, agent and tenant that the settings or the environment name, as the command line is.
    """
    return _opened(target, one_shot=False)


def open_once(target: str | Path | Settings | None = None) -> Memory:
    """Open a memory for a program that does one thing and ends: vectors are made by others, or when it recalls."""
    return _opened(target, one_shot=True)


def _opened(target: str | Path | Settings | None, *, one_shot: bool) -> Memory:
    settings = to_settings(target)
    use_language(settings.lang)
    choice = _embedder_choice(settings)
    embedder = share_embedder(choice)
    tables = Tables(open_database(settings.database_place(), settings.server), embeds=embedder is not None)
    policy = Policy(
        secrets=settings.writing.secrets, review=settings.writing.review, trash_days=settings.writing.trash_days
    )
    scope = Scope(tenant=settings.tenant, user=settings.user, agent=settings.agent)
    vectors = None
    if embedder is not None:
        vectors = _Vectors(tables, embedder, choice, inline=settings.embedder.embed == "inline", one_shot=one_shot)
    return Memory(_put_together(tables, policy, settings, vectors), scope)


def _embedder_choice(settings: Settings) -> EmbedderChoice:
    wanted = settings.embedder.resolved().model_dump(exclude={"embed"})
    return EmbedderChoice(**wanted, cache=cache_folder(settings.data))


class _Vectors:
    """What belongs to the embedder: who makes vectors, who searches them, and when the one waits for the other."""

    def __init__(
        self, tables: Tables, embedder: Embedder, choice: EmbedderChoice, *, inline: bool, one_shot: bool
    ) -> None:
        self.embedder = embedder
        self.embedding = Embedding(tables, embedder)
        self.handlers: dict[str, Handler] = {} if one_shot else {EMBED: self.embedding.work}
        self._inline, self._one_shot = inline, one_shot
        self._queue: Queue | None = None

        def earlier(model: str) -> Embedder | None:
            return choose_earlier(choice, model)

        self.dense = Dense(tables, embedder, earlier=earlier, lagging=self._catch_up, grown=self._calibrate)
        self.calibrating = Calibrating(tables, self.dense)

    def attach(self, tables: Tables, queue: Queue) -> None:
        """Let saving and searching tell the queue what there is to do."""
        self._queue = queue
        if self._inline:
            tables.on_queued = self.embedding.catch_up_quietly
        elif not self._one_shot:
            tables.on_queued = queue.wake

    def _catch_up(self, owner_no: int) -> bool:
        """Do something about records without a vector; tell whether some of them have one now."""
        if self._one_shot:
            return self.embedding.catch_up_quietly(owner_no, _PENDING) > 0
        if self._queue is not None:
            self._queue.soon(lambda: self.embedding.queue(owner_no))
        return False

    def _calibrate(self, owner_no: int) -> None:
        if self._queue is not None and not self._one_shot:
            self._queue.soon(lambda: self.calibrating.calibrate(owner_no))

    def close(self) -> None:
        """Let go of connections to a service; what others share stays."""
        close = getattr(self.embedder, "close", None)
        if close is not None:
            close()


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


def open_database(place: str, server: ServerSettings) -> Database:
    """Open the database at a path or URL; its driver is loaded when it is needed."""
    extra = _SERVERS.get(place.partition("://")[0]) if "://" in place else None
    if extra is None:
        return SqliteDatabase(_sqlite_path(place))
    limits = Limits(**server.model_dump())
    try:
        if extra == "postgres":
            from recollect.storage.postgres import PostgresDatabase

            return PostgresDatabase(place, limits)
        from recollect.storage.mysql import MysqlDatabase

        return MysqlDatabase(place, limits)
    except ImportError as problem:
        raise ConfigError("driver_missing", "database", extra=extra) from problem


def _sqlite_path(place: str) -> Path:
    if place.startswith(_SQLITE):
        place = place.removeprefix(_SQLITE)
    elif "://" in place or not place.strip() or place == ":memory:":
        raise ConfigError("unknown_url", "database", url=place)
    return Path(place).expanduser()


def _put_together(tables: Tables, policy: Policy, settings: Settings, vectors: _Vectors | None) -> Parts:
    reading, saving, removing = Reading(tables), Saving(tables, policy), Removing(tables, policy)
    recalling = Recalling(tables, vectors and vectors.dense)
    queue = Queue(tables, {EMPTY_TRASH: removing.empty_trash, **(vectors.handlers if vectors else {})})
    if vectors is not None:
        vectors.attach(tables, queue)
    queue.start()

    def close() -> None:
        queue.close()
        tables.database.close()
        if vectors is not None:
            vectors.close()

    return Parts(
        reading=reading,
        saving=saving,
        removing=removing,
        undoing=Undoing(tables, removing),
        recalling=recalling,
        explaining=Explaining(tables, recalling),
        exporting=Exporting(tables),
        importing=Importing(tables, policy),
        upkeep=Upkeep(tables, queue, vectors and vectors.embedding),
        prompts_for=settings.prompts_for,
        close=close,
    )
