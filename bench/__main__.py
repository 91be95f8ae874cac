"""The command: `python -m bench <name>`."""

import argparse
import importlib
import os
import shlex
import sys
from pathlib import Path

from bench.building import Shape, cache_folder, others
from bench.report import RESULTS, Request, say
from bench.text import Texts

_BENCHES = {
    "quality": "what is found, on sets with known answers, beside the peers",
    "speed": "save and recall, alone and beside 1e6 notes of others, beside the usual design",
    "meaning": "recall with vectors beyond the vector of the question, alone and beside 1e6 notes of others",
    "scale": "the same as others grow from nothing to 1e6 notes",
    "postings": "our postings beside full-text indexes of the engine, as others grow",
    "characters": "texts kept under pairs of characters, beside pairs and single ones",
    "long_queries": "a question alone, behind a pasted system prompt, and around a log of 50 KB",
    "ledger": "recalling with and without the ledger of recalls, alone and from eight threads",
    "embedder": "the built-in embedder: speed, start, size, and its body in four and eight bits",
    "ablation": "what each part of recall contributes, on sets with known answers",
    "floors": "what is answered and what is not, for owners with 1 to 1,000 notes",
    "servers": "durable saves and recall on PostgreSQL and MySQL, as others grow",
    "start": "how long the command and the import take",
    "crash": "8 processes that write at once, and 50 times kill -9",
}
_EXAMPLES = """examples:
  python -m bench speed                  the numbers of the project, into bench/results/
  python -m bench speed --quick          a smoke run of a minute, shown only
  python -m bench quality --systems recollect,bm25 --sets own
  python -m bench postings --full        with 1e6 notes of others
  python -m bench build 1000 1000        make the file of 1,000 owners with 1,000 notes each beforehand

Large files are kept in RECOLLECT_BENCH_CACHE (default: a folder among the system's temporary files) and built when
they are missing; a build that was stopped goes on where it was."""


def main() -> None:
    """Run one bench and show its result."""
    arguments = _parser().parse_args()
    os.environ.setdefault("RECOLLECT_EMBEDDER__PROVIDER", "none")  # a bench that is about meaning names its embedder
    if arguments.bench == "build":
        print(others(Texts(arguments.seed), Shape(arguments.owners, arguments.each)).name)
        return
    request = Request(
        command=shlex.join(["python", "-m", "bench", *sys.argv[1:]]),
        seed=arguments.seed,
        quick=arguments.quick,
        full=arguments.full,
        results=cache_folder() / "results" if arguments.quick else arguments.results,
        sets=_listed(arguments, "sets"),
        systems=_listed(arguments, "systems"),
        limit=getattr(arguments, "limit", 0),
        again=getattr(arguments, "again", False),
        kept=getattr(arguments, "kept", False),
    )
    shown = importlib.import_module(f"bench.{arguments.bench}").run(request)
    sys.stdout.write(shown.read_text(encoding="utf-8"))
    say(f"written to {shown.parent.name}/{shown.name}")


def _listed(arguments: argparse.Namespace, name: str) -> tuple[str, ...]:
    return tuple(filter(None, (getattr(arguments, name, "") or "").split(",")))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measure what recollect costs.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    benches = parser.add_subparsers(dest="bench", required=True, metavar="bench")
    for name, what in _BENCHES.items():
        bench = benches.add_parser(name, help=what, description=what)
        bench.add_argument("--seed", type=int, default=1, help="of all texts and questions (default 1)")
        bench.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
        bench.add_argument("--results", type=Path, default=RESULTS, help="folder to write to (default bench/results)")
        bench.add_argument("--full", action="store_true", help="also what takes long: postings with 1e6 notes")
        if name == "quality":
            bench.add_argument("--sets", help="names with commas between them (default: all that are there)")
            bench.add_argument("--systems", help="names with commas between them (default: all)")
            bench.add_argument("--limit", type=int, default=0, metavar="N", help="at most N questions of each set")
            bench.add_argument(
                "--kept", action="store_true", help="peers only as far as their answers are in the cache"
            )
            bench.add_argument("--again", action="store_true", help="ask peers again whose answers are in the cache")
    build = benches.add_parser("build", help="make a file of other people's notes beforehand")
    build.add_argument("owners", type=int)
    build.add_argument("each", type=int, help="notes of each owner")
    build.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    main()
