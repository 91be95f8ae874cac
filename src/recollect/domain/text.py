"""Rules for plain text: folding, fingerprints, cutting at a seam, and how many tokens a text will cost."""

import hashlib
import re
import unicodedata
from functools import lru_cache

from recollect.domain.visible import is_blank

# Han, kana and hangul in normal form, for use inside a character class. A few small scripts lie between them; fewer
# ranges are compiled several times faster.
CJK = "\u3005-\u3007\u3041-\ud7fb\U00020000-\U0003ffff"
_CJK_RUN = re.compile(f"[{CJK}\u1100-\u11ff\uf900-\ufaff\uff66-\uff9f]+")
_EMOJI_RUN = re.compile("[\u231a\u231b\u23e9-\u23f3\u2600-\u27bf\u2b50\u2b55\U0001f000-\U0001faff]+")

# Bringing stacked marks into canonical order takes the square of their number. Longer stacks are therefore divided by
# a joiner that shows nothing, in any text that is long enough for it to matter. The class means: neither a word
# character nor a space (which no mark is), or a half-width sound mark, which becomes a mark.
_MARKS_IN_A_ROW = 30
_NO_STACK_HURTS = 512
_STACK = re.compile(r"(?:[^\w\s\x00-\x7f\u034f]|[\uff9e\uff9f])" + f"{{{_MARKS_IN_A_ROW + 1},}}+")

_ELLIPSIS = "…"

# Measured: 4.3 Latin characters a token, 0.85 tokens a Han, kana or hangul character, one an emoji, and 15 % to be
# safe. Whole numbers keep the rounding the same everywhere.
_TOKEN = 4_300
_LATIN_SHARE, _CJK_SHARE, _EMOJI_SHARE = 1_000, 3_655, 4_300

_AGES = {"zh": ("今天", "昨天", "{days} 天前"), "en": ("today", "yesterday", "{days} days ago")}


def nfkc(text: str) -> str:
    """Return the text in compatibility form, in time that grows with its length only."""
    if text.isascii():
        return text
    if len(text) > _NO_STACK_HURTS:
        text = _STACK.sub(_divide, text)
    return unicodedata.normalize("NFKC", text)


def _divide(stack: re.Match[str]) -> str:
    run = stack.group()
    if not any(unicodedata.category(character).startswith("M") for character in run):
        return run
    return "\u034f".join(run[at : at + _MARKS_IN_A_ROW] for at in range(0, len(run), _MARKS_IN_A_ROW))


@lru_cache(maxsize=16)
def fold(text: str) -> str:
    """Return what two texts have in common that differ only in width, case and white space."""
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", nfkc(text).casefold())  # case folding can take characters apart
    return " ".join(folded.split())


def fingerprint(*parts: str) -> bytes:
    """Return 32 bytes that are equal for equal folded parts, and for nothing else."""
    digest = hashlib.sha256()
    for part in parts:
        folded = fold(part).encode("utf-8", "surrogatepass")
        digest.update(len(folded).to_bytes(8, "big"))  # so that no part can pass for two
        digest.update(folded)
    return digest.digest()


def first_line(text: str, limit: int = 60) -> str:
    """Return the first line that is not blank, as a title of at most `limit` characters; "" if there is none."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return next((cut(line, limit) for line in lines if not is_blank(line[:limit])), "")


def cut(text: str, limit: int) -> str:
    """Return at most `limit` characters, ending with … where something is missing.

    Words and what a reader sees as one character stay whole; a word too long for half the room is cut inside.
    """
    if len(text) <= limit:
        return text
    if limit < 1:
        return ""
    end = limit - len(_ELLIPSIS)
    seam = end
    while seam > end // 2 and not _between_words(text, seam):
        seam -= 1
    if not _between_words(text, seam):
        seam = end
        while seam > 0 and not _between_graphemes(text, seam):
            seam -= 1
    return text[:seam].rstrip(" \t\r\n,;:，；：、") + _ELLIPSIS


def _between_words(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at : at + 1]
    joined = after.isalnum() and (before.isalnum() or _extends(before))
    inside = joined and not _CJK_RUN.match(before) and not _CJK_RUN.match(after)
    return not inside and _between_graphemes(text, at)


def _between_graphemes(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at : at + 1]
    if not before or not after:
        return True
    if before == "\u200d" or _extends(after):
        return False
    if not (_is_flag_half(before) and _is_flag_half(after)):
        return True
    halves = 0
    while halves < at and _is_flag_half(text[at - 1 - halves]):
        halves += 1
    return halves % 2 == 0


def _extends(character: str) -> bool:
    """Say whether the character changes the one before it: marks, joiners, skin tones, tags, medial jamo."""
    if character < "\u0300":
        return False
    code = ord(character)
    return (
        unicodedata.category(character).startswith("M")
        or code == 0x200D
        or 0x1F3FB <= code <= 0x1F3FF
        or 0xE0020 <= code <= 0xE007F
        or 0x1160 <= code <= 0x11FF
    )


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def estimate_tokens(text: str) -> int:
    """Return how many tokens a model is likely to count, rather too many than too few; 0 for no text."""
    return -(-115 * weigh(text) // (100 * _TOKEN))


def weight_of(tokens: int) -> int:
    """Return the most that a text of so many tokens can weigh."""
    return tokens * 100 * _TOKEN // 115


def weigh(text: str) -> int:
    """Return what a text weighs in tokens, unrounded: texts one after the other weigh as much as they do together."""
    cjk = emoji = 0
    if not text.isascii():
        cjk = sum(map(len, _CJK_RUN.findall(text)))
        emoji = sum(map(len, _EMOJI_RUN.findall(text)))
    latin = len(text) - cjk - emoji
    return latin * _LATIN_SHARE + cjk * _CJK_SHARE + emoji * _EMOJI_SHARE


def age_text(days: int, language: str) -> str:
    """Return how long ago that was, as a reader would say it in "zh" or "en"."""
    today, yesterday, earlier = _AGES[language]
    if days < 1:
        return today
    return yesterday if days == 1 else earlier.format(days=days)
