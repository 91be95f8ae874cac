"""What the repository may not say about the machines it was written on, and how long its front page is."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.house.tree import ROOT, tracked_files

README_LINES = 150

# Put together from pieces, so that this file is not its own first finding.
FOLDERS = ("work", "root", "farm", "opt/wheels", "opt/pypi", "opt/pypi-more")
HOSTS = (("files", "pythonhosted"), ("pypi", "org/simple"), ("registry", "npmjs"), ("deb", "debian"))
WORKPLACE = ("\\.\\./" + "shared", "\\bshared/" + r"[\w-]+\.md")
FORBIDDEN = re.compile(
    "|".join(
        [
            *(rf"(?<![\w.\-{{}}]){'/' + folder + '/'}" for folder in FOLDERS),
            rf"(?<![\w.]){'/' + 'tmp'}/[\w.-]+/",
            *(r"\.".join(parts) for parts in HOSTS),
            *WORKPLACE,
        ]
    )
)


def betrayals(root: Path, paths: Iterable[Path]) -> list[str]:
    return [
        f"{path.relative_to(root).as_posix()}:{number}: {match.group()}"
        for path in paths
        for number, line in enumerate(path.read_bytes().decode("utf-8", errors="replace").split("\n"), start=1)
        if (match := FORBIDDEN.search(line))
    ]


def test_no_machine_path_and_no_registry_host() -> None:
    paths = tracked_files(ROOT)
    assert paths
    assert betrayals(ROOT, paths) == []


@pytest.mark.parametrize(
    "pieces",
    [
        ("see /", "work/main"),
        ("'/", "root/.cache'"),
        ("/", "farm/x"),
        ("cd /", "opt/wheels/"),
        ("open('/", "tmp/plan/brief')"),
        ("https://files.", "pythonhosted.org/a"),
        ("--index-url https://pypi.", "org/simple"),
        ("https://registry.", "npmjs.org"),
        ("http://deb.", "debian.org"),
        ("as ..", "/shared/design says"),
        ("shared", "/traps.md"),
    ],
)
def test_a_betrayal_is_found(tmp_path: Path, pieces: tuple[str, str]) -> None:
    planted = tmp_path / "notes.md"
    planted.write_text("fine\n" + "".join(pieces), encoding="utf-8")
    [found] = betrayals(tmp_path, [planted])
    assert found.startswith("notes.md:2: ")


@pytest.mark.parametrize(
    "text",
    [
        "/".join(("GET /api/v1/memories", "work", "people")),
        "a temporary /tmp/memory.db",
        "https://pypi.org/project/recollect",
        "/".join((".", "work", "x")),
    ],
)
def test_ordinary_text_passes(tmp_path: Path, text: str) -> None:
    planted = tmp_path / "notes.md"
    planted.write_text(text, encoding="utf-8")
    assert betrayals(tmp_path, [planted]) == []


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_front_page_is_short(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= README_LINES
