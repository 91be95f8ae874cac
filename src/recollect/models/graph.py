"""The body of the built-in embedder as an ONNX graph: from rows of the word table to vectors of length 1.

The four-bit weights are taken as they are (`MatMulNBits` keeps the same numbers, in another order), so that nothing is
rounded twice. Every row of a batch is computed from itself alone: a text has the same vector in any company.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from recollect.models.protobuf import field, fields
from recollect.models.weights import Weights, taken_apart

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_IR_VERSION, _OPSET = 9, 20
_CONTRIBUTED = "com.microsoft"  # operators of onnxruntime itself
_KINDS = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}
_INTEGER_ACTIVATIONS = 4  # the accuracy level at which the weights were made to be used
_BITS = 4


class Graph:
    """A graph in the making: nodes and constants, each under a name."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []

    def constant(self, name: str, values: "NDArray[np.generic]") -> str:
        """Add a constant and return its name."""
        kind = field(2, _KINDS[str(values.dtype)])
        self._constants.append(fields(1, values.shape) + kind + field(8, name) + field(9, values.tobytes()))
        return name

    def node(self, operator: str, *inputs: str, out: str, domain: str = "", **choices: float) -> str:
        """Add a node and return the name of what it gives; an input that is left out is an empty name."""
        chosen = fields(5, (_choice(name, value) for name, value in choices.items()))
        written = fields(1, inputs) + field(2, out) + field(4, operator) + chosen
        self._nodes.append(written + (field(7, domain) if domain else b""))
        return out

    def contributed(self, operator: str, *inputs: str, out: str, **choices: float) -> str:
        """Add a node of onnxruntime's own."""
        return self.node(operator, *inputs, out=out, domain=_CONTRIBUTED, **choices)

    def model(self, *ends: bytes) -> bytes:
        """Return the whole as a model file; `ends` are the inputs and outputs that `end` describes."""
        graph = fields(1, self._nodes) + field(2, "body") + fields(5, self._constants) + b"".join(ends)
        operators = field(8, field(2, _OPSET)) + field(8, field(1, _CONTRIBUTED) + field(2, 1))
        return field(1, _IR_VERSION) + field(2, "recollect") + operators + field(7, graph)


def _choice(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    return field(1, name) + field(2, value) + field(20, 1)


def end(number: int, name: str, kind: str, *dimensions: str | int) -> bytes:
    """Describe an input (11) or output (12) of the graph."""
    sizes = (field(1, field(1, size) if isinstance(size, int) else field(2, size)) for size in dimensions)
    return field(number, field(1, name) + field(2, field(1, field(1, _KINDS[kind]) + field(2, b"".join(sizes)))))


Linear = Callable[[Graph, Weights, str, str], str]
"""Adds a layer: the graph, the weights, the layer's name in the file and its input; returns the name of its output."""


def four_bits(graph: Graph, weights: Weights, name: str, given: str) -> str:
    """Add a layer with its weights in four bits."""
    blocks = weights.blocks(f"{name}.w")
    scales, halves = taken_apart(blocks)
    packed = halves[..., 0::2] | halves[..., 1::2] << _BITS
    block = weights.measures.block
    return graph.contributed(
        "MatMulNBits",
        given,
        graph.constant(f"{name}.w", packed),
        graph.constant(f"{name}.scales", scales.reshape(-1)),
        "",
        "",
        graph.constant(f"{name}.b", weights.floats(f"{name}.b")),
        out=name,
        N=blocks.shape[0],
        K=blocks.shape[1] * block,
        bits=_BITS,
        block_size=block,
        accuracy_level=_INTEGER_ACTIVATIONS,
    )


def body(weights: Weights, linear: Linear = four_bits) -> bytes:
    """Return the model file of the body: `words` and `mask` in, `vectors` out."""
    graph, width = Graph(), weights.measures.width
    norm = (_known(graph, weights, "emb.ln.w"), _known(graph, weights, "emb.ln.b"))
    rows = graph.node("LayerNormalization", "words", *norm, out="rows", axis=-1, epsilon=weights.measures.epsilon)
    for number in range(weights.measures.layers):
        rows = _layer(graph, weights, linear, f"l{number}", rows)
    shown = graph.node("Cast", "mask", out="shown", to=_KINDS["float32"])
    import numpy as np

    second, third = (graph.constant(f"axis{axis}", np.array([axis])) for axis in (1, 2))
    shown = graph.node("Unsqueeze", shown, third, out="shown.rows")
    kept = graph.node("Mul", rows, shown, out="kept")
    # The mean of the rows and their sum are the same vector once its length is 1.
    total = graph.node("ReduceSum", kept, second, out="total", keepdims=0)
    graph.node("LpNormalization", total, out="vectors", axis=-1, p=2)
    return graph.model(
        end(11, "words", "float32", "texts", "tokens", width),
        end(11, "mask", "int32", "texts", "tokens"),
        end(12, "vectors", "float32", "texts", width),
    )


def _layer(graph: Graph, weights: Weights, linear: Linear, name: str, rows: str) -> str:
    looking = [linear(graph, weights, f"{name}.{part}", rows) for part in "qkv"]
    heads = weights.measures.heads
    seen = graph.contributed("MultiHeadAttention", *looking, "", "mask", out=f"{name}.seen", num_heads=heads)
    rows = _added(graph, weights, f"{name}.aln", rows, linear(graph, weights, f"{name}.ao", seen))
    thought = graph.node("Gelu", linear(graph, weights, f"{name}.fi", rows), out=f"{name}.thought")
    return _added(graph, weights, f"{name}.oln", rows, linear(graph, weights, f"{name}.fo", thought))


def _added(graph: Graph, weights: Weights, name: str, rows: str, more: str) -> str:
    norm = (_known(graph, weights, f"{name}.w"), _known(graph, weights, f"{name}.b"))
    epsilon = weights.measures.epsilon
    return graph.contributed("SkipLayerNormalization", rows, more, *norm, out=name, epsilon=epsilon)


def _known(graph: Graph, weights: Weights, name: str) -> str:
    return graph.constant(name, weights.floats(name))
