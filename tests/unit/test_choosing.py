import logging
from dataclasses import fields
from pathlib import Path

import pytest

from recollect import ConfigError
from recollect.models.base import EmbedderChoice, legible
from recollect.models.builtin import BuiltinEmbedder
from recollect.models.choosing import choose_embedder
from recollect.models.fake import FakeEmbedder
from recollect.models.local import open_local
from recollect.models.protobuf import field, varint
from recollect.settings import EmbedderSettings, load_settings

KEY = "sk-very-secret"


def test_the_settings_are_the_choice_but_for_the_cache():
    own = {name.name for name in fields(EmbedderChoice)}
    assert own == {*EmbedderSettings.model_fields, "cache"} - {"embed"}
    choice = EmbedderChoice(**EmbedderSettings().resolved({}).model_dump(exclude={"embed"}), cache=None)
    assert choice == EmbedderChoice()


def test_the_builtin_embedder_is_the_choice_where_it_is_installed(tmp_path: Path):
    assert isinstance(choose_embedder(EmbedderChoice()), BuiltinEmbedder)
    with pytest.raises(ConfigError):  # somebody wants it who named the wrong file
        choose_embedder(EmbedderChoice(path=str(tmp_path / "missing.bin")))
    assert choose_embedder(EmbedderChoice(provider="none")) is None


def test_the_fake_one_has_the_dimension_that_is_wanted():
    made = choose_embedder(EmbedderChoice(provider="fake", dimension=7))
    assert isinstance(made, FakeEmbedder)
    assert made.embed(["a"], role="query").shape == (1, 7)
    assert made.embed(["two words"], role="query")[0] @ made.embed(["two cats"], role="query")[0] > 0.3


@pytest.mark.parametrize(
    ("choice", "path", "said"),
    [
        ({"provider": "buildin"}, "embedder.provider", "auto, none, builtin, fake, local, openai"),
        ({"provider": "openai"}, "embedder.model", "missing"),
        ({"provider": "openai", "model": "m", "base_url": "localhost:1"}, "embedder.base_url", "http://"),
        ({"provider": "openai", "model": "m", "base_url": "http://[::1"}, "embedder.base_url", "http://"),
        ({"provider": "local"}, "embedder.path", "missing"),
        ({"provider": "local", "path": "no/such/folder"}, "embedder.path", "does not exist"),
        ({"provider": "builtin", "path": "no/such/file.bin"}, "embedder.path", "file.bin"),
    ],
)
def test_what_is_wrong_is_named_by_its_setting(choice: dict[str, str], path: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        choose_embedder(EmbedderChoice(**choice))
    assert caught.value.path == path and said in str(caught.value)
    assert caught.value.text("zh") != caught.value.text("en")


def test_a_local_model_needs_its_package(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        open_local(EmbedderChoice(path=str(tmp_path)))
    assert "pip install sentence-transformers" in str(caught.value)


def test_a_key_is_looked_up_when_it_is_needed():
    section = EmbedderSettings(provider="openai", api_key="${MY_KEY}")
    assert section.resolved({"MY_KEY": KEY}).api_key == KEY
    assert EmbedderSettings(api_key=KEY).resolved({}).api_key == KEY
    assert EmbedderSettings(provider="none", api_key="${MY_KEY}").resolved({}).api_key == "${MY_KEY}"
    for environment in ({}, {"MY_KEY": ""}):
        with pytest.raises(ConfigError) as caught:
            section.resolved(environment)
        assert caught.value.path == "embedder.api_key" and "MY_KEY" in str(caught.value)


def test_a_key_comes_from_the_environment_and_is_never_shown():
    settings = load_settings(environment={"RECOLLECT_EMBEDDER__API_KEY": KEY, "RECOLLECT_EMBEDDER__BATCH": "8"})
    assert (settings.embedder.api_key, settings.embedder.batch) == (KEY, 8)
    choice = EmbedderChoice(**settings.embedder.resolved({}).model_dump(exclude={"embed"}))
    assert choice.api_key == KEY
    assert KEY not in repr(settings) + repr(choice)


@pytest.mark.parametrize(("key", "warnings"), [(KEY, 1), ("${MY_KEY}", 0), ("", 0)])
def test_a_key_in_a_file_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, key: str, warnings: int
) -> None:
    file = tmp_path / "recollect.yaml"
    file.write_text(f'embedder: {{api_key: "{key}"}}', encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        assert load_settings(file, {}).embedder.api_key == key
    assert len(caplog.records) == warnings
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("plain", "plain"),
        ("a\0b", "a b"),
        ("\ud83d\ude00", "😀"),
        ("a\ud800b", "a\ufffdb"),
        ("支付\udfff", "支付\ufffd"),
    ],
)
def test_what_no_model_can_read_is_replaced(text: str, read: str) -> None:
    assert legible(text) == read


def test_the_format_of_messages():
    assert field(1, 150) == b"\x08\x96\x01"
    assert field(2, "testing") == b"\x12\x07testing"
    assert field(3, 1.0) == b"\x1d\x00\x00\x80\x3f"
    assert varint(-1) == b"\xff" * 9 + b"\x01"
