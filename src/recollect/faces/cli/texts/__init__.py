"""Everything that the command line says, in English and Chinese."""

from recollect.faces.cli.texts.commands import COMMANDS
from recollect.faces.cli.texts.options import OPTIONS
from recollect.faces.cli.texts.sentences import SENTENCES


def say(key: str, language: str, **facts: object) -> str:
    """Return a sentence with its facts filled in."""
    return SENTENCES[key][language].format(**facts)


def command_help(path: str, language: str) -> str:
    """Return what a command does: one line, then what else there is to know, then examples."""
    return COMMANDS[path][language].strip("\n")


def option_help(path: str, name: str, language: str) -> str:
    """Return what an option means for this command, or for every command that has it."""
    own = OPTIONS.get(f"{path} {name}") or OPTIONS[name]
    return own[language]
