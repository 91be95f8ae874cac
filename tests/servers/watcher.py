"""Run a server, and end it when the process that asked for it ends, however that ends.

    python watcher.py FOLDERS SIGNAL UID GID COMMAND...

Standard input is a pipe whose other end the asking process holds; its end, or another parent than at first, is the sign
that nobody wants the server any more. The server then gets SIGNAL and after a while a kill, and the FOLDERS are
removed; the first of them gets the log. Prints the server's process number. Ends with the server, and with its status.
Needs nothing but Python itself.
"""

import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

PATIENCE_SECONDS = 5
PR_SET_PDEATHSIG = 1


def parents() -> dict[int, int]:
    """Return the parent of every process that is alive."""
    if not Path("/proc/self/stat").exists():
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], stdout=subprocess.PIPE, check=True).stdout
        return {int(number): int(parent) for number, parent in map(bytes.split, listed.splitlines())}
    found: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                after_the_name = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended meanwhile
            if after_the_name[0] != b"Z":
                found[int(entry.name)] = int(after_the_name[1])
    return found


def family(number: int) -> list[int]:
    """Return a process and all its descendants, parents first."""
    parent_of = parents()
    found = [number]
    for member in found:
        found += [child for child, parent in parent_of.items() if parent == member]
    return found


def kill_family(number: int) -> None:
    """Kill a process and all its descendants; stopped first, it cannot have new ones meanwhile."""
    for sign in (signal.SIGSTOP, signal.SIGKILL):
        for member in family(number):
            try:
                os.kill(member, sign)
            except ProcessLookupError:
                pass


def end_with_the_watcher(sign: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, sign)


def wait_until_alone() -> None:
    """Return when the asking process has ended; a copy of it made by fork may still hold the pipe."""
    parent = os.getppid()
    while os.getppid() == parent:
        if select.select([0], [], [], 1.0)[0] and not os.read(0, 1):
            return


def end_when_alone(server: subprocess.Popen[bytes], sign: int, alone: threading.Event) -> None:
    wait_until_alone()
    alone.set()
    server.send_signal(sign)
    time.sleep(PATIENCE_SECONDS)
    kill_family(server.pid)


def main(folders: str, sign: str, user: str, group: str, *command: str) -> int:
    as_nobody = {"user": int(user), "group": int(group), "extra_groups": []} if user else {}
    with open(os.path.join(folders.split(os.pathsep)[0], "log"), "ab") as log:
        server = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            umask=0o077,
            preexec_fn=lambda: end_with_the_watcher(int(sign)),
            **as_nobody,
        )
    print(server.pid, flush=True)
    alone = threading.Event()
    threading.Thread(target=end_when_alone, args=(server, int(sign), alone), daemon=True).start()
    status = server.wait()
    if alone.is_set():
        for folder in folders.split(os.pathsep):
            shutil.rmtree(folder, ignore_errors=True)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
