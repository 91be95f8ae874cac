"""The project's tree as the house tests read it."""

import ast
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, kw_only=True, slots=True)
class Module:
    """One Python file: its path from the root, its lines and its syntax tree."""

    path: str
    lines: tuple[str, ...]
    tree: ast.Module

    def functions(self) -> list[Function]:
        return [node for node in ast.walk(self.tree) if isinstance(node, Function)]

    def classes(self) -> list[ast.ClassDef]:
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)]


def modules(root: Path, folder: str = "src") -> list[Module]:
    return [
        # Not splitlines(): Python's own line numbers count line feeds alone.
        Module(path=path.relative_to(root).as_posix(), lines=tuple(text.split("\n")), tree=ast.parse(text))
        for path in sorted((root / folder).rglob("*.py"))
        for text in [path.read_text(encoding="utf-8")]
    ]


def own_modules() -> list[Module]:
    """The package itself; a house test that read nothing would pass for nothing."""
    found = modules(ROOT)
    assert found, f"no Python file under {ROOT / 'src'}"
    return found


def tracked_files(root: Path) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True)
    paths = [root / name for name in listed.stdout.decode("utf-8").split("\0") if name]
    return [path for path in paths if path.is_file()]
