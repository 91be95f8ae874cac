"""Model cards: what ranking has to know of a model that turns texts into vectors."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

Script = Literal["latin", "han"]
"""Han stands for kana and hangul too, Latin for every other script."""

Role = Literal["query", "passage"]
"""What a text is to the model: something that is asked, or something that is kept."""

TRUSTED_WEIGHT = 0.5
OUTSIDE_WEIGHT = 0.2

_E5_PREFIXES = ("query: ", "passage: ")
_E5_NAME = re.compile(r"(?:^|[-_/])e5-(?:small|base|large)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Which cosines mean something, in one script: at `lo` and below nothing, at `hi` and above the same thing."""

    lo: float
    hi: float
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """A model that makes vectors, and how far its vectors can be trusted.

    `model` names everything that changes a vector: the model, its quantisation and what is put before a text. Vectors
    of different names, or of different dimensions, are never compared. `trusted` are the scripts of its languages.
    `latin_for_han` holds for Latin texts and a question in Han, `han_for_latin` the other way round: across scripts
    cosines lie lower, and without a scale of their own those texts would always come last.
    """

    model: str
    dimension: int
    latin: Calibration
    han: Calibration
    trusted: frozenset[Script]
    prefixes: tuple[str, str] = ("", "")
    latin_for_han: Calibration | None = None
    han_for_latin: Calibration | None = None

    @property
    def tells_roles_apart(self) -> bool:
        """Whether a text has another vector as a question than as something kept."""
        return self.prefixes[0] != self.prefixes[1]

    def prefix(self, role: Role) -> str:
        """Return what the model wants before a text in this role."""
        return self.prefixes[0 if role == "query" else 1]

    def calibration(self, script: Script, kept: Script | None = None) -> Calibration:
        """Return what holds for a question in one script, and for texts `kept` in the same or another one."""
        across = None
        if kept is not None and kept != script:
            across = self.han_for_latin if kept == "han" else self.latin_for_han
        return across or (self.han if script == "han" else self.latin)

    def weight(self, script: Script) -> float:
        """Return how much of a score this model may decide in one script."""
        return self.calibration(script).weight if script in self.trusted else OUTSIDE_WEIGHT

    def closeness(self, cosine: float, script: Script) -> float:
        """Return a cosine as a number from 0, nothing to do with each other, to 1."""
        found = self.calibration(script)
        return min(1.0, max(0.0, (cosine - found.lo) / (found.hi - found.lo)))

    def measured(self, script: Script, unrelated: Sequence[float], related: Sequence[float]) -> "ModelCard":
        """Return the card with a script calibrated by probes: cosines of pairs that do and do not belong together.

        The means are what the constants of the built-in model are. Where they do not lie apart, the model cannot tell
        texts of this script apart and the card stays as it is.
        """
        lo, hi = fmean(unrelated), fmean(related)
        if hi <= lo:
            return self
        found = Calibration(lo=lo, hi=hi, weight=TRUSTED_WEIGHT)
        trusted = self.trusted | {script}
        return (
            replace(self, han=found, trusted=trusted)
            if script == "han"
            else replace(self, latin=found, trusted=trusted)
        )


def script_of(text: str) -> Script:
    """Return the script in which most of a text is said: a Han character says about as much as a Latin word."""
    han = sum("\u3040" <= character <= "\ud7fb" or character >= "\U00020000" for character in text)
    words = sum(part[:1].isascii() and part[:1].isalnum() for part in text.split())
    return "han" if han and han >= words else "latin"


_E5_LATIN = Calibration(lo=0.75, hi=0.88, weight=TRUSTED_WEIGHT)
_E5_HAN = Calibration(lo=0.79, hi=0.93, weight=TRUSTED_WEIGHT)
# A guess: where most models put texts that have little and much in common. Nobody measured it, so it weighs little.
_UNMEASURED = Calibration(lo=0.2, hi=0.7, weight=OUTSIDE_WEIGHT)

# From a standard deviation above the mean of unrelated texts to the mean of ordinary answers; across scripts, where
# ordinary answers are few, to just above their mean: decisions 5 and 11.
BUILTIN_CARD = ModelCard(
    model="multilingual-e5-small+use-multilingual-3/q4+q6/query-passage",
    dimension=896,
    latin=Calibration(lo=0.65, hi=0.83, weight=TRUSTED_WEIGHT),
    han=Calibration(lo=0.73, hi=0.88, weight=TRUSTED_WEIGHT),
    trusted=frozenset({"latin", "han"}),
    prefixes=_E5_PREFIXES,
    latin_for_han=Calibration(lo=0.64, hi=0.79, weight=TRUSTED_WEIGHT),
    han_for_latin=Calibration(lo=0.64, hi=0.77, weight=TRUSTED_WEIGHT),
)


def card_of(model: str, dimension: int, prefixes: tuple[str, str] | None = None) -> ModelCard:
    """Return the card of a model that is known by its name alone.

    The E5 family needs its prefixes and squeezes its cosines as the small one does; any other gets neutral numbers,
    no trusted script and, unless `prefixes` are given, nothing before its texts.
    """
    if _E5_NAME.search(model):
        trusted = BUILTIN_CARD.trusted if "multilingual" in model.lower() else frozenset[Script]({"latin"})
        latin, han, rule = _E5_LATIN, _E5_HAN, prefixes or _E5_PREFIXES
    else:
        trusted, latin, han, rule = frozenset[Script](), _UNMEASURED, _UNMEASURED, prefixes or ("", "")
    before = "query-passage" if rule == _E5_PREFIXES else "/".join(rule).strip() if any(rule) else "plain"
    return ModelCard(
        model=f"{model}/as-served/{before}",
        dimension=dimension,
        latin=latin,
        han=han,
        trusted=trusted,
        prefixes=rule,
    )
