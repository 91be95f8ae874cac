"""The figures of the quality bench, on rankings that were worked out by hand."""

from math import log2

import pytest

from bench.known import OWN, read_set
from bench.metrics import mean, measure, silence


def test_one_right_answer_in_third_place() -> None:
    found = measure(["a", "b", "g", "c"], ["g"])
    assert found["rank"] == 3
    assert (found["recall@1"], found["recall@5"], found["recall@10"]) == (0, 1, 1)
    assert found["rr"] == pytest.approx(1 / 3)
    assert found["ndcg@10"] == pytest.approx(1 / log2(4))  # 0.5, since the best order would have 1


def test_two_right_answers_of_which_one_comes_late() -> None:
    found = measure(["g", "a", "b", "c", "d", "h"], ["g", "h"])
    assert found["rank"] == 1
    assert (found["recall@1"], found["recall@5"], found["recall@10"]) == (0.5, 0.5, 1)
    assert (found["any@5"], found["all@5"], found["all@10"]) == (1, 0, 1)
    assert found["ndcg@10"] == pytest.approx((1 + 1 / log2(7)) / (1 + 1 / log2(3)))  # 0.8316…
    assert found["ndcg@10"] == pytest.approx(0.8316, abs=1e-4)


def test_nothing_right_and_nothing_at_all() -> None:
    for ranked in (["a", "b"], []):
        found = measure(ranked, ["g"])
        assert found["rank"] is None
        assert {found[name] for name in ("recall@10", "any@10", "all@10", "ndcg@10", "rr")} == {0}


def test_what_comes_behind_the_tenth_place_counts_for_the_rank_alone() -> None:
    found = measure([str(number) for number in range(11)] + ["g"], ["g"])
    assert (found["rank"], found["recall@10"], found["ndcg@10"]) == (12, 0, 0)
    assert found["rr"] == pytest.approx(1 / 12)


def test_an_id_that_comes_twice_counts_where_it_comes_first() -> None:
    assert measure(["a", "a", "g", "g"], ["g", "g"]) == measure(["a", "g"], ["g"])
    assert measure(["a", "a", "g"], ["g"])["rank"] == 2


def test_more_right_answers_than_places() -> None:
    gold = [str(number) for number in range(20)]
    found = measure(gold, gold)
    assert found["ndcg@10"] == pytest.approx(1)
    assert found["recall@10"] == 0.5


def test_a_question_without_an_answer_has_no_ranking() -> None:
    with pytest.raises(ValueError, match="without a right answer"):
        measure(["a"], [])


def test_the_mean_of_nothing_is_an_error() -> None:
    assert mean([0.0, 1.0, 0.5]) == 0.5
    with pytest.raises(ValueError, match="no figures"):
        mean([])


def test_silence_is_told_apart_from_loss() -> None:
    answers = [(False, 0, 0), (False, 0, 0), (False, 3, 0), (False, 0, 0)]  # three of four unanswerable got nothing
    answers += [(True, 5, 0), (True, 0, 1), (True, 0, 0), (True, 2, 1), (True, 1, 0)]  # two got nothing, two lost one
    assert silence(answers) == {
        "unanswerable": 4,
        "quiet": 0.75,
        "answerable": 5,
        "mute": pytest.approx(0.4),
        "lost": pytest.approx(0.4),
    }


def test_the_own_set_is_what_it_was_and_a_part_of_it_is_spread() -> None:
    known = read_set(OWN)
    part = known.limited(10)
    assert len(part.questions) == 10
    assert len({question.half for question in part.questions}) == 2
    assert len(part.scopes[0].items) == len(known.scopes[0].items)
    assert known.limited(0) is known
