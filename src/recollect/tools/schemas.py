"""The JSON schemas of the tools: flat objects whose optional properties may be null, so that null and absent agree."""

from collections.abc import Mapping, Sequence
from copy import deepcopy

from recollect.domain.record import TYPES
from recollect.prompts.texts import ToolText, texts
from recollect.tools.spec import ToolSpec

ACTIONS = ("create", "update", "delete")
LIMITS = {"memory_recall": 5, "memory_list": 10}

_CHOICES = {"action": ACTIONS, "type": TYPES}
_INTEGERS = ("id", "limit")
_WORDS = ("name", "type", "content", "description")

# Of each tool the parameters in their order, and those that no call can leave out. A tool that also deletes can demand
# no more than its action; what an action needs, the verbs check.
_Shapes = Mapping[str, tuple[Sequence[str], Sequence[str]]]
_READING: _Shapes = {
    "memory_recall": (("query", "type", "limit"), ("query",)),
    "memory_list": (("type", "limit", "cursor"), ()),
}
_ONE_WRITES: _Shapes = {"memory_save": (("action", *_WORDS, "id"), ("action",)), **_READING}
_THREE_WRITE: _Shapes = {
    "memory_save": (_WORDS, ("name", "type", "content")),
    "memory_update": (("id", *_WORDS), ("id",)),
    "memory_delete": (("id",), ("id",)),
    **_READING,
}


def tool_specs(language: str, *, split: bool) -> tuple[ToolSpec, ...]:
    """Return one of the two sets of tools."""
    words = texts(language)
    said, shapes = (words.split_tools, _THREE_WRITE) if split else (words.tools, _ONE_WRITES)
    return tuple(_spec(name, said[name], *shape) for name, shape in shapes.items())


def strict(parameters: Mapping[str, object]) -> dict[str, object]:
    """Return a schema as strict modes want it: every property required, none other allowed, no default."""
    properties: dict[str, dict[str, object]] = deepcopy(parameters["properties"])  # pyright: ignore[reportAssignmentType]
    for shown in properties.values():
        shown.pop("default", None)
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _spec(tool: str, said: ToolText, parameters: Sequence[str], required: Sequence[str]) -> ToolSpec:
    properties = {
        name: _property(name, said.parameters.get(name), nullable=name not in required) for name in parameters
    }
    if "limit" in properties:
        properties["limit"]["default"] = LIMITS[tool]
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(name=tool, label=said.label, description=said.description, parameters=schema)


def _property(name: str, text: str | None, *, nullable: bool) -> dict[str, object]:
    kind = "integer" if name in _INTEGERS else "string"
    shown: dict[str, object] = {"type": [kind, "null"] if nullable else kind}
    if name in _CHOICES:
        shown["enum"] = [*_CHOICES[name], None] if nullable else [*_CHOICES[name]]
    if text is not None:
        shown["description"] = text
    return shown
