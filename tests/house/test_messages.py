"""Whoever reads Chinese is told as much as whoever reads English."""

import importlib
from collections.abc import Mapping
from string import Formatter

import pytest

LANGUAGES = ("en", "zh")


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def message_faults(messages: Mapping[str, Mapping[str, str]]) -> list[str]:
    faults: list[str] = []
    for key, texts in messages.items():
        faults += [f"{key} has no {language}" for language in LANGUAGES if not texts.get(language, "").strip()]
        faults += [f"{key} has {language}, which nobody asked for" for language in texts if language not in LANGUAGES]
        if len({frozenset(placeholders(text)) for text in texts.values()}) > 1:
            faults.append(f"{key} fills other places in each language")
        if any(not name.isidentifier() for text in texts.values() for name in placeholders(text)):
            faults.append(f"{key} has a place without a name")
    return faults


def test_every_message_in_both_languages() -> None:
    messages = importlib.import_module("recollect.domain.messages").MESSAGES
    assert messages
    assert message_faults(messages) == []


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        ({"en": "gone"}, "key has no zh"),
        ({"en": "gone", "zh": " "}, "key has no zh"),
        ({"en": "{id} is gone", "zh": "已删除"}, "key fills other places in each language"),
        ({"en": "{id} is gone", "zh": "{name} 已删除"}, "key fills other places in each language"),
        ({"en": "{} is gone", "zh": "{} 已删除"}, "key has a place without a name"),
        ({"en": "gone", "zh": "已删除", "de": "weg"}, "key has de, which nobody asked for"),
    ],
)
def test_a_fault_is_named(texts: dict[str, str], fault: str) -> None:
    assert fault in message_faults({"key": texts})


def test_order_and_repetition_of_places_are_free() -> None:
    assert message_faults({"key": {"en": "{a} of {b}", "zh": "{b} 之 {a},{a:>3}"}}) == []
