"""What there is to look at in a database, file or server, and how bad each finding is."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Literal

from recollect.domain.errors import RecollectError
from recollect.faces.cli.session import Session

if TYPE_CHECKING:
    from recollect import Settings
    from recollect.wiring import Health, Server, Sharding

Level = Literal["ok", "warn", "fail"]

_PROBE_BYTES = 1 << 16
_LITTLE_MIB = 64
_CLOCK_SECONDS = 5
_CHARSETS = ("utf8mb4", "UTF8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at, in the database of an agent's own or, with "", in the common one."""

    check: str
    level: Level
    message: str
    agent: str = ""


def database_checks(session: Session, settings: "Settings", *, made: bool = True) -> Iterator[Check]:
    """Look at everything in a database; one that does not open is the one finding."""
    from recollect.wiring import check_database

    try:
        health, server = check_database(settings, made=made)
    except RecollectError as problem:
        yield Check(check="database", level="fail", message=problem.text(session.lang))
        return
    if server is None:
        yield from _of_file(session, health)
    yield from _counted(session, health)
    if server is not None:
        yield from _of_server(session, server, settings.server.pool_size)
        if server.lies is not None:
            yield _of_shards(session, server.lies, server.faults)
    yield _of_vectors(session, health)


def tell_checks(session: Session, checks: Iterable[Check]) -> int:
    """Show findings, and return the exit status that they deserve."""
    found = list(checks)
    broken = any(check.level == "fail" for check in found)
    if session.json:
        session.answer({"checks": [asdict(check) for check in found], "sound": not broken})
        return int(broken)
    for check in found:
        if not session.quiet or check.level != "ok":
            whose = f"{check.agent}: " if check.agent else ""
            session.tell("check", level=f"{check.level:4}", message=whose + check.message)
    return int(broken)


def _of_file(session: Session, health: "Health") -> Iterator[Check]:
    folder = Path(health.database.place).parent
    yield _judged(session, "folder", problem := _refusal_of(folder), folder=str(folder), problem=problem)
    free = disk_usage(folder).free >> 20
    yield _judged(session, "space", free < _LITTLE_MIB, "warn", free=free)
    problems = health.database.problems
    yield _judged(session, "integrity", problems, count=len(problems), first=problems[0] if problems else "")


def _counted(session: Session, health: "Health") -> Iterator[Check]:
    database = health.database
    said = session.say("doctor_engine", engine=database.engine, version=database.version, place=database.place)
    yield Check(check="engine", level="ok", message=said)
    old = database.schema != database.newest_schema
    yield _judged(session, "schema", old, schema=database.schema, newest=database.newest_schema)
    miscounted = ", ".join(health.miscounted)
    yield _judged(session, "counters", miscounted, names=miscounted, owners=health.owners, records=health.records)
    orphans = health.orphans + health.orphan_vectors
    yield _judged(session, "orphans", orphans, count=orphans)
    yield _judged(session, "jobs", health.jobs_failed, "warn", waiting=health.jobs_waiting, failed=health.jobs_failed)


def _of_server(session: Session, server: "Server", pool: int) -> Iterator[Check]:
    if server.local and not server.tls:
        yield Check(check="tls", level="ok", message=session.say("doctor_tls_local"))
    else:
        yield _judged(session, "tls", not server.tls, "warn", cipher=server.tls)
    away = abs(server.seconds_ahead)
    yield _judged(session, "clock", away > _CLOCK_SECONDS, "warn", seconds=f"{away:.1f}")
    yield _judged(session, "pool", pool > server.connections, "warn", size=pool, connections=server.connections)
    yield _judged(session, "charset", not server.charset.startswith(_CHARSETS), charset=server.charset)


def _of_shards(session: Session, lies: "Sharding", faults: tuple[str, ...]) -> Check:
    """Judge what a cluster would refuse, or answer wrongly: on one server it is only good to know."""
    if lies.distributed and lies.local:
        return _judged(session, "shards_left", True, tables=", ".join(lies.local))
    first = faults[0] if faults else ""
    if lies.is_sharded:
        return _judged(session, "shards", faults, count=len(faults), first=first)
    return _judged(session, "one_server", faults, "warn", count=len(faults), first=first)


def _of_vectors(session: Session, health: "Health") -> Check:
    if health.embedder_problem:
        message = session.say("doctor_no_model", problem=health.embedder_problem)
        return Check(check="embedder", level="fail", message=message)
    if not health.embedder:
        return Check(check="embedder", level="warn", message=session.say("doctor_embedder"))
    waiting = health.without_vector
    message = session.say("doctor_vectors_bad" if waiting else "doctor_vectors", model=health.embedder, count=waiting)
    return Check(check="embedder", level="warn" if waiting else "ok", message=message)


def _refusal_of(folder: Path) -> str:
    """Return why nothing can be written to a folder, or ""; permissions alone do not tell of a disk that is full."""
    try:
        with TemporaryFile(dir=folder, prefix="recollect-doctor-") as file:
            file.write(bytes(_PROBE_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        return problem.strerror or str(problem)
    return ""


def _judged(session: Session, name: str, wrong: object, level: Level = "fail", **facts: object) -> Check:
    message = session.say(f"doctor_{name}_bad" if wrong else f"doctor_{name}", **facts)
    return Check(check=name, level=level if wrong else "ok", message=message)
