"""Python programs beside the test: processes of their own, told what to do and asked what they saw."""

import subprocess
import sys
from pathlib import Path

import pytest

needs_fork = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions and limits")


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a program; its output can be read line by line."""
    command = [sys.executable, "-X", "utf8", "-W", "error", "-c", code, *map(str, arguments)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def ended(program: subprocess.Popen[str], timeout_seconds: float = 120) -> str:
    """Wait for the end of a program and return what it printed; fail when it failed."""
    try:
        output, problems = program.communicate(timeout=timeout_seconds)
    except subprocess.TimeoutExpired:
        program.kill()
        output, problems = program.communicate()
        pytest.fail(f"still running after {timeout_seconds} s\n{output}\n{problems}")
    assert program.returncode == 0, f"{output}\n{problems}"
    return output


def run(code: str, *arguments: object) -> str:
    """Run a program to its end and return what it printed."""
    return ended(start(code, *arguments))


def files_beside(path: Path) -> dict[str, bytes]:
    """Return every file in the folder of `path`, to see later what was changed."""
    return {file.name: file.read_bytes() for file in sorted(path.parent.iterdir()) if file.is_file()}
