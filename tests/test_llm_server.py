"""The scripted model is itself honest: each fault that it can play reaches a client as that fault."""

import json

import httpx
import pytest

from tests.llm_server import Reply, ScriptedLLM


@pytest.fixture
def server():
    with ScriptedLLM() as server:
        yield server


def ask(server, **body):
    return httpx.post(server.base_url + "/chat/completions", json={"messages": [{"role": "user", "content": "问"}], **body})


def stream(server):
    with httpx.stream("POST", server.base_url + "/chat/completions", json={"stream": True}, timeout=5) as response:
        for line in response.iter_lines():
            if line.startswith("data: "):
                yield line.removeprefix("data: ")


def words(events):
    for event in events:
        if event != "[DONE]":
            yield json.loads(event)["choices"][0]["delta"].get("content", "")


def test_replies_come_in_the_order_of_the_script_then_the_default(server):
    server.enqueue("一", "二")
    said = [ask(server).json()["choices"][0]["message"]["content"] for _ in range(3)]
    assert said == ["一", "二", server.default.text]
    assert server.requests[0].prompt == "问"


def test_a_stream_is_the_whole_text_in_pieces(server):
    server.enqueue("慢慢来，不急。")
    events = list(stream(server))
    assert events[-1] == "[DONE]"
    assert "".join(words(events)) == "慢慢来，不急。"
    assert len(events) > 4


def test_structured_requests_have_a_script_of_their_own(server):
    server.enqueue("答")
    server.enqueue_structured({"facts": []})
    assert ask(server, response_format={"type": "json_object"}).json()["choices"][0]["message"]["content"] == '{"facts": []}'
    assert [len(server.chats), len(server.requests)] == [0, 1]


@pytest.mark.parametrize("status", [429, 500])
def test_failures_have_their_status(server, status):
    server.enqueue(Reply(status=status, headers={"Retry-After": "1"}))
    response = ask(server)
    assert (response.status_code, response.headers["Retry-After"]) == (status, "1")


def test_a_torn_stream_is_a_broken_connection(server):
    server.enqueue(Reply("一二三四五六", cut_after=2))
    heard = []
    with pytest.raises(httpx.RemoteProtocolError):
        heard.extend(words(stream(server)))
    server.enqueue(Reply("一二三四五六", end_after=2))
    assert "[DONE]" not in list(stream(server))


def test_a_hanging_stream_goes_on_when_released(server):
    server.enqueue(Reply("一二三四五六", hang_after=1))
    events = stream(server)
    assert next(words(events)) == "一二"
    server.release()
    assert "".join(words(events)) == "三四五六"


def test_raw_bytes_are_sent_as_they_are(server):
    server.enqueue(Reply(raw=b'{"choices": [\xff'))
    assert ask(server).content == b'{"choices": [\xff'
