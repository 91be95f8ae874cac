"""Memory out to a file and back in, through the door, on real database files."""

import os
import random
import stat
import subprocess
import sys
import threading
import tracemalloc
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recollect import Draft, Forgotten, Refused, StorageError
from recollect.domain.record import Record, Revision
from recollect.domain.scope import Scope
from recollect.records.exporting import Exporting
from recollect.records.importing import Importing
from recollect.records.saving import Policy, Saving
from recollect.records.writing import writing
from tests.integration.transfers import (
    Look,
    Open,
    Transfers,
    contents,
    everything,
    fill,
    history_in,
    lines_of,
    records_in,
    write_lines,
)

SECRET = "the server takes ghp_" + "a1B2c3D4e5" * 4


class TestExport(Transfers):
    def test_a_file_holds_everything_of_one_owner_in_order(self, exported: Path) -> None:
        lines = lines_of(exported)
        assert lines[0]["recollect_export"] == 1
        assert lines[0]["owners"] == 1
        assert lines[1]["who"] == {"tenant": "default", "user": "local"}
        counts = {name: len(contents(lines, name)) for name in ("run", "record", "revision", "tombstone")}
        assert lines[-1]["end"] == {
            "owners": 1, "runs": counts["run"], "records": counts["record"], "revisions": counts["revision"],
            "tombstones": counts["tombstone"], "lines": len(lines),
        }  # fmt: skip
        assert {record["status"] for record in contents(lines, "record")} == {"active", "trashed"}
        assert {record["agent"] for record in contents(lines, "record")} == {"", "coach"}
        assert {record["session"] for record in contents(lines, "record")} == {"", "s1"}
        assert "nobody may see" not in exported.read_text(encoding="utf-8")
        [gone] = {line["record_id"] for line in contents(lines, "revision") if line["scrubbed"]}
        assert [line["action"] for line in contents(lines, "revision") if line["record_id"] == gone] == [
            "create",
            "forget",
        ]

    def test_a_record_is_followed_by_its_revisions(self, exported: Path) -> None:
        current = None
        for line in lines_of(exported):
            if "record" in line:
                current = line["record"]["id"]
            if "revision" in line and not line["revision"]["scrubbed"]:
                assert line["revision"]["record_id"] == current

    @pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's")
    def test_the_file_is_private(self, exported: Path) -> None:
        assert stat.S_IMODE(exported.stat().st_mode) == 0o600

    def test_the_answer_counts_and_progress_ends_at_the_total(self, open_at: Open, tmp_path: Path) -> None:
        memory = open_at("source.db")
        fill(memory)
        heard: list[tuple[int, int]] = []
        done = memory.export(tmp_path / "all.jsonl", progress=lambda *so_far: heard.append(so_far))
        lines = lines_of(done.file)
        assert done.records == len(contents(lines, "record")) == heard[-1][0] == heard[-1][1]
        assert (done.revisions, done.tombstones) == (len(contents(lines, "revision")), 1)

    def test_an_owner_who_never_wrote(self, open_at: Open, tmp_path: Path) -> None:
        file = open_at("source.db").within(user="nobody").export(tmp_path / "none.jsonl").file
        assert len(lines_of(file)) == 3
        done = open_at("target.db").import_from(file)
        assert (done.created, done.rejected, done.run) == (0, (), None)

    def test_only_the_own_owner_unless_all_are_asked_for(self, open_at: Open, tmp_path: Path) -> None:
        memory = open_at("source.db")
        for user in ("u1", "u2"):
            memory.within(user=user).notes.save(f"only {user} knows this")
        memory.within(user="u1").export(tmp_path / "one.jsonl")
        assert "u2" not in (tmp_path / "one.jsonl").read_text(encoding="utf-8")
        memory.export(tmp_path / "all.jsonl", all_owners=True)
        assert [who["user"] for who in contents(lines_of(tmp_path / "all.jsonl"), "who")] == ["u1", "u2"]

    def test_an_agent_does_not_export(self, tables_of: Look, tmp_path: Path) -> None:
        with pytest.raises(Refused) as refused:
            Exporting(tables_of("a.db")).export(Scope(agent="coach", actor="agent"), tmp_path / "x.jsonl")
        assert refused.value.key == "export_by_agent"
        assert not (tmp_path / "x.jsonl").exists()

    def test_an_existing_file_is_left_alone(self, open_at: Open, tmp_path: Path) -> None:
        memory = open_at("source.db")
        target = tmp_path / "kept"
        target.mkdir()
        (target / "here.jsonl").write_text("mine", encoding="utf-8")
        (target / "dangling.jsonl").symlink_to(target / "nowhere")
        for name in ("here.jsonl", "dangling.jsonl"):
            with pytest.raises(StorageError) as refused:
                memory.export(target / name)
            assert refused.value.key == "file_exists"
        assert (target / "here.jsonl").read_text(encoding="utf-8") == "mine"
        assert sorted(os.listdir(target)) == ["dangling.jsonl", "here.jsonl"]

    @pytest.mark.parametrize(
        ("where", "key"),
        [("missing/x.jsonl", "cannot_open"), ("file/x.jsonl", "file_in_file"), ("n" * 300, "file_failed")],
    )
    def test_a_place_that_cannot_be_written(self, open_at: Open, tmp_path: Path, where: str, key: str) -> None:
        memory = open_at("source.db")
        (tmp_path / "file").write_text("", encoding="utf-8")
        with pytest.raises(StorageError) as refused:
            memory.export(tmp_path / where)
        assert refused.value.key == key
        assert not [name for name in os.listdir(tmp_path) if name.endswith(".part")]

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
    def test_a_full_disk_leaves_no_half_file(self, open_at: Open, tmp_path: Path) -> None:
        memory = open_at("source.db")
        memory.notes.save_many([{"content": f"{n} " + "long text " * 500} for n in range(100)])
        (tmp_path / "out").mkdir()
        code = (
            "import recollect, resource, sys\n"
            "memory = recollect.open_memory(sys.argv[1])\n"
            "memory.notes.list()\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
            "try: memory.export(sys.argv[2])\n"
            "except recollect.StorageError as problem: print(problem.key)\n"
        )
        command = [sys.executable, "-c", code, str(tmp_path / "source.db"), str(tmp_path / "out" / "x.jsonl")]
        told = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=60)
        assert told.stdout.strip() == "file_failed"
        assert os.listdir(tmp_path / "out") == []

    def test_every_record_fits_its_history_while_others_write(self, open_at: Open, tmp_path: Path) -> None:
        memory, target = open_at("source.db"), open_at("target.db")
        ids = [saved.record.id for saved in memory.notes.save_many([{"content": f"note {n}"} for n in range(600)])]
        stop = threading.Event()

        def write() -> None:
            choose = random.Random(7)
            while not stop.is_set():
                memory.notes.update(choose.choice(ids), content=f"changed {choose.random()}")
                memory.notes.delete(memory.notes.save(f"forget {choose.random()}").record.id, forget=True)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            files = [memory.export(tmp_path / f"{n}.jsonl").file for n in range(3)]
        finally:
            stop.set()
            writer.join()
        for file in files:
            versions: dict[int, int] = {}
            for line in lines_of(file):
                if "record" in line:
                    versions[line["record"]["id"]] = line["record"]["version"]
                elif "revision" in line and line["revision"]["record_id"] in versions:
                    assert line["revision"]["version"] <= versions[line["revision"]["record_id"]]
            assert target.import_from(file, dry_run=True).rejected == ()

    def test_memory_use_does_not_grow_with_the_file(self, tables_of: Look, tmp_path: Path) -> None:
        tables = tables_of("big.db")
        moment = datetime(2026, 1, 1, tzinfo=UTC)
        note = Record(
            id=1, kind="note", type="user", name="n", description="", content="", created_at=moment, updated_at=moment
        )
        with writing(tables, Scope()) as write:
            for number in range(1, 2001):
                long = replace(note, id=number, content=f"{number:05} " + "x" * 20_000)
                tables.records.add(write.owner_no, [(long, b"", 1)])
        tracemalloc.start()
        try:
            Exporting(tables).export(Scope(), tmp_path / "big.jsonl")
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert (tmp_path / "big.jsonl").stat().st_size > 40_000_000
        assert peak < 16_000_000


class TestRoundTrip(Transfers):
    def test_every_record_and_its_history_come_back_as_they_were(
        self, exported: Path, open_at: Open, tables_of: Look
    ) -> None:
        done = open_at("target.db").import_from(exported)
        before, after = tables_of("source.db"), tables_of("target.db")
        assert records_in(after) == records_in(before) != []
        assert (done.created, done.duplicates, done.forgotten, done.rejected) == (len(records_in(before)), 0, 0, ())
        for record in records_in(before):
            was, kept = history_in(before, record.id), history_in(after, record.id)
            assert [says(revision) for revision in kept[:-1]] == [says(revision) for revision in was]
            assert (kept[-1].action, kept[-1].run_id, kept[-1].actor) == ("create", done.run, "person")
        assert done.revisions == len(contents(lines_of(exported), "revision"))

    def test_undone_changes_still_point_at_each_other(self, exported: Path, open_at: Open) -> None:
        target = open_at("target.db").within(agent="coach")
        target.import_from(exported)
        history = {revision.id: revision for revision in target.notes.history(1)}
        pairs = [(revision.undoes, revision.id) for revision in history.values() if revision.undoes]
        assert len(pairs) == 1
        assert history[pairs[0][0] or 0].undone_by == pairs[0][1]

    def test_a_run_keeps_its_revisions_together(self, exported: Path, open_at: Open, tables_of: Look) -> None:
        open_at("target.db").notes.save_many([{"content": "was here before"}])
        open_at("target.db").import_from(exported)
        tables = tables_of("target.db")
        owner = tables.owners.get(Scope().owner_id)
        assert owner is not None
        named = {run.id: run.name for run in tables.runs.every(owner.no, 0, 100)}
        assert next(iter(named.values())) == "save_many"
        kept = [number for number, name in named.items() if name == "save_many"][1]
        assert [revision.action for revision in tables.revisions.of_run(owner.no, kept)] == ["create"] * 3

    def test_what_came_in_is_found_and_the_counters_are_right(self, exported: Path, open_at: Open) -> None:
        target = open_at("target.db")
        target.import_from(exported)
        assert target.notes.search("第 2 种茶")[0].content == "用户喜欢第 2 种茶"
        assert target.upkeep.check().sound

    def test_what_was_forgotten_stays_forgotten(self, exported: Path, open_at: Open, tables_of: Look) -> None:
        target = open_at("target.db")
        target.import_from(exported)
        saving = Saving(tables_of("target.db"), Policy())
        with pytest.raises(Forgotten):
            saving.save(Scope(actor="agent"), Draft(content="the word nobody may see again"))

    def test_an_export_of_the_import_says_the_same(self, exported: Path, open_at: Open, tmp_path: Path) -> None:
        target = open_at("target.db")
        target.import_from(exported)
        again = lines_of(target.export(tmp_path / "again.jsonl").file)
        assert contents(again, "record") == contents(lines_of(exported), "record")
        assert contents(again, "tombstone") == contents(lines_of(exported), "tombstone")

    def test_everybodys_memory_goes_back_to_everybody(self, open_at: Open, tmp_path: Path) -> None:
        source, target = open_at("source.db"), open_at("target.db")
        for user in ("u1", "ü2", ""):
            source.within(user=user, tenant="acme").notes.save(f"{user} 的记忆")
        file = source.export(tmp_path / "all.jsonl", all_owners=True).file
        done = target.import_from(file)
        assert (done.created, done.run, {run.user for run in done.runs}) == (3, None, {"u1", "ü2", ""})
        for user in ("u1", "ü2", ""):
            page = target.within(user=user, tenant="acme").notes.list()
            assert [note.content for note in page.items] == [f"{user} 的记忆"]
        assert target.notes.list().items == ()
        assert target.import_from(file).duplicates == 3


def says(revision: Revision) -> tuple[object, ...]:
    return (revision.at, revision.actor, revision.agent, revision.action, revision.version, dict(revision.changes))


class TestMeetingWhatIsThere(Transfers):
    def test_a_dry_run_tells_the_same_and_changes_nothing(self, exported: Path, open_at: Open, tmp_path: Path) -> None:
        target = open_at("target.db")
        target.notes.save("用户喜欢第 1 种茶", type="reference")
        before = everything(tmp_path / "target.db")
        tried = target.import_from(exported, dry_run=True)
        assert everything(tmp_path / "target.db") == before
        done = target.import_from(exported)
        assert tried.run is None
        assert replace(done, runs=()) == tried
        assert (done.duplicates, done.created) == (1, len(contents(lines_of(exported), "record")) - 1)

    def test_taken_ids_become_new_ones_with_their_history(self, exported: Path, open_at: Open, tables_of: Look) -> None:
        target = open_at("target.db")
        mine = [target.notes.save(f"was here {n}").record.id for n in range(5)]
        done = target.import_from(exported)
        assert done.rejected == ()
        tables = tables_of("target.db")
        found = {record.content: record for record in records_in(tables)}
        moved = found["回答要非常简短"]
        assert moved.id not in mine
        assert [revision.action for revision in history_in(tables, moved.id)] == [
            "create",
            "update",
            "update",
            "update",
            "create",
        ]
        assert [target.notes.get(number).content for number in mine] == [f"was here {n}" for n in range(5)]  # type: ignore[union-attr]
        assert target.upkeep.check().sound

    def test_a_forgotten_text_is_counted_and_not_written(self, exported: Path, open_at: Open) -> None:
        target = open_at("target.db")
        target.notes.delete(target.notes.save("用户喜欢第 1 种茶").record.id, forget=True)
        done = target.import_from(exported)
        assert done.forgotten == 1
        assert all("第 1 种" not in note.content for note in target.notes.list(limit=100).items)

    def test_a_key_that_is_taken(self, open_at: Open, tables_of: Look, exported: Path) -> None:
        open_at("target.db")
        with writing(tables_of("target.db"), Scope()) as write:
            moment = datetime(2026, 1, 1, tzinfo=UTC)
            write.add(Record(id=0, kind="note", type="user", name="a", description="", content="b", key="k",
                             created_at=moment, updated_at=moment))  # fmt: skip
        lines = lines_of(exported)
        shared = [at for at, line in enumerate(lines) if "record" in line and line["record"]["type"] == "reference"]
        at, line = shared[0] + 1, lines[shared[0]]
        line["record"]["key"] = "k"
        done = open_at("target.db").import_from(write_lines(exported, lines))
        assert [(rejected.line, rejected.problem.split(":")[0]) for rejected in done.rejected] == [(at, "record.key")]

    def test_undo_takes_the_import_back_and_a_new_import_brings_it_again(self, open_at: Open, tmp_path: Path) -> None:
        source, target = open_at("source.db"), open_at("target.db").within(agent="*")
        for agent in ("", "coach", "writer"):
            source.within(agent=agent).notes.save_many([{"content": f"{agent} said {n}"} for n in range(2)])
        source.notes.delete(1)
        file = source.export(tmp_path / "all.jsonl").file
        mine = open_at("target.db").notes.save("mine stays")
        done = target.import_from(file)
        assert (done.created, len(target.notes.list(limit=100).items)) == (6, 6)
        target.undo(run=done.run)
        assert [note.id for note in target.notes.list(limit=100).items] == [mine.record.id]
        again = target.import_from(file)
        assert (again.run != done.run, again.created) == (True, 6)
        assert len(target.notes.list(limit=100).items) == 6
        assert target.upkeep.check().sound

    def test_what_comes_into_the_trash_is_emptied_some_day(
        self, exported: Path, open_at: Open, tables_of: Look
    ) -> None:
        open_at("target.db").import_from(exported)
        tables = tables_of("target.db")
        owner = tables.owners.get(Scope().owner_id)
        assert owner is not None
        assert tables.jobs.waits(owner.no, "empty_trash")

    def test_nobody_but_a_person_writes_to_an_erased_owner(
        self, exported: Path, tables_of: Look, open_at: Open
    ) -> None:
        target = open_at("target.db")
        target.notes.save("soon erased")
        target.erase(user="local")
        importing = Importing(tables_of("target.db"), Policy())
        for dry_run in (True, False):
            with pytest.raises(Forgotten) as refused:
                importing.load(Scope(actor="import"), exported, dry_run=dry_run)
            assert refused.value.key == "erased_owner"
        assert records_in(tables_of("target.db")) == []
        assert target.import_from(exported).created > 0


class TestWhoImports(Transfers):
    """A person is believed, a machine brings texts only, an agent nothing."""

    @pytest.fixture
    def file(self, open_at: Open, tmp_path: Path) -> Path:
        memory = open_at("source.db")
        memory.notes.save("a person said this", pinned=True)
        memory.notes.save(SECRET, allow_secret=True)
        memory.notes.delete(memory.notes.save("forgotten").record.id, forget=True)
        return memory.export(tmp_path / "all.jsonl").file

    def test_an_agent_does_not_import(self, file: Path, tables_of: Look) -> None:
        with pytest.raises(Refused) as refused:
            Importing(tables_of("target.db"), Policy()).load(Scope(agent="coach", actor="agent"), file)
        assert refused.value.key == "import_by_agent"

    def test_a_person_brings_back_what_was_accepted_once(self, file: Path, open_at: Open) -> None:
        assert open_at("target.db").import_from(file).created == 2
        assert {note.content for note in open_at("target.db").notes.list().items} == {"a person said this", SECRET}

    @pytest.mark.parametrize("secrets", ["refuse", "mask"])
    def test_a_machine_brings_texts_without_authority(self, file: Path, tables_of: Look, secrets: Any) -> None:
        tables = tables_of("target.db")
        done = Importing(tables, Policy(secrets=secrets)).load(Scope(actor="import"), file)
        records = records_in(tables)
        assert {(record.source, record.trust, record.pinned) for record in records} == {("imported", 1, False)}
        assert (done.revisions, done.tombstones) == (0, 0)
        assert all("ghp_a1B2" not in record.content + record.name for record in records)
        assert len(records) == done.created == (1 if secrets == "refuse" else 2)
        assert [rejected.problem.split(":")[0] for rejected in done.rejected] == ["record.content"] * (2 - done.created)

    def test_many_owners_need_a_person(self, tables_of: Look, open_at: Open, tmp_path: Path) -> None:
        for user in ("u1", "u2"):
            open_at("source.db").within(user=user).notes.save("x")
        file = open_at("source.db").export(tmp_path / "all.jsonl", all_owners=True).file
        with pytest.raises(Refused) as refused:
            Importing(tables_of("target.db"), Policy()).load(Scope(actor="import"), file)
        assert refused.value.key == "import_of_many"
