"""Random scopes that save, change, remove, bring back and undo, beside a model that says what each should see."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from recollect.domain.errors import Conflict, Forgotten, NotFound
from recollect.domain.record import Record
from recollect.memory import Memory
from recollect.testing.opening import call, everything, ids

Place = tuple[str, str, str, str]
"""Tenant, user, agent and session."""

_Kinds = type[Exception] | tuple[type[Exception], ...]

_WORDS = ("zebra", "quagga", "斑马", "okapi")

_places = st.tuples(
    st.just(""), st.sampled_from(["u1", "u2"]), st.sampled_from(["", "a", "b"]), st.sampled_from(["", "s"])
)
_readers = st.tuples(
    st.just(""), st.sampled_from(["u1", "u2", "u3"]), st.sampled_from(["", "a", "b", "*"]), st.sampled_from(["", "s"])
)
_texts = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=2, unique=True).map(" ".join)
_numbers = st.integers(min_value=1, max_value=8)


def may_read(reader: Place, writer: Place) -> bool:
    """Tell whether a scope sees what another wrote."""
    same_owner = reader[:2] == writer[:2]
    return same_owner and (reader[2] == "*" or writer[2] in ("", reader[2])) and writer[3] in ("", reader[3])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Note:
    """What the model knows of a note: who wrote it, what it says and said, each with the revision that made it so."""

    writer: Place
    content: str
    status: str = "active"
    past: tuple[tuple[str, str, int], ...] = field(default=())

    def said(self, content: str, status: str, revision: int) -> "_Note":
        return replace(self, content=content, status=status, past=(*self.past, (content, status, revision)))


class ScopesMachine(RuleBasedStateMachine):
    """One world of two users with agents and sessions; `world` names its tenant, so that worlds share a memory."""

    def __init__(self, memory: Memory, world: str) -> None:
        super().__init__()
        self._memory = memory
        self._world = world
        self._notes: dict[tuple[str, int], _Note] = {}
        self._forgotten: set[tuple[str, str, str]] = set()

    @rule(place=_places, text=_texts, by_agent=st.booleans())
    def save(self, place: Place, text: str, by_agent: bool) -> None:
        """Save a text, or find that it is there."""
        mine = self._at(place)
        there = self._saying(place, text)
        was_forgotten = self._was_forgotten(place, text)
        if by_agent:
            told = call(mine, "memory_save", name="n", type="user", content=text)
            if there is None and was_forgotten:
                assert told["error"]["code"] == "forgotten"
                return
            number, outcome = int(told["id"]), str(told["outcome"])
        else:
            saved = mine.notes.save(text, name="n")
            number, outcome = saved.record.id, saved.outcome
        if there is not None:
            assert (number, outcome) == (there, "duplicate")
            return
        assert outcome == "created" and number == 1 + max(
            (id for user, id in self._notes if user == place[1]), default=0
        )
        self._lift(place, text)
        note = _Note(writer=place, content=text)
        self._notes[place[1], number] = note.said(text, "active", self._last_revision(place, number))

    @rule(place=_places, number=_numbers, text=_texts)
    def update(self, place: Place, number: int, text: str) -> None:
        """Change the words of a note."""
        note = self._notes.get((place[1], number))
        mine = self._at(place)
        if note is None or note.status == "forgotten" or not may_read(place, note.writer):
            self._refused((NotFound, Forgotten), lambda: mine.notes.update(number, content=text))
        elif note.status == "trashed":
            self._refused(Conflict, lambda: mine.notes.update(number, content=text))
        elif self._saying(note.writer, text) not in (None, number):
            self._refused(Conflict, lambda: mine.notes.update(number, content=text))
        else:
            saved = mine.notes.update(number, content=text)
            assert (saved.outcome == "duplicate") == (note.content == text)
            if saved.revision is not None:
                self._lift(note.writer, text)
                self._notes[place[1], number] = note.said(text, "active", saved.revision)

    @rule(place=_places, number=_numbers, forget=st.booleans())
    def delete(self, place: Place, number: int, forget: bool) -> None:
        """Put a note into the trash, or forget it."""
        note = self._notes.get((place[1], number))
        mine = self._at(place)
        if note is None or note.status == "forgotten" or not may_read(place, note.writer):
            self._refused((NotFound, Forgotten), lambda: mine.notes.delete(number, forget=forget))
        elif note.status == "trashed" and not forget:
            self._refused(Conflict, lambda: mine.notes.delete(number))
        else:
            revision = mine.notes.delete(number, forget=forget)
            status = "forgotten" if forget else "trashed"
            self._notes[place[1], number] = note.said(note.content, status, revision)
            if forget:
                self._forgotten.add((place[1], note.writer[2], note.content))

    @rule(place=_places, number=_numbers)
    def restore(self, place: Place, number: int) -> None:
        """Bring a note back from the trash."""
        note = self._notes.get((place[1], number))
        mine = self._at(place)
        if note is None or note.status == "forgotten" or not may_read(place, note.writer):
            self._refused((NotFound, Forgotten), lambda: mine.notes.restore(number))
        elif note.status == "active" or self._saying(note.writer, note.content) is not None:
            self._refused(Conflict, lambda: mine.notes.restore(number))
        elif self._was_forgotten(note.writer, note.content):
            self._refused(Forgotten, lambda: mine.notes.restore(number))
        else:
            saved = mine.notes.restore(number)
            assert saved.revision is not None
            self._notes[place[1], number] = note.said(note.content, "active", saved.revision)

    @rule(place=_places, number=_numbers)
    def undo(self, place: Place, number: int) -> None:
        """Take back the last thing that happened to a note."""
        note = self._notes.get((place[1], number))
        mine = self._at(place)
        if note is None:
            return
        revision = note.past[-1][2]
        content, status, _ = note.past[-2] if len(note.past) > 1 else (note.content, "trashed", 0)
        if note.status == "forgotten":
            self._refused((NotFound, Forgotten), lambda: mine.undo(revision=revision))
        elif not may_read(place, note.writer):
            self._refused(NotFound, lambda: mine.undo(revision=revision))
        elif status == "active" and self._saying(note.writer, content) not in (None, number):
            self._refused(Conflict, lambda: mine.undo(revision=revision))
        elif status == "active" and self._was_forgotten(note.writer, content):
            self._refused(Forgotten, lambda: mine.undo(revision=revision))
        else:
            [back] = mine.undo(revision=revision)
            self._notes[place[1], number] = note.said(content, status, back.id)

    @rule(reader=_readers, word=st.sampled_from(_WORDS))
    def look(self, reader: Place, word: str) -> None:
        """See with every reading verb exactly what the model says."""
        mine = self._at(reader)
        seen = self._seen(reader, "active")
        listed = everything(mine)
        assert {record.id: record.content for record in listed} == seen
        assert ids(listed) == sorted(seen, reverse=True)
        assert set(ids(everything(mine, "trashed"))) == set(self._seen(reader, "trashed"))
        wanted = {number for number, content in seen.items() if word in content.split()}
        assert set(ids(mine.notes.search(word, limit=100))) == wanted
        found = mine.recall(word, limit=100, min_score=0)
        assert {hit.record.id for hit in found.hits} == wanted and found.left_out == ()
        block = mine.prefetch(word)
        assert block == mine.recall(word).block
        for number in range(1, 9):
            self._compare(mine.notes.get(number), seen.get(number))

    @rule(reader=_readers, number=_numbers)
    def look_back(self, reader: Place, number: int) -> None:
        """Read the history of a note, with as many changes as the model knows."""
        note = self._notes.get((reader[1], number))
        mine = self._at(reader)
        if note is None or note.status == "forgotten" or not may_read(reader, note.writer):
            self._refused((NotFound, Forgotten), lambda: mine.notes.history(number))
        else:
            assert [one.id for one in mine.notes.history(number)] == [past[2] for past in reversed(note.past)]

    @invariant()
    def every_note_is_there(self) -> None:
        """All agents' view of each user counts what the model counts."""
        for user in ("u1", "u2"):
            place = ("", user, "*", "s")
            assert set(ids(everything(self._at(place)))) == set(self._seen(place, "active"))

    def _at(self, place: Place) -> Memory:
        return self._memory.within(tenant=self._world, user=place[1], agent=place[2], session=place[3])

    def _seen(self, reader: Place, status: str) -> dict[int, str]:
        return {
            number: note.content
            for (user, number), note in self._notes.items()
            if user == reader[1] and note.status == status and may_read(reader, note.writer)
        }

    def _saying(self, writer: Place, text: str) -> int | None:
        """Return the id of the active note of a scope that says a text, in whatever order it was given."""
        said = [
            number
            for (user, number), note in self._notes.items()
            if user == writer[1] and (note.writer, note.content, note.status) == (writer, text, "active")
        ]
        return said[0] if said else None

    def _was_forgotten(self, place: Place, text: str) -> bool:
        return bool({(place[1], "", text), (place[1], place[2], text)} & self._forgotten)

    def _lift(self, place: Place, text: str) -> None:
        self._forgotten -= {(place[1], "", text), (place[1], place[2], text)}

    def _last_revision(self, place: Place, number: int) -> int:
        return self._at(place).notes.history(number)[0].id

    def _compare(self, record: Record | None, content: str | None) -> None:
        assert (record.content if record else None) == content

    def _refused(self, kinds: _Kinds, work: Callable[[], object]) -> None:
        with pytest.raises(kinds):
            work()
