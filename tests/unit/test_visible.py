import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.visible import visible
from tests.breakouts import ALL, BREAKOUTS, ORDINARY

ANY_CHARACTER = st.characters(categories=None)
PIECES = st.sampled_from(
    [*ALL, *ORDINARY, "\\", "u{", "}", "\\u{41}", "😀", "\u200d", "\ufe0f", "\u20e3", "1", "\n", "\t"]
)
TEXTS = st.one_of(st.text(ANY_CHARACTER), st.lists(st.one_of(PIECES, ANY_CHARACTER), max_size=8).map("".join))


def read(shown: str) -> str:
    return re.sub(r"\\u\{([0-9a-f]+)\}", lambda found: chr(int(found[1], 16)), shown)


def is_hidden(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def is_symbol(character: str) -> bool:
    return character > "\x7f" and not is_hidden(character) and unicodedata.category(character)[0] not in "LMZ"


@given(TEXTS, st.booleans())
def test_every_text_can_be_read_back(text: str, newlines: bool) -> None:
    assert read(visible(text, newlines=newlines)) == text


@given(TEXTS, st.booleans())
def test_what_is_shown_hides_nothing(text: str, newlines: bool) -> None:
    shown = visible(text, newlines=newlines)
    allowed = {"\n", "\t", "\u200d"} if newlines else {"\u200d"}
    assert {character for character in shown if is_hidden(character)} <= allowed
    for before, after in re.findall(r"(.)\ufe0f?\u200d(.)", f"a{shown}a", re.DOTALL):
        assert is_symbol(before) and is_symbol(after)


def test_every_hidden_character_of_unicode_is_shown() -> None:
    characters = map(chr, range(sys.maxunicode + 1))
    left = [f"{ord(one):04X}" for one in characters if one not in "\n\t" and is_hidden(one) and one in visible(one)]
    assert left == []


@pytest.mark.parametrize(
    "ignorable",
    ["\u034f", "\u115f", "\u1160", "\u17b4", "\u180b", "\u2065", "\u3164", "\ufe00", "\ufe0f", "\uffa0", "\ufff0",
     "\U000e0000", "\U000e0041", "\U000e01ef", "\U000e0fff"],
)  # fmt: skip
def test_ignorable_characters_that_no_category_names_are_shown(ignorable: str) -> None:
    assert visible(f"a{ignorable}b") == f"a\\u{{{ord(ignorable):x}}}b"


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("text", BREAKOUTS["hidden"])
def test_hidden_text_does_not_stay(text: str) -> None:
    assert visible(text) != text


def test_newline_and_tab_stay_only_where_lines_may_be() -> None:
    assert visible("a\tb\nc\r\n") == "a\tb\nc\\u{d}\n"
    assert visible("a\tb\nc", newlines=False) == "a\\u{9}b\\u{a}c"


@pytest.mark.parametrize("emoji", ["👨‍👩‍👧", "❤️", "☎︎", "1️⃣", "#️⃣", "🏳️‍🌈", "🏃🏽‍♀️", "👁️‍🗨️", "🐦‍⬛", "🇨🇳", "↔️", "©️"])
def test_an_emoji_stays_whole(emoji: str) -> None:
    assert visible(f"a{emoji}b") == f"a{emoji}b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("😀\u200d", "😀\\u{200d}"),
        ("\u200d😀", "\\u{200d}😀"),
        ("a\ufe0f\u200d😀", "a\\u{fe0f}\\u{200d}😀"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f\\u{fe0f}"),
        ("1\ufe0f", "1\\u{fe0f}"),
        ("a\ufe0f\u20e3", "a\\u{fe0f}\u20e3"),
        ("🏴\U000e0067\U000e007f", "🏴\\u{e0067}\\u{e007f}"),
    ],
)
def test_what_holds_no_emoji_together_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_text_that_looks_like_an_escape_is_escaped_itself() -> None:
    assert visible("\\u{202e}") == "\\u{5c}u{202e}"
    assert visible("\\\u202e") == "\\\\u{202e}"
    assert visible("C:\\users \\u0041 \\n") == "C:\\users \\u0041 \\n"
