"""Help texts in the language of the reader, set for columns in which a Chinese character takes two."""

import re
import shutil
from collections.abc import Iterable
from unicodedata import east_asian_width

import click

from recollect.faces.cli.texts import command_help, option_help, say

_NARROWEST, _WIDEST = 40, 100
_GAP = 2
_LEFT_MOST = 28
# A Chinese character may end a line anywhere, except in front of the mark that follows it.
_PIECES = re.compile(r"[\u2e80-\uffef][,.:;)、。,:;?!)」”]*|[^\s\u2e80-\uffef]+|\s+")


def help_of(ctx: click.Context, language: str) -> str:
    """Return the whole help of the command of `ctx`."""
    command, path = ctx.command, ctx.command_path.partition(" ")[2]
    width = max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))
    pieces = (piece for param in command.params for piece in param.get_usage_pieces(ctx))
    below = [say("usage_command", language)] if isinstance(command, click.Group) else []
    usage = " ".join([say("usage", language), ctx.command_path, say("usage_options", language), *pieces, *below])
    parts = [usage, *_paragraphs(command_help(path, language), width)]
    if isinstance(command, click.Group):
        listed = ((name, _summary(f"{path} {name}".strip(), language)) for name in command.list_commands(ctx))
        parts.append("\n".join([say("usage_commands", language), *_rows(listed, width)]))
    options = (option for option in command.get_params(ctx) if isinstance(option, click.Option) and not option.hidden)
    rows = ((_spelling(option), _meaning(path, option, language)) for option in options)
    parts.append("\n".join([say("usage_option_list", language), *_rows(rows, width)]))
    if path:
        parts.append(say("usage_everywhere", language))
    return "\n\n".join(parts)


def _summary(path: str, language: str) -> str:
    return command_help(path, language).split("\n", 1)[0]


def _spelling(option: click.Option) -> str:
    names = ", ".join(sorted(option.opts, key=len))
    if option.secondary_opts:
        names = f"{names} / {option.secondary_opts[0]}"
    return names if option.is_flag or not option.metavar else f"{names} {option.metavar}"


def _meaning(path: str, option: click.Option, language: str) -> str:
    return option_help(path, max(option.opts, key=len), language)


def _paragraphs(text: str, width: int) -> list[str]:
    """Return paragraphs filled to the width; lines that are indented, and the line above them, stay as they are."""
    return [
        paragraph if "\n  " in paragraph else "\n".join(_filled(paragraph, width)) for paragraph in text.split("\n\n")
    ]


def _rows(rows: Iterable[tuple[str, str]], width: int) -> list[str]:
    found = list(rows)
    left = min(_LEFT_MOST, max((_columns(name) for name, _ in found), default=0))
    lines: list[str] = []
    for name, meaning in found:
        told = _filled(meaning, width - left - 2 * _GAP)
        head = " " * _GAP + name
        if _columns(name) > left:
            lines.append(head)
            head = ""
        lines.append(head + " " * (left + 2 * _GAP - _columns(head)) + told[0])
        lines += [" " * (left + 2 * _GAP) + line for line in told[1:]]
    return lines


def _filled(text: str, width: int) -> list[str]:
    lines = [""]
    for piece in _PIECES.findall(" ".join(text.split()) if text.isascii() else text.replace("\n", "")):
        if lines[-1] and _columns(lines[-1] + piece.rstrip()) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines]


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
