"""The limits that no other tool checks: each rule takes modules and names the places that break it."""

import ast
from collections.abc import Iterable
from pathlib import Path

from tests.house.tree import Function, Module

FILE_LINES = {"src": 400, "tests": 600, "bench": 600, "examples": 600}
FUNCTION_LINES = 40
CLASS_METHODS = 12
PROTOCOL_METHODS = 8
LOOSE_SIGNATURES = 0.03
LOCK_MODULE = "src/recollect/storage/locks.py"
LOCK_IMPORTS = {"fcntl", "msvcrt"}
PROPERTIES = {"property", "cached_property", "setter", "deleter"}


def long_files(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root).as_posix()} has {count} lines, the limit is {limit}"
        for folder, limit in FILE_LINES.items()
        for path in sorted((root / folder).rglob("*.py"))
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > limit
    ]


def docstring_lines(function: Function) -> int:
    if ast.get_docstring(function, clean=False) is None:
        return 0
    first = function.body[0]
    return (first.end_lineno or first.lineno) - first.lineno + 1


def long_functions(modules: Iterable[Module]) -> list[str]:
    return [
        f"{module.path}:{function.lineno} {function.name} has {count} lines, the limit is {FUNCTION_LINES}"
        for module in modules
        for function in module.functions()
        if (count := (function.end_lineno or 0) - function.lineno + 1 - docstring_lines(function)) > FUNCTION_LINES
    ]


def last_name(node: ast.expr) -> str:
    """Return `b` for `a.b`, `b`, `a.b[c]` and `a.b(c)`."""
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    if isinstance(node, ast.Call):
        return last_name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_protocol(node: ast.ClassDef) -> bool:
    return any(last_name(base) == "Protocol" for base in node.bases)


def public_methods(node: ast.ClassDef) -> set[str]:
    """Name what a caller can call: no properties, and not the checks of a conformance class, which pytest calls."""
    return {
        item.name
        for item in node.body
        if isinstance(item, Function)
        and not item.name.startswith(("_", "test_"))
        and not PROPERTIES.intersection(last_name(decorator) for decorator in item.decorator_list)
    }


def wide_classes(modules: Iterable[Module]) -> list[str]:
    return [
        f"{module.path}:{node.lineno} {node.name} has {count} public methods, the limit is {limit}"
        for module in modules
        for node in module.classes()
        for limit in [PROTOCOL_METHODS if is_protocol(node) else CLASS_METHODS]
        if (count := len(public_methods(node))) > limit
    ]


def silent_protocols(modules: Iterable[Module]) -> list[str]:
    """Name the methods that others must write and nobody explains."""
    return [
        f"{module.path}:{item.lineno} {node.name}.{item.name} has no docstring"
        for module in modules
        for node in module.classes()
        if is_protocol(node)
        for item in node.body
        if isinstance(item, Function) and ast.get_docstring(item) is None
    ]


def annotations(function: Function) -> list[ast.expr]:
    given = function.args
    everything = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    hints = [argument.annotation for argument in everything if argument] + [function.returns]
    return [hint for hint in hints if hint]


def loose_signatures(modules: Iterable[Module]) -> tuple[list[str], int]:
    """Return the functions whose signature says `dict[str, Any]`, and how many functions there are."""
    places: list[str] = []
    total = 0
    for module in modules:
        for function in module.functions():
            total += 1
            if any("dict[str, Any]" in ast.unparse(hint).replace("typing.", "") for hint in annotations(function)):
                places.append(f"{module.path}:{function.lineno} {function.name}")
    return places, total


def imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {name.name.partition(".")[0] for name in node.names}
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        return {node.module.partition(".")[0]}
    return set()


def stray_locks(modules: Iterable[Module]) -> list[str]:
    return [
        f"{module.path}:{node.lineno} imports {', '.join(sorted(names))}; file locks live in {LOCK_MODULE}"
        for module in modules
        if module.path != LOCK_MODULE
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and (names := imported(node) & LOCK_IMPORTS)
    ]
