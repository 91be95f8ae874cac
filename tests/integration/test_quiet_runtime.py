"""What runs the built-in model keeps nothing about this machine and asks nobody."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys
from pathlib import Path
from recollect.models.builtin import BuiltinEmbedder
BuiltinEmbedder(cache=Path(sys.argv[1])).embed(["tea"], role="query")
"""


def test_no_trace_is_left_outside_of_the_cache(tmp_path: Path) -> None:
    home, cache = tmp_path / "home", tmp_path / "cache"
    home.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": str(home), "USERPROFILE": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
    subprocess.run([sys.executable, "-c", SCRIPT, str(cache)], env=environment, check=True, timeout=120)
    assert [file for file in home.rglob("*") if file.is_file()] == []
    assert any(cache.iterdir())
