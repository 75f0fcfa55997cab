"""A stranger at every door: each address of the site, with ids of somebody else's rows, shows nothing and changes nothing.

All of Alice's rows have the same id, so that every number in every address is one of hers.
"""

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core import serializers
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from chat.models import (
    ApiToken,
    Conflict,
    Conversation,
    EarlierAnswer,
    Entity,
    EntityVersion,
    Job,
    Memory,
    MemoryRevision,
    Notice,
    Recall,
    RecallItem,
    Turn,
)
from tests.api_client import Caller, streamed
from tests.factories import (
    make_conflict,
    make_conversation,
    make_entity,
    make_memory,
    make_notice,
    make_recall,
    make_turn,
    make_user,
    make_version,
)

pytestmark = pytest.mark.django_db(transaction=True)

HERS = 424242
SECRET = "莲花池边的秘密"
MODELS = (
    Conversation,
    Turn,
    EarlierAnswer,
    Notice,
    Memory,
    MemoryRevision,
    Entity,
    EntityVersion,
    Conflict,
    Recall,
    RecallItem,
    ApiToken,
    Job,
)
WORDS = {"verb": "forget", "secret": "no-such-secret", "object_id": str(HERS), "url": "zzz", "app_label": "chat"}
# A valid body for every API address that takes one; without it the answer would be 422 and prove nothing.
BODIES = {
    "import": {"turns": [{"user": "好", "assistant": "好", "at": "2026-08-20T09:00:00Z"}]},
    "turns": {"text": "好"},
    "rollback": {"version_id": HERS},
    "confirm": {"version_id": HERS},
    "reject": {"version_id": HERS},
    "resolve": {"decision": "keep_old"},
    "merge": {"ids": [HERS, HERS + 1], "into": HERS},
    "recall": {"query": SECRET, "conversation_id": HERS},
}
CHANGES = {"conversations": {"title": "偷"}, "memories": {"text": "偷"}, "entities": {"value": "偷"}}
FORM = {"ids": [HERS, HERS + 1], "into": HERS, "text": "偷", "value": "偷", "title": "偷", "decision": "keep_old", "verb": "forget",
        "memory": "off", "number": 1, "on": "1", "confirm": "charlie", "notice": HERS, "next": "/"}  # fmt: skip


@pytest.fixture
def hers(alice):
    """One row of every kind, all with the id HERS and the SECRET in every text; and her rows as they are."""
    talk = make_conversation(alice, pk=HERS, title=SECRET)
    turn = make_turn(talk, SECRET, SECRET, pk=HERS)
    EarlierAnswer.objects.create(pk=HERS, turn=turn, attempt=7, answer=SECRET, status="done")
    memory = make_memory(alice, SECRET, (turn,), pk=HERS)
    make_memory(alice, SECRET + "二", pk=HERS + 1)
    MemoryRevision.objects.create(pk=HERS, memory=memory, number=1, text=SECRET, actor="user")
    entity = make_entity(alice, pk=HERS)
    version = make_version(entity, SECRET, pk=HERS)
    older = make_version(entity, SECRET + "旧", status="superseded")
    conflict = make_conflict(alice, entity=entity, old_version=older, new_version=version, turn=turn, pk=HERS)
    make_notice(turn, SECRET, conflict=conflict, pk=HERS)
    make_recall(turn, (memory,), pk=HERS, prompt=[{"role": "user", "content": SECRET}])
    ApiToken.objects.create(pk=HERS, user=alice, name=SECRET, digest="0" * 64)
    return snapshot()


def snapshot() -> str:
    owned = [row for model in MODELS for row in model.objects.order_by("pk") if owner_of(row) == "alice"]
    return serializers.serialize("json", owned)


def owner_of(row) -> str:
    for name in ("user", "turn", "memory", "entity", "recall"):
        if getattr(row, name, None) is not None:
            owner = getattr(row, name)
            return owner.get_username() if name == "user" else owner_of(owner)
    return ""


def addresses() -> list[str]:
    return sorted({fill_in(route) for route in walk(get_resolver().url_patterns)})


def walk(patterns: list, before: str = "/") -> Iterator[str]:
    for each in patterns:
        route = before + str(each.pattern).removeprefix("^").removesuffix("$").removesuffix("\\Z")
        if isinstance(each, URLResolver):
            yield from walk(each.url_patterns, route)
        elif isinstance(each, URLPattern):
            yield route


def fill_in(route: str) -> str:
    route = re.sub(r"\(\?P<(\w+)>[^)]*\)", lambda match: WORDS.get(match[1], str(HERS)), route)
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda match: WORDS.get(match[1], str(HERS)), route)


def body_of(path: str) -> dict | None:
    last = path.rstrip("/").rpartition("/")[2]
    return BODIES.get(last)


def text_of(response) -> str:
    return streamed(response) if response.streaming else response.content.decode(errors="replace")


def test_the_walk_finds_the_site():
    found = addresses()
    assert len(found) > 90
    assert {"/", f"/c/{HERS}/", f"/api/turns/{HERS}/stream", f"/admin/chat/conflict/{HERS}/change/"} <= set(found)


def test_pages_show_a_stranger_nothing(charlie, hers):
    client = Client(raise_request_exception=False)
    for path in addresses():
        if path.startswith("/api/"):
            continue
        for method, data in (("get", {}), ("post", FORM)):
            if not User.objects.filter(pk=charlie.pk).exists():  # one of the pages deletes the account
                charlie = make_user("charlie")
            client.force_login(charlie)
            response = getattr(client, method)(path, data)
            where = f"{method} {path} → {response.status_code}"
            assert response.status_code < 500, where
            assert SECRET not in text_of(response), where
            if str(HERS) in path:
                refused = {302, 404, 405} if path.startswith("/admin/") else {404, 405}
                assert response.status_code in refused, where
    assert snapshot() == hers


def test_the_api_tells_a_stranger_that_there_is_nothing(charlie, hers):
    caller = Caller(charlie)
    for path in addresses():
        if not path.startswith("/api/"):
            continue
        short = path.removeprefix("/api")
        kind = short.split("/")[1]
        answers = {
            "GET": caller.get(short),
            "POST": caller.post(short, body_of(short)),
            "PATCH": caller.patch(short, CHANGES.get(kind, {})),
            "PUT": caller.put(short, CHANGES.get(kind, {})),
            "DELETE": caller.delete(short),
        }
        for method, response in answers.items():
            where = f"{method} {path} → {response.status_code} {response.headers}"
            assert response.status_code < 500, where
            if str(HERS) in path:
                assert response.status_code in {404, 405}, where
            assert SECRET not in text_of(response), where
    assert snapshot() == hers


def test_ids_in_bodies_are_hers_too(charlie, hers):
    caller = Caller(charlie)
    assert caller.post("/memories/merge", BODIES["merge"]).status_code == 404
    assert caller.post("/recall", BODIES["recall"]).status_code == 404
    assert snapshot() == hers


def test_without_a_sign_in_every_page_asks_for_one(hers):
    open_doors = {
        "/sign-in/",
        "/sign-up/",
        f"/sign-in/{WORDS['secret']}/",
        "/language",
        "/theme",
        "/admin/login/",
        "/admin/jsi18n/",
        "/healthz",
        "/readyz",
        "/metrics",  # 401 without its token
    }
    client = Client(raise_request_exception=False)
    for path in addresses():
        for method in ("get", "post"):
            response = getattr(client, method)(path)
            where = f"{method} {path} → {response.status_code}"
            assert response.status_code < 500, where
            assert SECRET not in text_of(response), where
            if path.startswith("/api/"):
                public = {"/api/health", "/api/docs", "/api/openapi.json", "/api/"}
                assert path in public or response.status_code in {401, 405}, where
            elif path not in open_doors:
                assert response.status_code in {302, 403, 404, 405}, where
    assert snapshot() == hers


def test_the_walk_would_notice_her_text(alice, hers):
    """The same requests by Alice do show the secret: the test above looks in the right places."""
    client = Client()
    client.force_login(alice)
    shown = [path for path in addresses() if path.startswith("/api/") and str(HERS) in path]
    texts = [text_of(response) for path in shown if (response := client.get(path)).status_code == 200]
    assert sum(SECRET in text for text in texts) >= 7
