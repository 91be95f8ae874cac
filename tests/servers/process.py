"""A server as a process beside the tests."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.servers import watcher
from tests.servers.places import ENVIRONMENT, Unavailable, last_words, server_user

STOP_SECONDS = 60
KILL_SECONDS = 10


class Process:
    """A server that runs until it is told to end, or until this process ends; `folders` go with the latter."""

    def __init__(self, command: Sequence[str], folders: Sequence[Path], end_signal: signal.Signals) -> None:
        user = server_user()
        self.log = folders[0] / "log"
        told = [os.pathsep.join(map(str, folders)), int(end_signal), user.get("user", ""), user.get("group", "")]
        self.watcher = subprocess.Popen(
            [sys.executable, "-I", "-S", watcher.__file__, *map(str, told), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            start_new_session=True,  # Ctrl-C is for the tests; they end the server
        )
        assert self.watcher.stdout
        number = self.watcher.stdout.readline()
        if not number:
            raise Unavailable(f"The server did not start: {last_words(self.watcher.communicate()[1].decode())}")
        self.number = int(number)

    @property
    def running(self) -> bool:
        return self.watcher.poll() is None

    def last_words(self) -> str:
        """Return the end of the server's log."""
        return last_words(self.log.read_text(encoding="utf-8", errors="replace"))

    def stop(self, sign: signal.Signals) -> None:
        """Ask the server to end, and wait for that; one that does not listen is killed."""
        if self.running:
            os.kill(self.number, sign)
            try:
                self.watcher.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                watcher.kill_family(self.number)
        self._bury()

    def kill(self) -> None:
        """End the server and all its children at once, and return when none is left."""
        if self.running:
            members = set(watcher.family(self.number))
            watcher.kill_family(self.number)
            patience = time.monotonic() + KILL_SECONDS
            while members & watcher.parents().keys() and time.monotonic() < patience:
                time.sleep(0.01)
        self._bury()

    def _bury(self) -> None:
        # Only then the pipe: its end would tell the watcher to take the data away.
        self.watcher.wait(KILL_SECONDS)
        self.watcher.communicate()
