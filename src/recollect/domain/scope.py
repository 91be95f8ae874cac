"""Whose memory it is: the owner, and who reads or writes it from where."""

import json
import unicodedata
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal
from uuid import NAMESPACE_URL, uuid5

from recollect.domain.checks import check_text
from recollect.domain.errors import Refused

Actor = Literal["person", "agent", "import", "system"]

NAME_LIMIT = 100
ALL = "*"


@lru_cache(maxsize=4096)
def owner_id(tenant: str, user: str) -> str:
    """Return the UUID of the owner (tenant, user), the same on every machine."""
    return str(
        uuid5(NAMESPACE_URL, "recollect:" + json.dumps([tenant, user], ensure_ascii=False, separators=(",", ":")))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """An owner, an agent and a session, and who acts there.

    It reads records of its own owner whose agent is empty or its own and whose session is empty or its own.
    Names are kept in NFC and compared byte for byte; an empty user is the shared owner of the tenant.
    """

    tenant: str = "default"
    user: str = "local"
    agent: str = ""
    session: str = ""
    actor: Actor = "person"
    owner_id: str = field(init=False, default="")

    def __post_init__(self) -> None:
        for name in ("tenant", "user", "agent", "session"):
            given = check_text(getattr(self, name), path=name, limit=NAME_LIMIT)
            object.__setattr__(self, name, unicodedata.normalize("NFC", given))
        if self.all_agents and self.actor not in ("person", "system"):
            raise Refused("all_agents_person", "agent")
        if self.session == ALL and self.actor != "system":
            raise Refused("all_sessions_system", "session")
        object.__setattr__(self, "owner_id", owner_id(self.tenant, self.user))

    @property
    def all_agents(self) -> bool:
        """Tell whether this scope reads what every agent of the owner wrote."""
        return self.agent == ALL

    def everything(self) -> "Scope":
        """Return the scope of housekeeping: every agent and session of this owner."""
        return replace(self, agent=ALL, session=ALL, actor="system")
