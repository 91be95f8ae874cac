"""Bringing over what agents of netaclaw remembered, from the file or the server in which that program keeps it."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from itertools import groupby, islice
from pathlib import Path
from zoneinfo import ZoneInfo

from recollect.domain import clock
from recollect.domain.drafting import check_draft, drafted
from recollect.domain.errors import Conflict, Invalid, Refused
from recollect.domain.record import Draft, Record
from recollect.domain.scope import Scope
from recollect.records.intake import BATCH_LINES, Imported, Intake, Standing, sum_up
from recollect.records.lines import RECORD_ID_LIMIT, read_moment, read_name
from recollect.records.saving import Policy, without_secrets
from recollect.records.tables import Tables
from recollect.storage.foreign import NetaclawRow, open_netaclaw

_TRUST = 2  # it is the operator who imports, but an agent who wrote


def load_netaclaw(
    tables: Tables,
    policy: Policy,
    scope: Scope,
    source: str | Path,
    *,
    zone: str = "UTC",
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Imported:
    """Import every row to its user, in the tenant of `scope`, and its agent; bad rows are named by their ids.

    Ids stay where they are free, dates, metadata and texts as they are; dates that name no zone are those of `zone`.
    The same rows given again, in this database or a copy, go on where an import of them stopped.
    """
    clock_of = _read_zone(zone)
    if scope.actor != "person":
        raise Refused("import_of_many")
    outside, intakes, worked = Standing(), dict[str, Intake](), False
    with open_netaclaw(source) as file:
        total, digest = file.survey()
        name = f"import netaclaw {digest}" + ("" if clock_of is UTC else f" {zone}")
        for user, rows in groupby(enumerate(file.rows(), 1), key=lambda numbered: numbered[1].user_id):
            try:
                owner = replace(scope, user=user)  # pyright: ignore[reportArgumentType]
            except Invalid as problem:
                for _, row in rows:
                    outside.reject(_number_of(row), problem, policy.language)
                continue
            if owner.owner_id not in intakes:
                intakes[owner.owner_id] = Intake(tables, policy, owner, name, dry_run=dry_run)
            intake = intakes[owner.owner_id]
            while batch := list(islice(rows, BATCH_LINES)):
                worked |= _take(policy, clock_of, intake, batch)
                if progress:
                    progress(batch[-1][0], total)
    return sum_up(list(intakes.values()), outside, worked=worked)


def _take(policy: Policy, zone: tzinfo, intake: Intake, batch: list[tuple[int, NetaclawRow]]) -> bool:
    """Take the rows that an earlier call did not, in one transaction; return whether there were any."""
    fresh = [(place, row) for place, row in batch if place > intake.standing.place]
    if not fresh:
        return False
    with intake.batch():
        for place, row in fresh:
            try:
                intake.take_record(_to_record(policy, zone, row))
            except (Conflict, Invalid, Refused) as problem:
                intake.standing.reject(_number_of(row), problem, policy.language)
            intake.standing.place = place
    return True


def _to_record(policy: Policy, zone: tzinfo, row: NetaclawRow) -> Record:
    agent = read_name(row.agent_name, "agent_name")
    if not agent:
        raise Invalid("blank", "agent_name")  # here it would mean all agents
    draft = Draft(
        content=row.content,  # pyright: ignore[reportArgumentType]
        type=row.type,  # pyright: ignore[reportArgumentType]
        name=row.name,  # pyright: ignore[reportArgumentType]
        description="" if row.description is None else row.description,  # pyright: ignore[reportArgumentType]
        metadata=_metadata(row.metadata),  # pyright: ignore[reportArgumentType]
    )
    draft = without_secrets(policy, "import", check_draft(draft), "")
    number = _number_of(row)
    now = clock.to_text(clock.now())  # of a row that has no date
    return Record(
        id=number if 0 < number <= RECORD_ID_LIMIT else 0,
        **drafted(draft),
        agent=agent,
        source="imported",
        trust=_TRUST,
        created_at=_moment(row.created_at or row.updated_at or now, zone, "created_at"),
        updated_at=_moment(row.updated_at or row.created_at or now, zone, "updated_at"),
    )


def _number_of(row: NetaclawRow) -> int:
    return row.id if isinstance(row.id, int) else 0


def _metadata(given: object) -> object:
    if given is None:
        return None
    if not isinstance(given, str):
        raise Invalid("not_object", "metadata")
    try:
        return json.loads(given)
    except (ValueError, RecursionError) as problem:
        raise Invalid("broken_line", "metadata", problem=str(problem)) from problem


def _moment(given: object, zone: tzinfo, path: str) -> datetime:
    """SQLite's datetime('now') is in UTC and does not say so; what a server wrote is in whatever zone it had then."""
    if not isinstance(given, str):
        raise Invalid("not_moment", path)
    try:
        moment = datetime.fromisoformat(given)
    except ValueError as problem:
        raise Invalid("not_moment", path) from problem
    return read_moment(moment if moment.tzinfo else moment.replace(tzinfo=zone), path)


def _read_zone(given: str) -> tzinfo:
    if given.upper() in ("UTC", "Z"):
        return UTC
    try:
        offset = given.startswith(("+", "-")) and datetime.fromisoformat(f"2000-01-01T00:00:00{given}").tzinfo
        return offset or ZoneInfo(given)
    except (ValueError, OSError, LookupError) as problem:
        raise Invalid("bad_zone", "zone", given=repr(given)) from problem
