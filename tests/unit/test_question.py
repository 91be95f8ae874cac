"""What counts of a long text: the part that asks, wherever it stands."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.recall.question import focus, question_of

RULES = "\n".join(f"- Rule {at}: ask before you send anything, and name what will happen then." for at in range(20))
LOG = "\n".join(f"2026-03-0{at % 9 + 1}T10:00:{at:02} INFO [QueueWorker] row {at * 7919} written" for at in range(60))
PROSE = "This is a sentence that says something about the sea. " * 30


@pytest.mark.parametrize(
    "question", ["when does the payment module go live?", "支付模块什么时候上线", "call Mr. Quill"]
)
@pytest.mark.parametrize("pasted", [RULES, LOG, PROSE, f"{RULES}\n\n{LOG}", "{" * 3_000])
def test_the_last_paragraph_is_what_is_asked(question: str, pasted: str) -> None:
    assert focus(f"{pasted}\n\n{question}\n") == question


@pytest.mark.parametrize("pasted", [RULES, LOG, PROSE])
@pytest.mark.parametrize("question", ["when does the payment module go live?", "支付模块什么时候上线?"])
def test_so_is_a_last_line_that_asks_and_a_first_one(question: str, pasted: str) -> None:
    assert focus(f"{pasted}\n{question}") == question
    assert focus(f"{question}\n\n{pasted}") == question
    assert focus(f"{question}\n{pasted}") == question


def test_a_first_paragraph_need_not_end_with_a_mark() -> None:
    assert focus(f"支付模块什么时候上线\n\n{LOG}") == "支付模块什么时候上线"
    assert focus(f"Dear all,\n\n{LOG}\n\nwhat about the sea and the ships") == "what about the sea and the ships"


def test_of_one_long_paragraph_the_last_sentence_counts() -> None:
    assert focus(PROSE + "When does the payment module go live?") == "When does the payment module go live?"
    assert focus("这是一段很长的文字。" * 200 + "支付模块什么时候上线?") == "支付模块什么时候上线?"


def test_a_question_that_says_little_takes_names_along() -> None:
    log = f"{LOG}\nERROR PaymentRouter.retry failed in refund_order at 10.0.0.7 0x3fA9 item77\n"
    asked = focus(f"{log}\nwhy does this fail?")
    assert asked.splitlines()[0] == "why does this fail?"
    assert set(asked.splitlines()[1:]) == {"PaymentRouter.retry", "refund_order", "QueueWorker"}
    assert "QueueWorker" in focus(f"why does this fail?\n\n{log}")
    assert focus(f"{log}\nwhen does the payment module go live?") == "when does the payment module go live?"


def test_a_text_of_ordinary_length_is_asked_as_it_is() -> None:
    for text in ("", "zebra", "line one\n\nline two?\n\nline three", "word " * 120):
        assert focus(text) == text


@pytest.mark.parametrize(
    ("one", "other"), [("<Lin>", "<Assistant>"), ("user", "assistant"), ("**User**", "**AI**"), ("小林", "助手")]
)
def test_a_conversation_that_was_written_down_is_asked_whole(one: str, other: str) -> None:
    turns = "\n".join(f"{one}: we moved to the sea in {1990 + at}\n{other}: how was it there?" for at in range(14))
    assert 600 < len(turns) < 1_500 and focus(turns) == turns
    assert len(focus(turns * 3)) < 600


def test_a_conversation_is_asked_by_the_end_of_its_last_text() -> None:
    earlier = {"role": "user", "content": f"{RULES}\n\nwhat about the payment module?"}
    assert question_of([{"role": "user", "content": f"{LOG}\n\nwhen is the release of the search index due?"}]) == (
        "when is the release of the search index due?"
    )
    assert question_of([earlier, {"role": "user", "content": "and when?"}]) == (
        "what about the payment module?\nand when?"
    )


@given(st.text(st.sampled_from("a. ?\n?。xA_{"), max_size=3_000))
def test_it_is_never_longer_than_what_was_given_and_says_something(text: str) -> None:
    asked = focus(text)
    assert len(asked) <= len(text) + 1 and (len(text) <= 600 or len(asked) <= 600 + 9 * 65)


@pytest.mark.parametrize("piece", ["aA", "a.b", "a_", "? ", "\n \n", ". ", "{[(", "0x", "吗"])
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    began = time.perf_counter()
    focus(text)
    focus(f"{text}\n\nwhy?")
    assert time.perf_counter() - began < 1
