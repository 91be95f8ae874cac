import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.domain.analysis import FRAME_WEIGHT, QueryTerm, index_terms, query_terms
from recollect.domain.ranking import (
    CLOSE,
    CLOSE_OF_ONE,
    PLAINLY,
    ROW_BUDGET,
    Posting,
    boosts,
    choose,
    closeness_floor,
    coverage,
    estimate_df,
    idf,
    score,
)

unhurried = settings(deadline=None)  # the machine may be busy
FLOOR = 0.30
NOTES = [
    "支付模块重构,截止日期 2026-04-15",
    "用户偏好简洁的回答,不要客套话",
    "项目使用 PostgreSQL 16,部署在上海机房",
    "张伟负责登录模块,每周三开评审会",
    "测试环境的密钥每九十天轮换一次",
    "软件开发规范见知识库首页",
    "payment module refactor, deadline 2026-04-15",
    "prefers short answers without small talk",
    "the staging cluster runs Kubernetes 1.29 in Frankfurt",
    "Maria owns the login page; reviews are on Wednesdays",
    "getUserName was renamed to fetchProfile in src/app/main.py",
    "invoices above 1,000 EUR need approval by a.b@c.org",
]


class Store:
    """The postings of one owner, as the database keeps them."""

    def __init__(self, contents, names=()):
        self.rows = []
        self.lengths = []
        for id, content in enumerate(contents, 1):
            name = index_terms(names[id - 1]) if names else {}
            body = index_terms(content)
            self.lengths.append(sum(body.values()) + sum(name.values()))
            for term in sorted(body.keys() | name.keys()):
                self.rows.append((term, id, name.get(term, 0), 0, body.get(term, 0), self.lengths[-1]))
        self.dfs = Counter(row[0] for row in self.rows)

    def coverage(self, question, shuffled=False):
        query = query_terms(question)
        wanted = set(choose(query, self.dfs))
        rows = [row for row in self.rows if row[0] in wanted]
        if shuffled:
            random.shuffle(rows)
        return coverage(query, self.dfs, len(self.lengths), sum(self.lengths), rows)

    def best(self, question):
        found = self.coverage(question)
        return max(found, key=found.__getitem__) if found else None


def asks(*variants, weight=1.0):
    return QueryTerm(variants=variants, weight=weight)


# does it find


@pytest.mark.parametrize(
    ("question", "note"),
    [
        *(("支付", 1), ("截止", 1), ("偏好", 2), ("上海", 3), ("登录", 4), ("密钥", 5), ("开发", 6)),
        *(("支付模块什么时候截止", 1), ("谁负责登录模块", 4), ("用户喜欢怎样的回答", 2), ("项目部署在哪里", 3)),
        *(("軟體開發規範", 6), ("deadline of payments", 7), ("What's the deadline of the payment module?", 7)),
        *(("Who owns the login page?", 10), ("where does the staging cluster run", 9), ("FETCHPROFILE", 11)),
        *(("getUserName", 11), ("main.py", 11), ("invoices over 1000", 12), ("a.b@c.org", 12)),
        *(("Kubernetes 1.29", 9), ("wednesday review", 10)),
    ],
)
def test_the_right_note_comes_first_and_passes_the_floor(question, note):
    store = Store(NOTES)
    assert store.best(question) == note
    assert store.coverage(question)[note] >= FLOOR


@pytest.mark.parametrize("question", ["2026年4月15日", "April 15, 2026", "4月15日", "2026-04"])
def test_a_date_finds_both_notes_that_hold_it(question):
    found = Store(NOTES).coverage(question)
    assert {id for id, value in found.items() if value >= FLOOR} == {1, 7}


@pytest.mark.parametrize("size", [3, 12])
def test_a_question_passes_the_floor_and_an_unrelated_one_does_not(size):
    store = Store(NOTES[:size])
    assert store.coverage("支付模块什么时候截止")[1] >= FLOOR
    assert store.coverage("今天天气怎么样").get(1, 0.0) < FLOOR
    english = Store([NOTES[6], NOTES[7], NOTES[8]])
    assert english.coverage("What's the deadline of the payment module?")[1] >= FLOOR
    assert english.coverage("What is the weather like today?").get(1, 0.0) < FLOOR


@pytest.mark.parametrize("question", ["今天天气怎么样", "晚饭吃什么好", "how tall is the Eiffel tower", "推荐一部电影"])
def test_nothing_relevant_stays_below_the_floor(question):
    assert max(Store(NOTES).coverage(question).values(), default=0.0) < FLOOR


def test_a_title_counts_more_than_the_text():
    store = Store(["about the roadmap and tea", "about the weather and roadmap"], names=["weather", "tea"])
    found = store.coverage("weather")
    assert found[1] > found[2]


def test_the_word_itself_beats_its_stem():
    found = Store(["deadlines", "deadline", "other"]).coverage("deadlines")
    assert found[1] > found[2] > 0


def test_the_shorter_note_wins():
    found = Store(["payment", "payment of the rent for the flat in town", "else"]).coverage("payment")
    assert found[1] > found[2] > 0


# the formula


def test_idf_is_the_textbook_one():
    assert idf(100, 10) == pytest.approx(math.log(1 + 90.5 / 10.5))
    assert idf(3, 9) == idf(3, 3) > 0
    assert idf(3, 0) > idf(3, 1)


def test_coverage_of_one_term_in_a_record_of_average_length():
    found = coverage([asks("x")], {"x": 1}, 10, 100, [("x", 7, 0, 0, 1, 10)])
    assert found == {7: round(1 / 1.3, 9)}


def test_a_later_variant_counts_a_tenth_less_and_only_the_best_one_counts():
    query = [asks("a", "b")]
    dfs = {"a": 1, "b": 2}
    rows = [("a", 1, 0, 0, 1, 10), ("b", 1, 0, 0, 1, 10), ("b", 2, 0, 0, 1, 10)]
    assert coverage(query, dfs, 10, 100, rows) == {1: round(1 / 1.3, 9), 2: round(0.9 / 1.3, 9)}


def test_what_is_known_nowhere_still_counts_as_asked():
    rows = [("a", 1, 0, 0, 1, 10)]
    alone = coverage([asks("a")], {"a": 1}, 10, 100, rows)[1]
    beside = coverage([asks("a"), asks("z")], {"a": 1}, 10, 100, rows)[1]
    framed = coverage([asks("a"), asks("z", weight=FRAME_WEIGHT)], {"a": 1}, 10, 100, rows)[1]
    assert beside < framed < alone


def test_nothing_asked_or_nothing_kept_covers_nothing():
    assert coverage([], {}, 10, 100, [("a", 1, 0, 0, 1, 10)]) == {}
    assert coverage([asks("a")], {"a": 1}, 10, 100, []) == {}
    assert coverage([asks("a")], {}, 0, 0, []) == {}


terms = st.sampled_from(["a", "b", "c", "d", "e"])
queries = st.lists(
    st.builds(
        QueryTerm,
        variants=st.lists(terms, min_size=1, max_size=3, unique=True).map(tuple),
        weight=st.sampled_from([FRAME_WEIGHT, 0.5, 1.0]),
    ),
    max_size=6,
)
counts = st.integers(0, 50)
postings = st.lists(
    st.builds(Posting, terms, st.integers(1, 9), counts, counts, counts, st.integers(1, 500)),
    max_size=40,
    unique_by=lambda row: (row.term, row.id),
)


@unhurried
@given(queries, postings, st.randoms(use_true_random=False))
def test_coverage_is_a_share_and_does_not_depend_on_the_order_of_rows(query, rows, chance):
    dfs = Counter(row.term for row in rows)
    found = coverage(query, dfs, 9, 900, rows)
    assert all(0 <= value <= 1 for value in found.values())
    shuffled = [tuple(row) for row in rows]
    chance.shuffle(shuffled)
    assert coverage(query, dfs, 9, 900, shuffled) == found


@unhurried
@given(queries, postings, st.permutations(range(6)))
def test_coverage_does_not_depend_on_the_order_of_the_question(query, rows, order):
    dfs = Counter(row.term for row in rows)
    turned = [query[at] for at in order if at < len(query)]
    found = coverage(query, dfs, 9, 900, rows)
    assert coverage(turned, dfs, 9, 900, rows) == pytest.approx(found, abs=2e-9)


@unhurried
@given(queries, postings, st.integers(0, 10))
def test_one_more_occurrence_never_covers_less(query, rows, more):
    dfs = Counter(row.term for row in rows)
    found = coverage(query, dfs, 9, 900, rows)
    richer = coverage(query, dfs, 9, 900, [row._replace(tf_content=row.tf_content + more) for row in rows])
    assert all(richer[id] >= value for id, value in found.items())


def test_shuffled_rows_rank_the_same():
    store = Store(NOTES)
    for question in ("支付模块什么时候截止", "Who owns the login page?"):
        assert store.coverage(question, shuffled=True) == store.coverage(question)


# which terms to fetch


def test_the_rarest_terms_are_fetched_as_long_as_they_fit():
    query = [asks("common"), asks("rare"), asks("middle"), asks("unknown")]
    dfs = {"common": 1_500, "rare": 3, "middle": 600}
    assert choose(query, dfs) == ("rare", "middle")
    assert choose(query, dfs, 5_000) == ("rare", "middle", "common")
    assert choose(query, dfs, 1) == ("rare",)


def test_one_known_term_is_fetched_whatever_it_costs():
    assert choose([asks("a"), asks("b")], {"a": 9_000}) == ("a",)
    assert choose([asks("a")], {"a": 0}) == ()
    assert choose([], {}) == ()


def test_variants_are_fetched_together():
    query = [asks("runs", "run"), asks("fast")]
    assert choose(query, {"runs": 1, "run": 50, "fast": 10}) == ("fast", "runs", "run")
    assert choose(query, {"runs": 1, "run": 50, "fast": 10}, 20) == ("fast",)
    assert choose([asks("runs", "run")], {"run": 5}) == ("run",)


def test_question_words_are_fetched_last():
    query = [asks("what", weight=FRAME_WEIGHT), asks("module")]
    assert choose(query, {"what": 2, "module": 900}) == ("module", "what")
    assert choose(query, {"what": 2, "module": 900}, 900) == ("module",)


@unhurried
@given(queries, st.dictionaries(terms, st.integers(0, 3_000)), st.integers(0, 4_000))
def test_a_choice_is_known_distinct_and_within_the_budget(query, dfs, budget):
    chosen = choose(query, dfs, budget)
    known = {variant for term in query for variant in term.variants if dfs.get(variant, 0)}
    assert len(set(chosen)) == len(chosen)
    assert set(chosen) <= known
    assert bool(chosen) is bool(known)
    fits = sum(dfs[term] for term in chosen) <= budget
    assert fits or any(set(chosen) <= set(term.variants) for term in query)


# how frequent a term is


@pytest.mark.parametrize(
    ("probe", "expected"),
    [
        ((7, 100, 5_000, 10, 400), 7),  # fewer than asked for: exact
        ((0, 100, 5_000, 0, 400), 0),
        ((100, 100, 1_000, 901, 1_000), 1_000),  # in each of the newest hundred
        ((100, 100, 10_000, 9_001, 10_000), 1_000),  # in each tenth
        ((100, 100, 10_000, 1, 10_000), 100),  # the cap was reached just at the oldest
        ((100, 100, 10_000, 9_901, 4_000), 4_000),  # never more than there are
    ],
)
def test_a_frequency_is_told_from_its_newest_rows(probe, expected):
    assert estimate_df(*probe) == expected


@unhurried
@given(st.integers(1, 300), st.integers(1, 10**6), st.data())
def test_an_estimate_lies_between_what_was_seen_and_what_there_is(cap, newest, data):
    oldest = data.draw(st.integers(1, newest))
    count = data.draw(st.integers(cap, cap + newest))
    estimate = estimate_df(cap, cap, newest, oldest, count)
    assert isinstance(estimate, int)
    assert cap <= estimate <= count


# the rest of a score


def test_boosts_are_named_and_small():
    assert boosts(0, 50, False) == {"recency": 0.01, "importance": 0.0, "pinned": 0.0}
    assert boosts(30, 100, True) == {"recency": 0.005, "importance": 0.03, "pinned": 0.03}
    assert boosts(60, 0, False) == {"recency": 0.0025, "importance": -0.03, "pinned": 0.0}
    assert boosts(-5, 50, False)["recency"] == 0.01
    assert boosts(1e9, 50, False)["recency"] == 0.0


@unhurried
@given(st.dictionaries(st.text(max_size=5), st.floats(-2, 2), max_size=6))
def test_a_score_is_a_share_whatever_the_order(parts):
    total = score(parts)
    assert 0 <= total <= 1
    assert score(dict(reversed(parts.items()))) == total
    assert total == round(total, 9)


def test_a_score_is_the_sum_of_its_parts():
    assert score({"coverage": 0.5, "recency": 0.04}) == 0.54
    assert score({"coverage": 0.99, "recency": 0.04}) == 1.0
    assert score({"importance": -0.03}) == 0.0
    assert ROW_BUDGET == 2_000


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_the_more_records_there_are_the_closer_one_must_be_to_count_alone(one: int, other: int) -> None:
    fewer, more = sorted((one, other))
    assert CLOSE_OF_ONE <= closeness_floor(fewer) <= closeness_floor(more) <= CLOSE < PLAINLY
