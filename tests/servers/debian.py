"""Programs from Debian unstable, unpacked beside the system: nothing is installed, no privilege is needed."""

import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from tests.servers.places import Unavailable, run

TRIES = 3
UPDATE_SECONDS = 300
DOWNLOAD_SECONDS = 600
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def archive(why: str) -> str:
    """Return where this machine gets Debian's packages from, by its own configuration."""
    # Of the ways to ask, the only one that answers before the first `apt-get update`.
    listed = run(["apt-get", "--print-uris", "update"], why=why)
    found = [*dict.fromkeys(re.findall(r"'(\S+?)/+dists/", listed))]
    if not found:
        raise Unavailable(f"{why}: apt is configured with no archive to fetch packages from.")
    return next((uri for uri in found if uri.endswith("/debian")), found[0])


def private_apt(folder: Path, why: str) -> list[str]:
    """Return the options that make apt know unstable alone, and keep everything in a folder."""
    for name in ("state/lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True)
    (folder / "state/status").touch()
    signed = f"[signed-by={KEYRING}] " if KEYRING.exists() else ""
    (folder / "sources.list").write_text(f"deb {signed}{archive(why)} sid main\n", encoding="utf-8")
    options = {
        "Dir::State": folder / "state",
        "Dir::State::status": folder / "state/status",
        "Dir::Cache": folder / "cache",
        "Dir::Log": folder,
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::Etc::preferencesparts": "-",
        "APT::Install-Recommends": "false",
        "APT::Sandbox::User": "",
        "APT::Update::Error-Mode": "any",
        "Acquire::Languages": "none",
        "Acquire::Retries": "2",
        "Acquire::http::Timeout": "30",
        "Acquire::https::Timeout": "30",
        "Debug::NoLocking": "1",
    }
    return [part for name, value in options.items() for part in ("-o", f"{name}={value}")]


def patiently(command: list[str], *, why: str, timeout_seconds: float, pause_seconds: float = 5) -> None:
    """Run a program that needs the network; again when it fails, for a network may."""
    for attempt in range(1, TRIES + 1):
        try:
            run(command, why=why, timeout_seconds=timeout_seconds)
            return
        except Unavailable:
            if attempt == TRIES:
                raise
            time.sleep(pause_seconds * attempt)


def unpack(packages: Sequence[str], folder: Path, *, why: str) -> None:
    """Fetch packages with all they need, down to the C library, and unpack them into a folder."""
    work = folder / "apt"
    apt = ["apt-get", "-q", *private_apt(work, why)]
    patiently([*apt, "update"], why=why, timeout_seconds=UPDATE_SECONDS)
    patiently([*apt, "install", "-y", "--download-only", *packages], why=why, timeout_seconds=DOWNLOAD_SECONDS)
    for package in sorted((work / "cache/archives").glob("*.deb")):
        run(["dpkg-deb", "-x", str(package), str(folder)], why=why)
    shutil.rmtree(work)


def runnable(program: Path, root: Path) -> list[str]:
    """Return how to call an unpacked program: through the loader and with the libraries that came with it."""
    loader = next(root.glob("usr/lib/*/ld-linux*.so.*"))
    return [str(loader), "--library-path", str(loader.parent), str(program)]
