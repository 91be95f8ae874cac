"""Every promise stands in the reference once, and every test that is said to show one exists."""

import ast
import re
from pathlib import Path

import pytest

from tests.house.tree import ROOT, Function

IDS = [
    *(f"S1-{number:02}" for number in range(1, 40)),
    *(f"T1-{number}" for number in range(1, 31)),
    *(f"TX-{number}" for number in range(1, 8)),
]
ROW = re.compile(r"^\| ([ST][\dX]-\d+) \|.*\| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"`((?:src|tests|examples)/[^`]+)`")


def page() -> str:
    return (ROOT / "docs" / "reference" / "promises.md").read_text(encoding="utf-8")


def definitions(node: ast.AST) -> dict[str, ast.AST]:
    return {item.name: item for item in ast.iter_child_nodes(node) if isinstance(item, Function | ast.ClassDef)}


def exists(root: Path, name: str) -> bool:
    """Tell whether there is such a file or folder, and what is named behind it: a test, or a class and its test."""
    path, *inside = name.split("::")
    if not inside:
        return (root / path).exists()
    if not (root / path).is_file() or not inside[-1].startswith("test_"):
        return False
    node: ast.AST | None = ast.parse((root / path).read_text(encoding="utf-8"))
    for part in inside:
        node = definitions(node).get(part) if node else None
    return isinstance(node, Function)


def unproven(text: str) -> list[str]:
    """Name the promises that neither name a test nor say what they wait for."""
    return [id for id, shown in ROW.findall(text) if "::test_" not in shown and not shown.startswith("not yet: ")]


def test_every_promise_stands_there_once() -> None:
    assert sorted(id for id, _ in ROW.findall(page())) == sorted(IDS)


def test_every_promise_is_shown_or_says_what_it_waits_for() -> None:
    assert unproven(page()) == []


def test_every_test_named_exists() -> None:
    names = NAMED.findall(page())
    assert len(names) > len(IDS)
    assert [name for name in names if not exists(ROOT, name)] == []


@pytest.mark.parametrize(
    "name",
    [
        "tests/test_x.py::test_gone",
        "tests/test_x.py::TestIt",
        "tests/test_x.py::TestIt::test_gone",
        "tests/test_x.py::TestIt::helper",
        "tests/test_x.py::test_inside",
        "tests/test_y.py::test_here",
        "tests/test_y.py",
    ],
)
def test_what_is_not_there_is_noticed(tmp_path: Path, name: str) -> None:
    (tmp_path / "tests").mkdir()
    code = "def test_here(): ...\nclass TestIt:\n    def helper(self): ...\n    def test_inside(self): ...\n"
    (tmp_path / "tests" / "test_x.py").write_text(code, encoding="utf-8")
    assert exists(tmp_path, "tests/test_x.py::test_here") and exists(tmp_path, "tests/test_x.py::TestIt::test_inside")
    assert not exists(tmp_path, name)


def test_an_unproven_promise_is_named() -> None:
    rows = "| S1-01 | a | `tests/x.py` |\n| T1-2 | b | not yet: needs a database |\n| TX-3 | c | `t.py::test_c` |\n"
    assert unproven(rows) == ["S1-01"]
