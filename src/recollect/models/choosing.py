"""From a choice to an embedder."""

from dataclasses import replace
from typing import Final, cast

from recollect.domain.errors import ConfigError, RecollectError
from recollect.models import builtin
from recollect.models.base import Embedder, EmbedderChoice, MakeEmbedder
from recollect.registry import find

EMBEDDERS: Final = "recollect.embedders"
"""The group of entry points: a name, and a `MakeEmbedder`."""

AUTO, NONE, BUILTIN = "auto", "none", "builtin"


def choose_embedder(choice: EmbedderChoice) -> Embedder | None:
    """Return the embedder that is wanted; None for `none`, and for `auto` where the built-in one is not installed."""
    if choice.provider == AUTO:
        choice = replace(choice, provider=BUILTIN if builtin.is_installed(choice.path) else NONE)
    if choice.provider == NONE:
        return None
    make = cast(MakeEmbedder, find(EMBEDDERS, choice.provider, "embedder.provider", also=(AUTO, NONE)))
    try:
        return make(choice)
    except RecollectError:
        raise
    except Exception as problem:
        said = f"{type(problem).__name__}: {problem}"
        raise ConfigError(
            "plugin_failed", "embedder.provider", name=choice.provider, group=EMBEDDERS, problem=said
        ) from problem
