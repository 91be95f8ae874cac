r"""Text in which nothing hides, for prompts and terminals.

A character that cannot be seen, that moves other text about or that commands a terminal is shown as its code point,
`\u{202e}`: controls, format and bidirectional characters, zero-width and other ignorable ones, variation selectors, tag
characters, lone surrogates. What holds an emoji together stays. A backslash in front of `u{` is shown as `\u{5c}`, so
that different texts stay different and every `\u{…}` can be read back.
"""

import re

# Cc, Cf, Cs, Zl, Zp, Default_Ignorable_Code_Point and noncharacters of the first plane, without tab and newline
# and without those that depend on their neighbours.
_ALWAYS = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0d"
    r"\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SEEN = re.compile(rf"[^\s{_ALWAYS}\u200d\ufe0e\ufe0f]")
_BY_NEIGHBOURS = r"\\\u200d\ufe0e\ufe0f"
_EMOJI = (
    r"[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
# It looks back at the character just matched, because a pattern that begins with one set is searched fastest.
_HIDDEN = re.compile(
    rf"[{_ALWAYS}{_BY_NEIGHBOURS}]"
    rf"(?:(?<![{_BY_NEIGHBOURS}])"
    r"|(?<=\\)(?=u\{)"
    rf"|(?<=\u200d)(?:(?!{_EMOJI})|(?<!{_EMOJI}\u200d)(?<!{_EMOJI}\ufe0f\u200d))"
    rf"|(?<=[\ufe0e\ufe0f])(?<!{_EMOJI}.)(?!(?<=[0-9#*]\ufe0f)\u20e3))"
)


def is_blank(text: str) -> bool:
    """Tell whether there is nothing in `text` that anybody could see."""
    return not _SEEN.search(text)


def visible(text: str, *, newlines: bool = True) -> str:
    r"""Return `text` with every hidden character shown as `\u{…}`; without `newlines` tab and newline as well."""
    shown = _HIDDEN.sub(code_point, text)
    return shown if newlines else shown.replace("\t", "\\u{9}").replace("\n", "\\u{a}")


def code_point(match: re.Match[str]) -> str:
    r"""Return the one character that was matched as `\u{…}`."""
    return f"\\u{{{ord(match[0]):x}}}"
