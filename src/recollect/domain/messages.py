"""Every sentence that a person reads when something is refused, in English and Chinese."""

from recollect.domain.messages_files import FILES_MESSAGES
from recollect.domain.messages_memory import MEMORY_MESSAGES
from recollect.domain.messages_models import MODELS_MESSAGES
from recollect.domain.messages_moving import MOVING_MESSAGES
from recollect.domain.messages_storage import STORAGE_MESSAGES

LANGUAGES = ("en", "zh")

MESSAGES: dict[str, dict[str, str]] = {
    **MEMORY_MESSAGES,
    **STORAGE_MESSAGES,
    **FILES_MESSAGES,
    **MOVING_MESSAGES,
    **MODELS_MESSAGES,
}


def text(key: str, language: str | None = None, **facts: object) -> str:
    """Return the sentence `key` with its facts filled in."""
    return MESSAGES[key][language or LANGUAGES[0]].format(**facts)
