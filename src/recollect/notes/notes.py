"""The verbs of notes, bound to one scope: none of them takes a user, so none can forget it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Unpack

from recollect.domain.checks import check_list
from recollect.domain.drafting import check_note, parse_draft
from recollect.domain.errors import speaking
from recollect.domain.query import Found, Query
from recollect.domain.record import Draft, NoteChanges, NoteFields, Page, Record, Revision, Saved
from recollect.domain.scope import Scope
from recollect.records.reading import Reading
from recollect.records.removing import Removing
from recollect.records.saving import Saving

Search = Callable[[Query], Found]


@speaking
class Notes:
    """Notes of one scope: save, update, delete, restore, get, list, search, history."""

    def __init__(
        self, scope: Scope, reading: Reading, saving: Saving, removing: Removing, search: Search, language: str
    ) -> None:
        self.language = language
        self._scope = scope
        self._reading = reading
        self._saving = saving
        self._removing = removing
        self._search = search

    def save(
        self,
        content: str,
        *,
        id: int | str | None = None,
        idempotency_key: str | None = None,
        external: bool = False,
        allow_secret: bool = False,
        **fields: Unpack[NoteFields],
    ) -> Saved:
        """Save a note, or with `id` give that note this content and the fields that are named.

        The outcome is `created`, `updated`, or `duplicate` when the same text is there already. A new note is of type
        user, and its name the first line of the content, unless these are named. `external` marks text from tools, web
        or files: it is trusted least.
        """
        if id is not None:
            changes: NoteChanges = {"content": content, **fields}
            return self._saving.update(
                self._scope, id, changes, idempotency_key=idempotency_key, allow_secret=allow_secret
            )
        draft = parse_draft({"content": content, "external": external, **fields})
        return self._saving.save(self._scope, draft, idempotency_key=idempotency_key, allow_secret=allow_secret)

    def save_many(self, notes: Iterable[Mapping[str, Any] | Draft], *, allow_secret: bool = False) -> tuple[Saved, ...]:
        """Save many notes, all or none, as one run that can be undone as a whole; an outcome for each."""
        drafts = (
            check_note(note, f"[{at}].") if isinstance(note, Draft) else parse_draft(note, f"[{at}].")
            for at, note in enumerate(check_list(notes, path="notes"))
        )
        return self._saving.save_many(self._scope, drafts, allow_secret=allow_secret)

    def update(
        self,
        id: int | str,
        *,
        if_version: int | None = None,
        allow_secret: bool = False,
        **fields: Unpack[NoteChanges],
    ) -> Saved:
        """Change the named fields of a note; with `if_version` only when nobody changed it since."""
        return self._saving.update(self._scope, id, fields, if_version=if_version, allow_secret=allow_secret)

    def delete(self, id: int | str, *, forget: bool = False) -> int:
        """Put a note into the trash, from where it can be restored; with `forget` remove every trace of its text.

        Returns the revision, with which a delete can be undone. Nothing undoes `forget`.
        """
        return self._removing.delete(self._scope, id, forget=forget)

    def restore(self, id: int | str) -> Saved:
        """Bring a note back from the trash, or approve one that waits for review."""
        return self._removing.restore(self._scope, id)

    def get(self, id: int | str) -> Record | None:
        """Return one note, or None when there is none of that id in this scope."""
        return self._reading.get(self._scope, id)

    def list(
        self,
        *,
        type: str | None = None,
        labels: Sequence[str] = (),
        stale: bool | None = None,
        status: str = "active",
        limit: int = 10,
        cursor: str | None = None,
    ) -> Page:
        """Return notes, newest first. `status` may be pending or trashed; `stale` asks for old or fresh ones only."""
        return self._reading.page(
            self._scope,
            kind="note",
            type=type,
            labels=labels,
            stale=stale,
            status=status,
            limit=limit,
            cursor=cursor,
        )

    def search(self, query: str, *, type: str | None = None, limit: int = 10) -> tuple[Record, ...]:
        """Return every note that shares a term with the query, best first; unlike recall it never abstains."""
        found = self._search(Query(text=query, type=type, limit=limit, kinds=("note",), min_score=0.0))
        return tuple(hit.record for hit in found.hits)

    def history(self, id: int | str, *, limit: int = 100) -> tuple[Revision, ...]:
        """Return what happened to a note, newest first, each change with before and after."""
        return self._reading.history(self._scope, id, limit=limit)
