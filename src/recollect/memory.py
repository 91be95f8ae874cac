"""Memory, the door: everything that recollect does for one user and agent."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Protocol, Self

from recollect.domain import clock
from recollect.domain.checks import check_list
from recollect.domain.errors import Invalid, StorageError, speaking
from recollect.domain.ledger import AskedBy
from recollect.domain.places import to_place
from recollect.domain.query import RECALL_KINDS, Found, Hit, LeftOut, Query
from recollect.domain.record import Kind, Receipt, Revision
from recollect.domain.scope import Scope
from recollect.notes.notes import Notes
from recollect.prompts.render import pinned_block, section
from recollect.recall.composing import Composed, compose
from recollect.recall.explaining import Explaining
from recollect.recall.ledger import Ledger, Recalls
from recollect.recall.question import focus, question_of, read_messages
from recollect.recall.recalling import Recalling
from recollect.records.exporting import Exported, Exporting
from recollect.records.importing import Imported, Importing
from recollect.records.reading import Reading
from recollect.records.removing import Removing
from recollect.records.saving import Saving
from recollect.records.undoing import Undoing
from recollect.records.upkeep import Upkeep
from recollect.tools.toolbox import Toolbox

logging.getLogger("recollect").addHandler(logging.NullHandler())  # a program that wants to hear us says where

Progress = Callable[[int, int], None]


class PromptChoices(Protocol):
    """How memory enters the prompts of one agent."""

    @property
    def enabled(self) -> bool:
        """Whether the agent has a memory at all."""
        ...

    @property
    def prefetch_limit(self) -> int:
        """How many memories go into a prompt."""
        ...

    @property
    def placement(self) -> str:
        """Where recalled memories go: system or message."""
        ...

    @property
    def prompt_language(self) -> str:
        """The language of what the model reads."""
        ...

    @property
    def token_budget(self) -> int | None:
        """The most tokens that recalled memories may take."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a Memory is made of; `wiring` puts it together."""

    reading: Reading
    saving: Saving
    removing: Removing
    undoing: Undoing
    recalling: Recalling
    explaining: Explaining
    exporting: Exporting
    importing: Importing
    ledger: Ledger
    upkeep: Upkeep
    language: str
    prompts_for: Callable[[str], PromptChoices]
    for_agent: Callable[[str], "Parts"]
    every: Callable[[], list["Parts"]]
    close: Callable[[], None]


@speaking
class Memory:
    """A memory bound to one scope. `within` binds it to another; closing any of them closes all."""

    def __init__(self, parts: Parts, scope: Scope, *, enabled: bool = True) -> None:
        self._parts = parts
        self._prompts = parts.prompts_for(scope.agent)
        self._enabled = enabled and self._prompts.enabled
        self.scope = scope
        self.language = parts.language
        self.notes = Notes(scope, parts.reading, parts.saving, parts.removing, self._look_up, parts.language)
        self.recalls = Recalls(scope, parts.ledger, parts.language)

    @property
    def enabled(self) -> bool:
        """Whether there is a memory for this agent; when it is off nothing is recalled, and what is stored stays."""
        return self._enabled

    @property
    def upkeep(self) -> Upkeep:
        """Looking after the database itself: check, backup, empty the queue."""
        return self._parts.upkeep

    def within(
        self,
        *,
        user: str | None = None,
        agent: str | None = None,
        tenant: str | None = None,
        session: str | None = None,
        enabled: bool = True,
    ) -> "Memory":
        """Return this memory bound to another scope; what is not named stays as it is.

        `enabled=False` makes a view that ignores memory, for one request: no tools, no section, nothing recalled.
        """
        named = {"user": user, "agent": agent, "tenant": tenant, "session": session}
        scope = replace(self.scope, **{name: value for name, value in named.items() if value is not None})
        return Memory(self._parts.for_agent(scope.agent), scope, enabled=enabled)

    def recall(
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
        """Return what is worth knowing for a question, best first, and why; nothing when nothing is relevant.

        `since` and `until` bound when a memory was last changed. `min_score=0` gives every record that shares a term.
        Of a text with something pasted to the question, the part that asks is what counts.
        """
        asked = Query(
            text=focus(query),
            limit=limit,
            max_tokens=max_tokens,
            type=type,
            kinds=RECALL_KINDS if kinds is None else kinds,
            labels=labels,
            since=since,
            until=until,
            spaces=spaces,
            min_score=min_score,
        )
        return self._answer(asked, "recall") if self._enabled else Found()

    def why(self, query: str, id: int | str, *, limit: int = 5, min_score: float | None = None) -> Hit | LeftOut:
        """Return the hit when a record is given for a question, else the first rule that keeps it out."""
        asked = Query(text=focus(query), limit=limit, min_score=min_score)
        answer = self._parts.explaining.why(self.scope, asked, id, language=self._prompts.prompt_language)
        if self._enabled:
            return answer
        record_id, name = (
            (answer.record.id, answer.record.name) if isinstance(answer, Hit) else (answer.id, answer.name)
        )
        return LeftOut(id=record_id, reason="memory_off", name=name)

    def prefetch(self, query: str | None = None, *, messages: Iterable[object] = (), limit: int | None = None) -> str:
        """Return the framed text to put into a prompt for this question, or "" when nothing is relevant.

        Of `messages` the last user text is the question; a short or referring one takes earlier user turns along.
        """
        question = question_of(read_messages(messages)) if query is None else focus(query)
        return self._prefetch(question, limit).block

    def compose(
        self,
        messages: Iterable[object],
        *,
        system_prompt: str | None = None,
        placement: str | None = None,
        limit: int | None = None,
    ) -> Composed:
        """Return a prompt with memory in it: what never changes between turns, and what this question recalls.

        Messages are objects, or what the model packages make. They are left as they are; nothing that is added belongs
        into the stored conversation.
        """
        if system_prompt is not None and not isinstance(system_prompt, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise Invalid("not_text", "system_prompt")
        given = list(check_list(messages, path="messages"))
        turns = read_messages(given)
        stable = volatile = ""
        if self._enabled:
            stable = "\n\n".join(part for part in (section(self._prompts.prompt_language), self._pinned()) if part)
            volatile = self._prefetch(question_of(turns), limit).block
        return compose(
            given, turns, system_prompt, placement or self._prompts.placement, stable=stable, volatile=volatile
        )

    def tools(self, *, split: bool = False) -> Toolbox:
        """Return the memory tools for a model: one tool that saves, changes and deletes, or with `split` three."""
        agent = Memory(self._parts, replace(self.scope, actor="agent"), enabled=self._enabled)
        return Toolbox(
            agent.notes,
            agent.recall,
            self._prompts.prompt_language,
            split=split,
            token_budget=self._prompts.token_budget,
            enabled=self._enabled,
            trash_days=self._parts.removing.trash_days,
        )

    def undo(self, *, revision: int | str | None = None, run: int | str | None = None) -> tuple[Revision, ...]:
        """Take back one change, or everything that a run did; refuse when something later touched a record."""
        return self._parts.undoing.undo(self.scope, revision=revision, run=run)

    def undoable(self) -> Revision | None:
        """Return the newest change here that is not taken back yet, to be asked about before it is undone."""
        return self._parts.undoing.newest(self.scope)

    def erase(self, *, user: str, tenant: str | None = None) -> Receipt:
        """Remove everything of a user for good and return a receipt that counts every place again.

        Agents' own databases are emptied too; one that cannot be reached is an error, and nothing is erased then.
        """
        scope = replace(self.scope, user=user, tenant=self.scope.tenant if tenant is None else tenant)
        return Receipt.of_all([parts.removing.erase(scope) for parts in self._parts.every()])

    def export(self, path: str | Path, *, all_owners: bool = False, progress: Progress | None = None) -> Exported:
        """Write this user's memory, or with `all_owners` everybody's, to a file that `import_from` reads.

        Everybody's is that of agents' own databases too; a user who is in several stands there several times.
        """
        everybody = [parts.exporting for parts in self._parts.every()] if all_owners else ()
        return self._parts.exporting.export(self.scope, Path(path), everybody=everybody, progress=progress)

    def import_from(
        self,
        path: str | Path,
        *,
        format: str = "recollect",
        zone: str = "UTC",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """Read an export, or with `format="netaclaw"` a database of that program; again goes on where it stopped.

        Dates of such a database that name no zone are those of `zone`.
        """
        source = to_place(path, "path")
        choices = {"format": format, "zone": zone}
        return self._parts.importing.load(self.scope, source, **choices, dry_run=dry_run, progress=progress)

    def close(self) -> None:
        """Finish what is in hand and let go of the database; calling it again is harmless."""
        self._parts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self, query: Query, asked_by: AskedBy) -> Found:
        began = perf_counter()
        found = self._look_up(query)
        by = "tool" if self.scope.actor == "agent" else asked_by
        self._parts.ledger.note(self.scope, query, found, by, perf_counter() - began)
        return found

    def _look_up(self, query: Query) -> Found:
        return self._parts.recalling.recall(self.scope, query, language=self._prompts.prompt_language)

    def _pinned(self) -> str:
        try:
            pinned = self._parts.reading.pinned(self.scope, clock.now())
        except StorageError as problem:
            self._parts.upkeep.count_failed_prefetch(problem)
            return ""
        return pinned_block(pinned, language=self._prompts.prompt_language)

    def _prefetch(self, question: str, limit: int | None) -> Found:
        if not self._enabled:
            return Found()
        size = self._prompts.prefetch_limit if limit is None else limit
        asked = Query(text=question, limit=size, max_tokens=self._prompts.token_budget)
        try:
            return self._answer(asked, "prefetch")
        except StorageError as problem:
            self._parts.upkeep.count_failed_prefetch(problem)
            return Found(sources={"lexical": problem.key}, failed={"lexical": problem.text(self.language)})
