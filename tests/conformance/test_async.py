from pathlib import Path
from typing import Any

import pytest

from recollect import AsyncMemory, Settings, open_memory
from recollect.testing import AsyncDoorConformance, OpenAsyncMemory


class TestAsyncSqliteDoor(AsyncDoorConformance):
    @pytest.fixture
    def open_async_memory(self, tmp_path: Path) -> OpenAsyncMemory:
        async def opened(**choices: Any) -> AsyncMemory:
            return AsyncMemory(
                open_memory(Settings.model_validate({"database": str(tmp_path / "memory.db"), **choices}))
            )

        return opened
