"""The checks that a database, a door and an embedder must pass. They need pytest and hypothesis: the extra `testing`.

Subclass a class in a test module and give it one fixture:

    class TestMine(DatabaseConformance):
        @pytest.fixture
        def open_database(self, tmp_path: Path) -> OpenDatabase:
            return lambda: MyDatabase(tmp_path / "memory.db")
"""

import pytest

# Before they are imported, so that a check that fails shows its values.
pytest.register_assert_rewrite(
    *(
        f"{__name__}.{part}"
        for part in "acting changing database door embedder explaining finding isolation ledger listing meaning".split()
        + "opening portal prompting refusing removing rows saving scopes secrecy undoing".split()
    )
)

from recollect.testing.database import DatabaseConformance, OpenDatabase  # noqa: E402
from recollect.testing.door import AsyncDoorConformance, DoorConformance, OpenAsyncMemory  # noqa: E402
from recollect.testing.embedder import EmbedderConformance, OpenEmbedder  # noqa: E402
from recollect.testing.opening import OpenMemory  # noqa: E402

__all__ = [
    "AsyncDoorConformance",
    "DatabaseConformance",
    "DoorConformance",
    "EmbedderConformance",
    "OpenAsyncMemory",
    "OpenDatabase",
    "OpenEmbedder",
    "OpenMemory",
]
