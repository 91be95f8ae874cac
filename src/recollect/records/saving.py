"""Saving and changing: check, look for a duplicate and a tombstone, then write, all or nothing."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any, Literal

from recollect.domain import clock
from recollect.domain.checks import check_id, check_text, check_whole
from recollect.domain.drafting import (
    CONTENT_LIMIT,
    DESCRIPTION_LIMIT,
    NAME_LIMIT,
    Review,
    check_draft,
    drafted,
    edited,
    follows_content,
    to_draft,
    to_record,
)
from recollect.domain.errors import Conflict, Forgotten, Invalid, Refused
from recollect.domain.record import CHANGEABLE, Draft, Record, Saved, plain
from recollect.domain.scope import Actor, Scope
from recollect.records.identity import same_text_key, tombstone_digest
from recollect.records.reading import missing
from recollect.records.screening import Found, screen_metadata, screen_text, screen_texts
from recollect.records.similar import similar_records
from recollect.records.tables import Tables
from recollect.records.writing import Request, Writing, writing
from recollect.storage.backend import Question

_REQUEST_LIFE = timedelta(hours=24)
_REQUEST_KEY_LIMIT = 200
BATCH_LIMIT = 10_000
_SCREENS: Mapping[str, Callable[[Any, str], tuple[object, list[Found]]]] = {
    "content": partial(screen_text, limit=CONTENT_LIMIT),
    "name": partial(screen_text, limit=NAME_LIMIT),
    "description": partial(screen_text, limit=DESCRIPTION_LIMIT),
    "labels": screen_texts,
    "metadata": screen_metadata,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the operator decided about writing, and the language of whoever is told about it."""

    secrets: Literal["refuse", "mask"] = "refuse"
    review: Review = "external"
    trash_days: int = 30
    language: str = "en"


class _Text:
    """A new record with what its text is known by."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.key = same_text_key(record)
        self.digest = tombstone_digest(record.kind, record.content)


class Saving:
    """The one way by which a record comes to be or changes its words."""

    def __init__(self, tables: Tables, policy: Policy) -> None:
        self._tables = tables
        self._policy = policy

    def save(
        self, scope: Scope, draft: Draft, *, idempotency_key: str | None = None, allow_secret: bool = False
    ) -> Saved:
        """Save one draft; the answer names near ones, and a text that is there already is not saved twice."""
        record = self._to_record(scope, draft, allow_secret=allow_secret)
        request = _request(idempotency_key, scope, record, CHANGEABLE)
        similar = similar_records(self._tables, scope, record)
        texts = [_Text(record)]
        with writing(self._tables, scope, *self._asking(scope, texts)) as write:
            earlier = self._earlier(write, request)
            saved = earlier or self._add(write, texts, request=request)[0]
        return replace(saved, similar=tuple(near for near in similar if near.id != saved.record.id))

    def save_many(self, scope: Scope, drafts: Iterable[Draft], *, allow_secret: bool = False) -> tuple[Saved, ...]:
        """Save drafts in one transaction as one run, or none of them; near ones are not looked for."""
        records: list[Record] = []
        for at, draft in enumerate(drafts):
            records.append(self._to_record(scope, draft, allow_secret=allow_secret, path=f"[{at}]."))
            if len(records) > BATCH_LIMIT:
                raise Invalid("too_many", "", count=len(records), limit=BATCH_LIMIT)
        if not records:
            return ()
        texts = list(map(_Text, records))
        with writing(self._tables, scope, *self._asking(scope, texts)) as write:
            run = write.start_run("save_many")
            return tuple(self._add(write, texts, run_id=run.id))

    def update(
        self,
        scope: Scope,
        record_id: object,
        fields: Mapping[str, object],
        *,
        if_version: int | None = None,
        idempotency_key: str | None = None,
        allow_secret: bool = False,
    ) -> Saved:
        """Change fields of one record; nothing is written when they say what it says already."""
        number = check_id(record_id)
        _check_fields(fields)
        with writing(self._tables, scope) as write:
            before = find(write, scope, number)
            known = to_draft(before)
            draft = check_draft(replace(known, **{**follows_content(before), **fields}))  # pyright: ignore[reportArgumentType]
            request = _request(idempotency_key, scope, replace(before, **drafted(draft)), fields)
            earlier = self._earlier(write, request)
            if earlier:
                return earlier
            _may_change(scope, before, if_version)
            kept = without_secrets(self._policy, scope.actor, draft, "", allowed=allow_secret, known=known)
            after = edited(before, kept, scope)
            if after is before:
                return _duplicate(write, before, request)
            self._meet_others(write, after)
            written, revision = write.change(before, after, "update", request=request)
            return Saved(record=written, outcome="updated", revision=revision.id)

    def _to_record(self, scope: Scope, draft: Draft, *, allow_secret: bool, path: str = "") -> Record:
        if scope.all_agents:
            raise Invalid("all_agents_writing", "agent")
        checked = without_secrets(self._policy, scope.actor, check_draft(draft, path), path, allowed=allow_secret)
        return to_record(checked, scope, clock.now(), self._policy.review)

    def _asking(self, scope: Scope, texts: list["_Text"]) -> list[Question]:
        keys, digests = [text.key for text in texts], [text.digest for text in texts]
        return self._tables.texts.asking(scope, keys, digests, clock.now())

    def _add(
        self, write: Writing, texts: list["_Text"], *, request: Request | None = None, run_id: int | None = None
    ) -> list[Saved]:
        known = self._tables.texts.known(write.answers)
        there: dict[bytes, Record] = {}
        if known.there:
            found = self._tables.records.get_many(write.owner_no, write.scope, known.there.values())
            there = {key: found[id] for key, id in known.there.items() if id in found}
        saved: list[Saved] = []
        for text in texts:
            if text.key in there:
                saved.append(_duplicate(write, there[text.key], request))
                continue
            held = {("", text.digest), (text.record.agent, text.digest)} & known.forgotten
            if held:
                self._lift(write, text.record, text.digest)
                known.forgotten.difference_update(held)
            added, revision = write.add(text.record, run_id=run_id, request=request)
            saved.append(Saved(record=added, outcome="created", revision=revision.id))
            if added.status == "active" and not added.is_expired(write.now):
                there[text.key] = added
        return saved

    def _meet_others(self, write: Writing, record: Record) -> None:
        there = self._tables.records.same_text(
            write.owner_no, same_text_key(record), now=write.now, except_id=record.id
        )
        if there is not None and record.status == "active":
            raise Conflict("same_text", "content", id=there)
        digest = tombstone_digest(record.kind, record.content)
        if self._tables.tombstones.holds(write.owner_no, record.agent, digest):
            self._lift(write, record, digest)

    def _lift(self, write: Writing, record: Record, digest: bytes) -> None:
        """What was forgotten comes back only by the hand of a person."""
        if write.scope.actor != "person":
            raise Forgotten("forgotten_text", "content")
        self._tables.tombstones.lift(write.owner_no, record.agent, digest)

    def _earlier(self, write: Writing, request: Request | None) -> Saved | None:
        """Return what the same request got when it was sent before."""
        if request is None:
            return None
        since = write.now - _REQUEST_LIFE
        found = self._tables.revisions.by_idempotency(write.owner_no, request.key, since)
        if found is None:
            return None
        revision, body_hash = found
        record = find(write, write.scope, revision.record_id)
        if body_hash != request.body_hash:
            raise Invalid("idempotency_other_body", "idempotency_key")
        if record.status == "trashed":
            raise Conflict("not_active", "idempotency_key", id=record.id, status=record.status)
        if not revision.changes:
            return Saved(record=record, outcome="duplicate")
        return Saved(
            record=record, outcome="created" if revision.action == "create" else "updated", revision=revision.id
        )


def without_secrets(
    policy: Policy, actor: Actor, draft: Draft, path: str, *, allowed: bool = False, known: Draft | None = None
) -> Draft:
    """Return the draft with its secrets masked, or refuse it, as the policy says; a person may allow them.

    What stands in `known` was let in before and is not asked about again.
    """
    if allowed and actor == "person":
        return draft
    for field, screen in _SCREENS.items():
        value = getattr(draft, field)
        if known is not None and value == getattr(known, field):
            continue
        screened, found = screen(value, f"{path}{field}")
        if found and policy.secrets == "refuse":
            raise Refused("secret_by_person" if actor == "person" else "secret", found[0].path, rule=found[0].rule)
        if found:
            draft = replace(draft, **{field: screened})
    return draft


def find(write: Writing, scope: Scope, record_id: int) -> Record:
    """Return a record of this scope inside an open transaction."""
    record = write.tables.records.get(write.owner_no, scope, record_id)
    if record is None:
        raise missing(write.tables, write.owner_no, scope, record_id)
    return record


def _may_change(scope: Scope, record: Record, if_version: int | None) -> None:
    if scope.all_agents:
        raise Invalid("all_agents_writing", "agent")
    if record.status not in ("active", "pending"):
        raise Conflict("not_active", "id", id=record.id, status=record.status)
    if if_version is not None and check_whole(if_version, path="if_version") != record.version:
        raise Conflict("version_moved", "if_version", id=record.id, version=record.version, expected=if_version)
    if scope.actor != "person" and record.pinned:
        raise Refused("pinned_by_person", "id", id=record.id)


def _check_fields(fields: Mapping[str, object]) -> None:
    if not fields:
        raise Invalid("nothing_to_change")
    for name in fields:
        if name not in CHANGEABLE:
            raise Invalid("unknown_field", name, allowed=", ".join(CHANGEABLE))


def _duplicate(write: Writing, record: Record, request: Request | None) -> Saved:
    """Answer with what is there; a key under which that was asked is kept with a revision that changes nothing."""
    if request is not None:
        write.change_nothing(record, request)
    return Saved(record=record, outcome="duplicate")


def _request(key: str | None, scope: Scope, record: Record, names: Iterable[str]) -> Request | None:
    """Return what a request is known by: a key of this agent and session, and what it says in the fields named.

    When something ends is no part of it, because a program that tries again may reckon that anew.
    """
    if key is None:
        return None
    check_text(key, path="idempotency_key", limit=_REQUEST_KEY_LIMIT)
    if not key.strip():
        raise Invalid("blank", "idempotency_key")
    said = {name: plain(getattr(record, name)) for name in names if name != "expires_at"}
    return Request(
        key=_digest([scope.agent, scope.session, key]).hex(), body_hash=_digest([record.id, sorted(names), said])
    )


def _digest(value: object) -> bytes:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).digest()
