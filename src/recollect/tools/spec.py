"""What a tool is, and what a call of it gives back."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """One tool: what models and people read about it, and the JSON schema of its arguments."""

    name: str
    label: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call gives back: JSON text for the model, and whether it says that the call failed."""

    content: str
    is_error: bool
