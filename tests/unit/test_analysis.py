import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.domain.analysis import (
    FRAME_WEIGHT,
    FULL_WEIGHT,
    TERM_LIMIT,
    QueryTerm,
    index_terms,
    is_opening,
    query_terms,
)
from recollect.domain.dates import find_dates
from recollect.domain.traditional import SIMPLIFIED, TRADITIONAL

unhurried = settings(deadline=None)  # the machine may be busy
pieces = st.sampled_from(
    (
        "支付 模块 什么时候 的 軟體 4月 2026年 15日 2026-04-15 20260415 Apr 15, 2026 1,000 getUserName C++ .NET v1.2.3 "
        "it's don't https:// a.b@c.org src/app/main.py __init__ :: \\ ++ # -- かな カナ 한글 привет हिन्दी ไทย é ß "
        "İ ﬁ ㎏ １２ \u0301 \u200b \u202e \ud800 \0 😀 \n \t ' . , - _ / @ & 月 日 a A 1"
    ).split(" ")
)
hostile = st.one_of(
    st.text(st.characters(categories=None), max_size=80),
    st.lists(pieces, max_size=25).map("".join),
    st.lists(pieces, max_size=25).map(" ".join),
)


def asked(text):
    return [term.variants[0] for term in query_terms(text)]


def found_under(term, terms):
    return term in terms or (is_opening(term) and any(kept.startswith(term) for kept in terms))


def weights(text):
    return {term.variants[0]: term.weight for term in query_terms(text)}


# what becomes a term


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running Modules", {"running", "run", "modules", "modul"}),
        ("支付模块", {"支付", "付模", "模块", "块"}),
        ("かな", {"かな", "な"}),
        ("한글", {"한글", "글"}),
        ("Привет ÉCOLE हिन्दी", {"привет", "école", "हिन्दी"}),
        ("getUserName", {"getusername", "get", "user", "name"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("user_name", {"user_name", "user", "name"}),
        ("kebab-case", {"kebab-case", "kebab", "case"}),
        ("C++ C# .NET", {"c++", "c#", ".net", "net"}),
        ("a.b@c.org", {"a.b@c.org", "a.b", "c.org", "a", "b", "c", "org"}),
        ("v1.2.3", {"v1.2.3", "1.2.3"}),
        ("src/app/main.py", {"src/app/main.py", "src", "app", "main.py", "main", "py"}),
        ("std::vector", {"std::vector", "std", "vector"}),
        ("utf8 100ms", {"utf8", "utf", "8", "100ms", "100", "ms"}),
        ("3f2a9c4e iOS", {"3f2a9c4e", "ios", "io"}),
        ("What's payment's don't", {"what", "payment", "dont"}),
        ("1,000 １，０００，０００", {"1000", "1000000"}),
        ("支付C++模块", {"支付", "付", "c++", "模块", "块"}),
        ("pay\u200bment 支\u202e付", {"payment", "支付", "付"}),
        ("", set()),
        ("\0 \x1b \ud800 ?!…。", set()),
    ],
)
def test_terms_of_a_text(text, expected):
    assert set(index_terms(text)) == expected


def test_terms_are_counted():
    assert index_terms("支付，支付 pay PAY") == {"支付": 2, "付": 2, "pay": 2}


def test_an_address_is_found_whole_and_in_parts():
    terms = index_terms("see https://example.com/docs/guide.html?page=2")
    assert {"https://example.com/docs/guide.html", "example.com", "guide.html", "docs", "page", "2"} <= terms.keys()


def test_a_traditional_text_is_found_by_both_forms():
    terms = index_terms("軟體開發")
    assert {"軟體", "软体", "體開", "体开", "開發", "开发", "發", "发"} <= terms.keys()
    assert QueryTerm(variants=("軟體", "软体"), weight=FULL_WEIGHT) in query_terms("軟體")
    assert found_under(asked("软体")[0], terms) and found_under(asked("软")[0], terms)


def test_the_table_pairs_each_traditional_character_with_one_other():
    assert len(TRADITIONAL) == len(SIMPLIFIED) == len(set(TRADITIONAL)) > 2_500
    assert not set(TRADITIONAL) & set(SIMPLIFIED)
    assert dict(zip(TRADITIONAL, SIMPLIFIED, strict=True))["體"] == "体"


@pytest.mark.parametrize(
    "written",
    [
        *("2026-04-15", "2026-4-15", "2026/4/15", "2026.04.15", "20260415", "report-2026-04-15.pdf"),
        *("2026年4月15日", "2026 年 4 月 15 日", "２０２６年４月１５号", "截止日期2026-04-15前"),
        *("April 15, 2026", "Apr. 15 2026", "15 Apr 2026", "15th of April, 2026", "APRIL 15TH 2026"),
        *("deadline:2026-04-15", "2026-04-15T10:00:00Z"),
    ],
)
def test_a_date_is_the_same_however_written(written):
    terms = index_terms(f"due {written} at last")
    assert {"2026-04-15", "2026-04", "04-15", "4月"} <= terms.keys()
    assert terms["2026-04-15"] == 1


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("2026年4月15日", ("2026-04-15", "04-15")),
        ("April 15, 2026", ("2026-04-15", "04-15")),
        ("2026年4月", ("2026-04",)),
        ("April 2026", ("2026-04",)),
        ("4月15号", ("04-15",)),
        ("4月份", ("4月",)),
        ("April", ("april", "4月")),
    ],
)
def test_a_date_is_one_thing_asked(question, expected):
    assert [term.variants for term in query_terms(question)] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "2026-13-01",
        "2026-04-32",
        "20261399",
        "120260415",
        "13月",
        "0月5日",
        "may 5",
        "you may",
        "1.2026.04.15",
        "2026-2027",
        "1026-04-15",
    ],
)
def test_what_is_no_date_is_not_read_as_one(text):
    assert find_dates(text) == []


# both sides alike


@unhurried
@given(hostile)
def test_every_text_answers_its_own_question(text):
    terms = index_terms(text)
    assert [term for term in asked(text) if not found_under(term, terms)] == []


words = st.one_of(
    st.from_regex(r"[a-zA-Z]{1,12}", fullmatch=True),
    st.from_regex(r"[一-龥]{1,2}", fullmatch=True),
    st.from_regex(r"[a-z]{1,6}([A-Z][a-z]{1,6}){1,3}", fullmatch=True),
    st.from_regex(r"[a-z]{1,6}([-_./@][a-z0-9]{1,6}){1,3}", fullmatch=True),
    st.from_regex(r"v?[0-9]{1,3}(\.[0-9]{1,3}){1,3}", fullmatch=True),
    st.from_regex(r"[0-9]{1,6}", fullmatch=True),
    st.text(st.characters(categories=["Ll", "Lu", "Lo"]), min_size=1, max_size=8),
)


@unhurried
@given(st.lists(words, min_size=1, max_size=8))
def test_every_word_of_a_text_finds_it(chosen):
    terms = index_terms(" ".join(chosen))
    for word in chosen:
        assert [term for term in asked(word) if not found_under(term, terms)] == []


@unhurried
@given(st.from_regex(r"[一-龥]{2,30}", fullmatch=True), st.data())
def test_any_character_and_any_two_of_a_run_find_it(run, data):
    at = data.draw(st.integers(0, len(run) - 2))
    terms = index_terms(f"前{run}，end")
    assert run[at : at + 2] in set(asked(run[at : at + 2])) & terms.keys()
    assert asked(run[at]) == [run[at]] and found_under(run[at], terms)


@unhurried
@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=60))
def test_width_does_not_matter(text):
    wide = "".join(chr(ord(character) + 0xFEE0) for character in text)
    assert index_terms(wide) == index_terms(text)
    assert query_terms(wide) == query_terms(text)


@unhurried
@given(st.lists(st.from_regex(r"[a-zà-öа-я]{1,12}|[a-z]{2,5}[0-9]{1,4}", fullmatch=True), max_size=6), st.data())
def test_case_does_not_matter(chosen, data):
    turned = [data.draw(st.sampled_from([word.upper(), word.capitalize()])) for word in chosen]
    assert index_terms(" ".join(turned)) == index_terms(" ".join(chosen))


# hostile text


@unhurried
@given(hostile)
def test_terms_are_bounded_and_clean(text):
    for term, count in index_terms(text).items():
        assert 0 < len(term) <= TERM_LIMIT
        assert count > 0
        assert not re.search(r"[\0\s]", term)
        assert term.encode("utf-8")


@unhurried
@given(hostile, st.integers(1, 12))
def test_a_query_is_distinct_bounded_and_the_same_again(text, limit):
    terms = query_terms(text, limit)
    assert len(terms) <= limit
    assert len({term.variants[0] for term in terms}) == len(terms)
    assert terms == query_terms(text, limit)
    assert all(term.variants and len(set(term.variants)) == len(term.variants) for term in terms)
    assert all(FRAME_WEIGHT <= term.weight <= FULL_WEIGHT for term in terms)


@pytest.mark.parametrize(
    "piece",
    [
        *("a", "A", "aB", "a.", "a_", "/a", "'", "1,000,", "2026-", "jan ", "中", "什么", "4月"),
        *("\u0300\u0323", "\uff9e\u0334", "\ufdfa", "\ud800", "\0"),
    ],
)
def test_a_long_repetition_takes_no_more_than_linear_time(piece):
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    index_terms(text)
    query_terms(text)
    assert time.process_time() - started < 5


def test_a_text_of_64_kib_of_distinct_characters_is_no_trouble():
    text = "".join(map(chr, range(0x4E00, 0x9FFF))) * 3
    started = time.process_time()
    assert len(index_terms(text[:65_536])) > 20_000
    assert time.process_time() - started < 5


# weights and limits


def test_question_words_weigh_little():
    heavy = {term for term, weight in weights("支付模块什么时候截止").items() if weight == FULL_WEIGHT}
    assert heavy == {"支付", "付模", "模块", "截止"}
    english = weights("What's the deadline of the payment module?")
    assert {term for term, weight in english.items() if weight == FULL_WEIGHT} == {"deadline", "payment", "module"}


@pytest.mark.parametrize(
    "word", ["在线", "了解", "目的", "会议", "不足", "请假", "地址", "成都", "和平", "目的地", "自我", "有限"]
)
def test_content_that_looks_like_a_function_word_keeps_its_weight(word):
    assert weights(word)[word[:2]] == FULL_WEIGHT
    assert weights(f"支付{word}模块")[word[:2]] == FULL_WEIGHT


@pytest.mark.parametrize("phrase", ["为什么", "怎么", "如何", "哪里", "多少", "请问", "什麼時候", "我的", "你是"])
def test_frames_are_known_in_both_scripts(phrase):
    assert set(weights(phrase).values()) == {FRAME_WEIGHT}


def test_a_seam_beside_a_particle_weighs_little():
    found = weights("支付模块的截止日期")
    assert found["块的"] == found["的截"] == FRAME_WEIGHT
    assert found["截止"] == found["日期"] == FULL_WEIGHT


def test_the_highest_weight_of_a_repeated_term_counts():
    assert weights("什么时候，时候开始")["时候"] == FRAME_WEIGHT
    assert weights("我的目的，目的地")["目的"] == FULL_WEIGHT


@pytest.mark.parametrize(
    ("question", "character"), [("茶", "茶"), ("的", "的"), ("茶吗?", "茶"), ("哪里的茶?", "茶"), ("猫 and dogs", "猫")]
)
def test_a_character_is_asked_for_when_it_is_a_word_of_its_own(question, character):
    assert [term for term in asked(question) if is_opening(term)] == [character]


@pytest.mark.parametrize("question", ["支付模块什么时候截止", "龙井茶", "tea", "的的", "1"])
def test_no_character_is_asked_for_where_pairs_say_it(question):
    assert [term for term in asked(question) if is_opening(term)] == []


def test_over_the_limit_words_stay_before_single_characters_and_frames():
    assert asked("the 支付模块 deadline what") != []
    assert [term.variants[0] for term in query_terms("the 支付模块 deadline what", 5)] == [
        "支付",
        "付模",
        "模块",
        "deadline",
        "the",
    ]
    assert [term.variants[0] for term in query_terms("alpha beta gamma", 2)] == ["alpha", "beta"]


def test_a_compound_may_stand_for_its_parts():
    terms = {term.variants[0]: term for term in query_terms("OpenAI")}
    assert terms["open"].variants == ("open", "openai")
    assert terms["openai"].weight < FULL_WEIGHT
