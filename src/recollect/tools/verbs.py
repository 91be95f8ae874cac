"""What the tools do: arguments as a model gives them in, a short answer for it out."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from recollect.domain import clock
from recollect.domain.budget import allot, cut_to
from recollect.domain.checks import check_choice, check_id
from recollect.domain.errors import Invalid
from recollect.domain.messages import text
from recollect.domain.query import Found, Hit
from recollect.domain.record import Record, Saved
from recollect.domain.text import weigh, weight_of
from recollect.domain.visible import visible
from recollect.notes.notes import Notes
from recollect.prompts.texts import texts
from recollect.tools.schemas import ACTIONS, LIMITS

Arguments = Mapping[str, Any]
Answer = dict[str, object]
Recall = Callable[..., Found]

_NEEDED = {"create": ("name", "type", "content"), "update": ("id",), "delete": ("id",), "memory_recall": ("query",)}


class Verbs:
    """The verbs of one scope for a model. Arguments hold no nulls and no unknown names; what they hold is unchecked."""

    def __init__(
        self,
        notes: Notes,
        recall: Recall,
        language: str,
        *,
        split: bool,
        trash_days: int,
        token_budget: int | None,
    ) -> None:
        self._notes = notes
        self._recall = recall
        self._language = language
        self._trash_days = trash_days
        self._token_budget = token_budget
        self.by_tool: Mapping[str, Callable[[Arguments], Answer]] = {
            "memory_save": self._create if split else self._act,
            "memory_update": self._update,
            "memory_delete": self._delete,
            "memory_recall": self._find,
            "memory_list": self._list,
        }

    def _act(self, given: Arguments) -> Answer:
        action = check_choice(given.get("action"), ACTIONS, path="action")
        if action == "create" and "id" in given:
            raise Invalid("create_with_id", "id")
        verbs = {"create": self._create, "update": self._update, "delete": self._delete}
        return verbs[action]({name: value for name, value in given.items() if name != "action"})

    def _create(self, given: Arguments) -> Answer:
        _check_needed("create", given)
        return self._saved(self._notes.save(**given))

    def _update(self, given: Arguments) -> Answer:
        _check_needed("update", given)
        fields = {name: value for name, value in given.items() if name != "id"}
        return self._saved(self._notes.update(_id(given), **fields))

    def _delete(self, given: Arguments) -> Answer:
        _check_needed("delete", given)
        number = _id(given)
        self._notes.delete(number)
        return {"id": number, "outcome": "deleted", "note": self._text("in_trash", days=self._trash_days)}

    def _find(self, given: Arguments) -> Answer:
        _check_needed("memory_recall", given)
        limit = given.get("limit", LIMITS["memory_recall"])
        found = self._recall(given["query"], limit=limit, type=given.get("type"))
        if not found.hits:
            return {"memories": [], "note": self._text("nothing_relevant")}
        memories = [self._hit(hit) for hit in found.hits]
        if self._token_budget is None or limit == 1:  # one alone is given whole, so that what was cut can be read
            return {"memories": memories}
        weights = [_weight(memory) for memory in memories]
        shares = allot(weights, weight_of(self._token_budget))
        told = [
            memory if share >= weight else self._cut(memory, hit.record.content, share)
            for hit, memory, weight, share in zip(found.hits, memories, weights, shares, strict=True)
            if share
        ]
        left_out = len(memories) - len(told)
        return {"memories": told, "note": self._text("more_found", count=left_out)} if left_out else {"memories": told}

    def _list(self, given: Arguments) -> Answer:
        limit = given.get("limit", LIMITS["memory_list"])
        page = self._notes.list(type=given.get("type"), limit=limit, cursor=given.get("cursor"))
        items = [_item(record) for record in page.items]
        fitting = self._fitting(items)
        if fitting < len(items):
            page = self._notes.list(type=given.get("type"), limit=fitting, cursor=given.get("cursor"))
            items = items[:fitting]
        answer: Answer = {"items": items, "next_cursor": page.next_cursor}
        return answer if items else {**answer, "note": self._text("nothing_stored")}

    def _fitting(self, items: Sequence[Answer]) -> int:
        """Return how many of the first items stay within the budget, at least one."""
        if self._token_budget is None:
            return len(items)
        weights = accumulate(_weight(item) for item in items)
        return max(1, sum(weight <= weight_of(self._token_budget) for weight in weights))

    def _cut(self, memory: Answer, content: str, share: int) -> Answer:
        note = self._text("content_cut", count=len(content))
        rest = share - _weight({**memory, "content": "", "cut": note})
        kept = cut_to(content, rest, lambda text: json.dumps(visible(text), ensure_ascii=False))
        missing = len(content) - len(kept.removesuffix("…"))
        return {**memory, "content": visible(kept), "cut": self._text("content_cut", count=missing)}

    def _saved(self, saved: Saved) -> Answer:
        record = saved.record
        near = [_named(other) for other in saved.similar]
        answer: Answer = {"id": record.id, "outcome": saved.outcome, "name": _named(record)["name"], "similar": near}
        if saved.outcome == "duplicate":
            answer["note"] = self._text("said_already", id=record.id)
        elif record.status == "pending":
            answer["note"] = self._text("waits_for_review")
        return answer

    def _hit(self, hit: Hit) -> Answer:
        record, words, now = hit.record, texts(self._language), clock.now()
        shown: Answer = {**_head(record), "content": visible(record.content), "score": round(hit.score, 3)}
        if record.is_stale(now):
            shown["age"] = words.age.format(days=record.age_days(now))
        if record.is_unverified:
            shown["source"] = words.unverified
        return shown

    def _text(self, key: str, **facts: object) -> str:
        return text(key, self._language, **facts)


def _check_needed(call: str, given: Arguments) -> None:
    missing = [name for name in _NEEDED[call] if name not in given]
    if missing:
        raise Invalid("missing_arguments", missing[0], call=call, names=", ".join(missing))


def _id(given: Arguments) -> int:
    """Some models write every number as a float."""
    value = given["id"]
    return check_id(int(value) if isinstance(value, float) and value.is_integer() else value)


def _item(record: Record) -> Answer:
    return {**_head(record), "description": visible(record.description)}


def _weight(answer: Answer) -> int:
    return weigh(json.dumps(answer, ensure_ascii=False))


def _named(record: Record) -> Answer:
    return {"id": record.id, "name": visible(record.name, newlines=False)}


def _head(record: Record) -> Answer:
    return {"id": record.id, "type": record.type, "name": visible(record.name, newlines=False)}
