"""What to say when there is nothing to show: why, and what to do next."""

from typing import TYPE_CHECKING

from recollect.faces.cli.failing import Absent
from recollect.faces.cli.session import Session

if TYPE_CHECKING:
    from recollect import Memory


def tell_nothing(session: Session, memory: "Memory") -> bool:
    """Say that this scope remembers nothing, and where there is something; False when it does remember."""
    if memory.notes.list(limit=1).items:
        return False
    scope = memory.scope
    if not scope.all_agents and memory.within(agent="*").notes.list(limit=1).items:
        session.remark("other_agents_remember", user=scope.user, recollect=session.command(agent="*"))
    else:
        session.remark("nothing_remembered", user=scope.user)
    return True


def absent(session: Session, memory: "Memory", id: str) -> Absent:
    """Return the complaint about a memory that is in the trash; one that is nowhere is complained about at once."""
    memory.notes.history(id, limit=1)
    return Absent("in_trash", "id", id=id, recollect=session.command())
