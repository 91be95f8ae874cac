"""Putting the parts together: the only place that reads settings and knows which database is which."""

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Lock

from recollect.domain.errors import ConfigError, RecollectError, StorageError, worded
from recollect.domain.places import scheme_of, to_file, to_place
from recollect.domain.scope import Scope
from recollect.memory import Memory, Parts
from recollect.models.base import Embedder, EmbedderChoice
from recollect.models.choosing import choose_earlier, runs_here, share_embedder
from recollect.recall.calibrating import Calibrating
from recollect.recall.dense import Dense
from recollect.recall.explaining import Explaining
from recollect.recall.ledger import EMPTY_RECALLS, Ledger, Retention
from recollect.recall.recalling import Recalling
from recollect.records import administering
from recollect.records.administering import Migrated, Server, Status
from recollect.records.copying import Copied, Copying, need_writer
from recollect.records.embedding import Embedding
from recollect.records.exporting import Exporting
from recollect.records.importing import Importing
from recollect.records.queue import Handler, Queue
from recollect.records.reading import Reading
from recollect.records.removing import Removing
from recollect.records.saving import Policy, Saving
from recollect.records.tables import Tables
from recollect.records.undoing import Undoing
from recollect.records.upkeep import Health, Upkeep
from recollect.records.writing import EMBED, EMPTY_TRASH
from recollect.settings import ServerSettings, Settings, cache_folder, load_settings
from recollect.storage.backend import Database, Description
from recollect.storage.fulltext import add_fulltext, drop_fulltext
from recollect.storage.server import Limits
from recollect.storage.servers import is_server, open_server
from recollect.storage.shards import Sharding, distribute, sharding
from recollect.storage.sqlite import SqliteDatabase
from recollect.storage.vectors import Maker

_PENDING = 16  # records that a program which does one thing embeds before it recalls
_AT_ONCE = 4  # of them, so that a slow service gets on a little each time
_YAML = (".yaml", ".yml")
_POSTGRES = ("postgresql", "postgres")
_PATIENCE_SECONDS = 3600.0  # for one statement of an administrator, who knows that it takes long


def open_memory(target: str | Path | Settings | None = None) -> Memory:
    """Open the memory at a path, a URL, or as a YAML file or Settings say; nothing means this user's own.

    The Memory is bound to the user, agent and tenant that the settings or the environment name, as the command line is.
    """
    return _opened(target, one_shot=False)


def open_once(target: str | Path | Settings | None = None) -> Memory:
    """Open a memory for a program that does one thing and ends: vectors are made by others, or when it recalls."""
    return _opened(target, one_shot=True)


def _opened(target: str | Path | Settings | None, *, one_shot: bool) -> Memory:
    settings = to_settings(target)
    with worded(settings.lang):
        scope = Scope(tenant=settings.tenant, user=settings.user, agent=settings.agent)
        return Memory(_Databases(settings, one_shot=one_shot).for_agent(scope.agent), scope)


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
        self._is_here = runs_here(choice)
        self._grown: set[int] = set()

        @cache
        def earlier(maker: Maker) -> Embedder | None:
            return choose_earlier(choice, maker.model, maker.dimension)

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
            return self.embedding.catch_up_quietly(owner_no, _PENDING, batch=_AT_ONCE) > 0
        if self._queue is not None:
            self._queue.soon(lambda: self.embedding.queue(owner_no))
        return False

    def _calibrate(self, owner_no: int) -> None:
        if self._one_shot:
            self._grown.add(owner_no)
        elif self._queue is not None:
            self._queue.soon(lambda: self.calibrating.calibrate(owner_no))

    def finish(self) -> None:
        """Learn, where the model runs here, what a program that does one thing had no other time for."""
        for owner_no in self._grown if self._is_here else ():
            with suppress(RecollectError):  # nobody asked for it, and the next program tries again
                self.calibrating.catch_up(owner_no)


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
        need_writer(origin, agent)
        if dry_run and (empty := _without_tables(target)):
            return Copying(origin, None, agent=agent).copy(dry_run=True, progress=progress, place=empty)
        with opened_tables(target) as aim:
            return Copying(origin, aim, agent=agent).copy(dry_run=dry_run, progress=progress)


def database_status(target: str | Path | Settings | None = None) -> Status:
    """Say what the database at a target is; nothing is made or changed there."""
    with opened_tables(target, made=False, as_is=True) as tables:
        return administering.status(tables)


def check_database(target: str | Path | Settings | None = None, *, made: bool = True) -> tuple[Health, Server | None]:
    """Read the whole database at a target and count everything again; of a server, ask it about itself too.

    With `made=False` a target that holds no memory yet is refused.
    """
    if not made:
        with opened_tables(target, made=False):
            pass
    with open_once(target) as memory:
        return memory.upkeep.check(), memory.upkeep.server()


def need_memory(target: str | Path | Settings | None = None) -> None:
    """Refuse a target that holds no memory, of whichever schema; nothing is made or changed there."""
    with opened_tables(target, made=False, as_is=True) as tables:
        administering.need_tables(tables)


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
    """Open the tables at a target for an administrator.

    `made=False` makes nothing and migrates nothing: it refuses what holds no memory, and a schema that is not this
    program's. `as_is` takes any schema.
    """
    settings = to_settings(target)
    place = settings.database_place(settings.agent)
    if not made and not is_server(place) and not to_file(place, "database").exists():
        raise StorageError("file_missing", file=str(to_file(place, "database")))
    patient = settings.server.model_copy(update={"statement_seconds": _PATIENCE_SECONDS})
    tables = Tables(open_database(place, patient, as_is=as_is or not made))
    try:
        if not (made or as_is):
            administering.need_memory(tables)
        yield tables
    finally:
        tables.database.close()


def _without_tables(target: str | Path | Settings) -> str:
    """Return the place of a target where nobody opened a memory before, and leave it so; "" for any other."""
    settings = to_settings(target)
    place = settings.database_place(settings.agent)
    if not is_server(place):
        file = to_file(place, "database")
        return "" if file.exists() else str(file)
    with opened_tables(target, as_is=True) as tables:
        found = tables.database.describe()
    return "" if found.schema else found.place


def each_database(settings: Settings) -> dict[str, Settings]:
    """Return settings for each database by the agent whose own it is, "" for the common one."""
    places: dict[str, str] = {}
    for agent in ("", *settings.agents):
        places.setdefault(settings.database_place(agent), agent)
    return {
        agent: settings.model_copy(update={"database": place, "agents": {}, "agent": ""})
        for place, agent in places.items()
    }


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


def open_database(place: str, server: ServerSettings, *, as_is: bool = False) -> Database:
    """Open the database at a path or URL; `as_is` leaves its schema as it is found."""
    if is_server(place):
        return open_server(place, Limits(**server.model_dump()), as_is=as_is)
    return SqliteDatabase(to_file(place, "database"), as_is=as_is)


def make_database(settings: Settings, *, sharded: bool = False) -> tuple[Description, Sharding]:
    """Make the tables where there are none, and the sharded edition of them where that is asked for."""
    place = settings.database_place(settings.agent)
    if sharded and scheme_of(place) not in _POSTGRES:
        raise ConfigError("not_shardable", "database")
    database = open_database(place, settings.server)
    try:
        if sharded:
            distribute(database)
        return database.describe(), sharding(database)
    finally:
        database.close()


class _Databases:
    """The parts over each database that the settings name, opened when somebody first needs it."""

    def __init__(self, settings: Settings, *, one_shot: bool) -> None:
        self._settings = settings
        self._one_shot = one_shot
        self._choice = _embedder_choice(settings)
        self._embedder = share_embedder(self._choice)
        self._opening = Lock()
        self._opened: dict[str, tuple[Parts, Callable[[], None]]] = {}
        self._is_closed = False

    def for_agent(self, agent: str) -> Parts:
        """Return what an agent's memory is made of."""
        place = self._settings.database_place(agent)
        with self._opening:
            if place not in self._opened:
                if self._is_closed:
                    raise StorageError("closed")
                self._opened[place] = self._put_together(open_database(place, self._settings.server))
            return self._opened[place][0]

    def every(self) -> list[Parts]:
        """Return the parts over each database, opening those that nobody has needed yet."""
        places = {self._settings.database_place(agent): agent for agent in ("", *self._settings.agents)}
        return [self.for_agent(agent) for agent in places.values()]

    def close(self) -> None:
        """Finish what is in hand and let go of every database."""
        with self._opening:
            self._is_closed = True
            for _, let_go in self._opened.values():
                let_go()
            if self._embedder is not None:
                self._embedder.close()  # connections to a service; what others share stays

    def _vectors(self, tables: Tables) -> _Vectors | None:
        if self._embedder is None:
            return None
        inline = self._settings.embedder.embed == "inline"
        return _Vectors(tables, self._embedder, self._choice, inline=inline, one_shot=self._one_shot)

    def _background(
        self, tables: Tables, vectors: _Vectors | None, handlers: dict[str, Handler]
    ) -> tuple[Queue, Upkeep]:
        """Return what works behind the answers, and what lets an operator do so at once."""
        lang = self._settings.lang
        if vectors is None:
            queue = Queue(tables, handlers)
            return queue, Upkeep(tables, queue, lang, new_file=SqliteDatabase)
        queue = Queue(tables, {**handlers, **vectors.handlers})
        vectors.attach(tables, queue)
        embedding, calibrate = vectors.embedding, vectors.calibrating.catch_up
        return queue, Upkeep(tables, queue, lang, new_file=SqliteDatabase, embedding=embedding, calibrate=calibrate)

    def _put_together(self, database: Database) -> tuple[Parts, Callable[[], None]]:
        tables = Tables(database, embeds=self._embedder is not None)
        vectors = self._vectors(tables)
        writing, kept, lang = self._settings.writing, self._settings.recall, self._settings.lang
        policy = Policy(secrets=writing.secrets, review=writing.review, trash_days=writing.trash_days, language=lang)
        recalling = Recalling(tables, vectors and vectors.dense, language=lang)
        retention = Retention(on=kept.ledger, days=kept.ledger_days, rows=kept.ledger_rows)
        ledger = Ledger(tables, retention, lambda count: upkeep.count_lost_recalls(count))
        removing = Removing(tables, policy, ledger.settle)
        handlers: dict[str, Handler] = {EMPTY_TRASH: removing.empty_trash, EMPTY_RECALLS: ledger.empty}
        queue, upkeep = self._background(tables, vectors, handlers)
        queue.start()

        def let_go() -> None:
            if vectors is not None:
                vectors.finish()
            ledger.close()
            queue.close()
            tables.database.close()

        parts = Parts(
            reading=Reading(tables),
            saving=Saving(tables, policy),
            removing=removing,
            undoing=Undoing(tables, removing),
            recalling=recalling,
            explaining=Explaining(tables, recalling),
            exporting=Exporting(tables),
            importing=Importing(tables, policy),
            ledger=ledger,
            upkeep=upkeep,
            language=lang,
            prompts_for=self._settings.prompts_for,
            for_agent=self.for_agent,
            every=self.every,
            close=self.close,
        )
        return parts, let_go
