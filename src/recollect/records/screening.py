"""Looking for secrets in every part of a note that holds words: what was found where, and the same without it; pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, cast

from recollect.domain.checks import LABEL_LIMIT
from recollect.domain.secrets import find_secrets, mask_secrets
from recollect.domain.text import cut


class Found(NamedTuple):
    """Where a secret is, and the rule that says so."""

    path: str
    rule: str


def screen_text(text: str, path: str, *, limit: int) -> tuple[str, list[Found]]:
    """Return a text with its secrets masked, of at most `limit` characters, and what was found."""
    found = [Found(path, secret.rule) for secret in find_secrets(text)]
    return (cut(mask_secrets(text), limit) if found else text), found


def screen_texts(texts: Sequence[str], path: str) -> tuple[tuple[str, ...], list[Found]]:
    """Return labels with their secrets masked, and what was found."""
    screened = [screen_text(text, f"{path}[{at}]", limit=LABEL_LIMIT) for at, text in enumerate(texts)]
    return tuple(text for text, _ in screened), [one for _, found in screened for one in found]


def screen_metadata(value: object, path: str, key: str = "") -> tuple[object, list[Found]]:
    """Return metadata with its secrets masked, and what was found; a value is read together with its key."""
    if isinstance(value, Mapping):
        given = cast("Mapping[str, object]", value)
        named = {mask_secrets(name): screen_metadata(item, f"{path}.{name}", name) for name, item in given.items()}
        found = [Found(path, secret.rule) for name in given for secret in find_secrets(name)]
        return {name: item for name, (item, _) in named.items()}, [*found, *_all(named.values())]
    if isinstance(value, list):
        listed = [screen_metadata(item, f"{path}[{at}]", key) for at, item in enumerate(cast("list[object]", value))]
        return [item for item, _ in listed], _all(listed)
    if value is None or isinstance(value, bool | float):
        return value, []
    head, text = f"{key}: ", str(value)
    secrets = [secret for secret in find_secrets(head + text) if secret.end > len(head)]
    if not secrets:
        return value, []
    masked = mask_secrets(head + text)
    kept = masked.removeprefix(head) if masked.startswith(head) else f"[{secrets[0].rule}]"
    return kept, [Found(path, secret.rule) for secret in secrets]


def _all(screened: Iterable[tuple[object, list[Found]]]) -> list[Found]:
    return [one for _, found in screened for one in found]
