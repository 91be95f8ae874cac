"""Tables, bars and progress: coloured on a terminal, plain text in a pipe."""

import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from recollect.domain.query import Hit
from recollect.domain.record import Record
from recollect.domain.visible import visible
from recollect.faces.cli.session import printable
from recollect.faces.cli.texts import say
from recollect.faces.cli.wording import age, snippet, sum_of

_SNIPPET = 60
_BAR = 12
_BLOCKS = " ▏▎▍▌▋▊▉█"
_STALE = "⚠"
_STEP = 10  # percent between two lines of progress in a pipe
_NO_FOLDING = 10_000
_BAR_FITS = 60
_PARTS_FIT = 100  # columns from which a score and its parts stand side by side


class Screen:
    """What is drawn for people. Memory text is never read as markup and commands nothing."""

    def __init__(self, language: str, *, color: bool) -> None:
        self._language = language
        self._color = color
        self._out = self._console(sys.stdout)
        self._encoding = getattr(sys.stdout, "encoding", None) or "utf-8"

    def notes(self, records: Sequence[Record], now: datetime, *, agents: bool) -> None:
        """Show records, one a row; with `agents` whose each is."""
        table = self._table("#", "type", "name", *(["agent"] if agents else []), "age")
        for record in records:
            whose = [Text(visible(record.agent, newlines=False))] if agents else []
            table.add_row(str(record.id), record.type, self._named(record), *whose, self._age(record, now))
        self._show(table)

    def hits(self, hits: Sequence[Hit], now: datetime) -> None:
        """Show hits with their scores and what each score is made of."""
        if self._out.width < _PARTS_FIT:
            self._narrow_hits(hits, now)
            return
        names = list(dict.fromkeys(name for hit in hits for name in hit.parts))
        table = self._table("#", "type", "name", "score", *names, "age")
        for hit in hits:
            record = hit.record
            amounts = [f"{hit.parts.get(name, 0.0):.2f}" for name in names]
            score = Text(f"{hit.score:.2f} {self._bar(hit.score)}", style="green")
            row = (str(record.id), record.type, self._named(record), score, *amounts, self._age(record, now))
            table.add_row(*row)
        self._show(table)

    def _narrow_hits(self, hits: Sequence[Hit], now: datetime) -> None:
        """Show hits on few columns: what a score is made of stands below it."""
        table = self._table("#", "type", "name", "score", "age")
        for hit in hits:
            record, parts = hit.record, sum_of(hit.parts, self._language)
            named = self._named(record).append(f"\n{parts}", style="dim")
            bar = f" {self._bar(hit.score)}" if self._out.width >= _BAR_FITS else ""
            score = Text(f"{hit.score:.2f}{bar}", style="green")
            table.add_row(str(record.id), record.type, named, score, self._age(record, now))
        self._show(table)

    def rows(self, *columns: str, rows: Sequence[Sequence[str]]) -> None:
        """Show a plain table."""
        table = self._table(*columns)
        for row in rows:
            table.add_row(*(Text(visible(cell, newlines=False)) for cell in row))
        self._show(table)

    @contextmanager
    def progress(self, key: str) -> Generator[Callable[[int, int], None]]:
        """Return what long work calls with how much is done of how much; it stays off standard output."""
        console = self._console(sys.stderr)
        if not console.is_terminal:
            yield _Lines(say(key, self._language))
            return
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console, transient=True) as bars:
            task = bars.add_task(say(key, self._language), total=None)
            yield lambda done, total: bars.update(task, completed=done, total=total)

    def _console(self, stream: TextIO) -> Console:
        width = None if stream.isatty() or os.environ.get("COLUMNS", "").isdecimal() else _NO_FOLDING
        return Console(
            file=stream, width=width, no_color=not self._color or None, highlight=False, markup=False, emoji=False
        )

    def _table(self, *columns: str) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for column in columns:
            whole = column != "name" and self._out.width >= _PARTS_FIT
            table.add_column(say(f"column_{column}", self._language), overflow="fold", no_wrap=whole)
        return table

    def _show(self, table: Table) -> None:
        if self._out.is_terminal:
            self._out.print(table)
            return
        with self._out.capture() as capture:
            self._out.print(table)
        for line in capture.get().split("\n")[:-1]:
            print(line.rstrip())

    def _named(self, record: Record) -> Text:
        text = Text(visible(record.name, newlines=False))
        more = visible(snippet(record, _SNIPPET), newlines=False)
        return text.append(f"\n{more}", style="dim") if more else text

    def _age(self, record: Record, now: datetime) -> Text:
        text = Text(age(record, now, self._language))
        if record.is_stale(now):
            text.append(f" {_STALE if printable(_STALE, self._encoding) else '!'}", style="yellow")
        return text

    def _bar(self, score: float) -> str:
        if not printable(_BLOCKS, self._encoding):
            return "#" * round(score * _BAR)
        eighths = round(score * _BAR * 8)
        return _BLOCKS[-1] * (eighths // 8) + _BLOCKS[eighths % 8].strip()


class _Lines:
    """Progress in a pipe: a line for every tenth."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._told = 0

    def __call__(self, done: int, total: int) -> None:
        percent = 100 * done // total if total else 100
        if percent >= self._told + _STEP:
            self._told = percent - percent % _STEP
            print(f"{self._what} {self._told} %  {done}/{total}", file=sys.stderr)
