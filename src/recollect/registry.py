"""Parts that are found by a group and a name: entry points of installed packages, this one among them."""

from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points

from recollect.domain.errors import ConfigError

_registered: dict[tuple[str, str], object] = {}


def names(group: str) -> list[str]:
    """Return the names of a group in their order."""
    return sorted(
        {*(entry.name for entry in entry_points(group=group)), *(name for at, name in _registered if at == group)}
    )


def find(group: str, name: str, path: str = "", *, also: tuple[str, ...] = ()) -> object:
    """Return the part of that name, loaded now.

    A name that nobody has is a ConfigError at `path`, with those there are and those that are legal `also`.
    """
    if (group, name) in _registered:
        return _registered[group, name]
    found = list(entry_points(group=group, name=name))
    if not found:
        raise ConfigError("not_one_of", path, given=name, allowed=", ".join([*also, *names(group)]))
    return _loaded(found[0], path)


def _loaded(entry: EntryPoint, path: str) -> object:
    try:
        return entry.load()
    except Exception as problem:  # whatever a stranger's module does when it is imported
        said = f"{type(problem).__name__}: {problem}"
        raise ConfigError("plugin_failed", path, name=entry.name, group=entry.group, problem=said) from problem


@contextmanager
def register(group: str, name: str, part: object) -> Generator[None]:
    """Have a part under a name inside the block, before any entry point: for tests."""
    before = dict(_registered)
    _registered[group, name] = part
    try:
        yield
    finally:
        _registered.clear()
        _registered.update(before)
