import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.domain.drafting import CONTENT_LIMIT
from recollect.domain.errors import Invalid
from recollect.domain.record import Kind, Record, Revision, Run, Source, Status, Tombstone
from recollect.domain.visible import is_blank
from recollect.records.lines import LINE_LIMIT, Line, Who, read_header, read_line, write_end, write_header, write_line

MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)
NAMES = st.text("abcXYZ019_用户名", min_size=1, max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
RECORDS = st.builds(
    Record,
    id=st.integers(1, 2**31 - 1),
    kind=st.sampled_from(Kind.__args__),  # type: ignore[attr-defined]
    type=st.sampled_from(["user", "project", "feedback", "reference"]),
    name=NAMES,
    description=TEXTS,
    content=TEXTS.filter(lambda text: not is_blank(text)),
    metadata=st.dictionaries(TEXTS, JSON, max_size=3),
    labels=st.lists(NAMES, unique=True, max_size=4).map(tuple),
    importance=st.integers(0, 100),
    pinned=st.booleans(),
    agent=NAMES,
    session=NAMES,
    space=TEXTS,
    key=st.none() | TEXTS,
    status=st.sampled_from(Status.__args__),  # type: ignore[attr-defined]
    source=st.sampled_from(Source.__args__),  # type: ignore[attr-defined]
    trust=st.integers(0, 3),
    created_at=MOMENTS,
    updated_at=MOMENTS,
    expires_at=st.none() | MOMENTS,
    version=st.integers(1, 1000),
)
MOMENT = datetime(2026, 4, 15, tzinfo=UTC)
ORDINARY = Record(
    id=1, kind="note", type="user", name="a", description="", content="b", created_at=MOMENT, updated_at=MOMENT
)


@given(st.integers(1, 1000), RECORDS)
def test_a_record_is_read_as_it_was_written(owner: int, record: Record) -> None:
    raw = write_line(owner, record)
    assert raw.endswith(b"\n")
    assert raw.count(b"\n") == 1
    assert read_line(raw) == Line(owner, record)


@settings(max_examples=25)
@given(RECORDS, RECORDS)
def test_a_revision_is_read_as_it_was_written(before: Record, after: Record) -> None:
    names = ("name", "content", "metadata", "labels", "pinned", "agent", "key", "status", "trust", "importance")
    sides = [json.loads(write_line(1, record))["record"] for record in (before, after)]
    revision = Revision(
        id=7, record_id=3, run_id=None, at=after.updated_at, actor="agent", agent="*", action="update", version=2,
        changes={name: (sides[0][name], sides[1][name]) for name in names}, undoes=5, undone_by=9,
    )  # fmt: skip
    assert read_line(write_line(1, revision)).content == revision


@pytest.mark.parametrize(
    "content",
    [
        Who(tenant="default", user="用户"),
        Run(id=3, name="save_many", at=MOMENT, actor="person", agent="", undone=True),
        Tombstone(agent="coach", form="text", digest=bytes(range(32)), at=MOMENT),
    ],
)
def test_the_other_lines_too(content: Any) -> None:
    assert read_line(write_line(2, content)) == Line(2, content)


def test_the_longest_record_and_its_change_fit_a_line() -> None:
    worst = "x" + "\x01" * (CONTENT_LIMIT - 1)
    change = Revision(
        id=1, record_id=1, run_id=None, at=MOMENT, actor="person", agent="", action="update", version=2,
        changes={"content": (worst, worst), "metadata": ({"a": "🙂" * 16_000}, {"b": "🙂" * 16_000})},
    )  # fmt: skip
    assert len(write_line(1, change)) <= LINE_LIMIT
    assert read_line(write_line(1, change)).content == change


@given(JSON)
@example({"owner": 1, "record": None})
@example({"owner": 1, "revision": {"changes": 1}})
@example({"owner": None, "who": {"tenant": "a", "user": "b"}})
@example({"end": {"lines": float("1e300")}})
@example({"owner": True, "who": {"tenant": "a", "user": "b"}})
def test_whatever_a_line_says_it_is_read_or_refused(given_value: Any) -> None:
    try:
        read_line(json.dumps(given_value).encode())
    except Invalid as problem:
        assert problem.text("zh") and problem.text("en")


FIELDS = sorted(json.loads(write_line(1, ORDINARY))["record"])


@given(st.sampled_from(FIELDS), JSON)
def test_whatever_a_field_says_it_is_kept_or_refused_by_its_path(field: str, value: Any) -> None:
    line = json.loads(write_line(1, ORDINARY))
    line["record"][field] = value
    try:
        read = read_line(json.dumps(line).encode()).content
    except Invalid as problem:
        assert problem.path.startswith(f"record.{field}")
    else:
        assert isinstance(read, Record)


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_that_is_missing_is_named(field: str) -> None:
    line = json.loads(write_line(1, ORDINARY))
    del line["record"][field]
    with pytest.raises(Invalid) as refused:
        read_line(json.dumps(line).encode())
    assert (refused.value.key, refused.value.path) == ("missing", f"record.{field}")


@pytest.mark.parametrize(
    "raw", [b"[" * 500_000, b'{"a":' * 100_000, b'{"owner": ' + b"9" * 10_000 + b"}", b"\xed\xa0\x80"]
)
def test_hostile_json_is_refused(raw: bytes) -> None:
    with pytest.raises(Invalid):
        read_line(raw)


def test_header_and_end() -> None:
    export_id = "6f1b2c9e-0c39-4f5e-8a55-2f9a1b0c7d11"
    header = read_header(write_header(export_id, MOMENT, 2, 4), "x.jsonl")
    assert (header.export_id, header.owners) == (export_id, 4)
    counts = dict.fromkeys(("owners", "runs", "records", "revisions", "tombstones"), 0)
    assert read_line(write_end({**counts, "lines": 2})).content.lines == 2  # type: ignore[union-attr]
