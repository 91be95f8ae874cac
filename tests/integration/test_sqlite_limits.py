"""Files and folders that may not be written, and disks that are full: nothing is lost and all goes on afterwards."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import recollect
from recollect.testing.opening import everything
from tests.integration.programs import needs_posix, run

# Everything is imported and used once before rights are given up: afterwards the interpreter's own files may be hidden.
AS_NOBODY = """
import json, os, sys
import recollect
from recollect.domain.errors import RecollectError
warm = recollect.open_memory(sys.argv[2]); warm.notes.save("warm up"); warm.recall("warm up"); warm.close()
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
def told(work):
    try:
        work()
    except RecollectError as problem:
        print(type(problem).__name__, problem.key, problem.text("zh") != problem.text("en"))
    else:
        print("done")
def use():
    with recollect.open_memory(sys.argv[1]) as memory:
        memory.notes.save("from nobody")
told(use)
"""

FULL = """
import json, resource, signal, sys
import recollect
from recollect import StorageError
from recollect.testing.opening import everything
path, filler, way = sys.argv[1:4]
def make_room():
    if way == "limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    else:
        import os
        os.unlink(filler)
memory = recollect.open_memory(path)
memory.notes.save("zebra before")
if way == "limit":
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
saved, refused, keys = [], 0, set()
text = "words to fill a page " * 40
for at in range(2_000):
    try:
        if at % 5 == 4:
            many = memory.notes.save_many({"content": f"{at} {n} {text}"} for n in range(3))
            saved += [one.record.id for one in many]
        else:
            saved.append(memory.notes.save(f"{at} {text}").record.id)
    except StorageError as problem:
        keys.add(problem.key); refused += 1
        if refused == 12:
            break
assert refused == 12, "the disk never filled"
assert {record.id for record in everything(memory)} == {1, *saved}, "what was refused left something"
assert [record.id for record in memory.notes.search("zebra")] == [1]
assert memory.prefetch("zebra before") != ""
make_room()
after = memory.notes.save("quagga after")
assert [record.id for record in memory.notes.search("quagga")] == [after.record.id]
health = memory.upkeep.check()
assert health.sound, health
memory.close()
with recollect.open_memory(path) as again:
    assert {record.id for record in everything(again)} == {1, *saved, after.record.id}
    assert again.upkeep.check().sound
print(*sorted(keys))
"""


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """Give a folder that every user may enter."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@needs_posix
class TestWithoutTheRight:
    @pytest.mark.parametrize(
        ("file_mode", "folder_mode", "answers"),
        [
            (0o666, 0o777, {"done"}),
            (0o444, 0o777, {"StorageError read_only True"}),
            (0o000, 0o777, {"StorageError read_only True"}),
            (0o666, 0o555, {"StorageError cannot_open True", "StorageError read_only True"}),
            (0o444, 0o555, {"StorageError read_only True"}),
            (None, 0o555, {"StorageError cannot_open True"}),
            (None, 0o777, {"done"}),
        ],
    )
    def test_a_file_that_may_not_be_written_is_left_alone(
        self, public_folder: Path, tmp_path: Path, file_mode: int | None, folder_mode: int, answers: set[str]
    ) -> None:
        folder = public_folder / "memories"
        folder.mkdir()
        path = folder / "memory.db"
        if file_mode is not None:
            with recollect.open_memory(path) as memory:
                memory.notes.save("there before")
            (folder / "memory.db.lock").unlink()
            path.chmod(file_mode)
        folder.chmod(folder_mode)
        whole = path.read_bytes() if file_mode is not None else b""
        answer = run(AS_NOBODY, path, tmp_path / "warm.db").strip()
        folder.chmod(0o755)
        assert answer in answers
        if answer == "done" or file_mode is None:
            return
        assert path.read_bytes() == whole
        path.chmod(0o600)
        with recollect.open_memory(path) as memory:
            assert [record.content for record in everything(memory)] == ["there before"]

    def test_a_folder_that_may_not_be_made(self, public_folder: Path, tmp_path: Path) -> None:
        answer = run(AS_NOBODY, public_folder / "new" / "memory.db", tmp_path / "warm.db").strip()
        assert answer == "StorageError cannot_open True"
        assert not (public_folder / "new").exists()


@needs_posix
class TestAFullDisk:
    def test_a_file_that_may_not_grow(self, tmp_path: Path) -> None:
        keys = run(FULL, tmp_path / "memory.db", tmp_path / "filler", "limit").split()
        assert set(keys) <= {"disk_full", "database_failed"}

    def test_a_disk_without_room(self, tmp_path: Path) -> None:
        disk = tmp_path / "disk"
        disk.mkdir()
        mount = shutil.which("mount")
        if sys.platform != "linux" or mount is None or os.geteuid() != 0:
            pytest.skip("only root may mount a small disk")
        if subprocess.run([mount, "-t", "tmpfs", "-o", "size=2m", "none", str(disk)], check=False).returncode != 0:
            pytest.skip("this machine lets nobody mount a small disk")
        try:
            (disk / "filler").write_bytes(b"x" * 1_000_000)
            keys = run(FULL, disk / "memory.db", disk / "filler", "disk").split()
            assert set(keys) == {"disk_full"}
            with pytest.raises(OSError), open(disk / "filler", "wb", buffering=0) as file:
                while file.write(b"x" * 4096) == 4096:
                    pass
                file.write(b"x")
            with pytest.raises(recollect.StorageError) as caught:
                recollect.open_memory(disk / "another.db")
            assert caught.value.key in ("disk_full", "database_failed")
            (disk / "filler").unlink()
            with recollect.open_memory(disk / "another.db") as memory:
                assert memory.notes.save("one").outcome == "created"
        finally:
            subprocess.run(["umount", str(disk)], check=True)
