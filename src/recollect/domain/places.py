"""Where something is: a file of this machine, or an address that names its own scheme; pure."""

import re
from os import PathLike, fspath
from pathlib import Path
from typing import cast

from recollect.domain.errors import ConfigError

_SQLITE = "sqlite:///"
_SIGNED_IN = re.compile(r"([^\s:/@]*:)[^@\s]*@")
_PASSWORD = re.compile(r"((?:ssl)?password=)[^&\s]*", re.IGNORECASE)
_MISTYPED = re.compile(r"(?:postg|mysq|sqlit)\w*//", re.IGNORECASE)  # an address without its colon is no folder
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")  # one letter and a colon is a drive of Windows


def masked(place: str) -> str:
    """Return a place as it may be shown: whoever signs in there, without the password."""
    return _PASSWORD.sub(r"\1***", _SIGNED_IN.sub(r"\1***@", place))


def scheme_of(place: str) -> str:
    """Return what stands before the colon of an address, or "" of a path."""
    match = _SCHEME.match(place)
    return match[1].lower() if match else ""


def to_place(given: object, path: str) -> str:
    """Return a place as text when it is one: text or a path."""
    place: object = fspath(cast("PathLike[str]", given)) if isinstance(given, PathLike) else given
    if not isinstance(place, str):
        raise ConfigError("not_place", path, given=type(place).__name__)
    if not place.strip():
        raise ConfigError("unknown_url", path, url=masked(place))
    return place


def to_file(given: object, path: str) -> Path:
    """Return the file that a path or a sqlite:/// address names; anything else is refused."""
    place = to_place(given, path)
    file = place.removeprefix(_SQLITE)
    if not file or file == ":memory:" or (file is place and (scheme_of(place) or _MISTYPED.match(place))):
        raise ConfigError("unknown_url", path, url=masked(place))
    return Path(file).expanduser()


def beside(place: str, folder: Path) -> str:
    """Return a place that was read in a file of `folder`: a relative path is relative to that; no place stays none."""
    head = _SQLITE if place.startswith(_SQLITE) else ""
    file = place.removeprefix(head)
    if not file or (not head and scheme_of(file)):
        return place
    return head + str(folder / Path(file).expanduser())
