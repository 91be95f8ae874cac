"""Isolation: no verb gives a scope anything of another owner, agent or session."""

from itertools import product
from pathlib import Path

import pytest
from hypothesis.stateful import run_state_machine_as_test  # pyright: ignore[reportUnknownVariableType]

from recollect.domain.errors import NotFound
from recollect.domain.query import LeftOut
from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, everything, ids, searching
from recollect.testing.scopes import ScopesMachine, may_read

_WRITERS = tuple(product(("t1", "t2"), ("u1", "u2", ""), ("", "a", "b"), ("", "s")))
_ALL_AGENTS = tuple(product(("t1", "t2"), ("u1", "u2", ""), ("*",), ("", "s")))


def _text(writer: tuple[str, str, str, str]) -> str:
    return "zebra of " + " ".join(part or "nobody" for part in writer)


def _scoped(memory: Memory, scope: tuple[str, str, str, str]) -> Memory:
    tenant, user, agent, session = scope
    return memory.within(tenant=tenant, user=user, agent=agent, session=session)


class IsolationChecks(DoorChecks):
    """Checks that scopes never see each other."""

    @pytest.fixture
    def crowd(self, memory: Memory) -> dict[tuple[str, str, str, str], int]:
        """Return the id of one pinned note of every scope."""
        return {
            writer: _scoped(memory, writer).notes.save(_text(writer), name="n", pinned=True).record.id
            for writer in _WRITERS
        }

    @pytest.mark.parametrize("reader", [*_WRITERS, *_ALL_AGENTS], ids="/".join)
    def test_every_reading_verb_keeps_to_its_scope(
        self, memory: Memory, crowd: dict[tuple[str, str, str, str], int], reader: tuple[str, str, str, str]
    ) -> None:
        mine = _scoped(memory, reader)
        seen = {writer: number for writer, number in crowd.items() if may_read(reader, writer)}
        texts = {_text(writer) for writer in seen}
        assert {record.content for record in everything(mine)} == texts
        assert {record.content for record in mine.notes.search("zebra of", limit=100)} == texts
        found = mine.recall("zebra of", limit=100, min_score=0)
        assert {hit.record.content for hit in found.hits} == texts
        assert {out.name for out in found.left_out} == set()
        system = mine.compose([{"role": "user", "content": "zebra of"}]).system
        for writer in crowd:
            assert (f"\n{_text(writer)}\n" in system) == (writer in seen)
        for number in set(crowd.values()):
            wanted = [writer for writer, kept in seen.items() if kept == number]
            record = mine.notes.get(number)
            assert (record.content if record else None) == (_text(wanted[0]) if wanted else None)

    @pytest.mark.parametrize(
        "reader", [("t1", "u1", "a", ""), ("t1", "u1", "", "s"), ("t2", "", "b", "s")], ids="/".join
    )
    def test_no_writing_verb_reaches_out_of_its_scope(
        self, memory: Memory, crowd: dict[tuple[str, str, str, str], int], reader: tuple[str, str, str, str]
    ) -> None:
        mine = _scoped(memory, reader)
        own = {crowd[writer] for writer in crowd if may_read(reader, writer)}
        for number in set(crowd.values()) - own:
            for verb in (mine.notes.delete, mine.notes.restore, mine.notes.history):
                with pytest.raises(NotFound):
                    verb(number)
            with pytest.raises(NotFound):
                mine.notes.update(number, content="taken over")
            with pytest.raises(NotFound):
                mine.notes.delete(number, forget=True)
            with pytest.raises(NotFound):
                mine.undo(revision=number)  # every note here has one revision, of its own number
        for writer, number in crowd.items():
            record = _scoped(memory, writer).notes.get(number)
            assert record is not None and (record.content, record.version) == (_text(writer), 1)

    def test_why_tells_of_ones_own_owner_only(
        self, memory: Memory, crowd: dict[tuple[str, str, str, str], int]
    ) -> None:
        reader = ("t1", "u1", "a", "")
        mine = _scoped(memory, reader)
        for writer, number in crowd.items():
            if writer[:2] != reader[:2] or may_read(reader, writer):
                continue
            out = mine.why("zebra of", number)
            assert isinstance(out, LeftOut)
            assert out.reason == ("other_agent" if writer[2] not in ("", "a") else "other_session")
        with pytest.raises(NotFound):
            mine.why("zebra of", max(crowd.values()) + 1)

    def test_an_export_holds_one_owner(
        self, memory: Memory, crowd: dict[tuple[str, str, str, str], int], tmp_path: Path
    ) -> None:
        own = {_text(writer) for writer in crowd if writer[:2] == ("t1", "u1")}
        exported = memory.within(tenant="t1", user="u1").export(tmp_path / "mine.jsonl")
        text = (tmp_path / "mine.jsonl").read_text(encoding="utf-8")
        assert exported.records == len(own) == 6
        assert {_text(writer) for writer in crowd if _text(writer) + '"' in text} == own
        memory.export(tmp_path / "all.jsonl", all_owners=True)
        everybody = (tmp_path / "all.jsonl").read_text(encoding="utf-8")
        assert all(_text(writer) in everybody for writer in crowd)
        new = memory.within(tenant="t3", user="u9")
        new.import_from(tmp_path / "mine.jsonl")
        assert {record.content for record in everything(new.within(agent="*"))} <= own
        assert len(everything(new.within(agent="*", session="s"))) == 6

    def test_names_are_compared_byte_for_byte(self, memory: Memory) -> None:
        names = ["bot", "Bot", "bot ", " bot", "BOT", "ｂｏｔ", "b%", "b_t", "'", "*x", "机器人", "機器人"]
        for name in names:
            memory.within(user="u", agent=name).notes.save(f"agent {name}", name="n")
            memory.within(user=f"u{name}").notes.save(f"user {name}", name="n")
            memory.within(user="u", session=f"s{name}").notes.save(f"session {name}", name="n")
        for name in names:
            assert [one.content for one in everything(memory.within(user="u", agent=name))] == [f"agent {name}"]
            assert [one.content for one in everything(memory.within(user=f"u{name}"))] == [f"user {name}"]
            [mine] = everything(memory.within(user="u", session=f"s{name}"))
            assert mine.content == f"session {name}"

    def test_two_spellings_of_one_character_are_one_name(self, memory: Memory) -> None:
        record = memory.within(user="Jos\u00e9", agent="caf\u00e9").notes.save("one").record
        assert everything(memory.within(user="Jose\u0301", agent="cafe\u0301")) == [record]

    def test_what_binds_a_scope_is_kept_until_it_is_bound_anew(self, memory: Memory) -> None:
        bound = memory.within(tenant="t", user="u", agent="a", session="s")
        assert bound.within().scope == bound.scope
        assert bound.within(agent="").scope == memory.within(tenant="t", user="u", session="s").scope
        bound.notes.save("one")
        assert ids(everything(bound.within())) == [1]

    def test_nothing_that_scopes_do_is_seen_by_another(self, memory: Memory) -> None:
        """Random scopes do random things; each sees what a simple model says it should, and nothing else."""
        worlds = iter(range(1_000_000))
        run_state_machine_as_test(  # pyright: ignore[reportUnknownMemberType]
            lambda: ScopesMachine(memory, f"w{next(worlds)}"),  # pyright: ignore[reportArgumentType]
            settings=searching(12),
        )
        assert memory.upkeep.check().sound
