"""`memory list`, `show`, `history` and `trash`."""

from collections.abc import Sequence

import click

from recollect.domain import clock
from recollect.domain.record import Record, Revision
from recollect.faces.cli.command import Command, whole
from recollect.faces.cli.nothing import absent, tell_nothing
from recollect.faces.cli.session import Session
from recollect.faces.cli.wording import age, block, head, moment

_TEXTS = ("description", "agent", "session")
_CHANGES = (
    "type",
    "name",
    "description",
    "content",
    "metadata",
    "labels",
    "importance",
    "pinned",
    "expires_at",
    "status",
)
_PAGE = "10"


def _paging(command: click.decorators.FC) -> click.decorators.FC:
    return click.option("--cursor", metavar="CURSOR")(
        click.option("-k", "--limit", callback=whole, metavar="N", default=_PAGE)(command)
    )


@click.command("list", cls=Command)
@click.option("--type", metavar="TYPE")
@click.option("--label", "labels", metavar="LABEL", multiple=True)
@click.option("--stale/--fresh", default=None)
@click.option("--pending", is_flag=True)
@_paging
@click.pass_obj
def list_notes(
    session: Session,
    *,
    type: str | None,
    labels: tuple[str, ...],
    stale: bool | None,
    pending: bool,
    limit: int,
    cursor: str | None,
) -> None:
    status = "pending" if pending else "active"
    with session.memory() as memory:
        page = memory.notes.list(type=type, labels=labels, stale=stale, status=status, limit=limit, cursor=cursor)
        _tell_page(session, page.items, page.next_cursor)
        if page.items:
            return
        filtered = type or labels or stale is not None or pending or cursor
        if filtered or not tell_nothing(session, memory):
            session.remark("nothing_listed")


@click.command(cls=Command)
@_paging
@click.pass_obj
def trash(session: Session, *, limit: int, cursor: str | None) -> None:
    with session.memory() as memory:
        page = memory.notes.list(status="trashed", limit=limit, cursor=cursor)
    _tell_page(session, page.items, page.next_cursor)
    if page.items:
        session.remark("trash_help", days=session.settings().writing.trash_days)
    else:
        session.remark("trash_empty")


@click.command(cls=Command)
@click.argument("id")
@click.pass_obj
def show(session: Session, *, id: str) -> None:
    with session.memory() as memory:
        record = memory.notes.get(id)
        if record is None:
            raise absent(session, memory, id)
    if session.json:
        session.answer(record.public())
        return
    session.tell("heading", **head(record))
    for name, value in _details(session, record):
        session.tell("detail", name=session.say(f"field_{name}"), value=value)
    print()
    print(block(record.content))


@click.command(cls=Command)
@click.argument("id")
@click.pass_obj
def history(session: Session, *, id: str) -> None:
    with session.memory() as memory:
        revisions = memory.notes.history(id)
    if session.json:
        session.answer({"items": [revision.public() for revision in revisions]})
        return
    for revision in revisions:
        _tell_revision(session, revision)


def _tell_page(session: Session, records: Sequence[Record], cursor: str | None) -> None:
    if session.json:
        session.answer({"items": [record.public() for record in records], "next_cursor": cursor})
        return
    if records:
        session.screen.notes(records, clock.now(), agents=session.agent == "*")
    if cursor:
        session.remark("more", cursor=cursor)


def _details(session: Session, record: Record) -> list[tuple[str, str]]:
    """Return what there is to say about a record besides its text; what is ordinary is left out."""
    shown = [(name, str(getattr(record, name))) for name in _TEXTS if getattr(record, name)]
    if record.labels:
        shown.append(("labels", ", ".join(record.labels)))
    shown += [("metadata", f"{name} = {value}") for name, value in record.metadata.items()]
    if record.pinned:
        shown.append(("pinned", session.say("yes")))
    shown += [("importance", str(record.importance)), ("source", session.say(f"source_{record.source}"))]
    if record.status != "active":
        shown.append(("status", session.say(f"status_{record.status}")))
    shown += [("created_at", moment(record.created_at)), ("updated_at", age(record, clock.now(), session.lang))]
    if record.expires_at:
        shown.append(("expires_at", moment(record.expires_at)))
    shown.append(("version", str(record.version)))
    return shown


def _tell_revision(session: Session, revision: Revision) -> None:
    who = revision.agent or session.say(f"actor_{revision.actor}")
    what = session.say(f"action_{revision.action}")
    session.tell("revision", id=revision.id, at=moment(revision.at), who=who, what=what)
    if revision.scrubbed:
        session.tell("revision_scrubbed")
    for name in filter(revision.changes.__contains__, _CHANGES):
        before, after = revision.changes[name]
        for mark, value in (("-", before), ("+", after)):
            if value not in (None, "", [], {}):
                session.tell("revision_change", mark=mark, name=name, value=str(value))
    if revision.undone_by:
        session.tell("revision_undone", by=revision.undone_by)
