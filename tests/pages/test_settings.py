"""The settings page."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat import jobs
from chat.memory.indexing import index_words
from chat.models import Account, ApiToken, Job, Turn
from chat.transfer import uploads
from tests.factories import believe, make_conversation, make_memory, make_turn, make_user

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
        "announce": "brief",
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


# Weights


def test_weights_are_tried_before_they_are_kept(page, alice):
    index_words([make_memory(alice, "膝盖疼，不能双盘", pinned=True).pk])
    text = page.get(reverse("weights"), {"semantic": "0", "entity": "0", "time": "1", "question": "膝盖疼怎么办"}).text
    assert text.count("膝盖疼，不能双盘") == 2  # as now, and with these
    assert Account.objects.get(user=alice).weights == {}
    page.post(reverse("weights"), {"semantic": "0.3", "entity": "0.3", "time": "0.4"})
    assert Account.objects.get(user=alice).weights == {"semantic": 0.3, "entity": 0.3, "time": 0.4}
    page.post(reverse("weights"), {"reset": "1"})
    assert Account.objects.get(user=alice).weights == {}


@pytest.mark.parametrize("odd", [{"semantic": "2"}, {"semantic": "nan"}, {"semantic": "0", "entity": "0", "time": "0"}, {"time": ""}])
def test_weights_that_make_no_sense_are_refused(page, alice, odd):
    given = {"semantic": "0.5", "entity": "0.5", "time": "0.5"} | odd
    assert page.post(reverse("weights"), given).status_code == page.get(reverse("weights"), given).status_code == 422
    assert Account.objects.get(user=alice).weights == {}


def test_remembering_rests_for_an_hour_and_no_longer(page, alice):
    page.post(reverse("pause"), {"on": "1"})
    assert 59 < (Account.objects.get(user=alice).memory_paused_until - timezone.now()).total_seconds() / 60 < 61
    assert "不记新的内容" in page.get(reverse("settings")).text
    page.post(reverse("pause"), {"on": "0"})
    assert Account.objects.get(user=alice).memory_paused_until is None


# Bringing a history in


@pytest.fixture
def uploads_here(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


HISTORY = {"林": {"history": {"2023-04-27": [{"query": "我喜欢弹琴", "response": "真好"}]}}}


def upload(page, content, name: str = "history.json"):
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return page.post(reverse("import"), {"file": SimpleUploadedFile(name, raw)})


def test_a_file_is_brought_in_behind_the_page_and_told_of(page, alice, uploads_here):
    assert upload(page, HISTORY).status_code == 302
    job = Job.objects.get(kind="import")
    waiting = page.get(reverse("import")).text
    assert "every 2s" in waiting and "<html" not in waiting
    uploads.bring_in(job.pk)
    assert Turn.objects.get(user=alice).text == "我喜欢弹琴"
    assert not uploads.place_of(job.pk).exists()
    told = page.get(reverse("import")).text
    assert "1 轮" in told and "every 2s" in told  # one turn is still to be remembered
    Job.objects.filter(kind="remember").update(status="done")
    assert "every 2s" not in page.get(reverse("settings")).text
    upload(page, HISTORY)
    uploads.bring_in(job.pk)
    assert Turn.objects.count() == 1 and Job.objects.filter(kind="import").count() == 1


@pytest.mark.parametrize(("content", "reason"), [(b"no json", "不是 UTF-8"), ({"a": 1}, "不是以下任何一种")])
def test_a_file_that_cannot_be_read_says_why(page, alice, uploads_here, content, reason):
    upload(page, content)
    uploads.bring_in(Job.objects.get().pk)
    text = page.get(reverse("settings")).text
    assert reason in text and "every 2s" not in text
    assert not list(uploads.place_of(1).parent.iterdir())


def test_an_import_whose_worker_died_is_done_by_the_next(page, alice, uploads_here, monkeypatch):
    upload(page, HISTORY)
    job = Job.objects.get()
    Job.objects.update(status="running", heartbeat_at=timezone.now() - timedelta(minutes=1))
    knocked = []
    monkeypatch.setattr("chat.jobs._send", lambda task, number: knocked.append((task, number)))
    jobs.hand_out_lost()
    assert knocked == [("chat.tasks.import_history", job.pk)]
    uploads.bring_in(job.pk)
    assert Turn.objects.count() == 1


def test_no_file_or_too_large_a_file_is_refused(page, uploads_here, monkeypatch):
    assert page.post(reverse("import")).status_code == 422
    monkeypatch.setattr(uploads, "MOST_BYTES", 10)
    assert upload(page, HISTORY).status_code == 422
    assert not Job.objects.exists()


# Leaving


def test_deleting_the_account_wants_the_name_and_leaves_nothing(page, alice, bob):
    turn = make_turn(make_conversation(alice))
    make_memory(alice, turns=(turn,))
    make_turn(make_conversation(bob))
    believe(alice)
    ApiToken.objects.issue(alice)
    assert page.post(reverse("delete-account"), {"confirm": "bob"}).status_code == 422
    page.post(reverse("delete-account"), {"confirm": "alice"})
    assert list(User.objects.values_list("username", flat=True)) == ["bob"]
    assert Turn.objects.get().user == bob and not ApiToken.objects.exists()
    assert page.get("/").status_code == 302
