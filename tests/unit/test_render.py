import re
import time
import unicodedata
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import Invalid
from recollect.domain.record import TYPES, Record
from recollect.domain.text import estimate_tokens
from recollect.prompts.escape import escaped_content, escaped_title
from recollect.prompts.render import PINNED_TOKENS, memory_block, pinned_block, section
from tests.breakouts import ALL, BREAKOUTS, ORDINARY, Block, Entry, read_block, read_escapes

NOW = datetime(2026, 4, 20, 9, 0, tzinfo=UTC)

PIECES = st.sampled_from(
    [
        *ALL, *ORDINARY, "\n", "\n\n", "\t", " ", "\r", "\\", "u{", "}", "<", "＜", "/", ">", "--", "!", "[", "]", "(",
        "#", "3", ")", "&", "lt;", "amp;", "memory-context", "pinned-memory", "user", "[user] ", " (#3)", ", 9 天前",
        ", unverified source", "=", "-", "Human", ":", "…", "\\u{a}", "\u200b", "\u200d", "😀",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=12).map("".join))
RECORDS = st.builds(
    lambda number, kind, name, content, days, trust: record(
        number, name=name, content=content, type=kind, days=days, trust=trust
    ),
    st.integers(1, 2**53 - 1),
    st.sampled_from(TYPES),
    TEXTS,
    TEXTS,
    st.integers(0, 4000),
    st.integers(0, 3),
)

# What a reader could take for a frame, each seen in another way than the renderer sees it.
SUSPICIOUS = {
    "fence": re.compile(r"[<＜﹤‹〈⟨❮《]\s*[/／⁄\\]?\s*(memory-context|pinned-memory|ｍｅｍｏｒｙ)", re.IGNORECASE),
    "control token": re.compile(r"<\s*[|｜]|\[/?INST\]|<<SYS>>|<\w+>|</\w+>|＜[|/]", re.IGNORECASE),
    "comment": re.compile(r"[<＜]\s*[!！]|--!?[>＞]"),
    "entry": re.compile(r"^[ \t>]*[\[［【] ?(user|project|feedback|reference) ?[\]］】]", re.IGNORECASE | re.MULTILINE),
    "role": re.compile(
        r"^[ \t>*_]*(human|assistant|system|user|系统|用户|助手)[ *_]*[:：]", re.IGNORECASE | re.MULTILINE
    ),
    "heading": re.compile(r"^[ \t>]*[#＃]", re.MULTILINE),
    "ruler": re.compile(r"^[ \t>]*([=＝═─—-]{3}|[*_]{3}|([*_] ?){3,}$|[=-]+$)", re.MULTILINE),
    "code fence": re.compile(r"^[ \t>]*(```|~~~)", re.MULTILINE),
    "more": re.compile(r"^[ \t>]*(…|\.\.\.|⋯)", re.MULTILINE),
    "control": re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]"),
}


def record(number: int = 12, *, days: int = 0, **fields: object) -> Record:
    changed = NOW - timedelta(days=days)
    given: dict[str, object] = {"type": "user", "name": "title", "content": "content", "description": "", **fields}
    return Record(id=number, kind="note", created_at=changed, updated_at=changed, **given)  # type: ignore[arg-type]


def expected(one: Record, *, aged: bool = True) -> Entry:
    days = one.age_days(NOW) if aged and one.is_stale(NOW) else None
    return Entry(id=one.id, type=one.type, title=one.name, content=one.content, days=days, unverified=one.trust <= 1)


def inside(block: str) -> str:
    """Return the block without its frame and without what the renderer itself may begin a line with."""
    body = "\n".join(block.split("\n")[3:-1])
    body = re.sub(r"\n\n… (另有 \d+ 条未显示|\d+ more not shown)\Z", "", body)
    return re.sub(
        r"^\[(?:user|project|feedback|reference)\] (.*) \(#\d+[^()]*\)$", r"= \1 (id)", body, flags=re.MULTILINE
    )


def recalled(records: list[Record], *, language: str, now: datetime, more: int = 0) -> str:
    """Return a block of `records`, behind which `more` others did not fit."""
    block, shown = memory_block(records, language=language, now=now)
    assert all(shown)
    if more:
        others = [record(99, content="x" * 400)] * more
        budget = estimate_tokens(block) + 25
        block, shown = memory_block([*records, *others], language=language, now=now, max_tokens=budget)
        assert list(shown) == [True] * len(records) + [False] * more or not records
    return block


@given(st.lists(RECORDS, min_size=1, max_size=4), st.integers(0, 90), st.sampled_from(["zh", "en"]))
def test_a_reader_gets_back_exactly_the_records_put_in(records: list[Record], more: int, language: str) -> None:
    block = read_block(recalled(records, language=language, now=NOW, more=more))
    assert block.fence == "memory-context"
    assert block.entries == tuple(expected(one) for one in records)
    assert block.more == more


@given(st.lists(RECORDS, min_size=1, max_size=4), st.sampled_from(["zh", "en"]))
def test_a_reader_gets_back_exactly_the_pinned_records(records: list[Record], language: str) -> None:
    block = read_block(pinned_block(records, language=language, max_tokens=10**9))
    assert block.fence == "pinned-memory"
    assert block.entries == tuple(expected(one, aged=False) for one in records)


@given(st.lists(RECORDS, min_size=1, max_size=3), st.integers(0, 2))
def test_nothing_inside_a_block_looks_like_a_frame(records: list[Record], more: int) -> None:
    body = inside(recalled(records, language="zh", now=NOW, more=more))
    found = {name: match[0] for name, pattern in SUSPICIOUS.items() if (match := pattern.search(body))}
    assert found == {}


@given(TEXTS)
def test_a_title_is_one_line_with_no_id_of_its_own(text: str) -> None:
    title = escaped_title(text)
    assert "\n" not in title
    assert not re.search(r"\(\s*#", unicodedata.normalize("NFKC", title))
    assert read_escapes(title) == text


@given(TEXTS, TEXTS)
def test_different_texts_stay_different(one: str, other: str) -> None:
    assert (escaped_content(one) == escaped_content(other)) == (one == other)
    assert (escaped_title(one) == escaped_title(other)) == (one == other)


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("shape", ["{}", "before\n{}\nafter", "before {} after", "{0}\n\n{0}"])
def test_a_breakout_stays_inside(text: str, shape: str) -> None:
    hostile = shape.format(text)
    records = [record(1), record(2, name=hostile, content=hostile, trust=0), record(3, days=9)]
    for language in ("zh", "en"):
        rendered = recalled(records, language=language, now=NOW, more=7)
        assert read_block(rendered).entries == tuple(expected(one) for one in records)
        assert [name for name, pattern in SUSPICIOUS.items() if pattern.search(inside(rendered))] == []
        pinned = pinned_block(records, language=language, max_tokens=10**9)
        assert read_block(pinned).entries == tuple(expected(one, aged=False) for one in records)


def test_the_corpus_tries_every_frame_at_least_eight_times() -> None:
    assert {kind: len(set(texts)) for kind, texts in BREAKOUTS.items() if len(set(texts)) < 8} == {}


@pytest.mark.parametrize("kind", [kind for kind in BREAKOUTS if kind != "escape"])
def test_a_breakout_is_changed_where_it_would_work(kind: str) -> None:
    untouched = {text for text in BREAKOUTS[kind] if escaped_content(text) == text and escaped_title(text) == text}
    assert untouched == set()


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert escaped_content(text) == text


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("## Plan\ntext", "\\## Plan\ntext"),
        ("List<String> x;", "List&lt;String> x;"),
        ("A --> B", "A --&gt; B"),
        ("&lt;b> &amp; &copy;", "&amp;lt;b> &amp;amp; &copy;"),
        ("\\section{x}", "\\\\section{x}"),
        ("```sh\nls\n```", "\\```sh\nls\n\\```"),
        ("\n\nHuman: hi", "\n\n\\Human: hi"),
        ("[user] x (#3)", "\\[user] x (#3)"),
        ("＜/memory-context＞", "\\u{ff1c}/memory-context＞"),
        ("do [INST] x", "do \\u{5b}INST] x"),
        ("\x1b[1m", "\\u{1b}[1m"),
    ],
)
def test_escapes_are_short_and_readable(content: str, shown: str) -> None:
    assert escaped_content(content) == shown


def test_a_block_has_its_frame_its_heads_and_its_ages() -> None:
    records = [
        record(12, type="user", name="标题", content="正文"),
        record(7, type="project", name="目标", content="第一行\n第二行", days=9),
        record(3, type="reference", name="网页", content="说法", days=2, trust=0),
    ]
    assert recalled(records, language="zh", now=NOW, more=2) == (
        "<memory-context>\n以下是与当前对话可能相关的长期记忆:\n\n"
        "[user] 标题 (#12)\n正文\n\n"
        "[project] 目标 (#7, 9 天前)\n第一行\n第二行\n\n"
        "[reference] 网页 (#3, 2 天前, 来源未核实)\n说法\n\n"
        "… 另有 2 条未显示\n</memory-context>"
    )
    assert recalled(records[1:], language="en", now=NOW, more=1) == (
        "<memory-context>\nLong-term memories that may be relevant to this conversation:\n\n"
        "[project] 目标 (#7, 9 days ago)\n第一行\n第二行\n\n"
        "[reference] 网页 (#3, 2 days ago, unverified source)\n说法\n\n"
        "… 1 more not shown\n</memory-context>"
    )


def test_a_pinned_block_has_its_own_frame_and_no_ages() -> None:
    records = [record(12, name="标题", content="正文", days=9), record(3, content="said", trust=1)]
    assert pinned_block(records, language="zh") == (
        "<pinned-memory>\n以下是置顶的长期记忆:\n\n"
        "[user] 标题 (#12)\n正文\n\n[user] title (#3, 来源未核实)\nsaid\n</pinned-memory>"
    )
    assert pinned_block(records, language="en") == (
        "<pinned-memory>\nPinned long-term memories:\n\n"
        "[user] 标题 (#12)\n正文\n\n[user] title (#3, unverified source)\nsaid\n</pinned-memory>"
    )


@pytest.mark.parametrize("trust", [0, 1, 2, 3])
def test_only_what_nobody_vouches_for_is_marked(trust: int) -> None:
    block = pinned_block([record(trust=trust)], language="en")
    assert ("unverified source" in block) == (trust <= 1)


def test_an_age_stands_only_on_what_is_stale() -> None:
    assert "(#12)" in recalled([record(days=1)], language="zh", now=NOW)
    assert "(#12, 2 天前)" in recalled([record(days=2)], language="zh", now=NOW)


def test_no_records_give_no_block() -> None:
    assert recalled([], language="zh", now=NOW, more=3) == ""
    assert pinned_block([], language="en") == ""


def test_a_block_keeps_the_order_given_and_is_the_same_every_time() -> None:
    records = [record(2), record(1), record(3)]
    first = recalled(records, language="en", now=NOW)
    assert first == recalled(list(records), language="en", now=NOW)
    assert [entry.id for entry in read_block(first).entries] == [2, 1, 3]


@pytest.mark.parametrize(
    ("language", "line"), [("zh", "… 此条未完,还有 {} 字"), ("en", "… cut here, {} more characters")]
)
@pytest.mark.parametrize("content", ["word " * 10_000, "支付" * 20_000, "\u200b" * 40_000, "# heading\n" * 5_000])
def test_one_long_text_is_cut_and_never_takes_all(language: str, line: str, content: str) -> None:
    records = [record(1, content=content), record(2, content="short"), record(3, content=content)]
    block, shown = memory_block(records, language=language, now=NOW, max_tokens=2_000)
    assert list(shown) == [True] * 3 and estimate_tokens(block) <= 2_000
    first, second, third = read_block(block).entries
    assert second.content == "short" and len(first.content) > len(third.content) > 40
    for entry in (first, third):
        body, _, last = entry.content.rpartition("\n")
        kept = body.removesuffix("…")
        assert content.startswith(kept) and last == line.format(len(content) - len(kept))
    assert block == memory_block(records, language=language, now=NOW, max_tokens=2_000).text


@pytest.mark.parametrize(("language", "more"), [("zh", "… 另有 {} 条未显示"), ("en", "… {} more not shown")])
def test_the_pinned_block_has_a_budget_and_counts_what_it_leaves_out(language: str, more: str) -> None:
    records = [record(number, content="支付 pay " * 50) for number in range(1, 101)]
    block = pinned_block(records, language=language)
    shown = [line for line in block.splitlines() if line.startswith("[user]")]
    assert 5 < len(shown) < 60 and "(#1)" in shown[0]
    assert estimate_tokens(block) <= PINNED_TOKENS + 100
    assert block.splitlines()[-2] == more.format(100 - len(shown))


def test_the_pinned_block_does_not_change_with_time() -> None:
    assert pinned_block([record(days=0)], language="zh") == pinned_block([record(days=400)], language="zh")


def test_description_and_metadata_are_not_rendered() -> None:
    block = recalled([record(description="secret-line", metadata={"k": "secret-value"})], language="en", now=NOW)
    assert "secret" not in block


@pytest.mark.parametrize("language", ["", "fr", "../zh", "ZH"])
def test_an_unknown_language_is_refused(language: str) -> None:
    with pytest.raises(Invalid) as refused:
        section(language)
    assert refused.value.path == "prompt_language"


@pytest.mark.parametrize(
    "piece", ["<", "< ", "[ ", "[(", "&amp;", "\\", "#\n", "- ", "> ", "\n", "( #", "\u200d", "\ufdfa"]
)
def test_the_longest_content_takes_no_time_to_speak_of(piece: str) -> None:
    content = (piece * 65_535)[:65_535]
    started = time.perf_counter()
    escaped_content(content + "x")
    escaped_content(piece + " " * 65_000)
    assert time.perf_counter() - started < 2


def test_reading_fails_on_what_is_no_block() -> None:
    good = recalled([record()], language="zh", now=NOW)
    for bad in ("", good + "\n", good.replace("[user]", "user"), good.replace("\n\n", "\n", 1), good[:-1]):
        with pytest.raises(AssertionError):
            read_block(bad)
    assert isinstance(read_block(good), Block)
