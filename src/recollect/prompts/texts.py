"""The texts of one language, read once from the files beside this module."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from recollect.domain.checks import check_choice
from recollect.domain.messages import LANGUAGES


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolText:
    """What a model and a person read about one tool; a parameter whose name says enough has no text."""

    label: str
    description: str
    parameters: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """Everything that prompts say in one language; `tools` and `split_tools` are the two sets, by tool name."""

    section: str
    guidance: str
    lead: str
    pinned_lead: str
    age: str
    unverified: str
    more: str
    cut: str
    tools: Mapping[str, ToolText]
    split_tools: Mapping[str, ToolText]


@cache
def texts(language: str) -> Texts:
    """Return the texts of `language`, zh or en."""
    folder = files("recollect.prompts") / check_choice(language, LANGUAGES, path="prompt_language")
    section, frames, sets = (
        (folder / name).read_text(encoding="utf-8") for name in ("section.txt", "frames.json", "tools.json")
    )
    given: dict[str, dict[str, dict[str, Any]]] = json.loads(sets)
    tools = {name: ToolText(**words) for name, words in given["tools"].items()}
    split = {name: ToolText(**words) for name, words in given["split_tools"].items()}
    return Texts(section=section.removesuffix("\n"), **json.loads(frames), tools=tools, split_tools={**tools, **split})
