"""Every error of the API is a problem that a program and a person can read, and none is a crash."""

import json

import pytest

from chat.models import Conversation
from tests.api_client import Caller, problem
from tests.factories import make_conversation

pytestmark = pytest.mark.django_db

HUGE = 10**30


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"\xff\xfe{}", 400),
        (b'{"title": "\xc3\x28"}', 400),
        (b"[" * 100_000, 400),
        (b'{"title": ' + b"9" * 5000 + b"}", 400),
        (b"[]", 422),
        (b"null", 422),
        (b'"text"', 422),
        (b'{"title": 5}', 422),
        (b'{"title": "a\\u0000b"}', 422),
        (b'{"title": "\\ud800"}', 422),
        (b'{"title": null}', 422),
        (b'{"memory": "sometimes"}', 422),
        (b'{"temporary": "perhaps"}', 422),
        (b'{"titel": "misspelt"}', 422),
        (json.dumps({"title": "字" * 100_000}).encode(), 422),
        (b'{"temporary": true, "memory": "read_write"}', 422),
    ],
)
def test_a_bad_body_is_a_problem_and_makes_nothing(alice, body, status):
    problem(Caller(alice).raw("/conversations", body), status)
    assert not Conversation.objects.exists()


def test_invalid_fields_are_named_one_by_one(alice):
    talk = make_conversation(alice)
    turns = [
        {"user": "好", "assistant": "好", "at": "2026-08-20T09:00:00"},
        {"user": "", "assistant": 5, "at": "yesterday"},
    ]
    body = problem(Caller(alice).post(f"/conversations/{talk.pk}/import", {"turns": turns}), 422, "invalid")
    fields = {error["field"]: error for error in body["errors"]}
    assert set(fields) == {"turns.0.at", "turns.1.user", "turns.1.assistant", "turns.1.at"}
    assert all(error["message"] and error["code"] for error in fields.values())
    assert fields["turns.1.user"]["code"] == "xinji_empty_text"


def test_what_was_sent_is_not_repeated_in_the_error(alice):
    response = Caller(alice).post("/conversations", {"memory": "my secret", "title": 7})
    assert "my secret" not in response.content.decode()


def test_a_body_over_the_limit_is_413(alice):
    problem(Caller(alice).raw("/conversations", b" " * (13 * 1024 * 1024)), 413, "too_large")


@pytest.mark.parametrize(
    "path", ["/nothing", "/turns/abc", "/turns/-1", "/memories/1/explode", "/conversations/1/turns/2", "/"]
)
def test_an_unknown_address_is_a_problem(alice, path):
    problem(Caller(alice).get(path), 404, "not_found")


def test_the_wrong_method_is_a_problem_that_names_the_right_ones(alice):
    response = Caller(alice).put("/conversations", {})
    problem(response, 405, "method_not_allowed")
    assert set(response["Allow"].split(", ")) == {"GET", "POST"}


@pytest.mark.parametrize("kind", ["conversations", "turns", "memories", "entities", "conflicts"])
@pytest.mark.parametrize("number", [0, 2**31, 2**63, HUGE])
def test_ids_beyond_any_row_are_404(alice, kind, number):
    problem(Caller(alice).get(f"/{kind}/{number}"), 404)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/conversations", {"page": 0}),
        ("/conversations", {"page": HUGE}),
        ("/conversations", {"size": 201}),
        ("/conversations", {"size": "many"}),
        ("/memories", {"kind": "dream"}),
        ("/memories", {"state": "erased"}),
        ("/memories", {"order": "random"}),
        ("/memories", {"q": "a\x00b"}),
        ("/memories", {"q": "长" * 201}),
        ("/entities", {"limit": 2001}),
        ("/entities", {"offset": -1}),
        ("/conflicts", {"status": "maybe"}),
        ("/export", {"format": "xml"}),
    ],
)
def test_bad_filters_and_pages_are_refused(alice, path, query):
    problem(Caller(alice).get(path, **query), 422, "invalid")


@pytest.mark.parametrize(
    "q", ["%", "_", "\\", "'; DROP TABLE chat_memory; --", "🧘", "\ufffd", "a b c " * 30, "()&|!:*"]
)
def test_any_words_may_be_searched_for(alice, q):
    assert Caller(alice).get("/memories", q=q).json() == {"items": [], "count": 0, "page": 1, "size": 50}
    assert Caller(alice).get("/conversations", q=q).json()["count"] == 0


def test_a_page_after_the_last_one_is_empty(alice):
    make_conversation(alice)
    assert Caller(alice).get("/conversations", page=99_999).json() == {
        "items": [],
        "count": 1,
        "page": 99_999,
        "size": 50,
    }


def test_a_crash_is_a_problem_without_details(alice, monkeypatch):
    def crash(*args, **kwargs):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("chat.conversations.begin", crash)
    response = Caller(alice).post("/conversations", {})
    problem(response, 500, "server_error")
    assert "secret detail" not in response.content.decode()


def test_errors_are_never_cached(alice):
    assert Caller(alice).get("/turns/1")["Cache-Control"] == "no-store"
