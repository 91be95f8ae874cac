"""The engines' own full text beside ours: it answers queries by hand and changes nothing that recollect does."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from recollect import Invalid, Refused, open_memory
from recollect.wiring import set_fulltext
from tests.acceptance.shell import Shell
from tests.integration.places import ENGINES, NewPlace, Places, asked

BY_HAND = {
    "sqlite": "select r.id from records_fulltext as f join records as r on r.row_no = f.rowid"
    " where records_fulltext match '\"{}\"' order by rank",
    "postgres": "select id from recollect.records"
    " where to_tsvector('simple', left(name || ' ' || description || ' ' || content, 100000))"
    " @@ plainto_tsquery('simple', '{}') order by id",
    "mysql": "select id from records where match (name, description, content) against ('\"{}\"' in boolean mode)"
    " order by id",
}


def by_hand(place: str, engine: str, words: str) -> list[int]:
    query = BY_HAND[engine].format(words)
    if engine != "sqlite":
        return [row[0] for row in asked(place, query)]
    with closing(sqlite3.connect(place)) as connection:
        return [row[0] for row in connection.execute(query).fetchall()]


class TestByHand(Places):
    @pytest.mark.parametrize("engine", ENGINES)
    def test_it_follows_every_change(self, place: NewPlace, tmp_path: Path, engine: str) -> None:
        at, shell = place(engine), Shell(tmp_path / "data")
        with open_memory(at) as memory:
            kept = memory.notes.save("deadline of the payment module").record.id
            gone = memory.notes.save("payment of the rent").record.id
            assert shell("db", "fulltext", at, "--json").json["changed"]
            assert by_hand(at, engine, "payment") in ([kept, gone], [gone, kept])
            new = memory.notes.save("a payment in cash").record.id
            memory.notes.update(kept, name="printing", content="deadline of the printing module")
            memory.notes.delete(gone, forget=True)
            assert by_hand(at, engine, "payment") == [new]
            assert by_hand(at, engine, "printing") == [kept]
            assert not shell("db", "fulltext", at, "--json").json["changed"]
            assert [hit.record.id for hit in memory.recall("printing deadline").hits] == [kept]
            assert "removed" in shell("db", "fulltext", at, "--drop").said
            assert "没有" in shell("db", "fulltext", at, "--drop", "--lang", "zh").said
            memory.notes.save("another payment, after it")
            assert memory.upkeep.check().sound

    def test_a_cluster_refuses_it(self, place: NewPlace) -> None:
        at = place("postgres")
        with open_memory(at):
            pass
        asked(at, "set allow_system_table_mods = on", "update pg_extension set extname = 'citus'")
        with pytest.raises(Refused) as refused:
            set_fulltext(at)
        assert refused.value.key == "fulltext_sharded"


class TestBeside(Places):
    """What writes, finds, undoes and erases, with the index added before anything is written."""

    @pytest.mark.parametrize("engine", ENGINES)
    def test_it_changes_nothing_that_recollect_does(self, place: NewPlace, engine: str) -> None:
        plain, beside = place(engine), place(engine)
        open_memory(beside).close()
        set_fulltext(beside)
        assert life(beside) == life(plain)

    @pytest.mark.parametrize("engine", ENGINES)
    def test_what_is_taken_back_is_in_no_index(self, place: NewPlace, engine: str) -> None:
        at = place(engine)
        open_memory(at).close()
        set_fulltext(at)
        with open_memory(at) as memory:
            saved = memory.notes.save("the quagga is extinct")
            with pytest.raises(Invalid):
                memory.notes.save_many([{"content": "one more quagga"}, {"content": " "}])
            assert by_hand(at, engine, "quagga") == [saved.record.id]
            memory.undo(revision=saved.revision)
            memory.within(user="other").notes.save("another quagga")
            memory.erase(user="other")
            memory.notes.delete(saved.record.id, forget=True)
            assert by_hand(at, engine, "quagga") == []


def life(at: str) -> list[object]:
    """Return what recollect says of a small life at a place."""
    with open_memory(at) as memory:
        saved = memory.notes.save_many([{"content": f"note {n} 备忘 about module {n % 3}"} for n in range(9)])
        ids = [one.record.id for one in saved]
        changed = memory.notes.update(ids[0], content="支付模块 is due on Friday", labels=["due"])
        memory.notes.delete(ids[1])
        memory.notes.delete(ids[2], forget=True)
        said: list[object] = [sorted(hit.record.id for hit in memory.recall("支付模块").hits)]
        memory.undo(revision=changed.revision)
        memory.notes.restore(ids[1])
        said += [sorted(note.id for note in memory.notes.search(words)) for words in ("备忘", "module 1", "Friday")]
        said += [len(memory.recall("note 备忘 7").hits), memory.upkeep.check().sound]
        said += [(note.id, note.content, note.version) for note in memory.notes.list(limit=100).items]
        return said
