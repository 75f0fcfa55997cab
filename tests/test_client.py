"""The door to the model, against a real HTTP server: streams, deadlines, retries, and one family of errors."""

import socket
import threading
import time

import pytest

from chat.llm import client
from chat.llm.errors import MESSAGES, LLMError
from tests.llm_server import Reply

QUESTION = [{"role": "user", "content": "怎么数息？"}]


def read(**options) -> tuple[str, str]:
    """What arrived, and the code of the error that ended it ("" for a good end)."""
    arrived = []
    try:
        for piece in client.stream(QUESTION, max_tokens=200, **options):
            arrived.append(piece)
    except LLMError as error:
        return "".join(arrived), error.code
    return "".join(arrived), ""


def test_the_answer_arrives_in_pieces_and_whole(llm):
    llm.enqueue("从一数到十，再回到一。😀")
    pieces = list(client.stream(QUESTION, max_tokens=321))
    assert len(pieces) > 3
    assert "".join(pieces) == "从一数到十，再回到一。😀"
    body = llm.requests[0].body
    assert (body["model"], body["max_tokens"], body["stream"], body["messages"]) == ("scripted", 321, True, QUESTION)
    headers = {name.lower(): value for name, value in llm.requests[0].headers.items()}
    assert headers["authorization"] == "Bearer test-key"


def test_half_a_stream_keeps_what_came_and_is_not_tried_again(llm):
    llm.enqueue(Reply("慢慢呼气，再慢慢吸气", cut_after=2))
    assert read() == ("慢慢呼气", "broken_stream")
    assert len(llm.requests) == 1


def test_a_stream_that_ends_too_early_in_good_form_is_broken_too(llm):
    llm.enqueue(Reply("慢慢呼气", end_after=1))
    assert read() == ("慢慢", "broken_stream")


@pytest.mark.parametrize(
    "first", [Reply(status=500), Reply(status=429), Reply("无", cut_after=0), Reply("无", end_after=0)]
)
def test_a_failure_before_the_first_token_is_tried_again(llm, first):
    llm.enqueue(first, "好的。")
    assert read() == ("好的。", "")
    assert len(llm.requests) == 2


def test_there_are_two_retries_and_no_more(llm):
    llm.default = Reply(status=503)
    assert read() == ("", "server_error")
    assert len(llm.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_is_final(llm, status):
    llm.default = Reply(status=status)
    assert read() == ("", "refused")
    assert len(llm.requests) == 1


def test_a_busy_server_that_asks_for_a_minute_is_reported_at_once(llm):
    llm.default = Reply(status=429, headers={"Retry-After": "60"})
    started = time.monotonic()
    assert read() == ("", "rate_limited")
    assert time.monotonic() - started < 2
    assert len(llm.requests) == 1


@pytest.mark.parametrize("hang_after", [0, 2])
def test_the_first_token_and_the_whole_answer_have_a_deadline(llm, settings, hang_after):
    settings.LLM_FIRST_TOKEN_SECONDS, settings.LLM_ANSWER_SECONDS = 0.4, 0.8
    llm.enqueue(Reply("慢慢呼气", hang_after=hang_after, pieces=["慢慢", "呼气", "。"]))
    started = time.monotonic()
    arrived, code = read()
    assert (arrived, code) == ("慢慢呼气" if hang_after else "", "timeout")
    assert 0.3 < time.monotonic() - started < 3


def test_no_server(settings):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        settings.OPENAI_BASE_URL = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        assert read() == ("", "unreachable")


@pytest.mark.parametrize(
    "raw",
    [
        b"data: {broken\n\n",
        b'data: {"choices": "none"}\n\n',
        b"<html>It works!</html>",
        b'data: {"choices":[{"index":0,"delta":{"content":["x"]},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
        b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
        b"data: [1, 2]\n\n",
    ],
)
def test_what_is_no_answer_is_an_error_of_the_family(llm, raw):
    llm.default = Reply(raw=raw)
    arrived, code = read()
    assert arrived == "" and code in {"bad_reply", "broken_stream"}


def test_an_error_inside_a_stream(llm):
    llm.enqueue(Reply(raw=b'data: {"error": {"message": "out of memory"}}\n\n'), "好的。")
    assert read() == ("好的。", "")


def test_a_model_that_thinks_aloud_is_alive_and_its_thoughts_stay_out(llm):
    thinking = b'data: {"choices":[{"index":0,"delta":{"reasoning_content":"Hm"},"finish_reason":null}]}\n\n'
    text = b'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    llm.enqueue(Reply(raw=thinking + text))
    assert read() == ("ok", "")


def test_closing_the_generator_ends_the_connection(settings):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings.OPENAI_BASE_URL = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        ended = threading.Event()

        def serve() -> None:
            connection, _address = listener.accept()
            connection.recv(65536)
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                b'data: {"choices":[{"index":0,"delta":{"content":"one"},"finish_reason":null}]}\n\n'
            )
            while connection.recv(65536):
                pass
            ended.set()

        threading.Thread(target=serve, daemon=True).start()
        pieces = client.stream(QUESTION, max_tokens=50)
        assert next(pieces) == "one"
        assert not ended.is_set()
        pieces.close()
        assert ended.wait(3)


def test_a_pulse_lets_the_caller_stop_while_the_model_is_silent(llm):
    llm.enqueue(Reply("慢", hang_after=0))
    started = time.monotonic()
    pieces = client.stream(QUESTION, max_tokens=50, pulse=0.05)
    assert [next(pieces), next(pieces)] == ["", ""]
    pieces.close()
    assert time.monotonic() - started < 2


def test_complete_asks_for_the_schema_and_goes_without_it_where_it_is_unknown(llm):
    schema = {"type": "object", "properties": {"same": {"type": "boolean"}}}
    llm.enqueue_structured({"same": True}, Reply(status=400))
    llm.enqueue('{"same": false}')
    assert client.complete(QUESTION, schema=schema) == '{"same": true}'
    assert llm.requests[0].body["response_format"]["json_schema"]["schema"] == schema
    assert client.complete(QUESTION, schema=schema) == '{"same": false}'
    assert "response_format" not in llm.requests[-1].body


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(raw=b"not json"), "bad_reply"),
        (Reply(raw=b"{}"), "bad_reply"),
        (Reply(raw=b"[]"), "bad_reply"),
        (Reply(text=""), "bad_reply"),
        (Reply(status=401), "refused"),
        (Reply(status=500), "server_error"),
        (Reply(hang_after=0), "timeout"),
        (Reply(cut_after=0), "unreachable"),
    ],
)
def test_complete_ends_with_an_error_of_the_family(llm, reply, code):
    llm.default = reply
    with pytest.raises(LLMError) as caught:
        client.complete(QUESTION, deadline=1.5)
    assert caught.value.code == code


def test_vectors_come_in_the_order_of_the_texts(llm):
    rows = client.embed(["甲", "乙"], model="e", base_url=llm.base_url)
    assert rows.shape == (2, 384)
    assert (rows[1] == client.embed(["乙"], model="e", base_url=llm.base_url)[0]).all()
    assert client.embed([], model="e", base_url=llm.base_url).shape[0] == 0


def test_every_code_has_a_text_and_no_error_holds_what_was_said(llm):
    llm.default = Reply(status=400)
    with pytest.raises(LLMError) as caught:
        list(client.stream([{"role": "user", "content": "秘密"}], max_tokens=5))
    assert "秘密" not in repr(caught.value) and "scripted failure" not in str(caught.value)
    assert str(MESSAGES[caught.value.code]) == str(caught.value.message)


def test_work_in_the_background_gives_way_while_the_model_thinks(llm):
    class Urgent(Exception):
        pass

    looks = []

    def look():
        looks.append(time.monotonic())
        if len(looks) > 1:
            raise Urgent

    llm.enqueue(Reply(hang_after=0))
    with client.meanwhile(look), pytest.raises(Urgent):
        client.complete(QUESTION, deadline=60)
    assert len(looks) == 2
    assert client.complete(QUESTION) == "好的。", "outside of the block nothing is looked at"
    assert len(looks) == 2
