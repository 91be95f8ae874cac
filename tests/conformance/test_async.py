from pathlib import Path
from typing import Any

import pytest

from recollect import AsyncMemory, Settings, open_memory
from recollect.testing import AsyncDoorConformance, OpenAsyncMemory
from recollect.testing.opening import WORDS_ALONE


class TestAsyncSqliteDoor(AsyncDoorConformance):
    @pytest.fixture
    def open_async_memory(self, tmp_path: Path) -> OpenAsyncMemory:
        async def opened(**choices: Any) -> AsyncMemory:
            chosen = {"database": str(tmp_path / "memory.db"), **WORDS_ALONE, **choices}
            return AsyncMemory(open_memory(Settings.model_validate(chosen)))

        return opened
