"""Secrets: what must not be remembered by accident."""

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
