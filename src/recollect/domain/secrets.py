"""What must not be remembered by accident: keys, passwords, identity and card numbers, one-time codes; pure.

A pattern is bounded where its match may be looked into again, and unbounded only where the match is used up, so that
a hostile text costs time in proportion to its length. Where it can, a pattern begins with a letter and looks back past
it, because a search skips quickly to a letter and not to a look behind. No rule refuses a match for a neighbour that
another rule could take away, so masking one secret never uncovers the next.
"""

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple
from unicodedata import normalize


class Secret(NamedTuple):
    """A stretch of text that must not be kept, and the name of the rule that says so."""

    rule: str
    start: int
    end: int


class _Rule(NamedTuple):
    """What to search for in the lower-case text once one of the words occurs in it; without words, always."""

    name: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    span: Callable[[re.Match[str]], tuple[int, int] | None]  # an empty one is stepped over, None is looked into


# Circled and raised digits are left alone: they are list marks and footnotes and would join the number beside them.
_FOLDED_RANGES = ((0xA0, 0xA0), (0x3000, 0x3000), (0xFF0D, 0xFF5A), (0x1D400, 0x1D7FF), (0x1FBF0, 0x1FBF9))
_FOLDS = {
    code: plain
    for first, last in _FOLDED_RANGES
    for code in range(first, last + 1)
    if re.fullmatch("[A-Za-z0-9 _-]", plain := normalize("NFKC", chr(code)))
}
_FOLDABLE = re.compile(
    "[\xa0\u3000\uff0d\uff10-\uff19\uff21-\uff3a\uff3f-\uff5a\U0001d400-\U0001d7ff\U0001fbf0-\U0001fbf9]"
)

_UNSEEN = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_GAP = r"[ \-\u2010-\u2015]"
_TOKEN_RUN = re.compile(r"[!-~]*")
_KEY_PART = re.compile(r"[a-z0-9]{16,}")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_KEY_BODY = re.compile(r"[a-z0-9+/]{32}")

_VENDOR_KEY = re.compile(
    r"""(?<![a-z0-9])(?:
      gh[oprsu]_[a-z0-9]{30,}
    | github_pat_[a-z0-9_]{22,}
    | glpat-[a-z0-9_\-]{20,}
    | akia[a-z0-9]{16}(?![a-z0-9])
    | ltai[a-z0-9]{12,26}(?![a-z0-9])
    | akid[a-z0-9]{28,36}(?![a-z0-9])
    | aiza[a-z0-9_\-]{30,}
    | xox[abeoprs]-[a-z0-9\-]{10,}
    | [sr]k_live_[a-z0-9]{16,}
    | npm_[a-z0-9]{30,}
    | hf_[a-z0-9]{30,}
    | eyj[a-z0-9_\-]{8,512}+\.eyj[a-z0-9_\-]{8,4096}+\.[a-z0-9_\-]{8,}
    )""",
    re.VERBOSE,
)
_SK_KEY = re.compile(r"sk-(?<![a-z0-9]sk-)[a-z0-9_\-]{20,}")
_KEY_ASSIGNMENT = re.compile(
    r"""(?:(?:api|secret|access|auth|private)[_\ -]?key|token|secret|密钥|秘钥|令牌)
    ["'`]?\s{0,3}(?:[:=\uff1a\uff1d]{1,2}|is\b|是|为)\s{0,3}["'`“]?(?P<value>[a-z0-9_\-./+=]{16,})""",
    re.VERBOSE | re.ASCII,
)
_AUTHORIZATION = re.compile(r"(?:bearer|basic)\s{1,3}(?P<value>[a-z0-9_\-./+=~]{16,})")
_PRIVATE_KEY = re.compile(
    r"-----begin [a-z0-9 ]{0,40}private key(?: block)?-----"
    r"(?P<body>(?:[a-z0-9+/=\s\\:,.()]|-(?!----))*+)"
    r"(?:-----end [a-z0-9 ]{1,60}-----)?"
)

_ID_CARD = re.compile(rf"[1-9](?<![0-9a-z].)[0-9]{{5}}{_GAP}?[12][0-9]{{7}}{_GAP}?[0-9]{{3}}[0-9x](?![0-9a-z])")
_ID_REGIONS = frozenset(
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83".split()
)
_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_NOT_DIGITS = re.compile("[^0-9]")

# A number with a decimal point is stepped over whole: its long fraction would pass for a card one time in ten.
_BANK_CARD = re.compile(
    rf"""[0-9](?<![0-9a-z].)(?:
      (?P<fraction>[0-9]{{0,11}}\.[0-9]+)
    | [0-9]{{12,18}}
    | [0-9]{{3}}(?P<gap>{_GAP})[0-9]{{4}}(?P=gap)[0-9]{{4}}(?P=gap)[0-9]{{1,4}}(?P<last>(?P=gap)[0-9]{{1,3}}(?![0-9]))?
    | [0-9]{{3}}{_GAP}[0-9]{{6}}{_GAP}[0-9]{{4,5}}
    | [0-9]{{5}}{_GAP}[0-9]{{10,13}}
    )(?![0-9a-z])""",
    re.VERBOSE,
)
_ISSUERS = re.compile(
    r"""4[0-9]{12}(?:[0-9]{3}){0,2}                                          # Visa
    | 5[1-5][0-9]{14} | 2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}  # Mastercard
    | 3[47][0-9]{13} | 3(?:0[0-5]|[689][0-9])[0-9]{11} | 35[0-9]{14}         # American Express, Diners, JCB
    | (?:6011|64[4-9][0-9]|65[0-9]{2})[0-9]{12,15}                           # Discover
    | 62[0-9]{14,17} | 9558[0-9]{15}                                         # UnionPay, ICBC before it""",
    re.VERBOSE,
)
_LUHN_DOUBLED = str.maketrans("0123456789", "0246813579")

_CODE_WORD = r"""(?:验证码|校验码|动态码|动态密码|动态口令|一次性密码|otp(?<![a-z0-9]otp)\b|passcode
    |verification\ code|security\ code|authentication\ code|login\ code|sms\ code|2fa\ code|mfa\ code
    |one-time\ (?:code|password|pin)|one\ time\ (?:code|password|pin))"""
# A date, a decimal number, a length or a duration after the word is not the code.
_CODE_DIGITS = r"""(?P<value>[0-9]{4,8}|[0-9]{3}[ -][0-9]{3})
    (?![0-9a-z%]|\.[0-9]|[-/][0-9]{1,2}(?![0-9])|\s?(?:[年月日位秒分次个元条]|(?:digit|second|minute|time|char)))"""
_CODE_AFTER = re.compile(
    rf"""{_CODE_WORD}["'`”」]?(?:\s{{1,3}}is\b|是|为)?[\s:=\uff1a\uff1d—\-]{{0,4}}["'`“「【(\uff08]?(?:g-)?{_CODE_DIGITS}""",
    re.VERBOSE | re.ASCII,
)
_CODE_BEFORE = re.compile(
    rf"""(?P<value>[0-9](?<![0-9a-z.].)(?:[0-9]{{3,7}}|[0-9]{{2}}[ -][0-9]{{3}}))
    (?:\ is\ (?:your|the)\ (?:[a-z]{{1,20}}\ ){{0,2}}|\s?(?:是|为|[(\uff08])(?:您|你|本次)?的?[\u4e00-\u9fff]{{0,8}}?)
    {_CODE_WORD}""",
    re.VERBOSE | re.ASCII,
)

_PASSWORD = re.compile(
    r"""[p密口](?:
      (?:assword|asswd|assphrase|wd(?<![a-z0-9]pwd))["'`]?
      (?:\s{0,3}[:=\uff1a\uff1d]{1,2}>?|\s{1,3}(?:is|was)(?:\s{0,2}[:\uff1a]|(?=\s)))
    | [码令]["'`”」]?\s{0,3}
      (?:[:=\uff1a\uff1d]|(?:现在|已经?)?(?:就?是|改?为|改成|换成|设成|设置?为)[:\uff1a]?|(?P<bare>\s))
    )\s{0,3}(?P<quote>["'`]?)[“「]?(?P<value>[!-~]{4,128})""",
    re.VERBOSE | re.ASCII,
)
# A placeholder, a variable, a call, a dotted name, an address, a path; a length, a range, a date.
_NOT_PASSWORD = re.compile(
    r"""[<\[{(] | [*.x•-]+\Z | \$\{ | \$[a-z_]+\Z | %\w+%\Z | [a-z_][\w.]*[(\[] | [a-z_]+(?:\.[a-z_]+)+\Z
    | [a-z]+:// | ~?/[\w.-]+/ | [0-9]{1,3}(?:[-~][0-9]{1,3})?(?:-[a-z]+)?[+%]?\Z
    | [0-9]{4}[-/.][0-9]{1,2}(?:[-/.][0-9]{1,2})?\Z""",
    re.VERBOSE | re.ASCII,
)
_COMMON_WORDS = frozenset(
    """1password aes128 aes256 again argon2 argon2id base64 bcrypt bitwarden blank bool changed changeme char correct
    default demo disabled done empty enabled encrypted example expired false field forgot forgotten hashed
    hidden incorrect input invalid keepass keyring lastpass lost masked missing none null optional pass passwd
    password policy prompt protected pwd redacted removed required reset rotated same scrypt secret sha1 sha256
    sha512 strength string strong tbd test text token true unchanged undefined unknown unset user utf8 value
    varchar weak wrong xxx""".split()
)
_CREDENTIAL = re.compile(r"""://[^\s/:@?#]{0,64}:(?P<value>[^\s/"'`<>]{3,128})@(?=[a-z0-9\[])""")
_PIN = re.compile(
    rf"""pin(?<![a-z0-9]pin)(?:
      码["'`]?\s{{0,3}}(?:[:=\uff1a\uff1d]|是|为|\s)
    | (?:\ number)?["'`]?\s{{0,3}}(?:[:=\uff1a\uff1d]|is\b|是|为)
    )\s{{0,3}}["'`“「]?{_CODE_DIGITS}""",
    re.VERBOSE | re.ASCII,
)
_UNIT = re.compile(r"\s?(?:[年月日位个天次字小分秒元]|char|digit|letter|day|hour|minute|second|time|user|attempt)")
_TOLD_OF = ("忘记", "找回", "重置", "修改")
_TRAILING = ".,;:?)]}>\"'`"
_LINE_END = re.compile(r"[ \t]{0,8}(?:\Z|[\r\n。、”」\uff01\uff09\uff0c\uff1b])")
_MASK = re.compile(r"\[(?:private_key|api_key|id_card|bank_card|one_time_code|password)\]")


def _whole(match: re.Match[str]) -> tuple[int, int]:
    return match.span()


def _value(match: re.Match[str]) -> tuple[int, int]:
    return match.span("value")


def _looks_random(value: str) -> bool:
    parts: list[str] = _KEY_PART.findall(value)
    return any(len(set(part)) >= 8 and not part.isalpha() and not part.isdigit() for part in parts)


def _sk_key(match: re.Match[str]) -> tuple[int, int]:
    return match.span() if _looks_random(match[0]) else (match.end(), match.end())


def _assigned_key(match: re.Match[str]) -> tuple[int, int]:
    value = match["value"]
    return match.span("value") if _looks_random(value) or _UUID.search(value) else (match.end(), match.end())


def _private_key(match: re.Match[str]) -> tuple[int, int] | None:
    return match.span() if _KEY_BODY.search(match["body"]) else None


def _id_card(match: re.Match[str]) -> tuple[int, int] | None:
    digits = _NOT_DIGITS.sub("", match[0][:-1])
    if digits[:2] not in _ID_REGIONS:
        return None
    try:
        born = date(int(digits[6:10]), int(digits[10:12]), int(digits[12:14]))
    except ValueError:
        return None
    check = sum(weight * int(digit) for weight, digit in zip(_ID_WEIGHTS, digits, strict=True)) % 11
    return match.span() if 1900 <= born.year < 2100 and match[0][-1] == "10x98765432"[check] else None


def _is_card(digits: str) -> bool:
    if not _ISSUERS.fullmatch(digits):
        return False
    backwards = digits[::-1]
    return (sum(map(int, backwards[::2])) + sum(map(int, backwards[1::2].translate(_LUHN_DOUBLED)))) % 10 == 0


def _bank_card(match: re.Match[str]) -> tuple[int, int] | None:
    if match["fraction"]:
        return match.end(), match.end()
    if _is_card(_NOT_DIGITS.sub("", match[0])):
        return match.span()
    # "4111 1111 1111 1111 737" may be a card and the number on its back.
    if match["last"] and _is_card(_NOT_DIGITS.sub("", match.string[match.start() : match.start("last")])):
        return match.start(), match.start("last")
    return None


def _password(match: re.Match[str]) -> tuple[int, int] | None:
    value, start = match["value"], match.start("value")
    before, closed, _ = value.partition(match["quote"] or "\n")
    core = before.rstrip(_TRAILING)
    ended = closed != "" or before[len(core) :].startswith((".", ",", ";"))
    if _MASK.search(before) or not _is_password(core, match, ended=ended):
        return None
    rest = None if closed else _TOKEN_RUN.match(match.string, match.end())
    return start, start + len((before + rest[0] if rest else before).rstrip(_TRAILING))


def _credential(match: re.Match[str]) -> tuple[int, int] | None:
    """A password inside an address, unless it stands for one or is no better than the name before it."""
    value = match["value"]
    user = match.string[match.start() + 3 : match.start("value") - 1]
    harmless = value in _COMMON_WORDS or value == user or _MASK.search(value) or _NOT_PASSWORD.match(value)
    return None if harmless else match.span("value")


def _is_password(core: str, match: re.Match[str], *, ended: bool) -> bool:
    first, _, rest = re.sub("[,;&].*", "", core).partition("-")
    if len(core) < 4 or _NOT_PASSWORD.match(core) or (first in _COMMON_WORDS and not re.search("[0-9]", rest)):
        return False
    start, after = match.start("value"), match.start("value") + len(core)
    ended = ended or _LINE_END.match(match.string, after) is not None
    digits = any("0" <= character <= "9" for character in core)
    letters = any(character.isalpha() for character in core)
    if match["bare"]:
        told_of = match.string[max(0, match.start() - 2) : match.start()] in _TOLD_OF
        is_number = len(core) <= 8 and core.isdigit() and not told_of
        return digits and ended and (letters or is_number)
    if digits and not letters:
        return not _UNIT.match(match.string, after)
    if digits or any(mark in core for mark in "!@#$%^&*+?~|\\"):
        return True
    # A lone word is a password only where it is given as one and nothing follows it.
    return ended and "_" not in core and any(sign in match.string[match.start() : start] for sign in ":=\uff1a\uff1d")


_CODE_HINTS = ("验证码", "校验码", "动态", "一次性密码", "otp", "code", "one-time", "one time")

# Where two rules claim the same text the earlier row names it.
_RULES = (
    _Rule("private_key", ("-----begin",), _PRIVATE_KEY, _private_key),
    _Rule(
        "api_key",
        ("_", "glpat-", "akia", "ltai", "akid", "aiza", "xox", "eyj"),
        _VENDOR_KEY,
        _whole,
    ),
    _Rule("api_key", ("sk-",), _SK_KEY, _sk_key),
    _Rule("api_key", ("key", "token", "secret", "密钥", "秘钥", "令牌"), _KEY_ASSIGNMENT, _assigned_key),
    _Rule("api_key", ("bearer", "basic"), _AUTHORIZATION, _assigned_key),
    _Rule("id_card", (), _ID_CARD, _id_card),
    _Rule("bank_card", (), _BANK_CARD, _bank_card),
    _Rule("one_time_code", _CODE_HINTS, _CODE_AFTER, _value),
    _Rule("one_time_code", _CODE_HINTS, _CODE_BEFORE, _value),
    _Rule("password", ("passw", "passphrase", "pwd", "密码", "口令"), _PASSWORD, _password),
    _Rule("password", ("://",), _CREDENTIAL, _credential),
    _Rule("password", ("pin",), _PIN, _value),
)


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return what looks like a secret in `text`, in order and apart, by offsets into `text` as given."""
    if not text.isascii() and _UNSEEN.search(text):
        return _find_behind(text)
    plain = text if text.isascii() or not _FOLDABLE.search(text) else text.translate(_FOLDS)
    lower = plain.replace("\u0130", "i").lower()  # the one letter whose lower case is longer
    claims: list[tuple[int, int, int]] = []
    for rank, (_, words, pattern, span) in enumerate(_RULES):
        if words and not any(map(lower.__contains__, words)):
            continue
        match = pattern.search(lower)
        while match:
            claimed = span(match)
            if claimed and claimed[0] < claimed[1]:
                claims.append((*claimed, rank))
            match = pattern.search(lower, claimed[1] if claimed else match.start() + 1)
    return _apart(claims) if claims else ()


def _find_behind(text: str) -> tuple[Secret, ...]:
    """Look through what nobody sees: a word is the same with a zero-width character in it."""
    places = [at for at, character in enumerate(text) if not _UNSEEN.match(character)]
    found = find_secrets("".join(text[at] for at in places))
    return tuple(Secret(rule, places[start], places[end - 1] + 1) for rule, start, end in found)


def _apart(claims: list[tuple[int, int, int]]) -> tuple[Secret, ...]:
    claims.sort()
    joined: list[tuple[int, int, int]] = []
    for start, end, rank in claims:
        if joined and start < joined[-1][1]:
            first, last, best = joined.pop()
            joined.append((first, max(last, end), min(best, rank)))
        else:
            joined.append((start, end, rank))
    return tuple(Secret(_RULES[rank].name, start, end) for start, end, rank in joined)


def mask_secrets(text: str) -> str:
    """Return `text` with `[rule]` in the place of every secret; a text without one is returned as it is."""
    secrets = find_secrets(text)
    if not secrets:
        return text
    parts: list[str] = []
    kept = 0
    for rule, start, end in secrets:
        parts += (text[kept:start], f"[{rule}]")
        kept = end
    return "".join((*parts, text[kept:]))
