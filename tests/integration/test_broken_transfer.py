"""Imports of files that are wrong, cut off or changed, and imports that are killed on the way."""

import json
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from recollect import Conflict, Invalid, StorageError, open_memory
from recollect.records.intake import Imported
from tests.integration.transfers import (
    Look,
    Open,
    Transfers,
    contents,
    everything,
    lines_of,
    records_in,
    state,
    write_lines,
)

LATE_RUN = (
    b'{"owner": 1, "run": {"id": 1, "name": "late", "at": "2026-01-01T00:00:00Z", "actor": "person", "agent": "",'
    b' "undone": false}}'
)
WORDS = "支付 模块 截止 喜欢 简洁 回答 review deadline tea coffee Hangzhou 会议 format code 周五".split()
TYPES = ("user", "project", "feedback", "reference")


class TestBadFiles(Transfers):
    @pytest.mark.parametrize(
        ("first", "key"),
        [
            ("", "not_export"),
            ("not json", "not_export"),
            ('{"a": 1}', "not_export"),
            ('{"recollect_export": true, "export_id": "x", "owners": 1}', "not_export"),
            ('{"recollect_export": 1, "export_id": "not a uuid", "owners": 1}', "not_export"),
            ("[" * 100_000, "not_export"),
            ('{"recollect_export": 2}', "newer_export"),
        ],
    )
    def test_a_wrong_header_refuses_the_file(
        self, exported: Path, open_at: Open, tmp_path: Path, first: str, key: str
    ) -> None:
        rest = exported.read_text(encoding="utf-8").split("\n", 1)[1]
        exported.write_text(f"{first}\n{rest}", encoding="utf-8")
        target = open_at("target.db")
        before = everything(tmp_path / "target.db")
        with pytest.raises(Invalid) as refused:
            target.import_from(exported)
        assert refused.value.key == key
        assert everything(tmp_path / "target.db") == before

    def test_files_that_are_none(self, open_at: Open, tmp_path: Path) -> None:
        target = open_at("target.db")
        for path, key in ((tmp_path / "missing.jsonl", "file_missing"), (tmp_path, "file_is_folder")):
            with pytest.raises(StorageError) as refused:
                target.import_from(path)
            assert refused.value.key == key
        with pytest.raises(Invalid) as unknown:
            target.import_from(tmp_path / "x", format="csv")
        assert unknown.value.path == "format"

    @pytest.mark.parametrize(
        ("change", "path"),
        [
            ({"type": "secret"}, "record.type"),
            ({"kind": "thing"}, "record.kind"),
            ({"status": "gone"}, "record.status"),
            ({"source": "god"}, "record.source"),
            ({"trust": 4}, "record.trust"),
            ({"name": " "}, "record.name"),
            ({"content": "x" * 65_536}, "record.content"),
            ({"content": "a\x00b"}, "record.content"),
            ({"content": "a\ud800b"}, "record.content"),
            ({"content": 7}, "record.content"),
            ({"created_at": "2026-01-01T00:00:00"}, "record.created_at"),
            ({"updated_at": None}, "record.updated_at"),
            ({"expires_at": "soon"}, "record.expires_at"),
            ({"id": 0}, "record.id"),
            ({"id": 2**32}, "record.id"),
            ({"id": "1"}, "record.id"),
            ({"version": 0}, "record.version"),
            ({"pinned": 1}, "record.pinned"),
            ({"agent": "*"}, "record.agent"),
            ({"session": "*"}, "record.session"),
            ({"agent": "a" * 101}, "record.agent"),
            ({"importance": 101}, "record.importance"),
            ({"labels": "a"}, "record.labels"),
            ({"metadata": {"deep": [[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]}}, "record.metadata"),
            ({"owner_no": 3}, "record.owner_no"),
        ],
    )
    def test_a_bad_record_is_told_and_the_others_come(
        self, exported: Path, open_at: Open, change: dict[str, Any], path: str
    ) -> None:
        lines = lines_of(exported)
        at = next(at for at, line in enumerate(lines) if "record" in line)
        lines[at]["record"].update(change)
        done = open_at("target.db").import_from(write_lines(exported, lines))
        [rejected] = done.rejected
        assert rejected.line == at + 1
        assert rejected.problem.startswith(path)
        assert done.created == len(contents(lines, "record")) - 1

    @pytest.mark.parametrize(
        ("raw", "told"),
        [
            (b"{", "not JSON"),
            (b"\xff\xfe", "not JSON"),
            (b"[]", "no line of an export"),
            (b'{"owner": 1, "thing": {}}', "no line of an export"),
            (b'{"owner": 1, "record": {}, "run": {}}', "no line of an export"),
            (b'{"owner": 1, "record": []}', "record: must be an object"),
            (b'{"owner": 1, "tombstone": {"agent": "", "form": "text", "digest": "x", "at": ""}}', "tombstone.digest"),
            (b'{"owner": 1, "record": {"importance": NaN}}', "not JSON"),
            (LATE_RUN, "cannot stand here"),
            (b'{"owner": 1, "who": {"tenant": "default", "user": "other"}}', "cannot stand here"),
            (b'{"owner": 2, "who": {"tenant": "default", "user": "other"}}', "does not say whose"),
            (b'{"a": "' + b"x" * 1_048_576 + b'"}', "more than 1048576 bytes"),
        ],
        ids=str,
    )
    def test_a_broken_line_is_told_and_the_others_come(
        self, exported: Path, open_at: Open, raw: bytes, told: str
    ) -> None:
        lines = exported.read_bytes().splitlines(keepends=True)
        expected = len(contents(lines_of(exported), "record"))
        lines.insert(len(lines) - 1, raw + b"\n")
        exported.write_bytes(b"".join(lines))
        heard: list[tuple[int, int]] = []
        done = open_at("target.db").import_from(exported, progress=lambda *so_far: heard.append(so_far))
        assert [rejected.line for rejected in done.rejected] == [len(lines) - 1, len(lines)]
        assert told in done.rejected[0].problem
        assert "lines" in done.rejected[1].problem
        assert done.created == expected
        assert heard[-1] == (len(lines), len(lines))

    def test_a_revision_without_its_record_is_told(self, exported: Path, open_at: Open) -> None:
        lines = lines_of(exported)
        stray = next(line for line in lines if "revision" in line and not line["revision"]["scrubbed"])
        lines.remove(stray)
        lines.insert(len(lines) - 1, stray)
        done = open_at("target.db").import_from(write_lines(exported, lines))
        assert [rejected.line for rejected in done.rejected] == [len(lines) - 1]

    @pytest.mark.parametrize(
        ("change", "path"),
        [
            ({"changes": {"content": {"before": None, "after": "\x00"}}}, "revision.changes.content"),
            ({"changes": {"agent": {"before": "*", "after": None}}}, "revision.changes.agent"),
            ({"changes": {"created_at": {"before": None, "after": None}}}, "revision.changes.created_at"),
            ({"changes": {"content": "x"}}, "revision.changes.content"),
            ({"scrubbed": True}, "revision.changes"),
            ({"action": "hack"}, "revision.action"),
            ({"actor": "god"}, "revision.actor"),
            ({"at": "2026-01-01"}, "revision.at"),
            ({"undoes": 1.5}, "revision.undoes"),
        ],
    )
    def test_a_bad_revision_is_told_and_its_record_comes(
        self, exported: Path, open_at: Open, change: dict[str, Any], path: str
    ) -> None:
        lines = lines_of(exported)
        at = next(at for at, line in enumerate(lines) if "revision" in line)
        lines[at]["revision"].update(change)
        done = open_at("target.db").import_from(write_lines(exported, lines))
        assert [(rejected.line, rejected.problem.split(": ")[0]) for rejected in done.rejected] == [(at + 1, path)]
        assert done.created == len(contents(lines, "record"))

    def test_what_a_file_makes_us_say_hides_nothing(self, exported: Path, open_at: Open) -> None:
        lines = lines_of(exported)
        lines[3]["record"]["\u202e\ud800" + "x" * 100_000] = 1
        [rejected] = open_at("target.db").import_from(write_lines(exported, lines)).rejected
        assert rejected.problem.isprintable()
        assert len(rejected.problem) <= 300

    def test_thousands_of_bad_lines_are_counted(self, exported: Path, open_at: Open) -> None:
        lines = exported.read_text(encoding="utf-8").split("\n")
        exported.write_text("\n".join([*lines[:2], *["{"] * 2500, *lines[2:]]), encoding="utf-8")
        done = open_at("target.db").import_from(exported)
        assert (len(done.rejected), done.unlisted) == (1001, 1500)
        assert open_at("target.db").import_from(exported, dry_run=True).unlisted == 1500

    def test_marks_and_line_ends_of_editors(self, exported: Path, open_at: Open) -> None:
        text = exported.read_text(encoding="utf-8")
        exported.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").rstrip().encode())
        done = open_at("target.db").import_from(exported)
        assert (done.rejected, done.created) == (
            (),
            len(contents([json.loads(line) for line in text.split("\n") if line], "record")),
        )

    def test_an_owner_whose_line_is_broken_does_not_land_with_another(self, open_at: Open, tmp_path: Path) -> None:
        for user in ("u1", "u2", "u3"):
            open_at("source.db").within(user=user).notes.save(f"{user} has secrets")
        file = open_at("source.db").export(tmp_path / "all.jsonl", all_owners=True).file
        lines = file.read_text(encoding="utf-8").split("\n")
        broken = next(at for at, line in enumerate(lines) if '"who"' in line and '"u2"' in line)
        lines[broken] = lines[broken][:-2]
        file.write_text("\n".join(lines), encoding="utf-8")
        target = open_at("target.db")
        done = target.import_from(file)
        assert [rejected.line for rejected in done.rejected] == [broken + 1, broken + 2, broken + 3]
        for user, count in (("u1", 1), ("u2", 0), ("u3", 1), ("local", 0)):
            assert [note.content for note in target.within(user=user).notes.list().items] == [
                f"{user} has secrets"
            ] * count

    def test_a_second_file_behind_the_first_is_told(self, exported: Path, open_at: Open) -> None:
        lines = exported.read_bytes()
        exported.write_bytes(lines + lines)
        done = open_at("target.db").import_from(exported)
        assert [rejected.line for rejected in done.rejected] == [lines.count(b"\n") + 1]


class TestFilesThatChange(Transfers):
    @pytest.mark.parametrize("bytes_left_out", [1, 40, 5000])
    def test_a_cut_file_is_noticed_and_the_whole_one_goes_on(
        self, exported: Path, open_at: Open, tables_of: Look, tmp_path: Path, bytes_left_out: int
    ) -> None:
        whole = exported.read_bytes()
        exported.write_bytes(whole[:-bytes_left_out])
        target = open_at("target.db")
        cut = target.import_from(exported)
        if bytes_left_out == 1:
            assert cut.rejected == ()
        else:
            assert "ends here" in cut.rejected[-1].problem
            assert cut.rejected[-1].line == whole[:-bytes_left_out].count(b"\n") + 1
        exported.write_bytes(whole)
        done = target.import_from(exported)
        assert (done.resumed, done.run) == (True, cut.run)
        assert records_in(tables_of("target.db")) == records_in(tables_of("source.db"))

    def test_a_line_that_was_mended_comes_with_the_next_call(
        self, exported: Path, open_at: Open, tables_of: Look
    ) -> None:
        lines = lines_of(exported)
        at = next(at for at, line in enumerate(lines) if "record" in line)
        right = lines[at]["record"]["type"]
        lines[at]["record"]["type"] = "wrong"
        target = open_at("target.db")
        first = target.import_from(write_lines(exported, lines))
        assert len(first.rejected) == 1
        lines[at]["record"]["type"] = right
        second = target.import_from(write_lines(exported, lines))
        assert (second.created, second.duplicates, second.rejected) == (1, first.created, ())
        assert second.run == first.run
        assert records_in(tables_of("target.db")) == records_in(tables_of("source.db"))


@dataclass(frozen=True, slots=True)
class Whole:
    """A file of some batches, and what an import of it leaves that nobody disturbs."""

    file: Path
    done: Imported
    place: int
    state: dict[str, list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder = tmp_path_factory.mktemp("whole")
    choose = random.Random(3)
    with open_memory(folder / "large.db") as memory:
        drafts = [
            {"content": f"记忆 {n}: " + " ".join(choose.choices(WORDS, k=8)), "type": choose.choice(TYPES)}
            for n in range(1500)
        ]
        memory.notes.save_many(drafts)
        for number in range(1, 200, 3):
            memory.notes.update(number, description=f"changed {number}")
            memory.notes.delete(number)
        file = memory.export(folder / "large.jsonl").file
    with open_memory(folder / "whole.db") as memory:
        done = memory.import_from(file)
    return Whole(file, done, place_of(folder / "whole.db"), state(folder / "whole.db"))


class TestImportsThatStop(Transfers):
    def test_killed_again_and_again_it_ends_as_if_nothing_had_happened(
        self, whole: Whole, open_at: Open, tmp_path: Path
    ) -> None:
        code = (
            "import recollect, sys\n"
            "say = lambda line, of: print(line, of, flush=True)\n"
            "recollect.open_memory(sys.argv[1]).import_from(sys.argv[2], progress=say)\n"
        )
        command = [sys.executable, "-c", code, str(tmp_path / "killed.db"), str(whole.file)]
        choose = random.Random(11)
        places = [0]
        while places[-1] < 0.6 * whole.place:
            with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
                assert child.stdout is not None
                child.stdout.readline()
                time.sleep(choose.uniform(0, 0.05))
                child.kill()
            places.append(place_of(tmp_path / "killed.db"))
        assert len(places) > 2
        assert places[-1] < whole.place
        killed = open_at("killed.db")
        tried = killed.import_from(whole.file, dry_run=True)
        done = killed.import_from(whole.file)
        assert done == tried
        assert (done.resumed, replace(done, resumed=False)) == (True, whole.done)
        assert state(tmp_path / "killed.db") == whole.state
        assert killed.upkeep.check().sound
        assert len(killed.undo(run=done.run)) == done.created

    def test_a_call_that_is_broken_off_goes_on(self, whole: Whole, open_at: Open, tmp_path: Path) -> None:
        def stop(line: int, _total: int) -> None:
            if line > 700:
                raise KeyboardInterrupt

        target = open_at("target.db")
        with pytest.raises(KeyboardInterrupt):
            target.import_from(whole.file, progress=stop)
        assert 0 < place_of(tmp_path / "target.db") < whole.place
        done = target.import_from(whole.file)
        assert (done.resumed, replace(done, resumed=False)) == (True, whole.done)
        assert state(tmp_path / "target.db") == whole.state

    def test_given_again_after_the_end_everything_was_done_already(self, whole: Whole, open_at: Open) -> None:
        target = open_at("target.db")
        first = target.import_from(whole.file)
        again = target.import_from(whole.file)
        assert (again.created, again.duplicates, again.resumed) == (0, first.created, True)
        assert (again.revisions, again.run) == (0, first.run)
        assert target.import_from(whole.file, dry_run=True) == again

    def test_two_at_once_bring_nothing_twice(self, whole: Whole, open_at: Open, tmp_path: Path) -> None:
        target = open_at("target.db")

        def meanwhile(line: int, _total: int) -> None:
            if line < 700:
                target.import_from(whole.file)

        with pytest.raises(Conflict) as refused:
            target.import_from(whole.file, progress=meanwhile)
        assert refused.value.key == "import_elsewhere"
        assert state(tmp_path / "target.db") == whole.state

    def test_several_owners_go_on_where_each_stopped(self, open_at: Open, tmp_path: Path) -> None:
        source = open_at("source.db")
        for user in ("u1", "u2", "u3"):
            source.within(user=user).notes.save_many([{"content": f"{user} note {n}"} for n in range(300)])
        file = source.export(tmp_path / "all.jsonl", all_owners=True).file

        def stop(line: int, _total: int) -> None:
            if line > 1000:
                raise KeyboardInterrupt

        whole = open_at("whole.db").import_from(file)
        target = open_at("target.db")
        with pytest.raises(KeyboardInterrupt):
            target.import_from(file, progress=stop)
        done = target.import_from(file)
        assert (done.resumed, replace(done, resumed=False)) == (True, whole)
        assert state(tmp_path / "target.db") == state(tmp_path / "whole.db")


def place_of(path: Path) -> int:
    """Return how far an import into a database came."""
    with closing(sqlite3.connect(path)) as connection:
        row = connection.execute("select progress from runs where progress is not null").fetchone()
    return json.loads(row[0])["place"] if row else 0
