"""What is measured day by day, and why an answer that its reader marked bad was bad."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from chat.memory import causes, indexing, measures, merging
from chat.memory.actors import Actor
from chat.models import Account, Measure
from chat.views import indicators
from tests.factories import make_conflict, make_conversation, make_memory, make_recall, make_turn, make_user

pytestmark = pytest.mark.django_db

ASKED = "青城山站桩是怎么练的？"
SECRET = "去年在青城山住过一个月，每天练站桩"
AT = datetime(2026, 8, 20, 8, tzinfo=ZoneInfo("Asia/Shanghai"))


def remembered(user, **fields):
    memory = make_memory(user, SECRET, recorded_at=AT - timedelta(days=9), **fields)
    indexing.index_words([memory.pk])
    return memory


def bad(user, at=AT):
    return make_turn(make_conversation(user), ASKED, "我不知道。", at=at, feedback=-1)


def cut(user, decision):
    turn, memory = bad(user), remembered(user)
    make_recall(turn, (memory,)).items.update(decision=decision)


def merged(user):
    bad(user)
    merging.merge(user, merging.Merging([remembered(user).pk], make_memory(user, "别的").pk, "别的"), Actor.person(user))


def decided(user):
    make_conflict(user, turn=bad(user), status="resolved", decider="support")


CAUSES = {
    "never stored": bad,
    "not recalled": lambda user: (bad(user), remembered(user)),
    "cut by the budget": lambda user: cut(user, "over_budget"),
    "not the memory": lambda user: cut(user, "used"),
    "faded": lambda user: (bad(user), remembered(user, state="forgotten", forgotten_by="decay", forgotten_at=AT)),
    "lost in compression": lambda user: (bad(user), remembered(user, state="superseded")),
    "wrongly merged": merged,
    "wrong conflict decision": decided,
}


@pytest.mark.parametrize("cause", CAUSES)
def test_the_cause_of_a_bad_answer_is_named(alice, cause):
    CAUSES[cause](alice)
    (case,) = causes.cases(AT - timedelta(hours=1), AT + timedelta(hours=1))
    assert case.cause == cause
    found = measures.record_day(Account.objects.of(alice), AT.date())
    assert found["bad_answers"] == found[f"bad: {cause}"] == 1


def test_what_its_owner_forgot_is_nobodys_fault(alice):
    bad(alice)
    remembered(alice, state="forgotten", forgotten_by="user", forgotten_at=AT)
    assert [case.cause for case in causes.cases(AT, AT + timedelta(hours=1))] == ["never stored"]


def test_cases_come_by_week_and_the_page_shows_ids_to_staff_only(client, alice, charlie):
    turn = bad(alice)
    bad(alice, at=AT - timedelta(days=7))
    remembered(alice)
    weeks = causes.by_week(AT.date(), 3)
    assert [len(found) for found in weeks.values()] == [1, 1, 0]
    assert list(weeks)[0].weekday() == 0
    client.force_login(charlie)
    assert client.get("/ops/bad-answers").status_code == 403
    client.force_login(make_user("keeper", is_staff=True))
    text = client.get("/ops/bad-answers?until=2026-08-20", headers={"accept-language": "en"}).text
    assert str(turn.pk) in text and "not recalled" in text
    assert SECRET not in text and ASKED not in text and "alice" not in text
    assert client.get("/ops/bad-answers?until=nonsense").status_code == 200


def test_the_days_numbers(alice):
    account = Account.objects.of(alice)
    turn, memories = make_turn(make_conversation(alice), at=AT, timings={"state": 8}), (make_memory(alice), make_memory(alice, "早起"))
    recall = make_recall(turn, memories, sections={"memories": {"tokens": 90}, "system": {"tokens": 30}}, timings={"recall": 12.5})
    recall.items.filter(rank=1).update(feedback=1)
    make_recall(make_turn(make_conversation(alice), at=AT), sections={"system": {"tokens": 40}}, timings={"recall": 7.5})
    make_memory(alice, "午睡", recorded_at=AT)
    make_conflict(alice, opened_at=AT, status="resolved", decision="keep_old", decided_at=AT)
    make_memory(alice, "8月20日：午睡", kind="summary", level=2, occurred_at=AT, data={"kept": {"said": 9, "of": 10, "talk": 240, "tokens": 20}})
    found = measures.record_day(account, AT.date())
    expected = {
        "answers": 2, "prompt_tokens": 80, "hit_rate": 0.5, "memories_used": 2, "memories_written": 1, "marked_useful": 1, "recall_ms_p50": 7.5,
        "recall_ms_p95": 12.5, "write_ms_p50": 8, "conflicts_found": 1, "conflicts_overruled": 1, "retention": 0.9, "compression": 12,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected


def test_totals_weigh_means_and_everyone_is_all_users_together(alice, bob):
    today = timezone.localdate()
    for user, day, tokens, count, used, written in ((alice, 2, 100, 1, 3, 6), (alice, 1, 400, 3, 1, 2), (bob, 1, 1000, 1, 0, 0)):
        at = today - timedelta(days=day)
        for name, value, of in (("prompt_tokens", tokens, count), ("memories_used", used, 1), ("memories_written", written, 1)):
            Measure.objects.create(user=user, day=at, name=name, value=value, count=of)
    total = measures.by_day(alice, 7)["total"]
    assert (total["prompt_tokens"], total["memories_used"], total["used_of_written"]) == (325, 4, 0.5)
    assert len(measures.by_day(bob, 7)["days"]) == 2  # yesterday, and today as it is
    everyone = measures.of_everyone(7)
    assert everyone["days"][(today - timedelta(days=1)).isoformat()]["prompt_tokens"] == 550
    assert everyone["total"]["memories_written"] == 8


def test_the_indicators_of_everybody_are_on_a_page_for_staff(client, alice, charlie):
    make_turn(make_conversation(alice), SECRET, at=timezone.now(), timings={"state": 8})
    found = measures.record_day(Account.objects.of(alice), timezone.localdate())
    assert found.keys() <= indicators.LABELS.keys()  # what is measured has a name for staff
    client.force_login(charlie)
    assert client.get("/ops/indicators").status_code == 403
    client.force_login(make_user("staff", is_staff=True))
    text = client.get("/ops/indicators", headers={"accept-language": "en"}).text
    assert "conflicts found" in text and "writing, ms, p95" in text and SECRET not in text and "alice" not in text
