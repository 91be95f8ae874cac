"""Settings: a YAML file and the environment made into typed values, each wrong key named by its path."""

import logging
import os
import re
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from recollect.domain.errors import ConfigError, file_problem, worded
from recollect.domain.messages import LANGUAGES
from recollect.domain.places import beside

_PREFIX = "RECOLLECT_"
_PLACES = ("database", "data")
_REFERENCE = re.compile(r"\$\{(\w+)\}")

_log = logging.getLogger(__name__)

PromptLanguage = Literal["zh", "en"]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PromptSettings(_Section):
    """How memory enters prompts; an agent may have its own."""

    enabled: bool = Field(default=True, description="off: no tools, no section, no prefetch; what is stored stays")
    prefetch_limit: Annotated[int, Field(ge=1, le=100)] = Field(
        default=5, description="how many memories are put into a prompt"
    )
    placement: Literal["system", "message"] = Field(
        default="system", description="where recalled memories go: end of the system prompt, or before the question"
    )
    prompt_language: PromptLanguage = Field(default="zh", description="language of what models read")
    token_budget: Annotated[int, Field(ge=1)] | None = Field(
        default=2_000, description="most tokens that recalled memories may take in a prompt or the answer of a tool"
    )


class AgentSettings(PromptSettings):
    """What one agent has for itself."""

    database: str = Field(default="", description="path or URL of a database of its own; empty is that of all")


class WritingSettings(_Section):
    """What may be written, and how long deleted things are kept."""

    secrets: Literal["refuse", "mask"] = Field(default="refuse", description="what happens to a text holding a secret")
    review: Literal["external", "inferred", "none"] = Field(
        default="external", description="whose memories wait until a person approves them"
    )
    trash_days: Annotated[int, Field(ge=0, le=3650)] = Field(
        default=30, description="days until a deleted memory is gone for good"
    )


class RecallSettings(_Section):
    """What is kept of the questions that were asked."""

    ledger: bool = Field(default=True, description="whether it is kept what was asked and which memories were given")
    ledger_days: Annotated[int, Field(ge=1, le=3650)] = Field(default=30, description="days for which that is kept")
    ledger_rows: Annotated[int, Field(ge=1, le=1_000_000)] = Field(
        default=10_000, description="how many recalls of a user are kept at most"
    )


class ServerSettings(_Section):
    """How much of a database server one process may take; a file needs none of it."""

    pool_size: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=10, description="connections of one process at most"
    )
    connect_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        default=10.0, description="how long to wait for a connection"
    )
    statement_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        default=30.0, description="how long one statement, a lock or a free connection may take"
    )


class EmbedderSettings(_Section):
    """The model that turns texts into vectors, so that they are found by what they mean."""

    provider: Annotated[str, Field(min_length=1)] = Field(
        default="auto", description="auto is builtin when it is installed, else none; openai, local, fake or a plugin's"
    )
    model: str = Field(default="", description="name of the model at the service")
    base_url: str = Field(default="", description="address of the service; empty is OpenAI's own")
    api_key: str = Field(default="", repr=False, description="${VARIABLE} of the environment that holds the key")
    path: str = Field(default="", description="folder of a local model, or the file of the built-in one")
    dimension: Annotated[int, Field(ge=1, le=65_536)] | None = Field(
        default=None, description="numbers of a vector, asked of the service; null is the model's own"
    )
    timeout_seconds: Annotated[float, Field(gt=0, le=600)] = Field(
        default=30.0, description="how long a service may take to answer"
    )
    batch: Annotated[int, Field(ge=1, le=2_048)] = Field(default=64, description="most texts in one request")
    embed: Literal["deferred", "inline"] = Field(
        default="deferred", description="when a saved text gets its vector: soon afterwards, or before save returns"
    )

    def resolved(self, environment: Mapping[str, str] | None = None) -> "EmbedderSettings":
        """Return the section with the key itself in place of a reference, for whoever builds the embedder now."""
        if self.provider == "none":
            return self
        key = expand(self.api_key, "embedder.api_key", os.environ if environment is None else environment)
        return self.model_copy(update={"api_key": key})


class Settings(_Section):
    """Everything that an operator can decide."""

    database: str = Field(default="", description="path or URL; empty is {data}/memory/memory.db")
    data: str = Field(default="", description="the data folder; empty is this user's own")
    lang: Literal["en", "zh"] = Field(default="en", description="language of messages to people")
    tenant: str = Field(default="default", description="tenant when a program names none")
    user: str = Field(default="local", description="user when a program names none")
    agent: str = Field(default="", description="agent when a program names none")
    prompts: PromptSettings = Field(default_factory=PromptSettings, description="how memory enters prompts")
    writing: WritingSettings = Field(default_factory=WritingSettings, description="what may be written")
    recall: RecallSettings = Field(default_factory=RecallSettings, description="what is kept of questions")
    server: ServerSettings = Field(default_factory=ServerSettings, description="limits towards a database server")
    embedder: EmbedderSettings = Field(default_factory=EmbedderSettings, description="what turns texts into vectors")
    agents: dict[str, AgentSettings] = Field(default_factory=dict, description="an agent's own database and prompts")

    def prompts_for(self, agent: str) -> PromptSettings:
        """Return the prompt settings of one agent: what it sets itself, else what holds for all."""
        own = self.agents.get(agent)
        own_prompts = own.model_dump(exclude_unset=True, exclude={"database"}) if own else {}
        return self.prompts.model_copy(update=own_prompts) if own_prompts else self.prompts

    def database_place(self, agent: str = "") -> str:
        """Return the path or URL of an agent's database: its own, else that of all, in the data folder by default."""
        own = self.agents.get(agent)
        return (own and own.database) or self.database or str(data_folder(self.data) / "memory" / "memory.db")


def expand(text: str, path: str, environment: Mapping[str, str]) -> str:
    """Return a text with each ${VARIABLE} replaced; one that is not set is an error that names it, never nothing."""

    def value(reference: re.Match[str]) -> str:
        found = environment.get(reference[1])
        if not found:
            raise ConfigError("unset_variable", path, name=reference[1])
        return found

    return _REFERENCE.sub(value, text)


def data_folder(given: str = "") -> Path:
    """Return the folder that holds this user's memory."""
    if given:
        return Path(given).expanduser()
    from platformdirs import user_data_path  # only when nobody named a folder; slow to import

    return user_data_path("recollect", appauthor=False)


def cache_folder(data: str) -> Path:
    """Return the folder for what can be built again: inside the data folder that is named, else this user's own."""
    if data:
        return Path(data) / "cache"
    from platformdirs import user_cache_path  # only when nobody named a folder; slow to import

    return user_cache_path("recollect", appauthor=False)


def load_settings(file: Path | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Return settings from a YAML file, if one is given, with the environment's on top of it."""
    given: dict[str, object] = {} if file is None else _read_yaml(file)
    _warn_of_keys(given)
    if file is not None:
        _place_beside(given, file.parent)
    variables = _from_environment(os.environ if environment is None else environment)
    for path, value in variables:
        _put(given, path, value)
    lang = given.get("lang")
    with worded(lang if isinstance(lang, str) and lang in LANGUAGES else LANGUAGES[0]):
        return _checked(given, {path for path, _ in variables})


def _checked(given: Mapping[str, object], from_environment: Set[tuple[str, ...]]) -> Settings:
    """Return checked settings; what is wrong is told by its dotted name, or by its variable when it came from one."""
    try:
        return Settings.model_validate(given)
    except ValidationError as problem:
        first = problem.errors()[0]
        path = tuple(map(str, first["loc"]))
        named = _PREFIX + "__".join(path).upper() if path in from_environment else ".".join(path)
        key, facts = _said_wrong(first)
        raise ConfigError(key, named, **facts) from problem


def _said_wrong(error: ErrorDetails) -> tuple[str, Mapping[str, object]]:
    """Return the message for what pydantic found, and its facts."""
    context = error.get("ctx", {})
    given = repr(error["input"])
    match error["type"]:
        case "extra_forbidden":
            return "unknown_setting", {}
        case "literal_error":
            return "not_one_of", {"given": given, "allowed": str(context["expected"]).replace("'", "")}
        case "string_type":
            return "not_text", {}
        case "bool_parsing" | "bool_type":
            return "not_boolean", {}
        case "int_parsing" | "int_type" | "int_from_float":
            return "not_whole", {"given": given}
        case "dict_type" | "model_type":
            return "not_object", {}
        case "greater_than_equal" | "less_than_equal" | "greater_than" | "less_than":
            [(bound, limit)] = context.items()
            return f"bound_{bound}", {"given": given, "limit": limit}
        case _:
            return "bad_setting", {"problem": error["msg"]}


def _read_yaml(file: Path) -> dict[str, object]:
    import yaml  # only when there is a file; slow to import

    try:
        given: object = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError as problem:
        raise ConfigError("file_missing", file=str(file)) from problem
    except OSError as problem:
        raise file_problem(problem, file, ConfigError) from problem
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise ConfigError("bad_yaml", file=str(file), problem=" ".join(str(problem).split())) from problem
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise ConfigError("not_object", str(file))
    return {str(key): value for key, value in given.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _place_beside(given: dict[str, object], folder: Path) -> None:
    """Read the places in a file as whoever wrote it meant them: beside the file."""
    agents = given.get("agents")
    owns = cast("dict[str, object]", agents).values() if isinstance(agents, dict) else ()
    for section in (given, *(cast("dict[str, object]", own) for own in owns if isinstance(own, dict))):
        for name in _PLACES:
            place = section.get(name)
            if isinstance(place, str):
                section[name] = beside(place, folder)


def _warn_of_keys(given: Mapping[str, object]) -> None:
    section = given.get("embedder")
    key: object = section.get("api_key") if isinstance(section, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if isinstance(key, str) and key and not _REFERENCE.search(key):
        _log.warning(
            "a key is written out in the settings; name a variable of the environment instead, as ${VARIABLE}",
            extra={"action": "literal_key", "setting": "embedder.api_key"},
        )


def _from_environment(environment: Mapping[str, str]) -> list[tuple[tuple[str, ...], str]]:
    """Return what the environment sets, by path: RECOLLECT_USER and its like, and RECOLLECT_<SECTION>__<KEY>."""
    known = tuple(Settings.model_fields)
    found: list[tuple[tuple[str, ...], str]] = []
    for name, value in sorted(environment.items()):
        path = tuple(name.removeprefix(_PREFIX).lower().split("__"))
        if value and name.startswith(_PREFIX) and ("__" in name or path[0] in known):
            found.append((path, value))
    return found


def _put(given: dict[str, object], path: tuple[str, ...], value: str) -> None:
    for part in path[:-1]:
        inner = given.get(part)
        given[part] = dict(inner) if isinstance(inner, dict) else {}  # pyright: ignore[reportUnknownArgumentType]
        given = given[part]  # pyright: ignore[reportAssignmentType]
    given[path[-1]] = value
