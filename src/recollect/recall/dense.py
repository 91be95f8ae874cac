"""The dense arm: which records are near a question in meaning, by an exact scan of the owner's vectors."""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from recollect.domain.analysis import ANALYSER_VERSION
from recollect.domain.cards import ModelCard, script_of
from recollect.domain.errors import ProviderError
from recollect.domain.query import Query
from recollect.domain.scope import ALL, Scope
from recollect.domain.vectors import HAN, Matrix, Place
from recollect.models import forks
from recollect.models.base import Embedder
from recollect.models.hurry import hurried
from recollect.records.tables import Tables
from recollect.storage.owners import OwnerState
from recollect.storage.vectors import Maker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CANDIDATES: Final = 200
CROWDING: Final = 0.5  # of what a text is nearer to its neighbours than usual is taken from its nearness to a question
FEWEST: Final = 50  # active records of an owner whose floor is learnt
_NARROWED = 2_000  # where conditions of the question take candidates away
_PATIENCE_SECONDS = 4.0
_LEFT_ALONE_SECONDS = 30.0
_CACHE_BYTES = 64 * 1_048_576


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """How near records are to a question, 0…1, by id, and how much of a score that may decide.

    `floor` is from where on an answer counts, where that was learnt for this owner.
    """

    closeness: Mapping[int, float] = field(default_factory=dict[int, float])
    candidates: frozenset[int] = frozenset()
    weight: float = 0.0
    source: str = ""
    floor: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    mark: int
    embedder: Embedder
    matrix: Matrix
    floors: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """From where on an answer counts, and from how many records that was learnt; None and 0 where it was not."""

    floor: float | None = None
    count: int = 0

    @classmethod
    def read(cls, floors: str, model: str) -> "Learnt":
        """Return what was learnt for a model by the analyser of today."""
        found: dict[str, Any] = json.loads(floors) if floors else {}
        if (found.get("analyser"), found.get("model")) != (ANALYSER_VERSION, model):
            return cls()
        return cls(floor=found["floor"], count=found["count"])

    def fits(self, active_count: int) -> bool:
        """Tell whether it holds for so many records: not twice as many as it was learnt from, nor half of them."""
        return self.count <= 2 * active_count <= 4 * self.count


class Dense:
    """Asks an embedder for the vector of a question, once, and compares it with every vector of the owner.

    Vectors of two models are never compared: an owner is asked under the model that has embedded most of the records,
    the one of `embedder` where there is a choice. `lagging` is told of owners some of whose records have no vector,
    `grown` of those whose floor was learnt from half as many records, or from twice as many, or not at all.
    """

    def __init__(
        self,
        tables: Tables,
        embedder: Embedder,
        *,
        earlier: Callable[[Maker], Embedder | None],
        lagging: Callable[[int], bool],
        grown: Callable[[int], object],
    ) -> None:
        self._tables = tables
        self._embedder = embedder
        self._earlier = earlier
        self._lagging = lagging
        self._grown = grown
        self._failed: tuple[float, ProviderError] | None = None
        self._told: dict[int, tuple[int, int]] = {}
        self._asked: dict[int, int] = {}
        self.start_anew()
        forks.watch(self)

    def start_anew(self) -> None:
        """Begin with an empty cache; called in the child of a fork too."""
        self._lock = threading.Lock()
        self._cache: OrderedDict[int, _Loaded] = OrderedDict()

    def search(self, scope: Scope, owner: OwnerState, query: Query, also: Iterable[int]) -> Near:
        """Return the nearest records that the scope may see, and how near those in `also` are.

        Whoever asks waits a few seconds at most for a service; one that did not answer is left alone for a while.
        """
        if self._failed is not None and monotonic() - self._failed[0] < _LEFT_ALONE_SECONDS:
            raise self._failed[1]
        try:
            with hurried(_PATIENCE_SECONDS):
                return self._search(scope, owner, query, also)
        except ProviderError as problem:
            self._failed = (monotonic(), problem)
            raise

    def _search(self, scope: Scope, owner: OwnerState, query: Query, also: Iterable[int]) -> Near:
        loaded = self._of(owner)
        total = len(loaded.matrix.ids)
        asked = loaded.embedder.embed([query.text], role="query")[0]
        if not total:  # asked all the same: a model that fails is why there is none
            return Near(source="0 of 0")
        closeness, weight = calibrated(loaded.embedder.card, loaded.matrix, asked, query.text)
        near = self._nearest(loaded.matrix, closeness, scope, query)
        found = {int(loaded.matrix.ids[at]): float(closeness[at]) for at in near}
        candidates = frozenset(found)
        found.update(_looked_up(loaded.matrix.ids, closeness, also))
        source = f"{len(candidates)} of {total}"
        floor = self._floor(owner, loaded)
        return Near(closeness=found, candidates=candidates, weight=weight, source=source, floor=floor)

    @property
    def model(self) -> str:
        """The name of the model that embeds now."""
        return self._embedder.card.model

    def _floor(self, owner: OwnerState, loaded: _Loaded) -> float | None:
        if owner.active_count < FEWEST:
            return None
        learnt = Learnt.read(loaded.floors, loaded.embedder.card.model)
        if not learnt.fits(owner.active_count) and self._asked.get(owner.no) != owner.active_count:
            self._asked[owner.no] = owner.active_count
            self._grown(owner.no)
        return learnt.floor

    def _nearest(
        self, matrix: Matrix, closeness: "NDArray[np.float64]", scope: Scope, query: Query
    ) -> "NDArray[np.intp]":
        import numpy as np

        def seen(place: Place) -> bool:
            _, agent, session, kind, space = place
            mine = scope.agent == ALL or agent in ("", scope.agent)
            here = scope.session == ALL or session in ("", scope.session)
            return mine and here and kind in query.kinds and space in query.spaces

        narrowed = query.type is not None or query.labels or query.since is not None or query.until is not None
        most = _NARROWED if narrowed else CANDIDATES
        rows = np.flatnonzero(matrix.at(seen) & (closeness > 0))
        order = np.lexsort((-matrix.ids[rows], -closeness[rows]))
        return rows[order[:most]]

    def _of(self, owner: OwnerState) -> _Loaded:
        loaded = self._kept(owner.no)
        if len(loaded.matrix.ids) < owner.active_count or loaded.embedder is not self._embedder:
            lag = (loaded.mark, owner.active_count)
            if self._told.get(owner.no) != lag:
                self._told[owner.no] = lag
                with hurried(_PATIENCE_SECONDS / 2):  # the other half is the question's
                    has_changed = self._lagging(owner.no)
                if has_changed:
                    loaded = self._kept(owner.no)
        return loaded

    def _kept(self, owner_no: int) -> _Loaded:
        """Return the vectors of an owner; the mark, read before them, tells whether those in memory still hold."""
        mark, floors = self._tables.vectors.tuning(owner_no)
        with self._lock:
            known = self._cache.get(owner_no)
            if known is not None and mark and known.mark == mark:
                self._cache.move_to_end(owner_no)
                return known if known.floors == floors else replace(known, floors=floors)
        loaded = replace(self._load(owner_no, mark), floors=floors)
        if mark and loaded.matrix.size <= _CACHE_BYTES:
            with self._lock:
                self._cache[owner_no] = loaded
                self._cache.move_to_end(owner_no)
                while sum(one.matrix.size for one in self._cache.values()) > _CACHE_BYTES:
                    self._cache.popitem(last=False)
        return loaded

    def _load(self, owner_no: int, mark: int) -> _Loaded:
        makers = self._tables.vectors.makers(owner_no)
        card = self._embedder.card
        chosen, embedder = Maker(card.model, card.dimension), self._embedder
        for maker, count in makers.items():
            if count > makers.get(chosen, 0):
                other = self._earlier(maker)
                if other is not None and Maker(other.card.model, other.card.dimension) == maker:
                    chosen, embedder = maker, other
        rows = self._tables.vectors.of_owner(owner_no, chosen) if chosen in makers else []
        return _Loaded(mark=mark, embedder=embedder, matrix=Matrix.of(rows, chosen.dimension))


def calibrated(
    card: ModelCard, matrix: Matrix, asked: "NDArray[np.float32]", text: str
) -> "tuple[NDArray[np.float64], float]":
    """Return how near each row is to a question, 0…1, and the weight of the model, by the scripts of both."""
    import numpy as np

    script = script_of(text)
    scales = [card.calibration(script, "han" if place[0] == HAN else "latin") for place in matrix.places]
    lo = np.array([scale.lo for scale in scales])[matrix.groups]
    hi = np.array([scale.hi for scale in scales])[matrix.groups]
    cosines = matrix.cosines(asked) - CROWDING * matrix.crowding
    closeness = np.clip((cosines - lo) / (hi - lo), 0.0, 1.0)
    return np.round(closeness, 9), card.weight(script)


def _looked_up(
    ids: "NDArray[np.int64]", closeness: "NDArray[np.float64]", wanted: Iterable[int]
) -> Iterable[tuple[int, float]]:
    import numpy as np

    asked = np.array(sorted(wanted), np.int64)
    if not len(asked):
        return ()
    at = np.searchsorted(ids, asked)
    at[at == len(ids)] = 0
    there = ids[at] == asked
    return zip(asked[there].tolist(), closeness[at[there]].tolist(), strict=True)
