import subprocess
import sys
from pathlib import Path

import pytest

from recollect import ConfigError
from recollect.registry import find, names, register

GROUP = "recollect.embedders"


def test_what_is_built_in_is_found_like_any_plugin():
    assert names(GROUP) == ["builtin", "fake", "local", "openai"]
    from recollect.models.fake import open_fake

    assert find(GROUP, "fake") is open_fake


def test_a_part_is_registered_for_a_while():
    with register(GROUP, "mine", 1):
        assert find(GROUP, "mine") == 1 and "mine" in names(GROUP)
        with register(GROUP, "fake", 2):
            assert find(GROUP, "fake") == 2
        assert find(GROUP, "fake") != 2
        with pytest.raises(ConfigError):
            find("recollect.stores", "mine")
    assert "mine" not in names(GROUP)


def test_an_unknown_name_is_answered_with_those_there_are():
    with pytest.raises(ConfigError) as caught:
        find(GROUP, "buildin", "embedder.provider", also=("auto",))
    assert caught.value.path == "embedder.provider"
    assert "buildin" in str(caught.value) and "auto, builtin, fake, local, openai" in str(caught.value)


PLUGIN = """
import sys
sys.path.insert(0, {folder!r})
from recollect import ConfigError, ProviderError
from recollect.models.base import EmbedderChoice
from recollect.models.choosing import choose_embedder
try:
    print(choose_embedder(EmbedderChoice(provider="mine", model="m")))
except ConfigError as problem:
    print("refused:", problem)
except ProviderError as problem:
    print("passed on:", problem.key)
"""


FAILED = "refused: embedder.provider: the plugin mine of recollect.embedders failed: "
FAILS_ITS_OWN_WAY = """
from recollect import ProviderError
def make(choice): raise ProviderError("provider_no_json", place="x")
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def make(choice): return 'made of ' + choice.model", "made of m"),
        ("def make(choice): raise KeyError('colour')", FAILED + "KeyError: 'colour'"),
        ("import nothing_of_that_name", FAILED + "ModuleNotFoundError"),
        ("other = 1", FAILED + "AttributeError"),
        (FAILS_ITS_OWN_WAY, "passed on: provider_no_json"),
    ],
    ids=["sound", "raises", "import", "name", "own"],
)
def test_a_package_brings_a_plugin_and_its_failures_name_it(tmp_path: Path, code: str, said: str) -> None:
    (tmp_path / "my_plugin.py").write_text(code, encoding="utf-8")
    info = tmp_path / "my_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plugin\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nmine = my_plugin:make\n", encoding="utf-8")
    code = PLUGIN.format(folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(said), done.stdout
