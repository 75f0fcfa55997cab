"""Coming in, and the language and theme of whoever comes."""

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from chat.models import Account, SignInLink

pytestmark = pytest.mark.django_db

def test_signing_up_opens_the_chat(client):
    answer = client.post(
        reverse("sign-up"), {"username": "mu", "password1": "still-water-7", "password2": "still-water-7"}
    )
    assert answer.url == reverse("chat")
    assert client.get("/").status_code == 200


def test_nobody_signs_up_where_it_is_closed(client, settings):
    settings.SIGN_UP_OPEN = False
    assert client.get(reverse("sign-up")).status_code == 404


def test_a_wrong_password_is_told_and_the_name_stays(client, alice):
    answer = client.post(reverse("sign-in"), {"username": "alice", "password": "wrong"})
    assert answer.status_code == 422
    assert 'value="alice"' in answer.text


def test_guessing_passwords_is_slowed_down(client, alice):
    for _attempt in range(10):
        client.post(reverse("sign-in"), {"username": "alice", "password": "wrong"})
    answer = client.post(reverse("sign-in"), {"username": "alice", "password": "secret"})
    assert answer.status_code == 429
    assert "五分钟" in answer.text


def test_a_cache_that_is_down_keeps_nobody_out(client, alice, settings, monkeypatch):
    from redis.exceptions import ConnectionError as RedisDown

    def down(*_args, **_kwargs):
        raise RedisDown

    monkeypatch.setattr(cache, "add", down)
    assert client.post(reverse("sign-in"), {"username": "alice", "password": "secret"}).status_code == 302


def test_a_preview_of_a_sign_in_link_does_not_use_it_up(client, alice):
    link = reverse("sign-in-link", args=[SignInLink.objects.issue(alice)])
    assert client.get(link).status_code == client.get(link).status_code == 200
    assert "_auth_user_id" not in client.session
    assert client.post(link).url == reverse("chat")
    assert Client().post(link).status_code == 410


def test_signing_in_leads_only_to_our_own_pages(client, alice):
    for target, expected in [
        ("/memory/", "/memory/"),
        ("https://elsewhere.example/", "/"),
        ("//elsewhere.example", "/"),
    ]:
        answer = client.post(reverse("sign-in"), {"username": "alice", "password": "secret", "next": target})
        assert answer.url == expected


@pytest.mark.parametrize(("header", "words"), [("zh-TW,zh;q=0.9", "登录"), ("en-GB", "Sign in"), ("fr", "登录")])
def test_the_browser_says_the_language(client, header, words):
    assert words in client.get(reverse("sign-in"), headers={"accept-language": header}).text


def test_a_chosen_language_stays_in_cookie_and_account(page, alice):
    answer = page.post(reverse("set_language"), {"language": "en", "next": "/settings/"})
    assert (answer.url, answer.cookies[settings.LANGUAGE_COOKIE_NAME].value) == ("/settings/", "en")
    assert Account.objects.get(user=alice).language == "en"
    assert 'lang="en"' in page.get("/").text


def test_a_theme_that_does_not_exist_changes_nothing(page, alice):
    page.post(reverse("set-theme"), {"theme": "neon"})
    assert Account.objects.get(user=alice).theme == "system"


def test_signed_out_every_page_asks_to_sign_in(client, alice):
    for name in ("chat", "state", "memories", "conflicts", "forgotten", "probe", "settings", "add", "erase-all"):
        assert client.get(reverse(name)).url.startswith(reverse("sign-in"))
