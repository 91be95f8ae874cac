"""The one analyser: which terms a text is kept under, and which terms a question asks for.

Both sides share every rule, so that what is asked in the words of a text is found. Any string is legal, and the time
grows with its length only. Whoever changes a rule raises ANALYSER_VERSION: kept terms are then made anew.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from operator import add
from typing import Any

from recollect.domain.dates import MONTH_TERMS, find_dates
from recollect.domain.frames import CHINESE_CHARACTERS, CHINESE_EXCEPTIONS, CHINESE_PARTICLES, CHINESE_PHRASES, ENGLISH
from recollect.domain.text import CJK, nfkc
from recollect.domain.traditional import TO_SIMPLIFIED, TRADITIONAL

ANALYSER_VERSION = 1
TERM_LIMIT = 64  # characters
FULL_WEIGHT = 1.0
COMPOUND_WEIGHT = 0.5  # an identifier as a whole, beside its parts
FRAME_WEIGHT = 0.1
QUERY_LENGTH = 8_192  # characters of a question that are looked at; the terms of a real one are found long before
REMEMBERED_TOKENS = 32_768  # with their words about 13 MB when full
REMEMBERED_LENGTH = 32  # characters

_MARKS = (  # combining signs that are parts of words where composing did not take them up
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0711\u0730-\u074a"
    "\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u0859-\u085b\u0898-\u0963\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ecd"
    "\u0f18-\u0f19\u0f35-\u0f39\u0f71-\u0fbc\u102b-\u109d\u135d-\u135f\u1712-\u1734\u17b4-\u17d3\u18a9"
    "\u1920-\u193b\u1a17-\u1a7f\u1b00-\u1b44\u1b80-\u1bf3\u1c24-\u1c37\u1dc0-\u1dff\ua66f\ua802-\uabed"
)
_WORD = rf"(?:[^\W_{CJK}]++[{_MARKS}]*+)++"
_JOINT = r"(?:[-.@/\\'&#]|_++|\+{1,2}|::|:[/\\]{1,2})"
_TOKEN = re.compile(  # a run of Han, kana or hangul, or a word: src/app.py a.b@c.org .NET C++
    rf"[{CJK}]++|(?:(?<![a-zA-Z0-9.])\.)?+(?!{_JOINT})(?:{_JOINT}?+{_WORD})++(?:(?:\+\+|#)(?![a-zA-Z0-9]))?"
)
_TRADITIONAL = frozenset(TRADITIONAL)

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]+"
)
_THOUSANDS = re.compile(r"\d(?<!\d.)(?<!\d,.)\d{0,2}(?:,\d{3})++(?!,?\d)")
_CONTRACTED = {"s", "re", "ve", "ll", "d", "m"}

_SEGMENT = re.compile(r"[^/\\@:]+")
_PART = re.compile(
    r"[^\W\d_]{2,}(?=\d+\.\d)"  # the name before a version: python3.11
    r"|[vV]?\d+(?:\.\d+)++(?![^\W_])"  # a version, a decimal, an address
    r"|[^-._'&+#]+(?:\+\+|#(?!.))?"
)
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_MOST_HUMPS = 6  # more are a hash or a key, not words


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerm:
    """One thing that is asked for: the forms it may have, best first, and how much it matters."""

    variants: tuple[str, ...]
    weight: float


def index_terms(text: str) -> dict[str, int]:
    """Return the terms a field is found by, each with the number of its occurrences."""
    text = _prepare(text)
    terms: list[str] = []
    traditional = not text.isascii() and not _TRADITIONAL.isdisjoint(text)
    for token in _TOKEN.findall(text):
        if not _is_cjk(token):
            terms += _remembered_terms(token) if len(token) <= REMEMBERED_LENGTH else _token_terms(token)
            continue
        terms += map(add, token, token[1:])
        terms.append(token[-1])
        if traditional:
            terms += _simplified_terms(token)
    counts = Counter(terms)
    for date in find_dates(text):
        for term in date.terms():
            counts.setdefault(term, 1)
    return counts


def is_opening(term: str) -> bool:
    """Tell whether what is asked for is every term that begins with this one: a single Han, kana or hangul character.

    A text is kept under its pairs, and under the last character of each run, so every character begins a term.
    """
    return len(term) == 1 and _is_cjk(term)


def query_terms(text: str, limit: int = 128) -> tuple[QueryTerm, ...]:
    """Return what the text asks for, distinct: its dates, then its words and characters in their order.

    Where that is more than `limit`, question words go first, then single Han characters, then the later ones.
    """
    asked: dict[str, QueryTerm] = {}
    telling = 0
    for term in _asked(_prepare(text[:QUERY_LENGTH])[:QUERY_LENGTH]):
        known = asked.get(term.variants[0])
        if known is not None and known.weight >= term.weight:
            continue
        asked[term.variants[0]] = term
        telling += _rank(term) == 0 and (known is None or _rank(known) > 0)
        if telling >= limit:
            break
    if len(asked) <= limit:
        return tuple(asked.values())
    return tuple(sorted(asked.values(), key=_rank)[:limit])


def _rank(term: QueryTerm) -> int:
    if term.weight <= FRAME_WEIGHT:
        return 2
    return 1 if is_opening(term.variants[0]) else 0


def _prepare(text: str) -> str:
    if not text.isascii():
        text = nfkc(_INVISIBLE.sub("", text))
        text = text.replace("\u2019", "'").replace("\u2010", "-").replace("\u30fb", " ")  # ’ ‐ ・
    if "," in text:
        text = _THOUSANDS.sub(lambda number: number.group().replace(",", ""), text)
    return text


# Han, kana and hangul


def _is_cjk(token: str) -> bool:
    first = token[0]
    return first >= "\u3005" and ("\u3041" <= first <= "\ud7fb" or first <= "\u3007" or first >= "\U00020000")


def _simplified_terms(run: str) -> list[str]:
    simplified = run.translate(TO_SIMPLIFIED)
    if simplified == run:
        return []
    pairs = zip(map(add, run, run[1:]), map(add, simplified, simplified[1:]), strict=True)
    terms = [new for old, new in pairs if new != old]
    return terms if simplified[-1] == run[-1] else [*terms, simplified[-1]]


_CONTENT, _QUIET, _SEAM = 0, 1, 2


def _frame_levels() -> dict[str, list[tuple[str, int]]]:
    levels = dict.fromkeys(CHINESE_CHARACTERS, _QUIET)
    levels |= dict.fromkeys(CHINESE_PARTICLES | CHINESE_PHRASES, _SEAM)
    levels |= dict.fromkeys(CHINESE_EXCEPTIONS, _CONTENT)
    by_first: dict[str, list[tuple[str, int]]] = {}
    for phrase in sorted(levels, key=len, reverse=True):
        by_first.setdefault(phrase[0], []).append((phrase, levels[phrase]))
    return by_first


_FRAMES = _frame_levels()


def _levels(run: str) -> list[int]:
    """Return for every character whether it is content, a quiet function character, or part of a question's frame."""
    levels: list[int] = []
    at = 0
    while at < len(run):
        for phrase, level in _FRAMES.get(run[at], ()):
            if run.startswith(phrase, at):
                levels += [level] * len(phrase)
                break
        else:
            levels.append(_CONTENT)
        at = len(levels)
    return levels


def _asked_characters(run: str) -> Iterator[QueryTerm]:
    """Yield every pair, and a character that is a word of its own: alone, or between others that only frame."""
    simplified = run.translate(TO_SIMPLIFIED)
    levels = _levels(simplified)
    for at in range(len(run)):
        if at + 1 < len(run):
            here, there = levels[at], levels[at + 1]
            framed = _SEAM in (here, there) or (here and there)
            yield _han_term(run[at : at + 2], simplified[at : at + 2], bool(framed))
        around = levels[max(0, at - 1) : at] + levels[at + 1 : at + 2]
        if not around or (levels[at] == _CONTENT and _CONTENT not in around):
            yield _han_term(run[at], simplified[at], levels[at] != _CONTENT)


def _han_term(term: str, simplified: str, framed: bool) -> QueryTerm:
    variants = (term,) if term == simplified else (term, simplified)
    return QueryTerm(variants=variants, weight=FRAME_WEIGHT if framed else FULL_WEIGHT)


# words and identifiers


def _take_apart(token: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the words of a token, each with the compounds that hold it, from the whole token inwards."""
    if "'" in token:
        before, _, ending = token.rpartition("'")
        if ending.lower() in _CONTRACTED:
            token = before
        elif ending.lower() == "t":
            token = before + ending
    words: list[tuple[str, tuple[str, ...]]] = [(token, ())]
    splitters: tuple[Callable[[str], list[str]], ...] = (_SEGMENT.findall, _PART.findall, _humps)
    for split in splitters:
        finer: list[tuple[str, tuple[str, ...]]] = []
        for piece, around in words:
            parts = split(piece)
            if parts != [piece]:
                around = (*around, piece)
            finer += [(part, around) for part in parts]
        words = finer
    return words


def _humps(word: str) -> list[str]:
    """Split getUserName, HTTPServer, iPhone15 and 100ms; leave hashes, iOS, APIs and everything else whole."""
    if len(word) > TERM_LIMIT or not (word.isascii() and word.isalnum()):
        return [word]
    humps: list[str] = _HUMP.findall(word)
    if not 1 < len(humps) <= _MOST_HUMPS or (word[-1] == "s" and word[:-1].isupper()):
        return [word]
    if len(humps[0]) == 1 and humps[1].isalpha():
        humps[:2] = [humps[0] + humps[1]]
    torn = any(len(hump) == 1 and hump.isalpha() for hump in humps)
    return [word] if torn else humps


def _term(word: str) -> str:
    return nfkc(word.casefold())[:TERM_LIMIT]


@lru_cache(REMEMBERED_TOKENS)
def _forms(word: str) -> tuple[str, ...]:
    """Return the surface form of a word, then what else it is found by."""
    surface = _term(word)
    if not surface.isascii():
        return (surface,)
    if surface.isalpha():
        others = (_stem(surface), MONTH_TERMS.get(surface, surface))
        return tuple(dict.fromkeys((surface, *others)))
    if surface[0] == "v" and "." in surface and surface[1].isdigit():
        return (surface, surface[1:])
    return (surface,)


@lru_cache(REMEMBERED_TOKENS)
def _stem(word: str) -> str:
    stem: str = _stemmer()().stemWord(word)  # a stemmer holds its word, so threads cannot share one
    return stem


@cache
def _stemmer() -> Callable[[], Any]:
    return import_module("snowballstemmer.english_stemmer").EnglishStemmer  # with forty languages: only when needed


def _token_terms(token: str) -> tuple[str, ...]:
    terms: dict[str, None] = {}
    for word, around in _take_apart(token):
        terms.update(dict.fromkeys(_forms(word[:TERM_LIMIT])))
        terms.update({_term(compound): None for compound in around if len(compound) <= TERM_LIMIT})
    return tuple(terms)


_remembered_terms = lru_cache(REMEMBERED_TOKENS)(_token_terms)


def _asked_words(token: str) -> Iterator[QueryTerm]:
    """Yield each word, which a compound that holds it may stand for, and each compound, which asks for it exactly."""
    for word, around in _take_apart(token):
        compounds = [_term(compound) for compound in reversed(around) if len(compound) <= TERM_LIMIT]
        forms = _forms(word[:TERM_LIMIT])
        numbered = bool(compounds) and compounds[0].isalnum() and not compounds[0].isdecimal()
        framed = forms[0] in ENGLISH or (numbered and word.isdecimal())  # the 1 of ok1 alone is any 1
        yield QueryTerm(
            variants=tuple(dict.fromkeys((*forms, *compounds))), weight=FRAME_WEIGHT if framed else FULL_WEIGHT
        )
        for compound in compounds:
            glued = compound.isalnum() and not compound.isalpha()
            yield QueryTerm(variants=(compound,), weight=FULL_WEIGHT if glued else COMPOUND_WEIGHT)


def _asked(text: str) -> Iterator[QueryTerm]:
    dates = find_dates(text)
    for date in dates:
        yield QueryTerm(variants=date.variants(), weight=FULL_WEIGHT)
    ends = {place: date.end for date in dates for place in range(date.start, date.end)}
    for match in _TOKEN.finditer(text):
        token = match.group()
        start = ends.get(match.start(), match.start())
        if start >= match.end():
            continue  # the date says it
        if _is_cjk(token):
            yield from _asked_characters(token[start - match.start() :])
        else:
            yield from _asked_words(token)
