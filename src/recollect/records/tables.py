"""The tables of one database, in one hand."""

from recollect.storage.backend import Database
from recollect.storage.erasures import ErasureTable
from recollect.storage.history import RevisionTable, RunTable, TombstoneTable
from recollect.storage.jobs import JobTable
from recollect.storage.ledger import RecallTable
from recollect.storage.owners import OwnerTable
from recollect.storage.postings import PostingTable
from recollect.storage.records import RecordTable


class Tables:
    """Every table of a database; the rooms above reach storage through this."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.owners = OwnerTable(database)
        self.records = RecordTable(database)
        self.postings = PostingTable(database)
        self.revisions = RevisionTable(database)
        self.runs = RunTable(database)
        self.tombstones = TombstoneTable(database)
        self.jobs = JobTable(database)
        self.recalls = RecallTable(database)
        self.erasures = ErasureTable(database)
