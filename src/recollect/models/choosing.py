"""From a choice to an embedder."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Final, cast

from recollect.domain.cards import BUILTIN_CARD
from recollect.domain.errors import ConfigError, RecollectError
from recollect.models import builtin, fake
from recollect.models.base import Embedder, EmbedderChoice, MakeEmbedder
from recollect.models.checked import Checked
from recollect.registry import find

EMBEDDERS: Final = "recollect.embedders"
"""The group of entry points: a name, and a `MakeEmbedder`."""

_LOCAL, _OPENAI, _FAKE = "local", "openai", "fake"
_AS_SERVED = "/as-served/"

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


def choose_earlier(choice: EmbedderChoice, model: str, dimension: int) -> Checked | None:
    """Return an embedder for vectors that `model` made, if it can still be had; their owner may have chosen another.

    The name is that of a card: one that runs here, or one of a model which the service of `choice` may serve as well.
    """
    if model == BUILTIN_CARD.model:
        here = EmbedderChoice(provider=BUILTIN, cache=choice.cache)
        return _checked(here, _shared) if builtin.is_installed() else None
    if model == fake.MODEL:
        return _checked(EmbedderChoice(provider=_FAKE, dimension=dimension))
    served, marked, _ = model.partition(_AS_SERVED)
    if not marked or choice.provider != _OPENAI:
        return None
    return _checked(replace(choice, model=served, dimension=None))


def runs_here(choice: EmbedderChoice) -> bool:
    """Tell whether a model is known to run on this machine, so that many questions cost nobody anything."""
    return choice.provider in (AUTO, BUILTIN, _LOCAL, _FAKE)


def share_embedder(choice: EmbedderChoice) -> Checked | None:
    """Return the embedder that is wanted; one that loads a model is the same for all who want the same here."""
    return _checked(choice, _shared if choice.provider in (AUTO, BUILTIN, _LOCAL) else choose_embedder)


def _checked(
    choice: EmbedderChoice, choose: Callable[[EmbedderChoice], Embedder | None] = choose_embedder
) -> Checked | None:
    embedder = choose(choice)
    return None if embedder is None else Checked(embedder, choice.provider)


_shared = lru_cache(maxsize=4)(choose_embedder)
