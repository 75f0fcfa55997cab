"""Who may call the API, and in which language it answers."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from chat.models import Account, ApiToken
from tests.api_client import Caller, problem
from tests.factories import make_conversation, make_token

pytestmark = pytest.mark.django_db


def test_without_a_token_the_answer_is_401_and_no_redirect():
    response = Caller().get("/conversations")
    problem(response, 401, "not_signed_in")
    assert response["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Bearer wrong", "Bearer ", "Basic YTpi", "Bearer xj_" + "a" * 5000, "Bearer 令牌"])
def test_a_wrong_token_is_401_even_beside_a_session(alice, header):
    client = Client(headers={"authorization": header})
    client.force_login(alice)
    problem(client.get("/api/conversations"), 401)


def test_a_posting_stranger_gets_401_and_not_a_csrf_error():
    problem(Caller().post("/conversations", {}), 401)


def test_the_token_of_a_deactivated_user_is_worth_nothing(alice):
    caller = Caller(alice)
    assert caller.get("/settings").status_code == 200
    alice.is_active = False
    alice.save()
    problem(caller.get("/settings"), 401)


def test_use_of_a_token_is_noted_at_most_once_a_minute(alice):
    caller = Caller(alice)
    caller.get("/settings")
    token = ApiToken.objects.get()
    assert timezone.now() - token.last_used_at < timedelta(seconds=10)

    recent = timezone.now() - timedelta(seconds=30)
    ApiToken.objects.update(last_used_at=recent)
    caller.get("/settings")
    assert ApiToken.objects.get().last_used_at == recent

    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(seconds=61))
    caller.get("/settings")
    assert timezone.now() - ApiToken.objects.get().last_used_at < timedelta(seconds=10)


def test_the_session_reads_and_with_its_csrf_token_writes(alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.get("/api/conversations").status_code == 200
    problem(client.post("/api/conversations", "{}", content_type="application/json"), 403, "forbidden")

    client.cookies["csrftoken"] = "a" * 32
    response = client.post(
        "/api/conversations", "{}", content_type="application/json", headers={"X-CSRFToken": "a" * 32}
    )
    assert response.status_code == 201


def test_a_token_needs_no_csrf_token(alice):
    client = Client(enforce_csrf_checks=True, headers={"authorization": f"Bearer {make_token(alice)}"})
    assert client.post("/api/conversations", "{}", content_type="application/json").status_code == 201


def test_the_account_language_wins_over_the_header(alice):
    account = Account.objects.of(alice)
    account.language = "en"
    account.save()
    assert Caller(alice, accept_language="zh-CN").get("/turns/1")["Content-Language"] == "en"


def test_without_a_choice_the_header_decides(alice):
    chinese = Caller(alice, accept_language="zh-CN").get("/conversations/0")
    english = Caller(alice, accept_language="en").get("/conversations/0")
    assert english.json()["title"] == "Not found"
    assert chinese.json()["title"] != "Not found"


def test_the_language_of_one_caller_is_not_left_to_the_next(alice, bob):
    account = Account.objects.of(alice)
    account.language = "en"
    account.save()
    Caller(alice).get("/settings")
    assert Caller(bob, accept_language="zh-CN").get("/settings")["Content-Language"] == "zh-hans"


def test_times_go_out_with_a_zone(alice):
    talk = make_conversation(alice)
    created = Caller(alice).get(f"/conversations/{talk.pk}").json()["created_at"]
    assert created.endswith("Z") or "+" in created


def test_who_calls_too_often_has_to_wait_and_others_have_not(alice, bob, settings):
    settings.API_CALLS_PER_MINUTE = 3
    hers, his = Caller(alice), Caller(bob)
    assert [hers.get("/settings").status_code for _time in range(3)] == [200] * 3
    refused = hers.get("/settings")
    assert refused["Retry-After"] == "60"
    problem(refused, 429, "too_many_requests")
    assert his.get("/settings").status_code == 200
    assert Caller(alice).get("/settings").status_code == 429  # another token, the same person


def test_a_cache_that_is_down_lets_everybody_call(alice, settings):
    settings.API_CALLS_PER_MINUTE = 1
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}}
    assert [Caller(alice).get("/settings").status_code for _time in range(3)] == [200] * 3
