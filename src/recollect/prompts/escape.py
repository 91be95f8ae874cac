r"""Memory text made harmless for a prompt, without losing a character of it.

Hidden characters are shown as `domain.visible` shows them. Beyond that, in a title and anywhere in a content:

- `<` in front of what makes it a tag, `<!--` or `<|` becomes `&lt;`, the `>` of `-->` becomes `&gt;`, and the `&` of an
  `&lt;`, `&gt;` or `&amp;` that was there before becomes `&amp;`; a lone `a < b` stays.
- A look-alike of `<` or `>` in such a place, full-width or typographic, and the bracket of a control token such as
  `[INST]` become `\u{…}`.

A title is one line, so its tabs and newlines become `\u{…}` too, and so does the parenthesis of a `(#12)` in it. In a
content, a line that would start an entry, a chat role, a heading, a ruler, a code fence or the "n more" line gets a
backslash in front, and so does a line that starts with a backslash, unless that is the one of a `\u{…}`.

So reading back is: take one backslash from the start of each line that has one not followed by `u{`, then replace
every `\u{…}`, `&lt;`, `&gt;` and `&amp;` in one pass.
"""

import re
import unicodedata

from recollect.domain.record import TYPES
from recollect.domain.visible import code_point, visible

_SAME = "<＜﹤"  # NFKC makes all of them the first
_ALIKE = "\u2039\u3008\u2329\u27e8\u02c2\u1438\u276c\u276e\u227a\xab\u300a"  # ‹ and its like, « and 《 included
_TOKENS = r"INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_(?:CALLS|RESULTS|CONTENT)|THINK|g?MASK"
_INLINE = re.compile(
    rf"[{_SAME}{_ALIKE}>＞﹥\[［【&]"
    r"(?:"
    rf"(?<=[{_SAME}{_ALIKE}])(?=\s*+(?:[/／⁄∕⧸╱\\＼|｜¦!！?？]|memory.?context|pinned.?memory))"
    rf"|(?<=[{_SAME}])(?=[^\W\d]|0x|\s++\w[\w-]*+\s*+[>＞﹥])"
    r"|(?:(?<=--[>＞﹥])|(?<=--![>＞﹥]))"
    rf"|(?<=[\[［【])(?=\s*+[/／]?\s*+(?:{_TOKENS})\s*+[\]］】])"
    r"|(?<=&)(?=(?:lt|gt|amp);)"
    r")",
    re.IGNORECASE,
)
_NAMED = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}

_ID = re.compile(r"[(（﹙](?=\s*+[#＃﹟])")

_ROLES = "human|user|assistant|system|developer|tool|function|model|ai|用户|人类|助手|助理|系统|开发者|工具|模型"
_INDENT = re.compile(r"[\s>]*+")
_HEAD = re.compile(rf"[\[［【〔﹝].*{_ID.pattern}")
_OPENER = re.compile(
    r"[#⋯]|\.{3}|```|[-=_*~─━═—―]{3}|(?:[-=_*]\s*+)+\Z"
    rf"|[*_]*(?:{_ROLES})[*_]*\s*:"
    rf"|[\[【〔]\s*(?:{'|'.join(TYPES)}|{_ROLES})\s*[\]】〕]",
    re.IGNORECASE,
)
_OPENER_LENGTH = 64  # normalising whole lines would cost more than all the rest


def escaped_title(text: str) -> str:
    """Return `text` as one line that can stand in the head of an entry."""
    return _ID.sub(code_point, _INLINE.sub(_named, visible(text, newlines=False)))


def escaped_content(text: str) -> str:
    """Return `text` as lines none of which can be taken for anything but remembered text."""
    return "\n".join(map(_escaped_line, _INLINE.sub(_named, visible(text)).split("\n")))


def _named(match: re.Match[str]) -> str:
    return _NAMED.get(match[0]) or code_point(match)


def _escaped_line(line: str) -> str:
    if line.startswith("\\"):
        return line if line.startswith("\\u{") else f"\\{line}"
    return f"\\{line}" if _opens(line) else line


def _opens(line: str) -> bool:
    text = _INDENT.sub("", line, count=1)
    start = text[:_OPENER_LENGTH]
    if not start.isascii():
        start = unicodedata.normalize("NFKC", start)
    return bool(_OPENER.match(start) or _HEAD.match(text))
