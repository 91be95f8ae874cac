"""`recollect demo`: the whole idea on samples, and what is shown follows what is asked and what the samples say."""

import os
import tempfile
from pathlib import Path

import pytest
import yaml

from tests.acceptance.shell import Shell

SAMPLES = Path(__file__).resolve().parents[2] / "src" / "recollect" / "faces" / "cli" / "samples.yaml"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "data")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_story(shell: Shell, language: str) -> None:
    said = shell("demo", "--lang", language).said
    assert "24" in said
    for question in ("支付模块什么时候截止?", "May I reformat a file while I fix a bug in it?"):
        assert question in said
    assert said.count("<memory-context>") == said.count("</memory-context>") == 2
    assert "4月30日" in said and "4月15日" in said
    assert "recollect memory add" in said
    assert ("Exactly this" in said) == (language == "en")
    assert ("agent 将得到的原文" in said) == (language == "zh")


def test_json(shell: Shell) -> None:
    answer = shell("demo", "--json").json
    assert answer["memories"] == 24
    zh, en = answer["answers"]
    assert zh["hits"][0]["name"] == "当前冲刺目标"
    assert en["hits"][0]["name"] == "No auto-format"
    assert set(zh) == {"question", "hits", "left_out", "block", "tokens", "sources", "failed"}
    assert all(0 < hit["score"] <= 1 and "lexical" in hit["parts"] for hit in zh["hits"] + en["hits"])
    assert "4月30日" in answer["change"]["changed"] and "4月15日" in answer["change"]["undone"]


def test_another_question_another_answer(shell: Shell) -> None:
    [answer] = shell("demo", "PostgreSQL upgrade 什么时候做?", "--json").json["answers"]
    assert answer["hits"][0]["name"] == "Database upgrade"
    [nothing] = shell("demo", "penguins", "--json").json["answers"]
    assert nothing["hits"] == []


def test_another_sample_another_answer(shell: Shell, tmp_path: Path) -> None:
    samples = yaml.safe_load(SAMPLES.read_text(encoding="utf-8"))
    samples["memories"].append({"type": "project", "content": "支付模块什么时候截止?改到六月三十日截止。"})
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.safe_dump(samples, allow_unicode=True), encoding="utf-8")
    answer = shell("demo", "--samples", str(file), "--json").json
    assert answer["memories"] == 25
    assert "六月三十日" in answer["answers"][0]["hits"][0]["content"]


def test_samples_have_ages(shell: Shell) -> None:
    said = shell("demo").said
    assert "3 days ago ⚠" in said


def test_nothing_is_left_and_nothing_is_touched(shell: Shell, tmp_path: Path) -> None:
    shell.add("my own")
    shell.environment.update(TMPDIR=str(tmp_path / "scratch"), RECOLLECT_AGENT="*", RECOLLECT_PROMPTS__ENABLED="false")
    (tmp_path / "scratch").mkdir()
    before = tempfile.tempdir
    tempfile.tempdir = None
    try:
        answer = shell("demo", "--json").json
    finally:
        tempfile.tempdir = before
    assert answer["answers"][0]["hits"]
    assert os.listdir(tmp_path / "scratch") == []
    assert len(shell("memory", "list", "--json").json["items"]) == 1


@pytest.mark.parametrize(
    ("text", "path", "status"),
    [
        ("memories: [{content: x, type: idea}]", "memories[0].type", 2),
        ("memories: [{content: x}, {type: user}]", "memories[1].content", 2),
        ("memories: [{content: x, colour: red}]", "memories[0].colour", 2),
        ("memories: [{content: x, days_ago: soon}]", "memories[0].days_ago", 2),
        ("memories: [x]", "memories[0]", 2),
        ("memories: x", "memories", 2),
        ("questions: {}\nchange: [1]", "change", 2),
        ("- x", "memories", 2),
        ("memories: [", "", 2),
    ],
)
def test_a_wrong_samples_file_is_named(shell: Shell, tmp_path: Path, text: str, path: str, status: int) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(text, encoding="utf-8")
    assert shell("demo", "--samples", str(file), "--json", status=status).json["error"]["path"] == path


def test_an_absent_samples_file_is_named(shell: Shell) -> None:
    assert "absent.yaml" in shell("demo", "--samples", "absent.yaml", status=1).complaint
