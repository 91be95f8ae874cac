"""The body of the built-in embedder with its weights in four bits, in eight and in floating point, side by side."""

import gzip
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.report import Row, say
from bench.timing import told
from recollect.models.builtin import Model, load
from recollect.models.graph import Graph, Linear, body, four_bits
from recollect.models.parts import ready_parts
from recollect.models.weights import Weights, need_weights, open_weights, widened

SETS = ("locomo", "madial-en", "madial-zh", "memdaily")
_LARGEST = 127
_DEPTHS = (1, 10)
_ROUNDS = 5

Vectors = NDArray[np.float32]


def eight_bits(graph: Graph, weights: Weights, name: str, given: str) -> str:
    """Add a layer with its weights in eight bits, a scale for each row, as onnxruntime's own tool writes it."""
    wide = widened(weights.blocks(f"{name}.w"))
    scales = (np.abs(wide).max(axis=1) / _LARGEST).astype(np.float32)
    rounded = np.round(wide / scales[:, None]).astype(np.int8)
    return graph.contributed(
        "DynamicQuantizeMatMul",
        given,
        graph.constant(f"{name}.w", np.ascontiguousarray(rounded.T)),
        graph.constant(f"{name}.scales", scales),
        graph.constant(f"{name}.zero", np.zeros(scales.shape, np.int8)),
        graph.constant(f"{name}.b", weights.floats(f"{name}.b")),
        out=name,
    )


def floating(graph: Graph, weights: Weights, name: str, given: str) -> str:
    """Add a layer that computes with the four-bit weights as they are, in floating point."""
    wide = np.ascontiguousarray(widened(weights.blocks(f"{name}.w")).T)
    product = graph.node("MatMul", given, graph.constant(f"{name}.w", wide), out=f"{name}.product")
    return graph.node("Add", product, graph.constant(f"{name}.b", weights.floats(f"{name}.b")), out=name)


BODIES: dict[str, Linear] = {"four bits": four_bits, "eight bits": eight_bits, "floating point": floating}


@cache
def model(name: str) -> tuple[Model, float]:
    """Return the model with that body, and how many MB the body has."""
    written = body(open_weights(need_weights()), BODIES[name])
    return load(replace(ready_parts(None), body=written)), len(written) / 1e6


def vectors_of(name: str, texts: Sequence[str], prefix: str, *, alone: bool = False) -> Vectors:
    """Return the vectors of texts, one at a time or sixteen of similar length together."""
    made, _ = model(name)
    tokens = [made.tokens(prefix, made.plain(text)) for text in texts]
    order = sorted(range(len(tokens)), key=lambda at: len(tokens[at]))
    step = 1 if alone else 16
    found = np.empty((len(texts), 384), np.float32)
    for at in told(range(0, len(order), step), len(order), f"{name}, texts"):
        batch = order[at : at + step]
        found[batch] = made.first([tokens[place] for place in batch])
    return found


def likeness(texts: Sequence[str]) -> list[Row]:
    """Compare each body with the one in floating point, and each text alone with the same text in company."""
    exact = vectors_of("floating point", texts, "passage: ", alone=True)
    rows: list[Row] = []
    for name in BODIES:
        together, alone = (vectors_of(name, texts, "passage: ", alone=single) for single in (False, True))
        cosines, company = (alone * exact).sum(axis=1), (alone * together).sum(axis=1)
        rows.append(
            {
                "body": name,
                "MB": round(model(name)[1], 1),
                "cosine mean": _digits(cosines.mean()),
                "cosine min": _digits(cosines.min()),
                "alone and in company, cosine min": _digits(company.min()),
            }
        )
    return rows


def _digits(value: float) -> str:
    return f"{value:.6f}"


def speed(texts: dict[str, Sequence[str]]) -> list[Row]:
    """Return texts a second of processor time on one thread: the best of several rounds, sixteen texts together."""
    rows: list[Row] = []
    for name in BODIES:
        made, _ = model(name)
        row: Row = {"body": name}
        for kind, some in texts.items():
            batch = [made.tokens("passage: ", made.plain(text)) for text in some]
            row[f"{kind}, texts/s"] = round(len(batch) / best(partial(made.first, batch)), 1)
        rows.append(row)
    return rows


def best(call: Callable[[], object]) -> float:
    """Return the least processor time that a call took."""
    taken: list[float] = []
    for _ in range(_ROUNDS):
        began = time.process_time()
        call()
        taken.append(time.process_time() - began)
    return min(taken)


def quality() -> list[Row]:
    """Return how often the vectors alone find what is looked for, on the sets that RECOLLECT_BENCH_DATA names."""
    folder = os.environ.get("RECOLLECT_BENCH_DATA")
    rows: list[Row] = []
    for name in SETS if folder else ():
        scopes = json.loads(gzip.decompress((Path(folder or "") / f"{name}.json.gz").read_bytes()))
        for which in ("four bits", "eight bits"):
            say(f"{name} with {which}")
            rows.append({"set": name, "body": which, **_found(which, scopes)})
    return rows


def _found(which: str, scopes: Sequence[dict[str, Any]]) -> Row:
    items = vectors_of(which, [item["text"] for scope in scopes for item in scope["items"]], "passage: ")
    asked = vectors_of(which, [query["text"] for scope in scopes for query in scope["queries"]], "query: ", alone=True)
    shares: dict[int, list[float]] = {depth: [] for depth in _DEPTHS}
    item_at = query_at = 0
    for scope in scopes:
        names = [item["id"] for item in scope["items"]]
        kept = items[item_at : item_at + len(names)]
        item_at += len(names)
        for query in scope["queries"]:
            order = np.argsort(-(kept @ asked[query_at]), kind="stable")
            query_at += 1
            gold = set(query["gold"])
            for depth, found in shares.items():
                found.append(len(gold & {names[at] for at in order[:depth]}) / min(depth, len(gold)))
    means: Row = {f"recall@{depth}": round(float(np.mean(found)), 4) for depth, found in shares.items()}
    return {"questions": query_at, **means}
