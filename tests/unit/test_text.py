import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.domain.text import age_text, cut, estimate_tokens, fingerprint, first_line, fold, nfkc
from recollect.domain.visible import is_blank

unhurried = settings(deadline=None)  # the machine may be busy
any_text = st.text(st.characters(categories=None), max_size=200)  # surrogates, controls and all
family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
flag = "\U0001f1e8\U0001f1f3"
thumb = "\U0001f44d\U0001f3fd"


def test_fold_joins_width_case_and_white_space():
    assert fold("  Ｈｅｌｌｏ\t\n　World ") == "hello world"
    assert fold("Straße") == fold("STRASSE")
    assert fold("支付　模块") == "支付 模块"
    assert fold("e\u0301") == fold("É")


@unhurried
@given(any_text)
def test_fold_is_stable(text):
    assert fold(fold(text)) == fold(text)


@unhurried
@given(st.text(max_size=100))
def test_a_plain_text_is_normalised_as_unicode_says(text):
    assert nfkc(text) == unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize("piece", ["\u0300\u0323", "\uff9e\u0334", "\u0f73\u0301"])
def test_stacked_marks_do_not_take_quadratic_time(piece):
    started = time.process_time()
    folded = fold("a" + piece * 60_000)
    assert time.process_time() - started < 5
    assert folded != fold("a" + piece * 59_999)


def test_a_row_of_signs_is_left_alone():
    line = "─" * 600
    assert fold(line) == line


def test_fingerprints_agree_where_texts_fold_alike():
    assert fingerprint("Style", "Prefers  short answers") == fingerprint("style", "prefers short\nANSWERS ")
    assert len(fingerprint("a")) == 32


@unhurried
@given(st.lists(any_text, max_size=3), st.lists(any_text, max_size=3))
def test_fingerprints_differ_where_folded_parts_differ(some, others):
    same = [fold(part) for part in some] == [fold(part) for part in others]
    assert (fingerprint(*some) == fingerprint(*others)) is same


def test_parts_cannot_run_into_one_another():
    assert fingerprint("ab", "c") != fingerprint("a", "bc") != fingerprint("abc")
    assert fingerprint("a", "") != fingerprint("a")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        (" \n\t\n", ""),
        ("\n\n  prefers   short answers \nand more", "prefers short answers"),
        ("支付模块重构\r\n截止日期 2026-04-15", "支付模块重构"),
        ("a\u2028b", "a"),
    ],
)
def test_the_first_line_becomes_a_title(text, title):
    assert first_line(text) == title


def test_a_long_first_line_is_cut_between_words_or_han_characters():
    assert first_line("the payment module refactor is due in April", 20) == "the payment module…"
    assert first_line("支付模块重构计划由张伟负责", 8) == "支付模块重构计…"
    assert cut("antidisestablishmentarianism", 10) == "antidises…"
    assert cut("one, two", 6) == "one…"
    assert cut("short", 5) == "short"
    assert cut("anything", 0) == ""
    assert cut("anything", 1) == "…"


@pytest.mark.parametrize("whole", [family, flag, thumb, "e\u0301\u0323", "1\ufe0f\u20e3", "❤\ufe0f"])
def test_what_a_reader_sees_as_one_character_stays_whole(whole):
    text = whole * 10
    for limit in range(1, len(text)):
        kept = cut(text, limit).removesuffix("…")
        assert kept == whole * (len(kept) // len(whole))


@unhurried
@given(any_text, st.integers(0, 80))
def test_a_cut_is_a_short_beginning(text, limit):
    result = cut(text, limit)
    assert len(result) <= max(limit, 0)
    if len(text) <= limit:
        assert result == text
    elif limit:
        assert result.endswith("…")
        assert text.startswith(result[:-1])


@unhurried
@given(any_text)
def test_a_title_is_one_line(text):
    title = first_line(text)
    assert len(title) <= 60
    assert len(title.splitlines()) <= 1
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert bool(title) is any(not is_blank(line[:60]) for line in lines)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("a" * 43, 12),
        ("a" * 86, 23),
        ("中" * 20, 20),
        ("かな한글", 4),
        ("😀" * 20, 23),
        ("中a😀", 3),
    ],
)
def test_tokens_are_estimated_by_script(text, tokens):
    assert estimate_tokens(text) == tokens


@unhurried
@given(any_text, any_text)
def test_more_text_never_costs_fewer_tokens(text, more):
    assert estimate_tokens(text) <= estimate_tokens(text + more) <= estimate_tokens(text) + estimate_tokens(more)
    assert (estimate_tokens(text) == 0) is (text == "")


@pytest.mark.parametrize(
    ("days", "zh", "en"),
    [(-1, "今天", "today"), (0, "今天", "today"), (1, "昨天", "yesterday"), (2, "2 天前", "2 days ago")],
)
def test_an_age_is_said_in_both_languages(days, zh, en):
    assert (age_text(days, "zh"), age_text(days, "en")) == (zh, en)
