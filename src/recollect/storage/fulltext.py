"""The engines' own full text, for administrators who query by hand. Nothing here reads it."""

from recollect.domain.errors import Refused
from recollect.storage.backend import Database

NAME = "records_fulltext"
_STEPS = ("fulltext_add", "fulltext_on_insert", "fulltext_on_delete", "fulltext_on_update", "fulltext_fill")


def add_fulltext(database: Database) -> bool:
    """Add the index, filled; False when it is there."""
    if database.one("cluster_found"):
        raise Refused("fulltext_sharded")
    if database.one("fulltext_found"):
        return False
    with database.transaction():
        for step in _STEPS:
            database.run(step)
    return True


def drop_fulltext(database: Database) -> bool:
    """Take the index away; False when there is none."""
    if not database.one("fulltext_found"):
        return False
    with database.transaction():
        for step in reversed(_STEPS[:4]):
            database.run(step.replace("fulltext", "fulltext_drop"))
    return True
