"""The settings page."""

import pytest
from django.test import Client
from django.urls import reverse

from chat.models import Account, ApiToken, Turn
from tests.factories import make_conversation, make_turn, make_user

pytestmark = pytest.mark.django_db

def test_a_token_is_shown_once(page, alice):
    page.post(reverse("create-token"), {"name": "脚本"})
    shown = page.get(reverse("settings")).text
    secret = shown[shown.index("xj_") :].split("<")[0]
    assert ApiToken.objects.matching(secret).user == alice
    assert secret not in page.get(reverse("settings")).text
    page.post(reverse("revoke-token", args=[ApiToken.objects.get().pk]))
    assert not ApiToken.objects.exists()


def test_settings_are_kept_and_a_strange_zone_is_refused(page, alice):
    given = {
        "theme": "dark",
        "send_key": "ctrl_enter",
        "confirm_new": "never",
        "time_zone": "Asia/Tokyo",
        "auto_memory": "on",
    }
    assert page.post(reverse("settings"), given).status_code == 302
    account = Account.objects.get(user=alice)
    assert (account.theme, account.time_zone, account.use_memory, account.auto_memory) == (
        "dark",
        "Asia/Tokyo",
        False,
        True,
    )
    assert page.post(reverse("settings"), given | {"time_zone": "Moon/Base"}).status_code == 422


def test_signing_out_elsewhere_leaves_this_device_and_other_people(page, alice, bob):
    other, his = Client(), Client()
    other.force_login(alice)
    his.force_login(bob)
    page.post(reverse("sign-out-others"))
    assert (page.get("/").status_code, his.get("/").status_code, other.get("/").status_code) == (200, 200, 302)


def test_erasing_everything_wants_the_name(page, alice):
    make_turn(make_conversation(alice))
    assert page.post(reverse("erase-all"), {"confirm": "bob"}).status_code == 422
    assert Turn.objects.exists()
    page.post(reverse("erase-all"), {"confirm": "alice"})
    assert not Turn.objects.exists()


def test_users_with_quotes_in_their_names_can_erase_all(client):
    user = make_user("o'brien@x")
    client.force_login(user)
    assert "o&#x27;brien@x" in client.get(reverse("erase-all")).text
