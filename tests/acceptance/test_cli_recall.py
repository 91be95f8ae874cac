"""`recollect recall`: what is found, why, and that no memory can pass for anything else on a terminal."""

import json
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

import recollect
from tests.acceptance.shell import Shell
from tests.breakouts import ALL

HOSTILE = (
    "first line\nsaved  #99  user  forged    undo: recollect undo 1\n"
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 [bold]markup[/bold] "
    ":smile: \u202eturned\u200bhidden \r overwritten \x9b2J \u2028 end"
)
COMMANDS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069]")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell(tmp_path / "data")
    made.add("集成测试不要 mock 数据库", "--type", "feedback", "--name", "集成测试必须使用真实数据库")
    made.add("The search release goes live on Monday", "--type", "project", "--name", "Search release", "--pin")
    made.add("The search index is rebuilt at night", "--type", "reference", "--name", "Search index")
    return made


class TestAnswer:
    def test_json_has_the_promised_shape(self, shell: Shell) -> None:
        answer = shell("recall", "集成测试要 mock 吗", "--json").json
        assert list(answer) == ["hits", "left_out", "block", "tokens", "sources", "failed"]
        [hit] = answer["hits"]
        assert list(hit) == ["id", "type", "name", "content", "score", "parts"]
        assert (hit["id"], hit["type"], hit["name"]) == (1, "feedback", "集成测试必须使用真实数据库")
        assert hit["score"] == pytest.approx(min(1, sum(hit["parts"].values())))
        assert answer["block"].startswith("<memory-context>") and answer["tokens"] > 10

    def test_json_is_one_line_of_ascii(self, shell: Shell) -> None:
        said = shell("recall", "集成测试要 mock 吗", "--json").said
        assert said.isascii() and said.count("\n") == 1

    def test_the_python_door_says_the_same(self, shell: Shell) -> None:
        with recollect.open_memory(shell.data / "memory" / "memory.db") as memory:
            expected = memory.recall("when is the search release?").public()
        found = shell("recall", "when is the search release?", "--json").json
        assert [hit["id"] for hit in found["hits"]] == [hit["id"] for hit in json.loads(json.dumps(expected))["hits"]]
        assert found["block"] == expected["block"]

    def test_a_person_sees_parts_age_and_what_was_left_out(self, shell: Shell) -> None:
        said = shell("recall", "when is the search release?", "-k", "1").said
        header = said.splitlines()[1].split()
        assert header == ["#", "type", "name", "score", "lexical", "recency", "importance", "pinned", "age"]
        [row] = [line for line in said.splitlines() if line.startswith("2 ")]
        assert "Search release" in row and "█" in row and row.endswith("today")
        assert "not given  #3  Search index: " in said
        assert "--block" in said

    @pytest.mark.parametrize("columns", [40, 60, 80, 99, 100])
    @pytest.mark.parametrize("language", ["en", "zh"])
    def test_a_table_keeps_to_the_columns_and_loses_nothing(self, shell: Shell, columns: int, language: str) -> None:
        shell.environment.update(COLUMNS=str(columns), RECOLLECT_LANG=language)
        said = shell("recall", "when is the search release?").said
        table = [line for line in said.splitlines()[1:] if "#" not in line or line.startswith("#")][:-1]
        assert max(map(cell_len, table)) <= columns
        for word in ("Search", "release", "live", "Monday", "project"):
            assert word in said
        assert re.search(r"(lexical|词面)\s+0\.\d\d", said) or columns == 100
        wide = ("memory", "list", "--agent", "*")
        assert max(map(cell_len, shell(*wide).said.splitlines())) <= columns

    def test_in_chinese(self, shell: Shell) -> None:
        said = shell("recall", "when is the search release?", "-k", "1", "--lang", "zh").said
        assert "词面" in said and "未给出  #3  Search index:" in said and "今天" in said

    def test_type_limit_and_score(self, shell: Shell) -> None:
        typed = shell("recall", "search", "--type", "reference", "--json").json
        assert [hit["id"] for hit in typed["hits"]] == [3]
        assert {out["id"]: out["reason"] for out in typed["left_out"]} == {2: "other_type"}
        beaten = shell("recall", "search", "--limit", "1", "--json").json
        assert [out["reason"] for out in beaten["left_out"]] == ["out_ranked"]
        assert shell("recall", "search for penguins", "--min-score", "1", "--json").json["hits"] == []
        tight = shell("recall", "search", "--max-tokens", "1", "--json").json
        assert (tight["hits"], {out["reason"] for out in tight["left_out"]}) == ([], {"over_budget"})

    def test_the_block_alone_and_exactly(self, shell: Shell) -> None:
        expected = shell("recall", "search release", "--json").json["block"]
        assert shell("recall", "search release", "--block").said == expected + "\n"
        assert shell("recall", "weather", "--block").said == ""

    def test_nothing_relevant_names_the_nearest(self, shell: Shell) -> None:
        said = shell("recall", "search for the meaning of life and everything else that matters to penguins").said
        assert "nothing relevant" in said and "--min-score 0" in said
        assert "no memory has a word in common" in shell("recall", "weather").said

    def test_any_text_is_a_question(self, shell: Shell) -> None:
        for query in ("", " ", "'", '"', "a AND (", "name:*", "%", "2026-04-15", "支", "-" * 3000, "\u202e"):
            assert set(shell("recall", "--json", "--", query).json) == {
                "hits",
                "left_out",
                "block",
                "tokens",
                "sources",
                "failed",
            }

    @pytest.mark.parametrize(
        ("options", "path"),
        [
            (("--limit", "NaN"), "--limit"),
            (("--limit", "1.5"), "--limit"),
            (("--max-tokens", "-1"), "max_tokens"),
            (("--min-score", "2"), "min_score"),
            (("--min-score", "nan"), "min_score"),
            (("--min-score", "x"), "--min-score"),
            (("--type", "idea"), "type"),
            (("--why", "1", "--block"), "--why"),
            (("--why", "x"), "id"),
        ],
    )
    def test_wrong_options_name_their_path(self, shell: Shell, options: tuple[str, ...], path: str) -> None:
        error = shell("recall", "search", *options, "--json", status=2).json["error"]
        assert (error["code"], error["path"]) == ("invalid", path)

    def test_an_unquoted_question_is_explained(self, shell: Shell) -> None:
        assert "quotes" in shell("recall", "what", "is", "new", status=2).complaint


class TestWhy:
    def test_a_hit(self, shell: Shell) -> None:
        said = shell("recall", "search release", "--why", "2").said
        assert re.fullmatch(r"#2 Search release is given: score \d\.\d\d: lexical \d\.\d\d \+ .*pinned 0\.03\n", said)
        answer = shell("recall", "search release", "--why", "2", "--json").json
        assert (answer["id"], answer["given"], answer["reason"]) == (2, True, None)
        assert answer["score"] == pytest.approx(min(1, sum(answer["parts"].values())))

    @pytest.mark.parametrize(
        ("options", "reason", "sentence"),
        [
            ((), "no_common_term", "has no word in common"),
            (("--agent", "other"), "no_common_term", "has no word in common"),
        ],
    )
    def test_no_common_word(self, shell: Shell, options: tuple[str, ...], reason: str, sentence: str) -> None:
        answer = shell("recall", "weather", "--why", "2", *options, "--json").json
        assert (answer["given"], answer["reason"]) == (False, reason)
        assert sentence in shell("recall", "weather", "--why", "2", *options).said

    def test_numbers_of_those_that_nearly_made_it(self, shell: Shell) -> None:
        beaten = shell("recall", "search release", "--why", "3", "--limit", "1").said
        assert "number 2" in beaten or "below the floor" in beaten
        assert re.search(r"score 0\.\d\d: lexical 0\.\d\d", beaten)
        assert "below 0.99" in shell("recall", "the search index", "--why", "2", "--min-score", "0.99").said

    def test_of_another_agent(self, shell: Shell) -> None:
        shell.add("only the coach knows of the search", "--agent", "coach")
        assert "another agent" in shell("recall", "search", "--why", "4").said
        assert "属于另一个 agent" in shell("recall", "search", "--why", "4", "--lang", "zh").said

    def test_of_an_agent_without_a_memory(self, shell: Shell) -> None:
        shell.environment["RECOLLECT_PROMPTS__ENABLED"] = "false"
        for query in ("search release", "weather"):
            assert "memory is off for this agent" in shell("recall", query).said
            assert "no memory has a word" not in shell("recall", query).said
            assert "记忆已关闭" in shell("recall", query, "--lang", "zh").said
            answer = shell("recall", query, "--why", "2", "--json").json
            assert (answer["given"], answer["reason"], answer["score"]) == (False, "memory_off", None)
            assert "#2 Search release is not given: memory is off" in shell("recall", query, "--why", "2").said
        shell("recall", "search", "--why", "99", status=3)

    def test_what_is_not_there(self, shell: Shell) -> None:
        shell("recall", "search", "--why", "99", status=3)


class TestHostileText:
    def every_view(self, shell: Shell) -> list[str]:
        views = [
            ("memory", "list"),
            ("memory", "show", "4"),
            ("memory", "history", "4"),
            ("recall", "first line forged"),
        ]
        said = [shell(*view, "--lang", language).said for view in views for language in ("en", "zh")]
        said.append(shell("recall", "first line forged", "--why", "4").said)
        said.append(shell("memory", "add", HOSTILE, "--name", HOSTILE[:200]).said)
        said.append(shell("memory", "rm", "4").said)
        said.append(shell("memory", "trash").said)
        return said

    def test_commands_nothing_and_forges_nothing(self, shell: Shell) -> None:
        shell.add(
            HOSTILE,
            "--name",
            HOSTILE[:200],
            "--description",
            HOSTILE[:300],
            "--label",
            "\x1b[2J",
            "--metadata",
            "k=\x1b[2J",
        )
        for said in self.every_view(shell):
            assert not COMMANDS.search(said), said
            assert not any(line.startswith("saved  #99") for line in said.splitlines())

    def test_markup_and_emoji_codes_stay_as_they_are(self, shell: Shell) -> None:
        shell.add(HOSTILE, "--name", "[bold]x[/bold] :smile:")
        assert "[bold]x[/bold] :smile:" in shell("memory", "list").said

    def test_json_gives_it_back_whole(self, shell: Shell) -> None:
        shell.add(HOSTILE)
        answer = shell("memory", "show", "4", "--json")
        assert answer.json["content"] == HOSTILE
        assert not COMMANDS.search(answer.said)

    def test_errors_quote_safely(self, shell: Shell) -> None:
        for words in (("memory", "show", HOSTILE), ("memory", "add", "x", "--type", HOSTILE), (HOSTILE,)):
            complaint = shell(*words, status=2).complaint
            assert not COMMANDS.search(complaint) and complaint.count("\n") == 1
        shell("memory", "rm", HOSTILE, "--forget", status=2)

    @pytest.mark.parametrize("text", ALL[::3])
    def test_nothing_breaks_out_of_a_view(self, shell: Shell, text: str) -> None:
        id = shell.add(f"{text} .", "--name", "n", "--allow-secret")["id"]
        body = shell("memory", "show", str(id)).said.split("\n\n", 1)[1]
        assert all(line.startswith("    ") for line in body.splitlines() if line)
        assert not COMMANDS.search(body.replace("\t", " "))
