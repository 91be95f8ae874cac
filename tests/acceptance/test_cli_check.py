"""`recollect check`: a file of expectations, what held and what did not, and what is wrong with the file."""

from pathlib import Path

import pytest

from recollect.domain.expectations import MOST
from tests.acceptance.shell import Shell
from tests.serving import Reply, ScriptedService


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell(tmp_path / "data")
    made.add("集成测试不要 mock 数据库", "--type", "feedback", "--name", "真实数据库")
    made.add("The search release goes live on Monday", "--type", "project", "--name", "Search release")
    made.add("The search index is rebuilt at night", "--type", "reference", "--name", "Search index")
    made("--user", "bob", "--agent", "coach", "memory", "add", "Bob drinks oolong tea", "--name", "Tea")
    return made


def written(shell: Shell, text: str) -> str:
    file = shell.data.parent / "expectations.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


HELD = """
- ask: when is the search release?
  expect: [2, Search release, {content: goes live}]
  at: 1
- ask: 集成测试要 mock 数据库吗
  expect: [真实数据库]
  not: [2, Tea]
- ask: who won the football match?
  nothing: true
- ask: what tea does Bob drink?
  user: bob
  agent: coach
  expect: [{content: oolong}]
- ask: what tea does Bob drink?
  not: [Tea]
"""


def test_all_hold(shell: Shell) -> None:
    file = written(shell, HELD)
    assert shell("check", file).said == "5 of 5 expectations hold\n"
    assert shell("check", file, "--json").json == {"checked": 5, "held": 5, "failed": [], "unasked": {}}
    assert "5" in shell("check", file, "--lang", "zh").said
    assert shell("check", file, "--quiet").said == ""


def test_what_does_not_hold_is_told_with_what_came_instead(shell: Shell) -> None:
    file = written(
        shell,
        """
- ask: when is the search release?
  expect: [Search index, 99, {content: oolong}]
  at: 1
- ask: when is the search release?
  not: [Search release]
- ask: search release
  nothing: true
- ask: search release
  expect: [2]
""",
    )
    said = shell("check", file, status=1).said
    assert said.splitlines()[-1] == "1 of 4 expectations hold"
    assert "[0]  when is the search release?" in said and "[3]" not in said
    assert "#99" in said and "Search index" in said and "came: #2  Search release" in said
    answer = shell("check", file, "--json", status=1).json
    assert (answer["checked"], answer["held"]) == (4, 1)
    failed = answer["failed"]
    assert [one["path"] for one in failed] == ["[0]", "[1]", "[2]"]
    missing = failed[0]["missing"]
    assert [one["target"] for one in missing] == ["Search index", 99, {"content": "oolong"}]
    assert [(one["id"], one["reason"]) for one in missing] == [
        (3, "out_ranked"),
        (99, "not_found"),
        (None, "not_found"),
    ]
    assert [one["id"] for one in failed[0]["came"]] == [2] and failed[0]["came"][0]["name"] == "Search release"
    assert failed[1]["unwanted"] == [{"target": "Search release", "id": 2, "rank": 1}]
    assert failed[2]["nothing"] is True and failed[2]["came"]
    assert "未满足" in shell("check", file, "--lang", "zh", status=1).said


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("ask: alone", ""),
        ("- 7", "[0]"),
        ("- expect: [1]", "[0].ask"),
        ("- {ask: '', expect: [1]}", "[0].ask"),
        ("- {ask: a}", "[0]"),
        ("- {ask: a, expect: []}", "[0].expect"),
        ("- {ask: a, expect: 1}", "[0].expect"),
        ("- {ask: a, nothing: true}\n- {ask: b, expect: [1], wants: 2}", "[1].wants"),
        ("- {ask: a, expect: [1, 2.5]}", "[0].expect[1]"),
        ("- {ask: a, expect: [true]}", "[0].expect[0]"),
        ("- {ask: a, expect: [0]}", "[0].expect[0]"),
        ("- {ask: a, expect: [{content: ''}]}", "[0].expect[0]"),
        ("- {ask: a, not: [{text: x}]}", "[0].not[0]"),
        ("- {ask: a, expect: [1], at: 0}", "[0].at"),
        ("- {ask: a, expect: [1], at: 101}", "[0].at"),
        ("- {ask: a, expect: [1], at: many}", "[0].at"),
        ("- {ask: a, nothing: 1}", "[0].nothing"),
        ("- {ask: a, nothing: false}", "[0]"),
        ("- {ask: a, nothing: true, expect: [1]}", "[0].nothing"),
        ("- {ask: a, expect: [1], user: 7}", "[0].user"),
        (f"- {{ask: a, expect: [1], agent: {'x' * 101}}}", "[0].agent"),
    ],
)
def test_a_bad_file_names_the_key(shell: Shell, text: str, path: str) -> None:
    error = shell("check", written(shell, text), "--json", status=2).json["error"]
    assert (error["code"], error["path"]) == ("invalid", path)
    assert error["message"]


def test_files_that_cannot_be_read(shell: Shell) -> None:
    for text in ("- {ask: a, expect: [", "- !!python/name:os.system ", "[" * 20_000, "- " * 400_000):
        assert shell("check", written(shell, text), "--json", status=2).json["error"]["code"] in ("config", "invalid")
    assert shell("check", str(shell.data / "missing.yaml"), "--json", status=2).json["error"]["code"] == "config"
    Path(written(shell, "")).write_bytes(b"\xff\xfe\x00")
    Path(written(shell, "")).write_bytes(b"- ask: \xff")
    shell("check", str(shell.data.parent / "expectations.yaml"), status=2)


def test_limits(shell: Shell) -> None:
    many = "- {ask: a, nothing: true}\n" * (MOST + 1)
    error = shell("check", written(shell, many), "--json", status=2).json["error"]
    assert str(MOST) in error["message"]
    large = "- ask: a\n  nothing: true\n# " + "x" * 1_048_576
    error = shell("check", written(shell, large), "--json", status=2).json["error"]
    assert "1048576" in error["message"].replace(",", "")


def test_checking_leaves_nothing_in_the_ledger(shell: Shell) -> None:
    shell("check", written(shell, HELD))
    assert shell("recalls", "--json").json == {"items": [], "next_cursor": None}


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a comment\n", "[]", "null", "---\n"])
def test_a_file_without_an_expectation_is_an_error(shell: Shell, text: str) -> None:
    file = written(shell, text)
    said = shell("check", file, status=2).complaint
    assert file in said and "no expectation" in said
    assert shell("check", file, "--json", status=2).json["error"]["code"] == "invalid"
    assert "没有任何期望" in shell("check", file, "--lang", "zh", status=2).complaint


def test_a_model_that_cannot_be_asked_is_told(shell: Shell) -> None:
    file = written(shell, HELD)
    with ScriptedService(script=[Reply(status=401)] * 99) as service:
        shell.environment |= {
            "RECOLLECT_EMBEDDER__PROVIDER": "openai",
            "RECOLLECT_EMBEDDER__MODEL": "m",
            "RECOLLECT_EMBEDDER__BASE_URL": service.url,
            "RECOLLECT_EMBEDDER__DIMENSION": "3",
        }
        answer = shell("check", file, "--json").json
        assert list(answer["unasked"]) == ["dense"] and "401" in answer["unasked"]["dense"]
        assert shell("check", file).said.count("401") == 1
