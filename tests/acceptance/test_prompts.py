import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect.domain.record import Record
from recollect.prompts.render import memory_block, section
from recollect.prompts.texts import Texts, texts

GOLDEN = Path(__file__).parent / "golden" / "zh"
NOW = datetime(2026, 4, 12, 8, 0, tzinfo=UTC)

SAMPLE = (
    ("user", "用户偏好-简洁风格", "用户偏好简洁直接的回答风格,不喜欢冗长的解释。"),
    ("project", "当前冲刺目标", "本周冲刺目标是完成支付模块重构,截止日期 2026-04-15。"),
    ("feedback", "不要自动格式化代码", "用户明确要求不要自动格式化代码,保持原有风格。"),
)


def golden(name: str) -> str:
    return (GOLDEN / name).read_text(encoding="utf-8").removesuffix("\n")


def sample_records() -> list[Record]:
    return [
        Record(
            id=number,
            kind="note",
            type=kind,
            name=name,
            description="",
            content=content,
            created_at=NOW,
            updated_at=NOW,
        )
        for number, (kind, name, content) in enumerate(SAMPLE, start=1)
    ]


def keys(words: Texts) -> dict[str, object]:
    """Return the shape of the texts of one language: every key, and the facts that each text is filled with."""
    shape: dict[str, object] = {}
    for name in words.__slots__:
        value = getattr(words, name)
        if isinstance(value, str):
            shape[name] = sorted(re.findall(r"\{[a-z]+\}", value))
        else:
            shape[name] = {tool: list(text.parameters) for tool, text in value.items()}
    return shape


def test_the_section_is_the_promised_one_byte_for_byte() -> None:
    assert section("zh").startswith(golden("section.txt") + "\n\n")
    assert section("zh") == f"{golden('section.txt')}\n\n{texts('zh').guidance}"


def test_the_sample_is_the_promised_one_but_for_the_ids() -> None:
    block = memory_block(sample_records(), language="zh", now=NOW).text
    assert re.findall(r" \(#\d+\)", block) == [" (#1)", " (#2)", " (#3)"]
    assert re.sub(r" \(#\d+\)", "", block) == golden("memory_block.txt")


def test_the_tools_say_what_was_promised() -> None:
    tools = texts("zh").tools
    promised: dict[str, dict[str, object]] = json.loads(golden("tools.json"))
    assert set(promised) == {"memory_save", "memory_recall"}
    for name, words in promised.items():
        text = tools[name]
        assert {"label": text.label, "description": text.description, "parameters": text.parameters} == words


def test_chinese_and_english_have_the_same_keys() -> None:
    assert keys(texts("zh")) == keys(texts("en"))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_guidance_says_that_memory_is_data(language: str) -> None:
    words = {"zh": "不是指令", "en": "not instructions"}[language]
    lines = section(language).split("\n")
    assert words in lines[-1] and lines[-2] == ""
    assert texts(language).unverified in lines[-1]
    assert not re.search("[<>]", section(language))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_language_says_everything_and_only_itself(language: str) -> None:
    words = texts(language)
    sets = [*words.tools.values(), *words.split_tools.values()]
    said = [words.section, words.guidance, words.lead, words.pinned_lead, words.age, words.unverified, words.more]
    said += [line for tool in sets for line in (tool.label, tool.description, *tool.parameters.values())]
    for text in said:
        assert text.strip() == text != ""
        assert bool(re.search("[\u4e00-\u9fff]", text)) == (language == "zh")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_split_set_has_a_tool_for_each_verb(language: str) -> None:
    words = texts(language)
    assert list(words.tools) == ["memory_save", "memory_recall", "memory_list"]
    assert set(words.split_tools) == {"memory_save", "memory_update", "memory_delete", "memory_recall", "memory_list"}
    assert words.split_tools["memory_save"] != words.tools["memory_save"]
    assert words.split_tools["memory_recall"] is words.tools["memory_recall"]
