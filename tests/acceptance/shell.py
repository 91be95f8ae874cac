"""A command line as a user has it: the program, a data folder of its own, and nothing of this machine's environment."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from recollect.faces.cli.main import cli

PROGRAM = (sys.executable, "-m", "recollect")
_OURS = (
    "LANG",
    "LC_",
    "RECOLLECT_",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "EDITOR",
    "VISUAL",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a run said, what it complained about, and its exit status."""

    said: str
    complaint: str
    status: int

    @property
    def json(self) -> Any:
        """The one object that was said; anything beside it fails here."""
        return json.loads(self.said)


class Shell:
    """Runs `recollect` with the words given: `shell("memory", "add", "text")`."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(_OURS)},
            "LANG": "C.UTF-8",
            "RECOLLECT_DATA": str(data),
            "RECOLLECT_EMBEDDER__PROVIDER": "none",
            "COLUMNS": "200",
            **environment,
        }

    def __call__(self, *words: str, stdin: str | bytes | None = None, status: int = 0) -> Answer:
        """Run inside this process; a status other than the one expected fails here."""
        cleared: dict[str, str | None] = dict.fromkeys(os.environ)
        done = CliRunner().invoke(cli, list(words), input=stdin, env={**cleared, **self.environment})
        answer = Answer(said=done.stdout, complaint=done.stderr, status=done.exit_code)
        assert done.exit_code == status, (answer, done.exc_info)
        return answer

    def process(self, *words: str, stdin: bytes = b"", status: int = 0, encoding: str = "utf-8") -> Answer:
        """Run as a process of its own."""
        done = subprocess.run(
            [*PROGRAM, *words], env=self.environment, input=stdin, capture_output=True, timeout=120, check=False
        )
        answer = Answer(
            said=done.stdout.decode(encoding), complaint=done.stderr.decode(encoding), status=done.returncode
        )
        assert done.returncode == status, answer
        assert "Traceback" not in answer.complaint
        return answer

    def add(self, text: str, *options: str) -> Any:
        """Save a memory and return the JSON answer."""
        return self("memory", "add", *options, "--json", "--", text).json
