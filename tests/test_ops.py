"""How the site is watched: by machines at /healthz, /readyz and /metrics, by staff at /ops/. Never a person's text."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone

from chat import streams
from chat.models import Job, Measure, Turn
from chat.views import metrics
from tests.api_client import Caller, streamed
from tests.factories import make_conflict, make_conversation, make_memory, make_recall, make_turn, make_user

pytestmark = pytest.mark.django_db

SECRET = "莲花池边的秘密"


@pytest.fixture(autouse=True)
def fresh_numbers(monkeypatch):
    monkeypatch.setattr(metrics, "KEPT_SECONDS", -1)


@pytest.fixture
def staff(client):
    client.force_login(make_user("keeper", is_staff=True))
    return client


def busy(user) -> None:
    talk = make_conversation(user, title=SECRET)
    turn = make_turn(talk, SECRET, SECRET, timings={"total": 900.0, "answer": 600.0, "first_token": 100.0, "recall": 40.0})
    make_recall(turn, (make_memory(user, SECRET),)).items.update(feedback=-1)
    make_turn(talk, SECRET, status="failed", started_at=timezone.now(), error="timeout")
    make_conflict(user)
    Job.objects.create(kind="remember", key="dead", user=user, turn=turn, status="dead", error="timeout")
    Job.objects.create(kind="reply", key="late", user=user, turn=turn, due_at=timezone.now() - timedelta(minutes=5))
    Measure.objects.create(user=user, day=timezone.localdate(), name="memories_written", value=3)


def test_a_living_process_needs_nothing_to_say_so(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get("/healthz").text == "ok\n"


def test_readiness_names_what_is_missing(client, settings):
    assert client.get("/readyz").json() == {"ready": True, "checks": {"postgres": "ok", "tables": "ok", "valkey": "ok"}}
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["valkey"]) == (503, "fail")


def test_metrics_are_for_staff_and_for_who_has_the_token(client, alice, settings):
    assert client.get("/metrics").status_code == 401
    client.force_login(alice)
    assert client.get("/metrics").status_code == 401
    settings.METRICS_TOKEN = "scrape-me"
    assert client.get("/metrics", headers={"authorization": "Bearer wrong"}).status_code == 401
    assert client.get("/metrics", headers={"authorization": "Bearer scrape-me"}).status_code == 200


def test_metrics_count_and_never_quote(staff, alice):
    busy(alice)
    staff.get("/c/123/?find=" + SECRET)
    text = staff.get("/metrics").text
    for line in (
        'xinji_jobs{kind="remember",status="dead"} 1.0', 'xinji_jobs{kind="reply",status="waiting"} 1.0',
        'xinji_answers_last_hour{what="answers"} 2.0', 'xinji_answers_last_hour{what="failed"} 1.0',
        'xinji_answer_seconds{quantile="0.5",step="first"} 0.4', 'xinji_answer_seconds{quantile="0.95",step="recall"} 0.04',
        "xinji_conflicts_open 1.0", "xinji_vectors_missing 1.0", 'route="c/<int:pk>/",status="404"',
    ):  # fmt: skip
        assert line in text, line
    overdue = next(line for line in text.splitlines() if line.startswith('xinji_job_overdue_seconds{kind="reply"}'))
    assert float(overdue.split()[-1]) >= 300
    assert SECRET not in text and "alice" not in text


def test_the_page_is_for_staff_and_tells_no_text(client, alice, charlie):
    busy(alice)
    client.force_login(charlie)
    assert client.get("/ops/").status_code == 403
    assert client.post("/ops/run-again").status_code == 403
    client.force_login(make_user("keeper", is_staff=True))
    text = client.get("/ops/", headers={"accept-language": "en"}).text
    assert SECRET not in text and "alice" not in text
    assert "1 job gave up" in text and "overdue" in text and "1 of 1 memories" in text
    assert 'hx-trigger="every 15s"' in text
    assert "every 15s" not in client.get("/ops/?paused=1&span=week").text


def test_charts_of_operations_come_as_files(staff, alice):
    busy(alice)
    rows = [line.split(",") for line in staff.get("/ops/?csv=answers").text.splitlines()]
    assert rows[-1][1:] == ["1", "0", "1"]
    assert staff.get("/ops/?csv=first").text.splitlines()[1].split(",")[1:] == ["400", "400"]
    assert staff.get("/ops/?csv=memory").text.splitlines()[-1].split(",")[1:] == ["3", "0", "0", "0"]


def test_how_fast_models_write_is_told_in_tokens(staff, alice):
    talk = make_conversation(alice)
    timings = {"answer": 3000, "first_token": 1000, "total": 3100}
    make_turn(talk, "问", "修行" * 50 + "a" * 100, answered_by="a-model", timings=timings)
    make_turn(talk, "问", "修行" * 5000, answered_by="builtin", timings=timings)
    assert staff.get("/ops/?csv=speed").text.splitlines()[1].split(",")[1:] == ["55", "55"]


def test_streams_that_were_taken_up_again_are_counted_by_the_hour(staff, alice):
    turn = make_turn(make_conversation(alice))
    now = timezone.now()
    before = streams.reconnects([now - timedelta(hours=1)], timedelta(hours=1))[0]
    for last in ("", "1-1", "2-1"):
        streamed(Caller(alice, last_event_id=last).get(f"/turns/{turn.pk}/stream"))
    assert streams.reconnects([now - timedelta(hours=2), now - timedelta(hours=1)], timedelta(hours=1)) == [0, before + 2]
    assert staff.get("/ops/?csv=reconnects").text.splitlines()[-1].endswith(f",{before + 2}")


def test_what_gave_up_runs_again_by_those_who_may(client, alice):
    busy(alice)
    keeper = make_user("keeper", is_staff=True)
    client.force_login(keeper)
    assert client.post("/ops/run-again").status_code == 403
    keeper.user_permissions.add(Permission.objects.get(codename="change_job"))
    assert client.post("/ops/run-again").status_code == 302
    assert Job.objects.get(key="dead").status == "waiting"


def test_the_page_costs_the_same_however_busy(staff, alice, django_assert_max_num_queries):
    for _time in range(5):
        talk = make_conversation(alice)
        Job.objects.create(kind="maintain", key=str(_time), status="dead")
        make_turn(talk)
    Turn.objects.update(feedback=1)
    with django_assert_max_num_queries(32):
        staff.get("/ops/")
