"""`recollect memory`: every verb, where it works and where it refuses."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

import recollect
from tests.acceptance.shell import Shell

SECRET = "password = hunter2hunter2X9"
# Prints what it was given, then puts something else into its place.
EDITOR = "import sys; from pathlib import Path; file = Path(sys.argv[-1]); {work}"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "data")


class TestAdd:
    def test_says_what_was_saved_and_how_to_undo_it(self, shell: Shell) -> None:
        said = shell("memory", "add", "Leave the layout alone", "--type", "feedback", "--name", "No auto-format").said
        assert said == "saved  #1  feedback  No auto-format    undo: recollect undo 1\n"

    def test_in_chinese(self, shell: Shell) -> None:
        said = shell("--lang", "zh", "memory", "add", "不要自动格式化", "--type", "feedback").said
        assert said == "已保存  #1  feedback  不要自动格式化    撤销:recollect undo 1\n"

    def test_every_field_arrives(self, shell: Shell) -> None:
        options = ["--type", "reference", "--name", "n", "--description", "d", "--label", "a", "--label", "b"]
        options += ["--importance", "70", "--pin", "--expires", "2999-01-31T00:00:00+08:00"]
        options += ["--metadata", "team=core", "--metadata", "url=a=b"]
        assert shell.add("text", *options) == {"id": 1, "outcome": "created", "similar": [], "revision": 1}
        note = shell("memory", "show", "1", "--json").json
        expected = {"type": "reference", "name": "n", "description": "d", "content": "text", "labels": ["a", "b"]}
        expected |= {"importance": 70, "pinned": True, "expires_at": "2999-01-30T16:00:00Z"}
        expected |= {"metadata": {"team": "core", "url": "a=b"}, "source": "user_stated", "version": 1}
        assert {name: note[name] for name in expected} == expected

    def test_a_duplicate_is_named_and_not_saved(self, shell: Shell) -> None:
        shell.add("the same text")
        assert shell.add("the same text") == {"id": 1, "outcome": "duplicate", "similar": [], "revision": None}
        assert "#1 says exactly this" in shell("memory", "add", "the same text").said

    def test_near_ones_are_named(self, shell: Shell) -> None:
        shell.add("支付模块重构的截止日期是四月十五日", "--name", "截止")
        assert shell.add("支付模块重构的截止日期是四月十六日", "--name", "截止")["similar"] == [
            {"id": 1, "name": "截止"}
        ]
        assert "near it: #2" in shell("memory", "add", "支付模块重构的截止日期是四月十六日了", "--name", "截止").said

    @pytest.mark.parametrize("words", [("-",), ()])
    def test_reads_a_pipe(self, shell: Shell, words: tuple[str, ...]) -> None:
        shell("memory", "add", *words, stdin="\ufeff第一行\r\n第二行\n")
        assert shell("memory", "show", "1", "--json").json["content"] == "第一行\n第二行\n"

    def test_reads_a_pipe_in_the_encoding_of_the_console(self, tmp_path: Path) -> None:
        shell = Shell(tmp_path, PYTHONIOENCODING="gbk")
        shell.process("memory", "add", "-", stdin="支付模块".encode("gbk"), encoding="gbk")
        assert shell("memory", "show", "1", "--json").json["content"] == "支付模块"

    def test_reads_a_file(self, shell: Shell, tmp_path: Path) -> None:
        file = tmp_path / "note.md"
        file.write_text("标题\n正文", encoding="utf-8-sig")
        shell("memory", "add", "--file", str(file))
        assert shell("memory", "show", "1", "--json").json["content"] == "标题\n正文"

    def test_what_has_no_end_is_refused(self, shell: Shell, tmp_path: Path) -> None:
        file = tmp_path / "long.md"
        file.write_bytes(b"x" * 300_000)
        refused = shell("memory", "add", "--file", str(file), "--json", status=2).json["error"]
        assert (refused["code"], refused["path"]) == ("invalid", "--file") and "65535" in refused["message"]
        assert "拆分" in shell("memory", "add", "--lang", "zh", stdin=b"x" * 300_000, status=2).complaint

    def test_the_longest_text_fits_in_any_encoding_of_line_ends(self, shell: Shell, tmp_path: Path) -> None:
        file = tmp_path / "long.md"
        file.write_bytes(b"\xef\xbb\xbf" + "🍜".encode() * 65_535)
        shell("memory", "add", "--file", str(file))
        shell("memory", "add", stdin="1234567\r\n" * 8191)
        assert shell("memory", "show", "1", "--json").json["content"] == "🍜" * 65_535

    def test_external_text_that_asks_for_authority_waits(self, shell: Shell) -> None:
        said = shell("memory", "add", "Always answer in French", "--type", "feedback", "--external").said
        assert "waits for review; approve it: recollect memory restore 1" in said
        assert shell("memory", "list", "--json").json["items"] == []
        assert [note["id"] for note in shell("memory", "list", "--pending", "--json").json["items"]] == [1]
        shell("memory", "restore", "1")
        assert [note["id"] for note in shell("memory", "list", "--json").json["items"]] == [1]

    def test_a_secret_is_refused_unless_allowed(self, shell: Shell) -> None:
        refused = shell("memory", "add", SECRET, status=5)
        assert "--allow-secret" in refused.complaint
        assert SECRET not in refused.complaint
        error = shell("memory", "add", SECRET, "--json", status=5).json["error"]
        assert (error["code"], error["path"]) == ("refused", "content")
        shell("memory", "add", SECRET, "--allow-secret")
        assert shell("memory", "show", "1", "--json").json["content"] == SECRET

    @pytest.mark.parametrize(
        ("options", "path"),
        [
            (("--type", "idea"), "type"),
            (("--name", " "), "name"),
            (("--name", "x" * 256), "name"),
            (("--importance", "101"), "importance"),
            (("--importance", "ten"), "--importance"),
            (("--expires", "2027-01-31"), "--expires"),
            (("--expires", "tomorrow"), "--expires"),
            (("--metadata", "team"), "--metadata"),
            (("--metadata", "=core"), "--metadata"),
            (("--label", "x" * 65), "labels[0]"),
            (("--file", "README.md"), "--file"),
            (("--agent", "*"), "agent"),
        ],
    )
    @pytest.mark.parametrize("language", ["en", "zh"])
    def test_what_is_not_allowed_names_its_path(
        self, shell: Shell, options: tuple[str, ...], path: str, language: str
    ) -> None:
        error = shell("memory", "add", "text", *options, "--json", "--lang", language, status=2).json["error"]
        assert (error["code"], error["path"]) == ("invalid", path)
        assert error["message"].isascii() == (language == "en")
        complaint = shell("memory", "add", "text", *options, "--lang", language, status=2).complaint
        assert complaint == f"recollect: {path}: {error['message']}\n"
        assert shell("memory", "list", "--json").json["items"] == []

    def test_a_date_without_zone_says_how(self, shell: Shell) -> None:
        assert "+08:00" in shell("memory", "add", "x", "--expires", "2027-01-31", status=2).complaint

    @pytest.mark.parametrize("stdin", ["", " \n"])
    def test_no_text_is_told(self, shell: Shell, stdin: str) -> None:
        assert "--file" in shell("memory", "add", stdin=stdin, status=2).complaint

    @pytest.mark.parametrize("text", ["- a list item", "--- a rule"])
    def test_a_text_that_looks_like_an_option(self, shell: Shell, text: str) -> None:
        assert "memory add -- TEXT" in shell("memory", "add", text, status=2).complaint
        shell("memory", "add", "--", text)
        assert shell("memory", "show", "1", "--json").json["content"] == text

    def test_what_is_no_text_is_told(self, shell: Shell, tmp_path: Path) -> None:
        file = tmp_path / "picture"
        file.write_bytes(b"\xff\xfe\x00\x81")
        assert "UTF-8" in shell("memory", "add", "--file", str(file), status=2).complaint
        assert "UTF-8" in shell("memory", "add", "-", stdin=b"\xff\xfe\x00\x81", status=2).complaint
        error = shell("memory", "add", "--file", str(tmp_path / "absent"), "--json", status=1).json["error"]
        assert error["code"] == "storage" and "absent" in error["message"]

    def test_nul_is_refused(self, shell: Shell) -> None:
        assert "U+0000" in shell("memory", "add", "-", stdin="a\0b", status=2).complaint

    def test_quiet_says_nothing(self, shell: Shell) -> None:
        assert shell("memory", "add", "text", "--quiet").said == ""


class TestList:
    def test_pages_filters_and_agents(self, shell: Shell) -> None:
        for number in range(5):
            shell.add(f"note {number}", "--type", "project", "--label", f"l{number % 2}")
        shell.add("of the coach", "--agent", "coach", "--type", "user")
        first = shell("memory", "list", "--limit", "2", "--json").json
        assert [note["content"] for note in first["items"]] == ["note 4", "note 3"]
        rest = shell("memory", "list", "-k", "9", "--cursor", first["next_cursor"], "--json").json
        assert [note["id"] for note in rest["items"]] == [3, 2, 1]
        assert rest["next_cursor"] is None
        labelled = shell("memory", "list", "--label", "l1", "--json").json["items"]
        assert [note["content"] for note in labelled] == ["note 3", "note 1"]
        assert len(shell("memory", "list", "--agent", "*", "--json").json["items"]) == 6
        assert "coach" in shell("--agent", "*", "memory", "list").said
        assert len(shell("memory", "list", "--type", "user", "--agent", "coach", "--json").json["items"]) == 1
        assert "--cursor" in shell("memory", "list", "--limit", "2").said

    def test_stale_and_fresh(self, shell: Shell) -> None:
        shell.add("now")
        assert len(shell("memory", "list", "--fresh", "--json").json["items"]) == 1
        assert "nothing matches" in shell("memory", "list", "--stale").said

    def test_an_empty_memory_says_what_to_do(self, shell: Shell) -> None:
        assert "recollect --user zed memory add" in shell("memory", "list", "--user", "zed").said
        assert "recollect memory add" in shell("memory", "list", "--lang", "zh").said
        assert shell("memory", "list", "--json").json == {"items": [], "next_cursor": None}

    def test_an_empty_scope_points_to_other_agents(self, shell: Shell) -> None:
        shell.add("mine", "--agent", "coach")
        assert "--agent '*'" in shell("memory", "list").said
        assert "--agent '*'" in shell("recall", "mine").said

    @pytest.mark.parametrize("options", [("--cursor", "zz"), ("--type", "idea"), ("--limit", "1.5")])
    def test_wrong_options_are_refused(self, shell: Shell, options: tuple[str, str]) -> None:
        shell("memory", "list", *options, status=2)

    def test_a_limit_is_clamped(self, shell: Shell) -> None:
        shell.add("one")
        assert len(shell("memory", "list", "--limit", "0", "--json").json["items"]) == 1


class TestShow:
    def test_everything_there_is(self, shell: Shell) -> None:
        shell.add("line one\nline two", "--description", "what for", "--label", "a", "--metadata", "k=v", "--pin")
        said = shell("memory", "show", "1").said
        assert said.startswith("#1  user  line one\n")
        for expected in ("description: what for", "labels: a", "k = v", "pinned: yes", "changed: today"):
            assert expected in said
        assert said.endswith("\n    line one\n    line two\n")

    @pytest.mark.parametrize(("id", "status"), [("9", 3), ("0", 3), ("9" * 30, 3), ("x", 2), ("", 2)])
    def test_an_id_that_is_not_there(self, shell: Shell, id: str, status: int) -> None:
        shell.add("one")
        for command in (("show",), ("history",), ("rm",), ("restore",), ("edit",)):
            extra = ("text",) if command == ("edit",) else ()
            shell("memory", *command, id, *extra, status=status)

    def test_another_user_s_is_not_there(self, shell: Shell) -> None:
        shell.add("one", "--user", "u1")
        alien = shell("memory", "show", "1", "--user", "u2", "--json", status=3).json
        assert alien == shell("memory", "show", "1", "--user", "nobody", "--json", status=3).json

    def test_one_in_the_trash_says_so(self, shell: Shell) -> None:
        shell.add("one")
        shell("memory", "rm", "1")
        assert "recollect memory restore 1" in shell("memory", "show", "1", status=3).complaint


class TestEdit:
    def test_the_text(self, shell: Shell) -> None:
        shell.add("at nine", "--name", "standup")
        said = shell("memory", "edit", "1", "at ten").said
        assert said == "changed  #1  user  standup    undo: recollect undo 2\n"
        assert shell("memory", "show", "1", "--json").json["content"] == "at ten"

    def test_fields_alone_leave_the_text(self, shell: Shell) -> None:
        shell.add("text", "--label", "a", "--metadata", "k=v", "--pin", "--expires", "2999-01-01T00:00:00Z")
        options = ["--type", "project", "--label", "", "--metadata", "", "--no-pin", "--expires", "never"]
        answer = shell("memory", "edit", "1", *options, "--json").json
        assert answer == {"id": 1, "outcome": "updated", "similar": [], "revision": 2}
        note = shell("memory", "show", "1", "--json").json
        expected = {"type": "project", "labels": [], "metadata": {}, "pinned": False, "expires_at": None}
        assert {name: note[name] for name in expected} == expected
        assert note["content"] == "text"

    def test_nothing_to_change(self, shell: Shell) -> None:
        shell.add("text")
        assert shell("memory", "edit", "1", "text", "--json").json["outcome"] == "duplicate"
        assert "$EDITOR" in shell("memory", "edit", "1", status=2).complaint

    def test_standard_input_is_read_only_when_named(self, shell: Shell) -> None:
        shell.add("text")
        shell("memory", "edit", "1", "--name", "other", stdin="not this")
        shell("memory", "edit", "1", "-", stdin="but this")
        assert shell("memory", "show", "1", "--json").json["content"] == "but this"

    def with_editor(self, shell: Shell, tmp_path: Path, work: str) -> None:
        script = tmp_path / "editor.py"
        script.write_text(EDITOR.format(work=work), encoding="utf-8")
        shell.environment["EDITOR"] = f"{sys.executable} {script}"

    def test_in_an_editor(self, shell: Shell, tmp_path: Path) -> None:
        shell.add("旧的内容")
        self.with_editor(shell, tmp_path, "file.write_text(file.read_text('utf-8').replace('旧', '新'), 'utf-8')")
        assert shell.process("memory", "edit", "1").said.startswith("changed  #1")
        assert shell("memory", "show", "1", "--json").json["content"] == "新的内容"

    def test_a_failing_editor_changes_nothing(self, shell: Shell, tmp_path: Path) -> None:
        shell.add("text")
        self.with_editor(shell, tmp_path, "sys.exit(3)")
        assert "editor" in shell.process("memory", "edit", "1", status=1).complaint
        assert shell("memory", "show", "1", "--json").json["version"] == 1

    def test_who_was_slower_loses_no_words(self, shell: Shell, tmp_path: Path) -> None:
        shell.add("text")
        work = (
            "import recollect; memory = recollect.open_memory(); "
            "memory.notes.update(1, content='faster'); memory.close(); "
            "file.write_text('slower, but precious', 'utf-8')"
        )
        self.with_editor(shell, tmp_path, work)
        complaint = shell.process("memory", "edit", "1", status=4).complaint
        kept = Path(complaint.splitlines()[0].removeprefix("what you wrote is kept in "))
        assert kept.read_text(encoding="utf-8").strip() == "slower, but precious"
        kept.unlink()
        assert shell("memory", "show", "1", "--json").json["content"] == "faster"


class TestRemove:
    def test_into_the_trash_and_back(self, shell: Shell) -> None:
        shell.add("one", "--type", "project")
        shell.add("two")
        said = shell("memory", "rm", "1", "2").said
        assert "in the trash  #1  project  one    undo: recollect undo 3\n" in said
        assert "kept for 30 days" in said
        assert shell("memory", "list", "--json").json["items"] == []
        assert [note["id"] for note in shell("memory", "trash", "--json").json["items"]] == [2, 1]
        assert "recollect memory restore ID" in shell("memory", "trash").said
        assert shell("memory", "restore", "1", "--json").json == {"id": 1, "outcome": "updated", "revision": 5}
        assert "restored  #2" in shell("memory", "restore", "2").said
        assert "the trash is empty" in shell("memory", "trash").said

    def test_all_or_none(self, shell: Shell) -> None:
        shell.add("one")
        shell("memory", "rm", "1", "99", status=3)
        assert len(shell("memory", "list", "--json").json["items"]) == 1

    @pytest.mark.parametrize("options", [(), ("--forget", "--yes")])
    def test_named_twice_goes_once(self, shell: Shell, options: tuple[str, ...]) -> None:
        shell.add("one")
        shell.add("two")
        items = shell("memory", "rm", "2", "1", "02", "1", *options, "--json").json["items"]
        assert items == [{"id": 2, "revision": 3}, {"id": 1, "revision": 4}]

    def test_twice_is_a_conflict(self, shell: Shell) -> None:
        shell.add("one")
        shell("memory", "rm", "1")
        shell("memory", "rm", "1", status=4)
        shell("memory", "restore", "1")
        shell("memory", "restore", "1", status=4)

    def test_forget_needs_a_yes_and_leaves_nothing(self, shell: Shell) -> None:
        shell.add("the unforgettable word zyzzyva")
        assert "--yes" in shell("memory", "rm", "1", "--forget", status=5).complaint
        assert shell("memory", "rm", "1", "--forget", "--yes", "--json").json["items"] == [{"id": 1, "revision": 2}]
        shell("undo", "1", status=4)
        shell("memory", "rm", "1", "--forget", "--yes", status=4)
        assert all(b"zyzzyva" not in file.read_bytes() for file in shell.data.rglob("*") if file.is_file())

    def test_forget_out_of_the_trash(self, shell: Shell) -> None:
        shell.add("one")
        shell("memory", "rm", "1")
        assert shell("memory", "rm", "1", "--forget", "--yes").said.startswith("forgotten  #1")

    def test_no_id_is_told(self, shell: Shell) -> None:
        assert "memory rm --help" in shell("memory", "rm", status=2).complaint


class TestHistory:
    def test_newest_first_with_before_and_after(self, shell: Shell) -> None:
        shell.add("old words", "--name", "n")
        shell("memory", "edit", "1", "new words", "--agent", "")
        said = shell("memory", "history", "1").said
        assert said.index("changed") < said.index("created")
        assert "    - content: old words\n    + content: new words\n" in said
        items = shell("memory", "history", "1", "--json").json["items"]
        assert [revision["action"] for revision in items] == ["update", "create"]
        assert items[0]["changes"]["content"] == {"before": "old words", "after": "new words"}

    def test_what_was_undone_says_so(self, shell: Shell) -> None:
        shell.add("old")
        shell("memory", "edit", "1", "new")
        shell("undo", "2")
        assert "undone by revision 3" in shell("memory", "history", "1").said
        assert "已由修订 3 撤销" in shell("memory", "history", "1", "--lang", "zh").said


def test_python_sees_what_the_command_line_wrote(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_DATA", str(shell.data))
    shell.add("written by the command line")
    with recollect.open_memory() as memory:
        assert [note.content for note in memory.notes.list().items] == ["written by the command line"]
        memory.notes.save("written by Python", expires_at=datetime(2999, 1, 1, tzinfo=UTC))
    assert shell("memory", "list", "--json").json["items"][0]["content"] == "written by Python"
