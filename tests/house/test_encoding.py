"""The command line on consoles that are not UTF-8: every command answers, and what it says can be read."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = "支付模块四月上线 café 🍜"
READABLE = "支付模块四月上线"
QUESTION = "支付模块"

# How the console is set up, and how its reader decodes what arrives there.
CONSOLES = {
    "gbk": ({"PYTHONIOENCODING": "gbk", "LC_ALL": "C.UTF-8"}, "gbk"),
    "C": ({"LC_ALL": "C"}, "utf-8"),
    "ascii": ({"PYTHONIOENCODING": "ascii", "LC_ALL": "C.UTF-8"}, "ascii"),
}
SHOWS_CHINESE = {"gbk", "C"}


class Console:
    """A program run as from a console of that kind, in a language and over a data folder of its own."""

    def __init__(self, name: str, language: str, data: Path, program: tuple[str, ...] = ("-m", "recollect")) -> None:
        self.command = [sys.executable, *program]
        settings, self.encoding = CONSOLES[name]
        inherited = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("LANG", "LC_", "PYTHON", "RECOLLECT_"))
        }
        self.environment = (
            inherited | settings | {"RECOLLECT_DATA": str(data), "RECOLLECT_LANG": language, "COLUMNS": "200"}
        )

    def run(self, *arguments: str, status: int = 0) -> str:
        """Return the answer, or the complaint where one is due, as its reader sees it; the unreadable fails here."""
        done = subprocess.run([*self.command, *arguments], env=self.environment, capture_output=True, timeout=120)
        said, complained = (stream.decode(self.encoding) for stream in (done.stdout, done.stderr))
        assert done.returncode == status, complained
        assert "Traceback" not in complained
        assert "\ufffd" not in said + complained
        return complained if status else said


@pytest.mark.parametrize(
    ("name", "language"), [("gbk", "zh"), ("gbk", "en"), ("C", "zh"), ("ascii", "zh"), ("ascii", "en")]
)
def test_every_answer_can_be_read(name: str, language: str, tmp_path: Path) -> None:
    console = Console(name, language, tmp_path)
    assert "recollect" in console.run("--help")
    console.run("memory", "add", TEXT)
    shown = [console.run("memory", "list"), console.run("recall", QUESTION)]
    assert all(said.strip() for said in shown)
    if name in SHOWS_CHINESE:
        assert all(READABLE in said for said in shown), shown


@pytest.mark.parametrize("name", CONSOLES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_refusal_can_be_read(name: str, language: str, tmp_path: Path) -> None:
    assert "999" in Console(name, language, tmp_path).run("memory", "show", "999", status=3)


@pytest.mark.parametrize("name", CONSOLES)
def test_json_loses_nothing_on_any_console(name: str, tmp_path: Path) -> None:
    console = Console(name, "zh", tmp_path)
    console.run("memory", "add", TEXT, "--json")
    [hit] = json.loads(console.run("recall", QUESTION, "--json"))["hits"]
    assert hit["content"] == TEXT


@pytest.mark.parametrize("name", CONSOLES)
def test_the_demonstration_runs(name: str, tmp_path: Path) -> None:
    assert Console(name, "zh", tmp_path).run("demo").strip()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("gbk", "print('\U0001f35c')"),
        ("gbk", "import sys; sys.stdout.buffer.write('支'.encode())"),
        ("ascii", "print('支付')"),
        ("C", "import sys; sys.stdout.buffer.write('支付'.encode('gbk'))"),
        ("C", "print('\ufffd')"),
        ("C", "raise SystemExit(1)"),
    ],
)
def test_an_unreadable_answer_is_noticed(name: str, code: str, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, UnicodeDecodeError)):
        Console(name, "en", tmp_path, ("-c", code)).run()
