"""The tables of one database, in one hand."""

from collections.abc import Callable

from recollect.storage.backend import Database
from recollect.storage.erasures import ErasureTable
from recollect.storage.history import RevisionTable, RunTable, TombstoneTable
from recollect.storage.jobs import JobTable
from recollect.storage.ledger import RecallTable
from recollect.storage.owners import OwnerTable
from recollect.storage.postings import PostingTable
from recollect.storage.records import RecordTable, TextTable
from recollect.storage.vectors import VectorTable


class Tables:
    """Every table of a database; the rooms above reach storage through this.

    With `embeds` every text that is written is queued for its vector, and `on_queued` is called once that is kept.
    """

    def __init__(self, database: Database, *, embeds: bool = False) -> None:
        self.database = database
        self.embeds = embeds
        self.on_queued: Callable[[int], object] | None = None
        self.owners = OwnerTable(database)
        self.records = RecordTable(database)
        self.texts = TextTable(database)
        self.postings = PostingTable(database)
        self.vectors = VectorTable(database)
        self.revisions = RevisionTable(database)
        self.runs = RunTable(database)
        self.tombstones = TombstoneTable(database)
        self.jobs = JobTable(database)
        self.recalls = RecallTable(database)
        self.erasures = ErasureTable(database)
