"""Meaning: every text gets its vector, nobody waits for it, and what is near is found beside what shares words."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from recollect.domain.cards import ModelCard, Role
from recollect.domain.errors import ProviderError
from recollect.memory import Memory
from recollect.models.base import EmbedderChoice
from recollect.models.choosing import EMBEDDERS
from recollect.models.fake import FakeEmbedder
from recollect.registry import register
from recollect.testing.opening import DoorChecks, OpenMemory, ids, later

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FAKE = {"embedder": {"provider": "fake", "embed": "inline"}}
OTHER = {"embedder": {"provider": "fake", "embed": "inline", "dimension": 32}}
_SWITCHED = {"embedder": {"provider": "switched", "embed": "inline"}}

_SUBJECTS = "Ann Bob Cem Dora Emil Faye 小李 小王 老赵 阿美".split()
_THINGS = "tea coffee the red bicycle a violin 花生 咖啡 会议 周报 猫 the budget of May".split()
_SAYS = (
    "{} likes {}",
    "{} lost {} on Monday",
    "{}喜欢{}",
    "{}上周买了{}",
    "please ask {} about {}",
    "{} never wants {}",
)
ORDER = "ee6c7223294f549a"
"""A hash of the answers to 120 questions about 360 notes: the same whatever keeps them."""


class Switched:
    """An embedder that can be broken and mended."""

    broken = True

    def __init__(self) -> None:
        self._inner = FakeEmbedder()

    @property
    def card(self) -> ModelCard:
        """The card of the fake one."""
        return self._inner.card

    def embed(self, texts: Sequence[str], *, role: Role) -> "NDArray[np.float32]":
        """Return vectors, or fail as a service does that is gone."""
        if self.broken:
            raise ProviderError("provider_unreachable", "", retryable=True, place="nowhere", problem="gone")
        return self._inner.embed(texts, role=role)


class MeaningChecks(DoorChecks):
    """Checks of vectors. They use the fake embedder, whose vectors are the same everywhere."""

    @pytest.fixture
    def near(self, open_memory: OpenMemory) -> Iterator[Memory]:
        """Give a memory that embeds each text before its save returns, bound to one user and agent."""
        with open_memory(**FAKE) as memory:
            yield memory.within(user="u1", agent="coach")

    def test_every_way_to_write_gives_its_texts_vectors(self, near: Memory) -> None:
        first = near.notes.save("green tea without sugar").record
        near.notes.save_many([{"content": "black coffee"}, {"content": "红茶"}])
        near.notes.update(first.id, content="oolong tea without sugar")
        near.notes.delete(first.id)
        assert near.upkeep.check().without_vector == near.upkeep.lag() == 0
        near.notes.restore(first.id)
        assert near.upkeep.check().without_vector == 0
        found = near.recall("tea without sugar")
        assert found.sources == {"lexical": "1 of 3", "dense": "3 of 3"} or found.hits[0].parts["dense"] > 0
        assert found.hits[0].record.id == first.id

    def test_the_parts_say_what_meaning_adds(self, near: Memory) -> None:
        near.notes.save("the bicycle stands in the cellar")
        hit = near.recall("where is the bicycle?").hits[0]
        assert set(hit.parts) == {"lexical", "dense", "recency", "importance", "pinned"}
        assert hit.score == pytest.approx(min(1.0, sum(hit.parts.values())), abs=1e-9)
        assert hit.parts["dense"] > 0

    def test_vectors_go_where_their_texts_go(self, near: Memory) -> None:
        kept = [near.notes.save(f"memory number {number} about tea").record.id for number in range(6)]
        near.notes.delete(kept[0])
        near.notes.delete(kept[1], forget=True)
        near.notes.update(kept[2], content="something else")
        health = near.upkeep.check()
        assert (health.without_vector, health.orphan_vectors) == (0, 0) and health.sound
        assert not {kept[0], kept[1]} & set(ids([hit.record for hit in near.recall("tea", min_score=0).hits]))
        receipt = near.erase(user="u1")
        assert receipt.removed["vectors"] == 4 and receipt.removed["tuning"] == 1
        assert set(receipt.left.values()) == {0}

    def test_an_erased_owner_who_comes_back_has_no_old_vectors(self, near: Memory) -> None:
        for text in ("tea", "coffee"):
            near.notes.save(text)
            assert [hit.record.content for hit in near.recall(text).hits] == [text]
            near.erase(user="u1")
            assert near.recall(text).hits == ()

    def test_nobody_meets_the_vectors_of_others(self, near: Memory) -> None:
        near.notes.save("the bicycle stands in the cellar")
        near.within(user="u2").notes.save("my bicycle is blue")
        near.within(agent="other").notes.save("the bicycle of another agent")
        for question in ("bicycle", "where is the bicycle?", "cellar"):
            for min_score in (None, 0.0):
                assert ids([hit.record for hit in near.recall(question, min_score=min_score).hits]) == [1]

    def test_a_crowd_of_another_agent_hides_nothing(self, near: Memory) -> None:
        other = near.within(agent="other")
        other.notes.save_many({"content": f"tea and tea, cup {number}"} for number in range(300))
        near.notes.save("some tea")
        assert [hit.record.content for hit in near.recall("tea tea").hits] == ["some tea"]

    def test_an_answer_is_never_that_of_before(self, near: Memory) -> None:
        note = near.notes.save("the meeting is on Monday").record
        assert ids([hit.record for hit in near.recall("meeting").hits]) == [note.id]
        near.notes.update(note.id, name="breakfast", content="bread with butter")
        assert near.recall("meeting").hits == ()
        assert ids([hit.record for hit in near.recall("butter").hits]) == [note.id]
        near.undo(revision=near.notes.history(note.id)[0].id)
        assert ids([hit.record for hit in near.recall("meeting").hits]) == [note.id]

    def test_the_background_embeds_what_was_saved(self, open_memory: OpenMemory) -> None:
        with open_memory(embedder={"provider": "fake"}) as memory:
            memory.notes.save_many({"content": f"tea of day {number}"} for number in range(150))
        with open_memory(embedder={"provider": "fake"}) as memory:
            memory.upkeep.reindex()
            assert memory.upkeep.lag() == 0
            assert memory.upkeep.check().jobs_failed == 0

    def test_what_was_saved_without_an_embedder_is_embedded_once_there_is_one(self, open_memory: OpenMemory) -> None:
        with open_memory() as memory:
            memory.notes.save("green tea")
            memory.notes.save("black coffee")
            assert memory.upkeep.lag() == 0
            assert memory.recall("tea").sources == {"lexical": "1 of 2"}
        with open_memory(**FAKE) as memory:
            assert memory.upkeep.lag() == 2
            seen: list[tuple[int, int]] = []
            done = memory.upkeep.reindex(lambda at, of: seen.append((at, of)))
            assert (done.embedded, done.left) == (2, 0) and seen[-1] == (2, 2)
            assert memory.upkeep.reindex().embedded == 0
            assert memory.recall("tea").hits[0].parts["dense"] > 0

    def test_another_model_takes_over_whole(self, open_memory: OpenMemory) -> None:
        with open_memory(**FAKE) as memory:
            memory.notes.save_many({"content": f"tea of day {number}"} for number in range(20))
        with open_memory(**OTHER) as memory:
            assert memory.upkeep.lag() == 20
            memory.notes.save("coffee")
            assert memory.upkeep.lag() == 0, "whoever saves brings the owner up"
            assert memory.recall("tea of day 7", limit=1).hits[0].record.content == "tea of day 7"
            assert memory.erase(user=memory.scope.user).removed["vectors"] == 21

    def test_a_broken_embedder_costs_no_text_and_no_answer(self, open_memory: OpenMemory) -> None:
        embedder = Switched()

        def make(_: EmbedderChoice) -> Switched:
            return embedder

        with register(EMBEDDERS, "switched", make), open_memory(**_SWITCHED) as memory:
            memory.notes.save("green tea")
            assert memory.upkeep.lag() == 1
            assert [hit.record.content for hit in memory.recall("tea").hits] == ["green tea"]
            embedder.broken = False
            memory.notes.save("black coffee")
            assert memory.upkeep.lag() == 0
            embedder.broken = True
            found = memory.recall("tea")
            assert found.sources == {"lexical": "1 of 2", "dense": "provider_unreachable"}
            assert found.hits[0].record.content == "green tea"

    @pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", "?!", "x" * 100_000, "茶" * 20_000])
    def test_any_question_may_be_asked(self, near: Memory, text: str) -> None:
        near.notes.save("green tea")
        near.recall(text)

    def test_the_order_is_the_same_whatever_keeps_the_notes(self, near: Memory) -> None:
        with later(hours=0):
            notes = [say.format(who, what) for say in _SAYS for who in _SUBJECTS for what in _THINGS][:360]
            near.notes.save_many({"content": text} for text in notes)
            assert near.upkeep.lag() == 0
            said = hashlib.sha256()
            for at, text in enumerate(notes[::3]):
                found = near.recall(f"{text} {_THINGS[at % len(_THINGS)]}?", limit=10, min_score=0)
                answer: list[Any] = [(hit.record.id, f"{hit.score:.9f}") for hit in found.hits]
                said.update(repr(answer).encode())
        assert said.hexdigest()[:16] == ORDER
