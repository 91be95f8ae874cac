"""`memory add` and `memory edit`."""

import os
import sys
import tempfile
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import click

from recollect.domain.checks import check_moment
from recollect.domain.drafting import CONTENT_LIMIT
from recollect.domain.errors import RecollectError, Refused
from recollect.domain.record import Record, Saved
from recollect.faces.cli.command import Command, whole
from recollect.faces.cli.failing import Failed, Mistake, Unconfirmed, unreadable
from recollect.faces.cli.nothing import absent
from recollect.faces.cli.session import Session, quoted
from recollect.faces.cli.wording import head

_NEVER = "never"
_MOST_BYTES = 4 * CONTENT_LIMIT + len(BOM_UTF8)
_SIGNATURE = "utf-8-sig"  # what Windows editors put in front of a text is no part of it


def _note_fields(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--metadata", metavar="KEY=VALUE", multiple=True),
        click.option("--expires", metavar="TIME"),
        click.option("--pin/--no-pin", "pinned", default=None),
        click.option("--importance", callback=whole, metavar="N"),
        click.option("--label", "labels", metavar="LABEL", multiple=True),
        click.option("--description", metavar="TEXT"),
        click.option("--name", metavar="TITLE"),
        click.option("--type", metavar="TYPE"),
        click.option("--file", metavar="FILE"),
    ):
        command = option(command)
    return command


@click.command(cls=Command)
@click.argument("text", required=False)
@_note_fields
@click.option("--external", is_flag=True)
@click.option("--allow-secret", is_flag=True)
@click.pass_obj
def add(
    session: Session, *, text: str | None, file: str | None, external: bool, allow_secret: bool, **given: Any
) -> None:
    content = _given_text(text, file, piped=True)
    if content is None or not content.strip():
        raise Mistake("no_text", "content")
    fields = _fields(given)
    with session.memory() as memory:

        def save(allowed: bool) -> Saved:
            return memory.notes.save(content, external=external, allow_secret=allowed, **fields)

        saved = _kept(session, save, allow_secret)
    _tell_saved(session, saved)
    if saved.outcome == "duplicate":
        _tell_unchanged(session, saved.record, fields)


@click.command(cls=Command)
@click.argument("id")
@click.argument("text", required=False)
@_note_fields
@click.option("--allow-secret", is_flag=True)
@click.pass_obj
def edit(session: Session, *, id: str, text: str | None, file: str | None, allow_secret: bool, **given: Any) -> None:
    content, fields = _given_text(text, file, piped=False), _fields(given)
    if content is not None:
        fields["content"] = content
    with session.memory() as memory:

        def save(allowed: bool) -> Saved:
            return memory.notes.update(id, allow_secret=allowed, **fields)

        if fields:
            _tell_saved(session, _kept(session, save, allow_secret))
            return
        record = memory.notes.get(id)
        if record is None:
            raise absent(session, memory, id)
        fields.update(content=_from_editor(session, record), if_version=record.version)
        try:
            saved = _kept(session, save, allow_secret)
        except RecollectError:
            print(session.say("kept_in_file", file=_put_aside(fields["content"])), file=sys.stderr)
            raise
        _tell_saved(session, saved)


def _given_text(text: str | None, file: str | None, *, piped: bool) -> str | None:
    """Return the text from wherever it was given; `piped` takes standard input when nothing else is named."""
    if file is not None:
        if text is not None:
            raise Mistake("text_twice", "--file")
        try:
            with open(file, "rb") as stream:
                return _read_text(stream, "--file", file, encodings=(_SIGNATURE,))
        except OSError as problem:
            raise unreadable(problem) from problem
    if text == "-" or (text is None and piped and not sys.stdin.isatty()):
        return _read_text(sys.stdin.buffer, "content", "-", encodings=(_SIGNATURE, sys.stdin.encoding))
    return text


def _read_text(stream: BinaryIO, path: str, file: str, *, encodings: Sequence[str]) -> str:
    """Return the text of a file in the first encoding that fits; of one without an end no more than can be kept."""
    given = stream.read(_MOST_BYTES + 1)
    if len(given) > _MOST_BYTES:
        raise Mistake("file_too_long", path, file=file, limit=CONTENT_LIMIT)
    for encoding in encodings:
        try:
            return given.decode(encoding).replace("\r\n", "\n")
        except UnicodeDecodeError:
            continue
    raise Mistake("not_utf8", path, file=file)


def _fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that were named, as the door takes them; an empty label or metadata alone stands for none."""
    named = {name: given[name] for name in ("type", "name", "description", "importance", "pinned")}
    fields = {name: value for name, value in named.items() if value is not None}
    if given["labels"]:
        fields["labels"] = tuple(label for label in given["labels"] if label)
    if given["metadata"]:
        fields["metadata"] = dict(_pairs(given["metadata"]))
    if given["expires"] is not None:
        fields["expires_at"] = None if given["expires"] == _NEVER else check_moment(given["expires"], path="--expires")
    return fields


def _pairs(given: Sequence[str]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for pair in filter(None, given):
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise Mistake("not_key_value", "--metadata", given=pair)
        pairs.append((key, value))
    return pairs


def _kept(session: Session, save: Callable[[bool], Saved], allowed: bool) -> Saved:
    """Save; when it looks like a secret, the person who is there is asked once."""
    try:
        return save(allowed)
    except Refused as problem:
        if problem.key != "secret_by_person":
            raise
        rule = problem.facts["rule"]
        if not session.asks():
            raise Unconfirmed("secret", problem.path, rule=rule) from problem
        session.confirm("keep_secret", yes=False, rule=rule)
        return save(True)


def _from_editor(session: Session, record: Record) -> str:
    """Return the text as an editor leaves it."""
    if not session.asks() and not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise Mistake("nothing_named", "content")
    try:
        text = click.edit(record.content, extension=".md")
    except click.ClickException as problem:
        raise Failed("editor_failed", problem=problem.format_message()) from problem
    if text is None:
        return record.content
    return text if record.content.endswith("\n") else text.removesuffix("\n")


def _put_aside(text: str) -> str:
    """Return the file in which a text waits that could not be saved: nobody types it twice."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".md", delete=False) as stream:
        stream.write(text)
    return stream.name


def _tell_unchanged(session: Session, record: Record, fields: Mapping[str, Any]) -> None:
    """Say which fields a text that was there already does not have as they were named, and how it gets them."""
    differing = {name: value for name, value in fields.items() if getattr(record, name) != value}
    if differing:
        options = " ".join(_spelled(differing))
        session.remark("fields_unchanged", options=options, id=record.id)


def _spelled(fields: Mapping[str, Any]) -> Iterator[str]:
    """Return fields as the options that name them."""
    for name, value in fields.items():
        if name == "pinned":
            yield "--pin" if value else "--no-pin"
        elif name == "labels":
            yield from (f"--label {quoted(label)}" for label in value or [""])
        elif name == "metadata":
            yield from (f"--metadata {quoted(f'{key}={given}')}" for key, given in value.items())
        elif name == "expires_at":
            yield f"--expires {value.isoformat() if value else _NEVER}"
        else:
            yield f"--{name} {quoted(str(value))}"


def _tell_saved(session: Session, saved: Saved) -> None:
    record = saved.record
    if session.json:
        similar = [{"id": near.id, "name": near.name} for near in saved.similar]
        shown = {"id": record.id, "outcome": saved.outcome, "similar": similar, "revision": saved.revision}
        session.answer(shown)
        return
    session.remark(f"outcome_{saved.outcome}", **head(record), revision=saved.revision)
    if record.status == "pending":
        session.remark("waits_for_review", id=record.id)
    for near in saved.similar:
        session.remark("similar", **head(near))
