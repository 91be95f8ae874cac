"""Writers that are many, and writers that are killed: nothing acknowledged is lost, nothing is half there."""

import mmap
import random
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import recollect
from bench.building import work_folder
from bench.report import Request, Row, Table, say, write
from bench.writer import BEGUN, INSIDE, text

_PROCESSES = 8
_EACH = 500
_KILLS = 50
_LONGEST_SECONDS = 0.05
_ENDLESS = 1_000_000


@dataclass(slots=True)
class Killed:
    """What a row of kills left: how many met an open transaction, and everything that is wrong afterwards."""

    kills: int = 0
    inside: int = 0
    acknowledged: dict[int, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def run(request: Request) -> Path:
    """Let eight processes write, kill fifty, and write the result."""
    processes, each, kills = (3, 40, 5) if request.quick else (_PROCESSES, _EACH, _KILLS)
    with work_folder() as folder:
        together = at_once(folder / "together.db", processes, each)
        say(f"kill -9, {kills} times")
        killed = kill(folder / "killed.db", kills, request.seed)
    row: Row = {"kills": killed.kills, "inside a transaction": killed.inside}
    row |= {"acknowledged": len(killed.acknowledged), "lost, not found or half there": len(killed.wrong)}
    tables = (
        Table(
            title="At once",
            note="Processes that save one by one for one owner of one file; `there` counts records afterwards.",
            rows=[together],
        ),
        Table(
            title="Killed",
            note=(
                f"kill -9 at a random moment up to {_LONGEST_SECONDS * 1e3:.0f} ms after a write began; saves one by "
                "one and in batches in turns. After each kill: integrity check, every acknowledged id there and found "
                "by its own word, as many revisions as records."
            ),
            rows=[row],
        ),
    )
    return write("crash", request, tables)


def at_once(file: Path, processes: int, each: int) -> Row:
    """Let processes write beside each other and count what is there."""
    recollect.open_memory(file).close()
    began = time.perf_counter()
    programs = [_start(file, number, each) for number in range(processes)]
    ended = [program.communicate() for program in programs]
    seconds = time.perf_counter() - began
    with recollect.open_memory(file).within(user="writer") as memory:
        health = memory.upkeep.check()
    failed = sum(program.returncode != 0 for program in programs)
    told = sum(len(output.split()) for output, _ in ended)
    row: Row = {"processes": processes, "saves each": each, "acknowledged": told, "there": health.records}
    return {**row, "processes that failed": failed, "sound": health.sound, "seconds": round(seconds, 1)}


def kill(file: Path, kills: int, seed: int) -> Killed:
    """Kill a writer again and again and look at what is left each time."""
    killed = Killed()
    moments = random.Random(f"{seed} kills")
    shared = file.with_suffix(".shared")
    for number in range(kills):
        shared.write_bytes(b"\0\0")
        inside, output = _kill_one(file, number, shared, moments.uniform(0, _LONGEST_SECONDS))
        killed.kills += 1
        killed.inside += inside
        told = (word.split(":") for word in output.rpartition("\n")[0].split())
        fresh = {int(record_id): text(number, int(at)).split()[0] for record_id, at in told}
        killed.wrong += _wrong(file, fresh)
        killed.acknowledged.update(fresh)
    killed.wrong += _wrong(file, killed.acknowledged)
    return killed


def _start(file: Path, number: int, count: int, *more: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.writer", *map(str, (file, number, count, *more))]
    folder = Path(__file__).parent.parent
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", cwd=folder)


def _kill_one(file: Path, number: int, shared: Path, wait_seconds: float) -> tuple[bool, str]:
    """Start a writer, kill it a moment after its third write began; return where that met it and what it had told."""
    with open(shared, "r+b") as handle:
        seen = mmap.mmap(handle.fileno(), 2)
    program = _start(file, number, _ENDLESS, shared)
    while seen[BEGUN] < 3 and program.poll() is None:
        time.sleep(0.0002)
    time.sleep(wait_seconds)
    program.kill()
    output = program.communicate()[0]
    return bool(seen[INSIDE]), output


def _wrong(file: Path, acknowledged: Mapping[int, str]) -> list[str]:
    """Return a sentence for everything that is not as it should be."""
    with recollect.open_memory(file).within(user="writer") as memory:
        health = memory.upkeep.check()
        wrong = [] if health.sound else [f"not sound: {health}"]
        for record_id, word in acknowledged.items():
            if memory.notes.get(record_id) is None:
                wrong.append(f"{record_id} is lost")
            elif not any(found.id == record_id for found in memory.notes.search(word)):
                wrong.append(f"{record_id} is not found")
        target = file.with_suffix(".jsonl")
        held = memory.export(target)
        target.unlink()
    if held.records != held.revisions:
        wrong.append(f"{held.records} records, {held.revisions} revisions")
    return wrong
