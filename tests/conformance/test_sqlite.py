from pathlib import Path
from typing import Any

import pytest

from recollect import Memory, Settings, open_memory
from recollect.storage.sqlite import SqliteDatabase
from recollect.testing import (
    DatabaseConformance,
    DoorConformance,
    OpenDatabase,
    OpenMemory,
)
from recollect.testing.opening import WORDS_ALONE


class TestSqliteDatabase(DatabaseConformance):
    @pytest.fixture
    def open_database(self, tmp_path: Path) -> OpenDatabase:
        return lambda: SqliteDatabase(tmp_path / "memory.db")


class TestSqliteDoor(DoorConformance):
    @pytest.fixture
    def open_memory(self, tmp_path: Path) -> OpenMemory:
        def opened(**choices: Any) -> Memory:
            return open_memory(
                Settings.model_validate({"database": str(tmp_path / "memory.db"), **WORDS_ALONE, **choices})
            )

        return opened
