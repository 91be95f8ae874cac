"""One run of the command line: what was chosen for it, what it opens, and how it answers."""

import json
import os
import shlex
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

import click

from recollect.faces.cli.failing import Mistake, Unconfirmed
from recollect.faces.cli.texts import say

if TYPE_CHECKING:
    from recollect import Memory, Settings
    from recollect.faces.cli.screen import Screen

LANGUAGES = ("en", "zh")
_SYSTEM = ("LC_ALL", "LC_MESSAGES", "LANG")
_FIRST = ("--lang", "RECOLLECT_LANG")  # what they say counts more than a settings file
_YES = ("y", "yes", "是", "好")


class Session:
    """What the options that every command takes say. They are read before the rest, so that mistakes are told right."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.json = "--json" in arguments
        self.quiet = False
        self.color = True
        self.data: str | None = None
        self.db: str | None = None
        self.user: str | None = None
        self.agent: str | None = None
        self._otherwise: dict[str, str] = {}  # what holds when no option says anything else
        asked, self.lang_source = _language_of(arguments, os.environ)
        self.lang = self._speakable(asked)

    @cached_property
    def screen(self) -> "Screen":
        """Tables, bars and progress; loading what draws them takes longer than most commands."""
        from recollect.faces.cli.screen import Screen

        return Screen(self.lang, color=self.color)

    def settings(self) -> "Settings":
        """Return the settings that hold for this run."""
        from recollect.wiring import to_settings

        if self.data is not None and self.db is not None:
            raise Mistake("data_and_db", "--db")
        settings = to_settings(self.db)
        if self.lang_source not in _FIRST and "lang" in settings.model_fields_set:
            self.lang, self.lang_source = self._speakable(settings.lang), self.db or ""
        self._otherwise = {"user": settings.user, "agent": settings.agent}
        if not settings.database:
            self._otherwise["data"] = settings.data
        chosen = {"data": self.data, "user": self.user, "agent": self.agent}
        update = {name: value for name, value in chosen.items() if value is not None}
        if self.data is not None:
            update["database"] = ""  # a folder named here counts more than a database named in the environment
        return settings.model_copy(update={**update, "lang": self.lang})

    @contextmanager
    def memory(self, *, ledger: bool = True, made: bool = True) -> Generator["Memory"]:
        """Open the memory that this run is about; without the ledger it keeps nothing of what is asked.

        With `made=False` one that is not there yet is refused.
        """
        from recollect.wiring import need_memory, open_once

        settings = self.settings()
        if not made:
            need_memory(settings)
        if not ledger:
            settings = settings.model_copy(update={"recall": settings.recall.model_copy(update={"ledger": False})})
        with open_once(settings) as memory:
            yield memory

    @contextmanager
    def progress(self, key: str) -> Generator[Callable[[int, int], None] | None]:
        """Return what long work is to call as it goes on, or None when nobody wants to see it."""
        if self.quiet or self.json:
            yield None
            return
        with self.screen.progress(key) as progress:
            yield progress

    def command(self, **instead: str) -> str:
        """Return how a command begins that is about the same memory: what is so without an option is left out."""
        chosen = {"data": self.data, "db": self.db, "user": self.user, "agent": self.agent, **instead}
        return " ".join(
            ["recollect"]
            + [
                f"--{name} {quoted(value)}"
                for name, value in chosen.items()
                if value is not None and value != self._otherwise.get(name)
            ]
        )

    def say(self, key: str, **facts: object) -> str:
        """Return a sentence in the language of this run; text among the facts is made safe for a terminal.

        `{recollect}` in it is how a command about the same memory begins.
        """
        facts = {"recollect": self.command(), **facts}
        safe = {name: self.safe(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
        return say(key, self.lang, **safe)

    def safe(self, text: str) -> str:
        """Return a text as one line in which nothing commands the terminal and nothing hides."""
        from recollect.domain.visible import visible

        return visible(text, newlines=False)

    def answer(self, shown: Mapping[str, object]) -> None:
        """Print one JSON object that no console can spoil."""
        print(json.dumps(shown))

    def tell(self, key: str, **facts: object) -> None:
        """Print a sentence."""
        print(self.say(key, **facts))

    def remark(self, key: str, **facts: object) -> None:
        """Print a sentence that nobody asked for, unless this run is quiet or answers with JSON."""
        if not self.quiet and not self.json:
            self.tell(key, **facts)

    def asks(self) -> bool:
        """Tell whether a person sits there who can be asked."""
        return sys.stdin.isatty()

    def _agrees(self, key: str, facts: Mapping[str, object]) -> bool:
        print(f"{self.say(key, **facts)} [y/N] ", end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().lower() in _YES

    def confirm(self, key: str, *, yes: bool, **facts: object) -> None:
        """Go on only with a yes: given beforehand, or by the person who is asked."""
        if yes:
            return
        if not self.asks():
            raise Unconfirmed("needs_yes")
        if not self._agrees(key, facts):
            self.remark("nothing_changed")
            raise click.exceptions.Exit(1)

    def _speakable(self, language: str) -> str:
        """Return English where the console has no Chinese characters; JSON is escaped and needs none."""
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        return language if language != "zh" or self.json or printable("中", encoding) else "en"


def printable(text: str, encoding: str) -> bool:
    """Tell whether a console of this encoding has these characters."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def quoted(value: str) -> str:
    """Return a value as the shell of this system takes it."""
    if os.name != "nt":
        return shlex.quote(value)
    from subprocess import list2cmdline

    return list2cmdline([value])


def _language_of(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[str, str]:
    """Return the language to speak and what asked for it; "" when nothing did."""
    for at, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang" and (value or "".join(arguments[at + 1 : at + 2])) in LANGUAGES:
            return value or arguments[at + 1], name
    own = environment.get(_FIRST[1], "")
    if own in LANGUAGES:
        return own, _FIRST[1]
    found = next((name for name in _SYSTEM if environment.get(name)), "")
    return ("zh", found) if environment.get(found, "").lower().startswith("zh") else ("en", "")
