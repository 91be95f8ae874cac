"""Sets with known answers as memories: built once through the door, and asked as a program would ask."""

import gzip
import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import recollect
from bench.building import cache_folder
from bench.kept_vectors import KEPT, kept_provider
from bench.report import say
from recollect.domain import clock

OWN = Path(__file__).parent / "sets" / "own.json.gz"
PUBLIC = ("locomo", "memdaily", "madial-zh", "madial-en", "beam100k")
_WRITTEN = re.compile(r"(\d{4})年(\d\d)月(\d\d)日\D*(\d\d:\d\d)")
_BUILT = 2  # raise when what is built changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of a set, and the ids of the records that answer it."""

    scope: str
    text: str
    gold: frozenset[int]
    kind: str
    half: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A set as a memory, and its questions."""

    name: str
    memory: recollect.Memory
    questions: Sequence[Question]


def available() -> list[str]:
    """Return the names of the sets at hand: our own, and those in RECOLLECT_BENCH_DATA."""
    folder = os.environ.get("RECOLLECT_BENCH_DATA")
    found = [name for name in PUBLIC if folder and (Path(folder) / f"{name}.json.gz").is_file()]
    return ["own", *found]


def built(name: str) -> Built:
    """Return a set as a memory with a vector for every record."""
    file = OWN if name == "own" else Path(os.environ["RECOLLECT_BENCH_DATA"]) / f"{name}.json.gz"
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    scopes: list[dict[str, Any]] = json.loads(gzip.decompress(file.read_bytes()))
    place = cache_folder() / f"{name}-{digest}-{_BUILT}.db"
    if not place.exists():
        say(f"building {name}")
        fresh = place.with_suffix(".new")
        for old in fresh.parent.glob(fresh.name + "*"):
            old.unlink()
        _save(fresh, scopes)
        fresh.rename(place)
    with kept_provider():
        memory = recollect.open_memory(_settings(place, KEPT))
    memory.upkeep.reindex()
    return Built(name=name, memory=memory, questions=[one for scope in scopes for one in _questions(scope)])


def _settings(place: Path, provider: str) -> recollect.Settings:
    return recollect.Settings.model_validate({"database": str(place), "embedder": {"provider": provider}})


def _save(place: Path, scopes: Sequence[dict[str, Any]]) -> None:
    with recollect.open_memory(_settings(place, "none")) as memory:
        for scope in scopes:
            mine = memory.within(user=scope["id"])
            for at, item in enumerate(scope["items"]):
                moment = _moment(item["time"])
                with clock.running(lambda moment=moment: moment):
                    saved = mine.notes.save(item["text"], metadata={"session": item["session"]}, allow_secret=True)
                if saved.record.id != at + 1:
                    mine.notes.save(f"{item['text']} ", name=f"again {at}", allow_secret=True)
        memory.upkeep.drain()


def _questions(scope: dict[str, Any]) -> Iterator[Question]:
    places = {item["id"]: at for at, item in enumerate(scope["items"], 1)}
    latest = max((_moment(item["time"]) for item in scope["items"]), default=clock.now())
    for query in scope["queries"]:
        yield Question(
            scope=scope["id"],
            text=query["text"],
            gold=frozenset(places[one] for one in query["gold"]),
            kind=query["kind"],
            half=query.get("half", ""),
            at=_moment(query["time"]) if query["time"] else latest + timedelta(days=1),
        )


def _moment(text: str) -> datetime:
    written = _WRITTEN.match(text)  # also 2024年04月07日 周日 08:33
    if written:
        text = "{}-{}-{}T{}".format(*written.groups())
    found = datetime.fromisoformat(text) if text else datetime(2026, 1, 1, tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
