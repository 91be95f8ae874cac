"""How many lines two files, or two classes, have in common once async and await are gone."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations

from tests.house.tree import Function, Module

FILE_SHARE = 0.25
CLASS_SHARE = 0.40
# Below this two pieces resemble each other by chance: five fields of two values, three guards.
SMALLEST = 15

ASYNC_WORDS = re.compile(r"\b(?:async|await)\s+")
WORD = re.compile(r"\w")


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """A file or a class as the lines that count, and where they stand."""

    name: str
    path: str
    first: int
    last: int
    lines: tuple[str, ...]

    def holds(self, other: "Piece") -> bool:
        return self.path == other.path and self.first <= other.first and other.last <= self.last


def without_substance(tree: ast.Module) -> set[int]:
    """Number the lines that are no repetition when they are equal: imports, decorators and signatures.

    An asynchronous face has to repeat the signatures of what it wraps; what it must not repeat are the bodies.
    """
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, Function | ast.ClassDef):
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            skipped.update(range(start, node.body[0].lineno))
    return skipped


def substance(module: Module, first: int, last: int) -> tuple[str, ...]:
    skipped = without_substance(module.tree)
    wanted = (
        ASYNC_WORDS.sub("", module.lines[number - 1]).strip()
        for number in range(first, last + 1)
        if number not in skipped
    )
    return tuple(line for line in wanted if WORD.search(line))


def files(modules: Sequence[Module]) -> Iterator[Piece]:
    for module in modules:
        last = len(module.lines)
        yield Piece(name=module.path, path=module.path, first=1, last=last, lines=substance(module, 1, last))


def classes(modules: Sequence[Module]) -> Iterator[Piece]:
    for module in modules:
        for node in module.classes():
            last = node.end_lineno or node.lineno
            lines = substance(module, node.lineno, last)
            yield Piece(name=f"{module.path}::{node.name}", path=module.path, first=node.lineno, last=last, lines=lines)


def share(left: Piece, right: Piece, *, over: float) -> float:
    """Return the part of the smaller piece that stands in the other in the same order; 0 where it cannot be over."""
    smaller = min(len(left.lines), len(right.lines))
    if sum((Counter(left.lines) & Counter(right.lines)).values()) <= over * smaller:
        return 0.0
    matcher = SequenceMatcher(None, left.lines, right.lines, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / smaller


def twins(pieces: Iterator[Piece], limit: float) -> list[str]:
    weighty = [piece for piece in pieces if len(piece.lines) >= SMALLEST]
    return [
        f"{left.name} and {right.name} share {part:.0%} of the smaller one's lines, the limit is {limit:.0%}"
        for left, right in combinations(weighty, 2)
        if not left.holds(right) and not right.holds(left)
        if (part := share(left, right, over=limit)) > limit
    ]
