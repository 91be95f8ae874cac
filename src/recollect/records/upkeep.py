"""Looking after a database: what it says of itself, copies of it, and work that waits."""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from recollect.domain.errors import ConfigError, ProviderError, RecollectError, StorageError, file_problem, speaking
from recollect.records.administering import Server, ask_server
from recollect.records.copying import copy_to_file
from recollect.records.embedding import Embedding
from recollect.records.queue import Queue
from recollect.records.tables import Tables
from recollect.storage.backend import Database, Description

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What a check found. `miscounted` names owners whose counters are wrong, `orphans` terms without a record.

    `embedder` names the model that makes vectors, or `embedder_problem` says what keeps it from being asked, and
    `without_vector` counts the records that wait for a vector.
    `failed_prefetches` and `lost_recalls` count since this memory was opened.
    """

    database: Description
    owners: int
    records: int
    miscounted: tuple[str, ...]
    orphans: int
    jobs_waiting: int
    jobs_failed: int
    failed_prefetches: int
    lost_recalls: int
    embedder: str = ""
    embedder_problem: str = ""
    without_vector: int = 0
    orphan_vectors: int = 0

    @property
    def sound(self) -> bool:
        """Tell whether nothing is wrong."""
        return not (self.database.problems or self.miscounted or self.orphans or self.orphan_vectors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexed:
    """What became of making the vectors that were missing: by which model, how many, and how many are still."""

    model: str
    embedded: int
    left: int


@speaking
class Upkeep:
    """Check and backup, for operators."""

    def __init__(
        self,
        tables: Tables,
        queue: Queue,
        language: str,
        *,
        new_file: Callable[[Path], Database],
        embedding: Embedding | None = None,
        calibrate: Callable[[int], None] | None = None,
    ) -> None:
        """`calibrate` learns from where on an answer counts, for an owner all of whose records have a vector."""
        self.language = language
        self._tables = tables
        self._new_file = new_file
        self._queue = queue
        self._embedding = embedding
        self._calibrate = calibrate
        self._failed_prefetches = 0
        self._lost_recalls = 0

    def check(self) -> Health:
        """Read the whole database and count everything again."""
        owners = self._tables.owners.list()
        miscounted: list[str] = []
        records = 0
        for number, tenant, user in owners:
            state = self._tables.owners.by_no(number)
            counted = self._tables.owners.recount(number)
            records += counted[0]
            if state is not None and (state.active_count, state.length_sum) != counted:
                miscounted.append(f"{tenant}/{user}")
        waiting, failed = self._tables.jobs.count()
        model, problem = self._model()
        return Health(
            database=self._tables.database.describe(thorough=True),
            owners=len(owners),
            records=records,
            miscounted=tuple(miscounted),
            orphans=int((self._tables.database.one("postings_orphaned") or (0,))[0]),
            jobs_waiting=waiting,
            jobs_failed=failed,
            failed_prefetches=self._failed_prefetches,
            lost_recalls=self._lost_recalls,
            embedder=model,
            embedder_problem=problem,
            without_vector=self.lag(),
            orphan_vectors=self._tables.vectors.count_orphans(),
        )

    def lag(self) -> int:
        """Return how many records still wait for their vector; 0 where nothing makes vectors or it is out of reach."""
        try:
            return self._embedding.count_missing() if self._embedding else 0
        except (ConfigError, ProviderError):
            return 0

    def server(self) -> Server | None:
        """Ask a server about itself; None of a file."""
        return ask_server(self._tables)

    def backup(self, target: str | Path) -> Path:
        """Write a whole, consistent copy of the database while it is in use; the file must not exist.

        Of a server it is a file too, with every owner as it was at one moment.
        """
        path = Path(target)
        if self._tables.database.describe().engine != "SQLite":
            return copy_to_file(self._tables, self._new_file, path)
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as problem:
            raise file_problem(problem, path) from problem
        try:
            self._tables.database.all("backup", target=str(path))
        except StorageError:
            path.unlink()
            raise
        return path

    def drain(self) -> int:
        """Do the work that waits now; return how many jobs were done."""
        return self._queue.drain()

    def reindex(self, progress: Callable[[int, int], None] | None = None) -> Reindexed:
        """Give every record of every owner the vector that it lacks, and every owner a floor that is learnt.

        Stopped and called again it goes on.
        """
        if self._embedding is None:
            raise ConfigError("no_embedder", "embedder.provider")
        total, done = self._embedding.count_missing(), 0

        def told(embedded: int) -> None:
            nonlocal done
            done += embedded
            if progress is not None and total:
                progress(min(done, total), total)

        for number, _, _ in self._tables.owners.list():
            self._embedding.catch_up(number, told=told)
            if self._calibrate is not None:
                self._calibrate(number)
        return Reindexed(model=self._embedding.model, embedded=done, left=self._embedding.count_missing())

    def _model(self) -> tuple[str, str]:
        try:
            return self._embedding.model if self._embedding else "", ""
        except RecollectError as problem:
            return "", problem.text(self.language)

    def count_failed_prefetch(self, problem: StorageError) -> None:
        """Note that a prompt had to do without memory; a chat goes on all the same."""
        self._failed_prefetches += 1
        _log.warning("prefetch failed", extra={"action": "prefetch_failed", "problem": problem.key})

    def count_lost_recalls(self, count: int) -> None:
        """Note that recalls were answered and could not be kept in the ledger."""
        self._lost_recalls += count
