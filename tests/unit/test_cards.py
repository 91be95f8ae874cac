import pytest

from recollect.domain.cards import BUILTIN_CARD, OUTSIDE_WEIGHT, card_of


@pytest.mark.parametrize(
    ("cosine", "script", "closeness"),
    [
        (0.65, "latin", 0),
        (0.83, "latin", 1),
        (0.74, "latin", 0.5),
        (0.73, "han", 0),
        (0.805, "han", 0.5),
        (1, "han", 1),
    ],
)
def test_a_cosine_means_what_its_script_says(cosine, script, closeness):
    assert BUILTIN_CARD.closeness(cosine, script) == pytest.approx(closeness)


def test_nothing_is_closer_than_close_and_farther_than_far():
    assert BUILTIN_CARD.closeness(-1.0, "latin") == 0 and BUILTIN_CARD.closeness(1.0, "latin") == 1


def test_the_builtin_model_decides_half_in_both_scripts():
    assert (BUILTIN_CARD.weight("latin"), BUILTIN_CARD.weight("han")) == (0.5, 0.5)


def test_an_unknown_model_is_trusted_little():
    card = card_of("text-embedding-3-small", 1536)
    assert (card.weight("latin"), card.weight("han")) == (OUTSIDE_WEIGHT, OUTSIDE_WEIGHT)
    assert (card.closeness(0.2, "han"), card.closeness(0.7, "latin")) == (0, 1)
    assert card.prefix("query") == card.prefix("passage") == ""
    assert card.model == "text-embedding-3-small/as-served/plain"


@pytest.mark.parametrize("name", ["multilingual-e5-large", "intfloat/multilingual-e5-base", "e5-small-v2", "e5-large"])
def test_the_family_of_e5_is_known_by_name(name):
    card = card_of(name, 384)
    assert (card.prefix("query"), card.prefix("passage")) == ("query: ", "passage: ")
    assert card.tells_roles_apart
    assert (card.closeness(0.75, "latin"), card.closeness(0.88, "latin")) == (0, 1)
    assert card.weight("latin") == 0.5
    assert card.weight("han") == (0.5 if "multilingual" in name else OUTSIDE_WEIGHT)


@pytest.mark.parametrize("name", ["e5-query", "bge-small", "mie5-small-talk", "e5"])
def test_other_names_are_not_of_the_family(name):
    assert not card_of(name, 384).tells_roles_apart


def test_what_is_put_before_a_text_is_part_of_the_name():
    names = {
        card_of("mine", 8, prefixes).model
        for prefixes in (None, ("ask: ", ""), ("", "ask: "), ("query: ", "passage: "))
    }
    assert len(names) == 4


def test_probes_calibrate_one_script():
    card = card_of("mine", 8).measured("han", unrelated=[0.1, 0.3], related=[0.5, 0.7])
    assert (card.han.lo, card.han.hi) == pytest.approx((0.2, 0.6))
    assert (card.weight("han"), card.weight("latin")) == (0.5, OUTSIDE_WEIGHT)
    assert card.latin == card_of("mine", 8).latin
    latin = card.measured("latin", unrelated=[0.0], related=[1.0])
    assert latin.latin.hi == 1.0 and latin.han == card.han and latin.trusted == {"latin", "han"}


def test_probes_that_tell_nothing_change_nothing():
    card = card_of("mine", 8)
    assert card.measured("han", unrelated=[0.5], related=[0.5]) == card
