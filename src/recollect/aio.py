"""AsyncMemory: the verbs of Memory for an event loop, each one hop into a thread."""

from asyncio import to_thread
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Self, Unpack

from recollect.domain.ledger import RecallPage
from recollect.domain.query import Found, Hit, LeftOut
from recollect.domain.record import Draft, Kind, NoteChanges, NoteFields, Page, Receipt, Record, Revision, Saved
from recollect.domain.scope import Scope
from recollect.memory import Memory, Progress
from recollect.notes.notes import Notes
from recollect.recall.composing import Composed
from recollect.recall.ledger import Recalls
from recollect.records.exporting import Exported
from recollect.records.importing import Imported
from recollect.records.upkeep import Upkeep
from recollect.tools.toolbox import Toolbox


class AsyncNotes:
    """The verbs of `Notes`, awaited."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    async def save(
        self,
        content: str,
        *,
        id: int | str | None = None,
        idempotency_key: str | None = None,
        external: bool = False,
        allow_secret: bool = False,
        **fields: Unpack[NoteFields],
    ) -> Saved:
        return await to_thread(
            self._notes.save,
            content,
            id=id,
            idempotency_key=idempotency_key,
            external=external,
            allow_secret=allow_secret,
            **fields,
        )

    async def save_many(
        self, notes: Iterable[Mapping[str, Any] | Draft], *, allow_secret: bool = False
    ) -> tuple[Saved, ...]:
        return await to_thread(self._notes.save_many, notes, allow_secret=allow_secret)

    async def update(
        self,
        id: int | str,
        *,
        if_version: int | None = None,
        allow_secret: bool = False,
        **fields: Unpack[NoteChanges],
    ) -> Saved:
        return await to_thread(self._notes.update, id, if_version=if_version, allow_secret=allow_secret, **fields)

    async def delete(self, id: int | str, *, forget: bool = False) -> int:
        return await to_thread(self._notes.delete, id, forget=forget)

    async def restore(self, id: int | str) -> Saved:
        return await to_thread(self._notes.restore, id)

    async def get(self, id: int | str) -> Record | None:
        return await to_thread(self._notes.get, id)

    async def list(
        self,
        *,
        type: str | None = None,
        labels: Sequence[str] = (),
        stale: bool | None = None,
        status: str = "active",
        limit: int = 10,
        cursor: str | None = None,
    ) -> Page:
        return await to_thread(
            self._notes.list, type=type, labels=labels, stale=stale, status=status, limit=limit, cursor=cursor
        )

    async def search(self, query: str, *, type: str | None = None, limit: int = 10) -> tuple[Record, ...]:
        return await to_thread(self._notes.search, query, type=type, limit=limit)

    async def history(self, id: int | str, *, limit: int = 100) -> tuple[Revision, ...]:
        return await to_thread(self._notes.history, id, limit=limit)


class AsyncRecalls:
    """The verbs of `Recalls`, awaited."""

    def __init__(self, recalls: Recalls) -> None:
        self._recalls = recalls

    async def list(self, *, limit: int = 10, cursor: str | None = None) -> RecallPage:
        return await to_thread(self._recalls.list, limit=limit, cursor=cursor)


class AsyncMemory:
    """A Memory for an event loop. Make one around a Memory: `AsyncMemory(open_memory(…))`."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.notes = AsyncNotes(memory.notes)
        self.recalls = AsyncRecalls(memory.recalls)

    @property
    def scope(self) -> Scope:
        """The scope this memory is bound to."""
        return self._memory.scope

    @property
    def language(self) -> str:
        """The language in which its errors are told to people."""
        return self._memory.language

    @property
    def enabled(self) -> bool:
        """Whether there is a memory for this agent."""
        return self._memory.enabled

    @property
    def upkeep(self) -> Upkeep:
        """Looking after the database itself; its verbs are not awaited."""
        return self._memory.upkeep

    def within(
        self,
        *,
        user: str | None = None,
        agent: str | None = None,
        tenant: str | None = None,
        session: str | None = None,
        enabled: bool = True,
    ) -> "AsyncMemory":
        """Return this memory bound to another scope; nothing is awaited, since nothing is read."""
        return AsyncMemory(self._memory.within(user=user, agent=agent, tenant=tenant, session=session, enabled=enabled))

    async def recall(
        self,
        query: str,
        *,
        limit: int = 5,
        max_tokens: int | None = None,
        type: str | None = None,
        kinds: Sequence[Kind] | None = None,
        labels: Sequence[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        spaces: Sequence[str] = ("",),
        min_score: float | None = None,
    ) -> Found:
        return await to_thread(
            self._memory.recall,
            query,
            limit=limit,
            max_tokens=max_tokens,
            type=type,
            kinds=kinds,
            labels=labels,
            since=since,
            until=until,
            spaces=spaces,
            min_score=min_score,
        )

    async def why(self, query: str, id: int | str, *, limit: int = 5, min_score: float | None = None) -> Hit | LeftOut:
        return await to_thread(self._memory.why, query, id, limit=limit, min_score=min_score)

    async def prefetch(
        self, query: str | None = None, *, messages: Iterable[object] = (), limit: int | None = None
    ) -> str:
        return await to_thread(self._memory.prefetch, query, messages=messages, limit=limit)

    async def compose(
        self,
        messages: Iterable[object],
        *,
        system_prompt: str | None = None,
        placement: str | None = None,
        limit: int | None = None,
    ) -> Composed:
        return await to_thread(
            self._memory.compose, messages, system_prompt=system_prompt, placement=placement, limit=limit
        )

    def tools(self, *, split: bool = False) -> Toolbox:
        """Return the memory tools; `box.run` blocks, so give it to a thread: `await asyncio.to_thread(box.run, …)`."""
        return self._memory.tools(split=split)

    async def undo(self, *, revision: int | str | None = None, run: int | str | None = None) -> tuple[Revision, ...]:
        return await to_thread(self._memory.undo, revision=revision, run=run)

    async def undoable(self) -> Revision | None:
        return await to_thread(self._memory.undoable)

    async def erase(self, *, user: str, tenant: str | None = None) -> Receipt:
        return await to_thread(self._memory.erase, user=user, tenant=tenant)

    async def export(self, path: str | Path, *, all_owners: bool = False, progress: Progress | None = None) -> Exported:
        return await to_thread(self._memory.export, path, all_owners=all_owners, progress=progress)

    async def import_from(
        self,
        path: str | Path,
        *,
        format: str = "recollect",
        zone: str = "UTC",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        choices = {"format": format, "zone": zone}
        return await to_thread(self._memory.import_from, path, **choices, dry_run=dry_run, progress=progress)

    async def close(self) -> None:
        await to_thread(self._memory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
