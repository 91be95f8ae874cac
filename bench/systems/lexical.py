"""Words alone: plain BM25 over our analyser's terms, and the usual design with a trigram index."""

import inspect
import sqlite3
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from heapq import nlargest
from math import log
from pathlib import Path

from bench.building import work_folder
from bench.known import Item
from bench.systems.base import Ranked, System
from bench.text import Note
from bench.trigram import Trigram
from recollect.domain.analysis import ANALYSER_VERSION, index_terms, is_opening, query_terms

_K1, _B = 1.2, 0.75
_LAST = "\U0010ffff"
_USER = "me"


class Bm25(System):
    """Okapi BM25 over the terms of our analyser; of the forms of a word the best counts, at the weight it is given."""

    name, variant = "bm25", ""
    versions = f"analyser {ANALYSER_VERSION}"
    configured = f"k1 {_K1}, b {_B}, one field; terms and their weights from our analyser"

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._lengths: list[int] = []
        self._postings: dict[str, list[tuple[int, int]]] = {}
        self._terms: list[str] = []

    def index(self, items: Sequence[Item]) -> None:
        self._ids = [item.id for item in items]
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths = []
        for at, item in enumerate(items):
            terms = index_terms(item.text)
            self._lengths.append(sum(terms.values()))
            for term, count in terms.items():
                postings[term].append((at, count))
        self._postings = dict(postings)
        self._terms = sorted(postings)

    def search(self, text: str, k: int, time: str) -> Ranked:
        scores: Counter[int] = Counter()
        for term in query_terms(text):
            best: dict[int, float] = {}
            for variant in term.variants:
                for at, found in self._found(variant):
                    best[at] = max(best.get(at, 0.0), found)
            for at, found in best.items():
                scores[at] += term.weight * found
        first = nlargest(k, scores.items(), key=lambda pair: (pair[1], -pair[0]))
        return [(self._ids[at], found) for at, found in first]

    def _found(self, term: str) -> Iterator[tuple[int, float]]:
        counts: Counter[int] = Counter()
        for form in self._openings(term) if is_opening(term) else (term,):
            for at, count in self._postings.get(form, ()):
                counts[at] += count
        rarity = log(1 + (len(self._ids) - len(counts) + 0.5) / (len(counts) + 0.5))
        mean = sum(self._lengths) / len(self._lengths)
        for at, count in counts.items():
            yield at, rarity * count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * self._lengths[at] / mean))

    def _openings(self, term: str) -> Sequence[str]:
        return self._terms[bisect_left(self._terms, term) : bisect_left(self._terms, term + _LAST)]


class TrigramBaseline(System):
    """The usual design; `words` asks for any three characters of the question instead of the whole of it, ranked."""

    name = "baseline-trigram"
    versions = f"sqlite {sqlite3.sqlite_version}"

    def __init__(self, *, words: bool) -> None:
        self._words = words
        self._closing = ExitStack()
        self._folder = self._closing.enter_context(work_folder())
        self._design: Trigram | None = None
        self._ids: list[str] = []
        self._file = 0
        self.variant = "any three characters, ranked" if words else "as designed"
        self.configured = (
            "FTS5 trigram; each three characters of a word or'ed, order by bm25" if words else
            "FTS5 trigram; the whole question as one phrase, no order"
        )  # fmt: skip

    def index(self, items: Sequence[Item]) -> None:
        self._release()
        self._file += 1
        self._design = Trigram(self._folder / f"{self._file}.db")
        self._ids = [item.id for item in items]
        self._design.save(_USER, (Note(type="user", name="", content=item.text) for item in items))

    def search(self, text: str, k: int, time: str) -> Ranked:
        if self._design is None:
            raise ValueError("nothing was indexed")
        found = (self._design.ranked if self._words else self._design.search)(_USER, text, k)
        return [(self._ids[number - 1], 1 / place) for place, (number, _, _) in enumerate(found, 1)]

    def sources(self) -> list[Path]:
        return [*super().sources(), Path(inspect.getfile(Trigram))]

    def close(self) -> None:
        self._release()
        self._closing.close()

    def _release(self) -> None:
        if self._design is not None:
            self._design.close()
        self._design = None
