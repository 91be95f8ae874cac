"""What went wrong, as one sentence or one JSON object, and as an exit status."""

import contextlib
import errno
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import click

from recollect.domain.errors import STATUS, RecollectError, StorageError
from recollect.faces.cli.texts import say

if TYPE_CHECKING:
    from recollect.faces.cli.session import Session

_INTERRUPTED = 130
_READER_WENT_AWAY = (errno.EPIPE, errno.EINVAL)  # the second is how Windows says it


class Mistake(RecollectError):
    """The command line was used in a way that cannot be answered; its sentences are the command line's own."""

    code: ClassVar[str] = "invalid"

    def text(self, language: str | None = None) -> str:
        return say(self.key, language or "en", **self.facts)


class Unconfirmed(Mistake):
    """What cannot be taken back needs a yes, and nobody was there to give it."""

    code: ClassVar[str] = "refused"


class Absent(Mistake):
    """There is no such thing here, and the command line knows where else it is."""

    code: ClassVar[str] = "not_found"


class Failed(Mistake):
    """Another program that a command needs did not do its part."""

    code: ClassVar[str] = "storage"


def answered(session: "Session", work: Callable[[], object]) -> int:
    """Do the work of a command and return its exit status; every failure that can be foreseen becomes a sentence."""
    try:
        status = work()
        sys.stdout.flush()
    except RecollectError as problem:
        return _refused(session, problem)
    except click.UsageError as problem:
        return _refused(session, _mistake(problem))
    except (KeyboardInterrupt, click.Abort):
        said = session.say("interrupted")
        _complain(session, said, code="interrupted", message=said)
        return _INTERRUPTED
    except OSError as problem:
        _let_go_of_stdout()
        if problem.errno not in _READER_WENT_AWAY:
            print(_sentence(session, unreadable(problem)), file=sys.stderr)
        return 1
    return status if isinstance(status, int) else 0


def unreadable(problem: OSError) -> StorageError:
    """Return a file's failure as one of ours."""
    return StorageError("file_failed", file=str(problem.filename or "stdout"), problem=problem.strerror or "")


def _refused(session: "Session", problem: RecollectError) -> int:
    said = {"code": problem.code, "message": problem.text(session.lang), "path": problem.path}
    _complain(session, _sentence(session, problem), **said)
    return STATUS[problem.code]


def _complain(session: "Session", sentence: str, *, code: str, message: str, path: str = "") -> None:
    if session.json:
        session.answer({"error": {"code": code, "message": message, "path": path}})
    else:
        print(sentence, file=sys.stderr)


def _sentence(session: "Session", problem: RecollectError) -> str:
    where = f"{problem.path}: " if problem.path else ""
    return session.safe(f"recollect: {where}{problem.text(session.lang)}")


def _mistake(problem: click.UsageError) -> Mistake:
    """Return what click found wrong in our words; it speaks English alone."""
    command = problem.ctx.command_path if problem.ctx else "recollect"
    if isinstance(problem, click.NoSuchOption):
        if " " in problem.option_name:
            return Mistake("text_with_dash", problem.option_name, command=command)
        near = ", ".join(problem.possibilities or ())
        key = "no_such_option_near" if near else "no_such_option"
        return Mistake(key, problem.option_name, near=near, command=command)
    if isinstance(problem, click.MissingParameter) and problem.param is not None:
        name = problem.param.human_readable_name
        return Mistake("missing_argument", name, command=command)
    if isinstance(problem, click.BadOptionUsage):
        takes_none = "does not take" in problem.message
        return Mistake("no_value_taken" if takes_none else "value_missing", problem.option_name, command=command)
    return Mistake("misused", problem=problem.format_message(), command=command)


def _let_go_of_stdout() -> None:
    """Keep the interpreter from writing once more, at its end, what could not be written."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
