"""Secrets: what must not be remembered by accident."""

from collections.abc import Callable
from typing import Any

import pytest

from recollect.domain.errors import Refused
from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, OpenMemory, call, everything

_KEY = "sk-" + "proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4"
_KEY_BODY = "MIIEowIBAAKCAQEA0Z3VS5JJcds3xfnWlEgPvFYx3gkLr8Xm2zQ9TtYbU7nDcVeA"
_SECRETS = (
    f"the key is {_KEY}",
    "password: hunter2-Zq9!x",
    "密码是 hunter2Zq9x",
    "身份证 11010519491231002X",
    "card 4111 1111 1111 1111",
    f"-----BEGIN RSA PRIVATE KEY-----\n{_KEY_BODY}\n-----END RSA PRIVATE KEY-----",
)


class SecrecyChecks(DoorChecks):
    """Checks of what happens to keys, passwords and numbers of cards and persons."""

    @pytest.mark.parametrize("text", _SECRETS)
    def test_a_person_is_asked_once(self, mine: Memory, text: str) -> None:
        with pytest.raises(Refused) as caught:
            mine.notes.save(text, name="n")
        assert (caught.value.key, caught.value.path) == ("secret_by_person", "content")
        assert "allow_secret" in caught.value.text("zh") and "allow_secret" in caught.value.text("en")
        assert everything(mine) == []
        saved = mine.notes.save(text, name="n", allow_secret=True)
        assert saved.record.content == text
        moved = mine.notes.update(saved.record.id, importance=90, description="kept on purpose")
        assert moved.record.content == text

    @pytest.mark.parametrize("text", _SECRETS)
    def test_an_agent_is_refused(self, mine: Memory, text: str) -> None:
        told = call(mine, "memory_save", type="user", name="n", content=text)
        assert told["error"]["code"] == "refused" and told["error"]["path"] == "content"
        assert everything(mine) == []

    @pytest.mark.parametrize("field", ["name", "description"])
    def test_other_fields_hold_no_secret_either(self, mine: Memory, field: str) -> None:
        with pytest.raises(Refused) as caught:
            mine.notes.save_many([{"content": "harmless", field: f"key {_KEY}"}])
        assert caught.value.path == f"[0].{field}"
        assert everything(mine) == []

    @pytest.mark.parametrize(
        ("fields", "path"),
        [
            ({"labels": ["x", _KEY]}, "labels[1]"),
            ({"metadata": {"password": "Tr0ub4dor&3"}}, "metadata.password"),
            ({"metadata": {"k": _KEY}}, "metadata.k"),
            ({"metadata": {"db": {"hosts": ["a", "postgres://bob:zf8sl2AhGyJv@db"]}}}, "metadata.db.hosts[1]"),
            ({"metadata": {"pin": 4921}}, "metadata.pin"),
            ({"metadata": {_KEY: 1}}, "metadata"),
        ],
    )
    def test_labels_and_metadata_hold_no_secret_either(
        self, mine: Memory, open_memory: OpenMemory, fields: dict[str, Any], path: str
    ) -> None:
        record = mine.notes.save("there before", name="n").record
        attempts: list[Callable[[], object]] = [
            lambda: mine.notes.save("harmless", **fields),
            lambda: mine.notes.update(record.id, **fields),
        ]
        for attempt in attempts:
            with pytest.raises(Refused) as caught:
                attempt()
            assert (caught.value.key, caught.value.path) == ("secret_by_person", path)
        assert everything(mine) == [record]
        allowed = mine.notes.save("harmless", name="m", allow_secret=True, **fields).record
        assert mine.notes.update(allowed.id, importance=90).outcome == "updated"
        with open_memory(writing={"secrets": "mask"}) as masking:
            masked = masking.within(user="u2").notes.save("harmless", **fields).record
        said = f"{masked.labels} {masked.metadata}"
        assert not any(secret in said for secret in (_KEY, "Tr0ub4dor&3", "zf8sl2AhGyJv", "4921")) and "[" in said

    @pytest.mark.parametrize(
        "metadata",
        [
            {"token_budget": 2000, "tokens": 8392017, "pin_board": "4921", "password_policy": "12 characters"},
            {"order": 20260415123045, "commit": "9fceb02d0ae598e95dc970b74767f19372d61af8", "url": "https://a.b/c?d=1"},
            {"password": None, "secret": False, "pinned": 4921, "key": "C minor", "版本": "3.11.7", "score": 0.4111},
            {"id": "123e4567-e89b-12d3-a456-426614174000", "session": "6ba7b810-9dad-11d1-80b4-00c04fd430c8"},
        ],
    )
    def test_harmless_metadata_is_kept(self, mine: Memory, metadata: dict[str, Any]) -> None:
        labels = ["token budget", "PIN board", "密码学课程", "v1.2.3"]
        record = mine.notes.save("harmless", metadata=metadata, labels=labels).record
        assert (record.metadata, record.labels) == (metadata, tuple(labels))

    def test_a_secret_does_not_come_in_by_a_change(self, mine: Memory) -> None:
        record = mine.notes.save("harmless", name="n").record
        with pytest.raises(Refused):
            mine.notes.update(record.id, content=f"key {_KEY}")
        assert call(mine, "memory_update", id=record.id, content=f"key {_KEY}")["error"]["code"] == "refused"
        assert mine.notes.get(record.id) == record
        assert mine.notes.update(record.id, content=f"key {_KEY}", allow_secret=True).outcome == "updated"

    def test_one_secret_among_many_keeps_all_out(self, mine: Memory) -> None:
        with pytest.raises(Refused) as caught:
            mine.notes.save_many([{"content": "one"}, {"content": f"key {_KEY}", "name": "n"}])
        assert caught.value.path == "[1].content"
        assert everything(mine) == []
        assert len(mine.notes.save_many([{"content": f"key {_KEY}", "name": "n"}], allow_secret=True)) == 1

    def test_the_policy_may_be_to_mask(self, open_memory: OpenMemory) -> None:
        with open_memory(writing={"secrets": "mask"}) as memory:
            mine = memory.within(user="u1", agent="coach")
            record = mine.notes.save(f"the key {_KEY} opens it", name="n").record
            answered = call(mine, "memory_save", type="user", name="m", content=f"again {_KEY} here")
            kept = [record, mine.notes.get(answered["id"])]
            assert all(one is not None and _KEY not in one.content for one in kept)
            assert record.content.startswith("the key ") and record.content.endswith(" opens it")
            changed = mine.notes.update(record.id, description=f"see {_KEY}").record
            assert _KEY not in changed.description
            allowed = mine.notes.save(f"but {_KEY} too", name="o", allow_secret=True).record
            assert _KEY in allowed.content

    @pytest.mark.parametrize(
        "text", ["the order 4111 1111 1111 1112 is late", "the password policy changed", "密码要定期更换"]
    )
    def test_what_only_looks_alike_is_kept(self, mine: Memory, text: str) -> None:
        assert mine.notes.save(text).outcome == "created"
