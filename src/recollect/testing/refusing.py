"""Refusing: what is not allowed gets a sentence in both languages, the path of the field, and changes nothing."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from recollect.domain.errors import Invalid, NotFound, RecollectError, Refused
from recollect.domain.messages import LANGUAGES
from recollect.domain.record import Draft
from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, OpenMemory, everything
from recollect.testing.texts import CONTENT_LIMIT

_NAN, _INFINITY = float("nan"), float("inf")
_NAIVE = datetime(2126, 4, 15)

# field, what is given, the path of the error where it is longer than the field, its key
_BAD_FIELDS: tuple[tuple[str, Any, str, str], ...] = (
    ("content", "", "content", "blank"),
    ("content", " \n\t　", "content", "blank"),
    ("content", "支" * (CONTENT_LIMIT + 1), "content", "too_long"),
    ("content", "a\x00b", "content", "bad_character"),
    ("content", "a\ud800b", "content", "bad_character"),
    ("content", 42, "content", "not_text"),
    ("content", None, "content", "not_text"),
    ("content", b"bytes", "content", "not_text"),
    ("type", "colour", "type", "not_one_of"),
    ("type", "User", "type", "not_one_of"),
    ("type", "", "type", "not_one_of"),
    ("type", None, "type", "not_one_of"),
    ("type", ["user"], "type", "not_one_of"),
    ("name", "", "name", "blank"),
    ("name", "　 ", "name", "blank"),
    ("name", "\u200b", "name", "blank"),
    ("name", "\u202e \u2066", "name", "blank"),
    ("content", "\x07\x1b\u00ad\ufe0f", "content", "blank"),
    ("labels", ["a", "\u2060"], "labels[1]", "blank"),
    ("name", "n" * 256, "name", "too_long"),
    ("name", "n\x00", "name", "bad_character"),
    ("name", "\udfff", "name", "bad_character"),
    ("name", 7, "name", "not_text"),
    ("description", "d" * 501, "description", "too_long"),
    ("description", "\ud83d", "description", "bad_character"),
    ("description", None, "description", "not_text"),
    ("metadata", [1], "metadata", "not_object"),
    ("metadata", {1: 2}, "metadata", "not_object"),
    ("metadata", {"a": _NAN}, "metadata.a", "not_json"),
    ("metadata", {"a": {"b": [1, _INFINITY]}}, "metadata.a.b[1]", "not_json"),
    ("metadata", {"a": object()}, "metadata.a", "not_json"),
    ("metadata", {"a": b"x"}, "metadata.a", "not_json"),
    ("metadata", {"a": "x\x00"}, "metadata.a", "bad_character"),
    ("metadata", {"a": "x" * 20_000}, "metadata.a", "too_long"),
    ("metadata", {str(at): "x" * 100 for at in range(200)}, "metadata", "too_long"),
    ("labels", "word", "labels", "not_text"),
    ("labels", [" "], "labels[0]", "blank"),
    ("labels", ["a", "x" * 65], "labels[1]", "too_long"),
    ("labels", ["a", 1], "labels[1]", "not_text"),
    ("labels", [str(at) for at in range(33)], "labels", "too_many"),
    ("importance", 101, "importance", "out_of_range"),
    ("importance", -1, "importance", "out_of_range"),
    ("importance", 50.5, "importance", "not_whole"),
    ("importance", _NAN, "importance", "not_whole"),
    ("importance", True, "importance", "not_whole"),
    ("importance", "50", "importance", "not_whole"),
    ("pinned", 1, "pinned", "not_boolean"),
    ("pinned", "yes", "pinned", "not_boolean"),
    ("expires_at", _NAIVE, "expires_at", "naive_moment"),
    ("expires_at", "2126-04-15T09:00:00", "expires_at", "naive_moment"),
    ("expires_at", "tomorrow", "expires_at", "not_moment"),
    ("expires_at", 1_776_000_000, "expires_at", "not_moment"),
)
_BAD_QUESTIONS: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"limit": 2.5}, "limit", "not_whole"),
    ({"limit": _NAN}, "limit", "not_whole"),
    ({"limit": _INFINITY}, "limit", "not_whole"),
    ({"limit": True}, "limit", "not_whole"),
    ({"limit": "5"}, "limit", "not_whole"),
    ({"limit": None}, "limit", "not_whole"),
    ({"max_tokens": 2.5}, "max_tokens", "not_whole"),
    ({"max_tokens": _NAN}, "max_tokens", "not_whole"),
    ({"max_tokens": True}, "max_tokens", "not_whole"),
    ({"max_tokens": -1}, "max_tokens", "bound_ge"),
    ({"type": "colour"}, "type", "not_one_of"),
    ({"labels": "word"}, "labels", "not_text"),
    ({"labels": [1]}, "labels[0]", "not_text"),
    ({"since": _NAIVE}, "since", "naive_moment"),
    ({"until": "yesterday"}, "until", "not_moment"),
    ({"min_score": 1.5}, "min_score", "bad_score"),
    ({"min_score": _NAN}, "min_score", "bad_score"),
    ({"min_score": True}, "min_score", "bad_score"),
    ({"kinds": ["colour"]}, "kinds", "not_one_of"),
    ({"kinds": "note"}, "kinds", "not_one_of"),
    ({"spaces": "room"}, "spaces", "not_text"),
)


def refusal(work: Callable[[], object], kind: type[RecollectError] = Invalid) -> RecollectError:
    """Return the error that `work` raises, after a look at its sentences in every language."""
    with pytest.raises(kind) as caught:
        work()
    problem = caught.value
    said = {problem.text(language) for language in LANGUAGES}
    assert len(said) == len(LANGUAGES) and all(said)
    assert problem.path == "" or str(problem).startswith(f"{problem.path}: ")
    return problem


class RefusingChecks(DoorChecks):
    """Checks of bad input to every verb."""

    @pytest.mark.parametrize(("field", "value", "path", "key"), _BAD_FIELDS)
    def test_a_bad_field_is_named_and_nothing_changes(
        self, mine: Memory, field: str, value: Any, path: str, key: str
    ) -> None:
        record = mine.notes.save("there before", name="n").record
        draft: dict[str, Any] = {"content": "new", field: value}
        attempts: list[tuple[Callable[[], object], str]] = [
            (lambda: mine.notes.save_many([{"content": "one"}, draft]), f"[1].{path}"),
            (lambda: mine.notes.update(record.id, **{field: value}), path),
        ]
        if value is not None:
            attempts.append((lambda: mine.notes.save(**draft), path))
        for attempt, wanted in attempts:
            if field == "name" and value is None:
                continue
            problem = refusal(attempt)
            assert (problem.path, problem.key) == (wanted, key)
        assert everything(mine) == [record]
        assert len(mine.notes.history(record.id)) == 1
        assert mine.notes.search("one new") == ()

    def test_each_memory_speaks_its_own_language(self, open_memory: OpenMemory, tmp_path: Path) -> None:
        with open_memory(lang="en") as english, open_memory(lang="zh") as chinese:
            for memory, blank, missing in (
                (english, "must not be blank", "there is no"),
                (chinese, "不能为空", "这里没有"),
            ):
                mine = memory.within(user="u1")
                assert str(refusal(lambda notes=mine.notes: notes.save(""))) == f"content: {blank}"
                assert missing in str(refusal(lambda one=mine: one.undo(revision=99), NotFound))
                with pytest.raises(RecollectError) as caught:
                    mine.within(user="x" * 101)
                assert str(caught.value) == f"user: {caught.value.text(memory.language)}"
                with pytest.raises(RecollectError) as caught:
                    memory.upkeep.backup(tmp_path / "missing" / "copy.db")
                assert str(caught.value) == caught.value.text(memory.language)

    @pytest.mark.parametrize(("asked", "path", "key"), _BAD_QUESTIONS)
    def test_a_bad_condition_is_named(self, mine: Memory, asked: dict[str, Any], path: str, key: str) -> None:
        """Also where there is nothing to be found."""
        for _ in range(2):
            problem = refusal(lambda: mine.recall("zebra", **asked))
            assert (problem.path, problem.key) == (path, key)
            if path in ("type", "limit"):
                assert refusal(lambda: mine.notes.search("zebra", **asked)).path == path
            if path in ("type", "limit", "labels", "labels[0]"):
                assert refusal(lambda: mine.notes.list(**asked)).path == path
            if path == "limit" and asked["limit"] is not None:
                assert refusal(lambda: mine.notes.history(1, **asked), RecollectError).path in ("limit", "id")
                assert refusal(lambda: mine.prefetch("zebra", **asked)).path == path
            mine.notes.save("zebra")

    @pytest.mark.parametrize(
        ("messages", "path"),
        [("hi", "messages"), (b"hi", "messages"), (None, "messages"), (5, "messages"), ({"role": "user"}, "messages"),
         ([5], "messages[0]"), ([{"role": "user", "content": "hi"}, "hi"], "messages[1]"), ([None], "messages[0]")],
    )  # fmt: skip
    def test_what_is_no_message_is_named(self, mine: Memory, messages: Any, path: str) -> None:
        assert refusal(lambda: mine.compose(messages)).path == path
        assert refusal(lambda: mine.prefetch(messages=messages)).path == path

    @pytest.mark.parametrize("system_prompt", [5, ["Be kind."]])
    def test_a_system_prompt_is_text(self, mine: Memory, system_prompt: Any) -> None:
        assert refusal(lambda: mine.compose([], system_prompt=system_prompt)).path == "system_prompt"

    @pytest.mark.parametrize(
        ("fields", "path"),
        [({"kind": "zzz"}, "kind"), ({"kind": None}, "kind"), ({"kind": "fact"}, "kind"), ({"space": "s"}, "space"),
         ({"key": "k"}, "key"), ({"type": "zzz"}, "type"), ({"content": 5}, "content")],
    )  # fmt: skip
    def test_a_draft_of_something_else_is_no_note(self, mine: Memory, fields: dict[str, Any], path: str) -> None:
        drafted: dict[str, Any] = {"content": "two", **fields}
        whole: list[Any] = [{"content": "one"}, Draft(**drafted)]
        assert refusal(lambda: mine.notes.save_many(whole)).path == f"[1].{path}"
        assert everything(mine) == []
        assert mine.notes.save_many([Draft(content="two", labels=("x",))])[0].record.labels == ("x",)

    @pytest.mark.parametrize("notes", [None, 5, "text", {"content": "one"}])
    def test_many_notes_are_a_list(self, mine: Memory, notes: Any) -> None:
        assert refusal(lambda: mine.notes.save_many(notes)).path == "notes"

    @pytest.mark.parametrize("query", [None, 1, b"zebra", ["zebra"]])
    def test_a_question_is_text(self, mine: Memory, query: Any) -> None:
        assert refusal(lambda: mine.recall(query)).path == "query"
        assert refusal(lambda: mine.notes.search(query)).path == "query"

    @pytest.mark.parametrize("id", ["one", "", "1.5", 1.5, _NAN, True, None, [1], "１", "-1", "0x1", "9" * 50])
    def test_what_is_no_id_is_named(self, mine: Memory, id: Any) -> None:
        record = mine.notes.save("zebra").record
        verbs: list[Callable[[], object]] = [
            lambda: mine.notes.get(id),
            lambda: mine.notes.update(id, content="x"),
            lambda: mine.notes.delete(id),
            lambda: mine.notes.restore(id),
            lambda: mine.notes.history(id),
            lambda: mine.why("zebra", id),
        ]
        for verb in verbs:
            assert refusal(verb).path == "id"
        assert everything(mine) == [record]

    @pytest.mark.parametrize("id", [0, -1, 2, 2**31, 2**32, 2**32 + 1, 2 * 2**32 + 1, 2**53, 2**63, 10**39])
    def test_an_id_that_nobody_has_is_not_found(self, mine: Memory, id: int) -> None:
        record = mine.notes.save("zebra").record
        mine.within(user="u2").notes.save("quagga")
        verbs: list[Callable[[], object]] = [
            lambda: mine.notes.update(id, content="x"),
            lambda: mine.notes.delete(id),
            lambda: mine.notes.delete(id, forget=True),
            lambda: mine.notes.restore(id),
            lambda: mine.notes.history(id),
            lambda: mine.why("zebra", id),
        ]
        for verb in verbs:
            problem = refusal(verb, NotFound)
            assert (problem.key, problem.path) == ("record_missing", "id")
        assert mine.notes.get(id) is None
        assert everything(mine) == [record]

    @pytest.mark.parametrize("name", ["user", "agent", "tenant", "session"])
    @pytest.mark.parametrize("value", ["x" * 101, "a\x00", "\ud800", 7, b"x"])
    def test_a_bad_scope_is_named(self, memory: Memory, name: str, value: Any) -> None:
        assert refusal(lambda: memory.within(**{name: value})).path == name
        longest: dict[str, Any] = {name: "支" * 100}
        assert memory.within(**longest).notes.save("one").outcome == "created"

    def test_all_agents_at_once_are_for_reading(self, mine: Memory) -> None:
        record = mine.notes.save("zebra").record
        everybody = mine.within(agent="*")
        attempts: list[Callable[[], object]] = [
            lambda: everybody.notes.save("new"),
            lambda: everybody.notes.save_many([{"content": "new"}]),
            lambda: everybody.notes.update(record.id, content="new"),
        ]
        for attempt in attempts:
            assert refusal(attempt).path == "agent"
        assert refusal(everybody.tools, Refused).path == "agent"
        assert refusal(lambda: mine.within(session="*"), Refused).path == "session"
        assert everything(mine) == everything(everybody) == [record]

    @pytest.mark.parametrize("key", ["", " ", "k" * 201, "a\x00", 7])
    def test_a_bad_idempotency_key_is_named(self, mine: Memory, key: Any) -> None:
        assert refusal(lambda: mine.notes.save("one", idempotency_key=key)).path == "idempotency_key"
        assert everything(mine) == []

    def test_a_change_names_something(self, mine: Memory) -> None:
        record = mine.notes.save("one").record
        assert refusal(lambda: mine.notes.update(record.id)).key == "nothing_to_change"
        versions: list[Any] = [True, 1.5, "1", _NAN]
        for version in versions:
            problem = refusal(lambda given=version: mine.notes.update(record.id, content="x", if_version=given))
            assert problem.path == "if_version"
        assert everything(mine) == [record]
