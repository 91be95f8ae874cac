"""What makes two texts the same, and what is kept of one that was forgotten."""

import hashlib
import hmac
import secrets
from functools import lru_cache

from recollect.domain.analysis import ANALYSER_VERSION, index_terms
from recollect.domain.record import Record
from recollect.domain.scope import Scope
from recollect.domain.text import fingerprint
from recollect.records.tables import Tables
from recollect.storage.postings import Indexed

_FINGERPRINT_BYTES = 16
ERASURE_KEY = "erasure_key"


def same_text_key(record: Record) -> bytes:
    """Return what two active records of one owner have in common when the same readers see the same text in both."""
    parts = (record.kind, record.agent, record.session, record.space, record.name, record.content)
    return fingerprint(*parts)[:_FINGERPRINT_BYTES]


def tombstone_digest(kind: str, content: str) -> bytes:
    """Return what is remembered of a forgotten text: a hash of its content, whatever it was called."""
    return fingerprint(str(ANALYSER_VERSION), kind, content)


def index(record: Record) -> Indexed:
    """Return the terms under which a record is found."""
    return _index(record.name, record.description, record.content)


@lru_cache(maxsize=64)
def _index(name: str, description: str, content: str) -> Indexed:
    """A save needs the terms of one text more than once."""
    return Indexed(index_terms(name), index_terms(description), index_terms(content))


def owner_mac(tables: Tables, scope: Scope) -> bytes:
    """Return the keyed hash that stands for an erased owner; needs a transaction the first time."""
    key = tables.database.one("meta_get", name=ERASURE_KEY)
    if key is None:
        tables.database.run("meta_put", name=ERASURE_KEY, value=secrets.token_hex(32))
        key = tables.database.one("meta_get", name=ERASURE_KEY) or ("",)
    return hmac.digest(bytes.fromhex(key[0]), scope.owner_id.encode(), hashlib.sha256)
