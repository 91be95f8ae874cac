"""The first decision, measured: postings that we write ourselves, beside what the engine's full text offers.

One owner of 1,000 notes is asked while the notes of others grow. Each design answers the same questions with ids, best
first as far as it ranks at all; fetching the records is left out everywhere.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import recollect
from bench.building import Shape, cache_folder, copy, others, work_folder
from bench.report import Request, Row, Table, say, write
from bench.speed import ask, save_in_batches, trigram_others
from bench.fulltext import FullText
from bench.text import Texts
from bench.timing import told
from bench.trigram import Trigram
from recollect.domain.scope import Scope
from recollect.recall.candidates import lexical
from recollect.records import frequency
from recollect.records.tables import Tables
from recollect.storage.sqlite import SqliteDatabase

_OWN = 1_000
_EACH = 1_000
_BATCH = 1_000
_LIMIT = 10
_OWN_NUMBER = 1_000_000
_CAPS = (64, 250, 1_000, 4_000)
"""Named queries as a design without the lengths in its postings would have to write them."""
_JOINED = """
select p.term, p.id, p.tf_name, p.tf_description, p.tf_content, r.length
from json_each(:terms) as wanted
cross join postings as p on p.owner_no = :owner_no and p.term = wanted.value
cross join records as r on r.row_no = p.owner_no << 32 | p.id
"""
