"""The third decision, measured: texts kept under pairs of characters alone, beside pairs and single characters.

Ranks in memory with the product's own analyser and formula, so that nothing but the terms differs. RECOLLECT_BENCH_DATA
names a folder of `NAME.json.gz`: lists of scopes with items and queries whose gold items are known.
"""

import gzip
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.report import Request, Row, Table, write
from bench.text import Texts
from recollect.domain.analysis import FULL_WEIGHT, QueryTerm, index_terms, is_opening, query_terms
from recollect.domain.ranking import PostingRow, choose, coverage

_SETS = ("memdaily", "madial-zh")
_NOTES = 1_000
_DEEP = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    """The postings of one scope."""

    postings: Mapping[str, Sequence[PostingRow]]
    count: int
    length_sum: int


def run(request: Request) -> Path:
    """Compare both ways on the product's own texts and on the data that is given, and write the result."""
    texts = list(Texts(request.seed).notes("characters", 0, _NOTES))
    chinese = [note.content for note in texts[::2]]
    sizes: list[Row] = []
    for characters in (False, True):
        terms = sum(len(_terms(text, characters)) for text in chinese)
        sizes.append({"kept under": _named(characters), "rows/note": round(terms / len(chinese), 1)})
    folder = os.environ.get("RECOLLECT_BENCH_DATA")
    found = [row for name in _SETS if folder for row in _quality(Path(folder) / f"{name}.json.gz")]
    tables = (
        Table(title="Size", note="Chinese notes of 120 characters and more.", rows=sizes),
        Table(
            title="Finding",
            note="Lexical ranking alone. `rows read` is the mean for a question."
            if found
            else "Not measured: RECOLLECT_BENCH_DATA names no folder.",
            rows=found,
        ),
    )
    return write("characters", request, tables)


def _named(characters: bool) -> str:
    return "pairs and characters" if characters else "pairs"


def _terms(text: str, characters: bool) -> dict[str, int]:
    terms = dict(index_terms(text))
    if characters:
        for term, count in list(terms.items()):
            if len(term) == 2 and is_opening(term[0]):
                terms[term[0]] = terms.get(term[0], 0) + count
    return terms


def _asked(text: str, characters: bool) -> Sequence[QueryTerm]:
    """Return what is asked; with characters also each one of the pairs."""
    asked = list(query_terms(text))
    if characters:
        single = {character for term in asked for character in term.variants[0] if len(term.variants[0]) == 2}
        asked += [QueryTerm(variants=(one,), weight=FULL_WEIGHT) for one in sorted(single) if is_opening(one)]
    return asked


def _quality(file: Path) -> list[Row]:
    scopes: list[dict[str, Any]] = json.loads(gzip.decompress(file.read_bytes()))
    return [_measured(file.name.partition(".")[0], scopes, characters) for characters in (False, True)]


def _measured(name: str, scopes: Iterable[dict[str, Any]], characters: bool) -> Row:
    recalls: list[float] = []
    read = 0
    for scope in scopes:
        index = _indexed([item["text"] for item in scope["items"]], characters)
        for query in scope["queries"]:
            rows, order = _ranked(index, _asked(query["text"], characters))
            read += rows
            gold = set(query["gold"])
            recalls.append(len(gold & {scope["items"][at - 1]["id"] for at in order[:_DEEP]}) / len(gold))
    row: Row = {"set": name, "kept under": _named(characters), "questions": len(recalls)}
    mean = round(sum(recalls) / len(recalls), 4)
    return {**row, f"recall@{_DEEP}": mean, "rows read": round(read / len(recalls))}


def _indexed(texts: Sequence[str], characters: bool) -> _Index:
    postings: defaultdict[str, list[PostingRow]] = defaultdict(list)
    length_sum = 0
    for number, text in enumerate(texts, 1):
        terms = _terms(text, characters)
        length = sum(terms.values())
        length_sum += length
        for term, count in terms.items():
            postings[term].append((term, number, 0, 0, count, length))
    return _Index(postings=postings, count=len(texts), length_sum=length_sum)


def _ranked(index: _Index, asked: Sequence[QueryTerm]) -> tuple[int, list[int]]:
    dfs = {variant: len(index.postings.get(variant, ())) for term in asked for variant in term.variants}
    rows = [row for term in choose(asked, dfs) for row in index.postings.get(term, ())]
    covered = coverage(asked, dfs, index.count, index.length_sum, rows)
    return len(rows), sorted(covered, key=lambda number: (-covered[number], -number))
