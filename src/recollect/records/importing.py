"""Reading an export back, line by line, so that it can be cut off anywhere and go on from there."""

import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from recollect.domain.checks import check_choice
from recollect.domain.errors import Conflict, Invalid, RecollectError, Refused, StorageError, file_problem
from recollect.domain.places import to_file
from recollect.domain.record import Record, Revision, Run, Tombstone
from recollect.domain.scope import Scope
from recollect.records.intake import BATCH_LINES, Imported, Intake, Standing, sum_up
from recollect.records.lines import LINE_LIMIT, Content, End, Header, Line, Who, read_header, read_line
from recollect.records.netaclaw import load_netaclaw
from recollect.records.saving import Policy
from recollect.records.tables import Tables
from recollect.storage.servers import is_server

FORMATS = ("recollect", "netaclaw")
_BOM = b"\xef\xbb\xbf"
_CHUNK = 1_048_576


class Importing:
    """Bringing memory in from a file."""

    def __init__(self, tables: Tables, policy: Policy) -> None:
        self._tables = tables
        self._policy = policy

    def load(
        self,
        scope: Scope,
        source: str | Path,
        *,
        format: str = "recollect",
        zone: str = "UTC",
        dry_run: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Imported:
        """Import a file: into the owner of `scope` when it holds one, else into the owners that it names.

        Lines that cannot be taken are told and the others imported, some hundred a transaction; the same file given
        again goes on where the last call stopped. `dry_run` writes nothing and returns what a call without would.
        `progress` hears how many lines are done, and of how many. `zone` is that of dates of netaclaw that name none.
        """
        if scope.actor == "agent":
            raise Refused("import_by_agent")
        if check_choice(format, FORMATS, path="format") == "netaclaw":
            return load_netaclaw(
                self._tables, self._policy, scope, source, zone=zone, dry_run=dry_run, progress=progress
            )
        if is_server(str(source)):
            raise Invalid("file_only", "format")
        with _opened(to_file(source, "path")) as file:
            total = _count_lines(file) if progress else 0
            reader = _Reader(file)
            header = reader.header(str(source))
            if header.owners > 1 and scope.actor != "person":
                raise Refused("import_of_many")

            def take_in(who: Scope) -> Intake:
                name = f"import {header.export_id}"
                return Intake(self._tables, self._policy, who, name, dry_run=dry_run)

            def tell() -> None:
                if progress:
                    progress(reader.line, total)

            return _Import(reader, header, scope, take_in, tell, self._policy.language).work()


class _Import:
    """One call: the sections of a file, each into its owner."""

    def __init__(
        self,
        reader: "_Reader",
        header: Header,
        scope: Scope,
        take_in: Callable[[Scope], Intake],
        tell: Callable[[], None],
        language: str,
    ) -> None:
        self._reader = reader
        self._header = header
        self._scope = scope
        self._take_in = take_in
        self._tell = tell
        self._language = language
        self._intakes: dict[str, Intake] = {}
        self._outside = Standing()
        self._worked = False

    def work(self) -> Imported:
        alone = self._header.owners <= 1
        if alone:
            first = self._reader.peek()
            if isinstance(first, Line) and isinstance(first.content, Who):
                self._reader.take()
            self._take_section(self._scope, 1)
        while (said := self._reader.take()) is not None:
            if isinstance(said, RecollectError):
                self._outside.reject(self._reader.line, said, self._language)
            elif isinstance(said.content, End):
                self._check_end(said.content)
                break
            elif isinstance(said.content, Who) and not alone:
                who = replace(self._scope, tenant=said.content.tenant, user=said.content.user)
                self._take_section(who, said.owner)
            else:
                self._outside.reject(self._reader.line, Invalid("unknown_owner"), self._language)
        else:
            self._outside.reject(self._reader.line + 1, Invalid("file_cut"), self._language)
        self._tell()
        return sum_up(list(self._intakes.values()), self._outside, worked=self._worked)

    def _check_end(self, end: End) -> None:
        if end.lines != self._reader.line:
            self._outside.reject(self._reader.line, Invalid("lines_missing", expected=end.lines), self._language)
        if self._reader.peek() is not None:
            self._outside.reject(self._reader.line + 1, Invalid("misplaced_line"), self._language)

    def _take_section(self, scope: Scope, number: int) -> None:
        """Take the lines of one owner, who has `number` in this file; unreadable lines among them count as theirs."""
        if scope.owner_id not in self._intakes:
            self._intakes[scope.owner_id] = self._go_on(self._take_in(scope))
        intake = self._intakes[scope.owner_id]
        while self._is_of(number):
            with intake.batch():
                first = self._reader.line
                while self._is_of(number) and (self._reader.line - first < BATCH_LINES or not self._is_at_seam()):
                    self._take_line(intake)
                standing = intake.standing
                standing.place, standing.line, standing.mark = self._reader.place, self._reader.line, self._reader.mark
            self._worked = True
            self._tell()

    def _go_on(self, intake: Intake) -> Intake:
        """Pass over what an earlier call took, if it read the same up to there."""
        standing = intake.standing
        if intake.resumed and not self._reader.skip_to(standing.place, standing.line, standing.mark):
            intake.start_over()
        return intake

    def _is_of(self, number: int) -> bool:
        said = self._reader.peek()
        return said is not None and (isinstance(said, RecollectError) or said.owner == number)

    def _is_at_seam(self) -> bool:
        """Tell whether a transaction may end here: runs stay together, and so does a record with its revisions."""
        said = self._reader.peek()
        return isinstance(said, Line) and isinstance(said.content, Record | Tombstone)

    def _take_line(self, intake: Intake) -> None:
        said = self._reader.take()
        try:
            if isinstance(said, Line):
                _take_content(intake, said.content)
            elif said is not None:
                raise said
        except (Conflict, Invalid, Refused) as problem:
            intake.standing.reject(self._reader.line, problem, self._language)
            if problem.path.startswith("record."):
                intake.skip_record()


def _take_content(intake: Intake, content: Content) -> None:
    match content:
        case Record():
            intake.take_record(content)
        case Revision():
            intake.take_revision(content)
        case Run():
            intake.take_run(content)
        case Tombstone():
            intake.take_tombstone(content)
        case Who() | End():
            raise Invalid("misplaced_line")


class _Read(NamedTuple):
    """One line that was read: what it says or why not, and where the file stands behind it."""

    said: Line | RecollectError
    line: int
    place: int
    digest: Any


class _Reader:
    """A file line by line, with the place, the line number and a digest of everything up to the last line taken."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self._next: _Read | None = None
        self.line = 0
        self.place = 0

    @property
    def mark(self) -> str:
        """The digest of everything up to here."""
        return self._digest.hexdigest()

    def header(self, name: str) -> Header:
        """Read the first line, or refuse the file."""
        raw = self._file.readline(LINE_LIMIT)
        self._digest.update(raw)
        self.line, self.place = 1, len(raw)
        return read_header(raw.removeprefix(_BOM), name)

    def peek(self) -> Line | RecollectError | None:
        """Return what the next line says, without taking it; None at the end, or where the file was cut off."""
        self._next = self._next or self._read()
        return self._next.said if self._next else None

    def take(self) -> Line | RecollectError | None:
        """Return what the next line says."""
        said = self.peek()
        if self._next is not None:
            _, self.line, self.place, self._digest = self._next
            self._next = None
        return said

    def skip_to(self, place: int, line: int, mark: str) -> bool:
        """Pass over everything up to `place` if it is what `mark` was made of; else stay."""
        digest, left = self._digest.copy(), place - self.place
        self._file.seek(self.place)
        while left > 0 and (piece := self._file.read(min(left, _CHUNK))):
            digest.update(piece)
            left -= len(piece)
        self._next = None
        if left != 0 or digest.hexdigest() != mark:
            self._file.seek(self.place)
            return False
        self.line, self.place, self._digest = line, place, digest
        return True

    def _read(self) -> _Read | None:
        line, place, digest = self.line, self.place, self._digest.copy()
        while raw := self._file.readline(LINE_LIMIT + 1):
            line, last = line + 1, raw
            while last and not last.endswith(b"\n"):  # too long, or the end
                digest.update(last)
                place += len(last)
                last = self._file.readline(_CHUNK)
            digest.update(last)
            place += len(last)
            said = _say(raw, is_whole=bool(last))
            if said is not None:
                return _Read(said, line, place, digest)
        return None


def _say(raw: bytes, *, is_whole: bool) -> Line | RecollectError | None:
    """Return what a line says or what is wrong with it; None for a blank one and for half a line at the end."""
    if len(raw) > LINE_LIMIT and not raw.endswith(b"\n"):
        return Invalid("long_line", limit=LINE_LIMIT)
    if not raw.strip():
        return None
    try:
        said = read_line(raw)
    except RecollectError as problem:
        return problem if is_whole else None
    return said if is_whole or isinstance(said.content, End) else None


def _count_lines(file: BinaryIO) -> int:
    count = sum(piece.count(b"\n") for piece in iter(lambda: file.read(_CHUNK), b""))
    file.seek(0)
    return count


@contextmanager
def _opened(source: Path) -> Generator[BinaryIO]:
    try:
        with open(source, "rb") as file:
            yield file
    except FileNotFoundError as problem:
        raise StorageError("file_missing", file=str(source)) from problem
    except OSError as problem:
        raise file_problem(problem, source) from problem
