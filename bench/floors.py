"""From where on an answer counts, for owners with few notes and with many: what is asked and there, and what is not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import recollect
from bench.building import work_folder
from bench.kept_vectors import KEPT, kept_provider
from bench.known import OWN, Item, Question, read_set
from bench.report import Request, Row, Table, write
from bench.timing import told
from recollect.memory import Memory

_OWNERS = {1: 120, 10: 60, 100: 30, 1_000: 6}
_ASKED = 20  # questions of each sort at most for one owner
_LIMIT = 5
_HALF = "report"
_UNRELATED = (
    *("hello", "hi there!", "thanks a lot", "ok", "good morning", "你好", "谢谢", "好的", "早上好", "在吗"),
    *("Tell me a joke", "讲个笑话", "What is 17 times 23?", "Write a haiku about autumn", "翻译成英文:今天天气很好"),
    *("How do I reverse a list in Python?", "用 Python 写一个快速排序", "What is the capital of Australia?"),
    *(
        "法国的首都是哪里?",
        "Explain quantum entanglement simply",
        "什么是黑洞?",
        "Who wrote Hamlet?",
        "红楼梦的作者是谁?",
    ),
    *("Summarize this text for me", "帮我润色一下这段话", "What's the weather like on Mars?", "Continue", "继续"),
    *("Can you help me?", "你能做什么?", "Why is the sky blue?", "天空为什么是蓝色的?", "Translate 'cheese' to French"),
    *("how many bones are in the human body", "光速是多少?", "Fix the bug in this regex", "推荐一部科幻电影"),
    *("Recommend a science fiction movie", "What does HTTP 404 mean?", "递归是什么意思?"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Owner:
    items: Sequence[Item]
    questions: Sequence[Question]


def run(request: Request) -> Path:
    """Ask owners of every size and write the result."""
    chance = Random(request.seed)
    rows: list[Row] = []
    for size, count in _OWNERS.items():
        owners = list(_owners(size, 2 if request.quick else count, chance))
        with work_folder() as folder, _memory(folder / "memory.db") as memory:
            for at, owner in enumerate(told(owners, len(owners), f"owners of {size:,}")):
                mine = memory.within(user=f"owner-{at}")
                mine.notes.save_many([{"content": item.text} for item in owner.items])
                mine.upkeep.reindex()
            rows.append(_row(size, memory, owners, chance))
    note = (
        f"Owners with so many notes of the own set, among them what answers their questions, which are those of the "
        f"half `{_HALF}`: ordinary ones, identifiers, other words and the other language. `found`: the answer is "
        f"among the first {_LIMIT}; `without a floor`: the same with `min_score=0`. `unrelated, silent`: greetings and "
        f"questions of general knowledge, {len(_UNRELATED)} in both languages, that get no answer."
    )
    return write("floors", request, [Table(title="Owners of every size", note=note, rows=rows)])


def _memory(place: Path) -> Memory:
    settings = {"database": str(place), "embedder": {"provider": KEPT}}
    with kept_provider():
        return recollect.open_memory(recollect.Settings.model_validate(settings))


def _owners(size: int, count: int, chance: Random) -> Iterator[_Owner]:
    [scope] = read_set(OWN).scopes
    items = {item.id: item for item in scope.items}
    questions = [one for one in scope.questions if one.gold and one.half == _HALF]
    for _ in range(count):
        asked = chance.sample(questions, min(size, _ASKED))
        kept = {place: items[place] for one in asked for place in one.gold}
        others = [item for item in scope.items if item.id not in kept]
        more = chance.sample(others, max(0, size - len(kept)))
        yield _Owner(items=[*kept.values(), *more], questions=asked)


def _row(size: int, memory: Memory, owners: Sequence[_Owner], chance: Random) -> Row:
    found = whole = asked = silent = unrelated = 0
    for at, owner in enumerate(owners):
        mine = memory.within(user=f"owner-{at}")
        for question in owner.questions:
            right = {item.text for item in owner.items if item.id in question.gold}
            answers = [mine.recall(question.text, limit=_LIMIT, min_score=floor).hits for floor in (None, 0)]
            given = [any(hit.record.content in right for hit in hits) for hits in answers]
            asked, found, whole = asked + 1, found + given[0], whole + given[1]
        for text in chance.sample(_UNRELATED, _ASKED):
            unrelated += 1
            silent += not mine.recall(text, limit=_LIMIT).hits
    return {
        "notes": size,
        "owners": len(owners),
        "questions": asked,
        "found": round(found / asked, 3),
        "without a floor": round(whole / asked, 3),
        "unrelated": unrelated,
        "unrelated, silent": round(silent / unrelated, 3),
    }
