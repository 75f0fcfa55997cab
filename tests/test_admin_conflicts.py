"""The staff's queue of conflicts: decide with a reason, without knowing whose memory it is."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from chat.admin.pseudonyms import pseudonym
from chat.models import AuditEvent, Conflict, EntityVersion
from tests.browser.sign_in import sign_in
from tests.factories import (
    make_conflict,
    make_conversation,
    make_entity,
    make_turn,
    make_user,
)
from tests.staff import staff

pytestmark = pytest.mark.django_db

CONFLICTS = "/admin/chat/conflict/"


@pytest.fixture
def reviewer(db):
    return staff("view_conflict", "change_conflict")


@pytest.fixture
def conflict(alice):
    turn = make_turn(make_conversation(alice), "以后冥想请保持静音")
    return make_conflict(alice, turn=turn)


def decide(client: Client, conflict: Conflict, **form):
    return client.post(f"{CONFLICTS}{conflict.pk}/change/", form)


# Whose it is.


def test_users_are_pseudonyms(reviewer, alice, conflict):
    for path in (CONFLICTS, f"{CONFLICTS}{conflict.pk}/change/"):
        page = reviewer.get(path).content.decode()
        assert pseudonym(alice.pk)[-6:] in page
        assert "alice" not in page


def test_the_pseudonym_is_the_same_everywhere_and_not_the_id(alice, bob):
    assert pseudonym(alice.pk) == pseudonym(alice.pk) != pseudonym(bob.pk)
    assert str(alice.pk) not in re.sub("[0-9a-f]{6}$", "", pseudonym(alice.pk))


def test_the_permission_shows_the_name_and_lets_it_be_searched(alice, bob, conflict):
    make_conflict(bob)
    with_names = staff("view_conflict", "view_identity")
    page = with_names.get(CONFLICTS, {"q": "alice"}).content.decode()
    assert "alice" in page and "bob" not in page


def test_a_name_cannot_be_guessed_through_the_search(reviewer, conflict):
    page = reviewer.get(CONFLICTS, {"q": "alice"}).content.decode()
    assert f"{CONFLICTS}{conflict.pk}/change/" not in page


@pytest.mark.parametrize("path", [CONFLICTS, "/admin/chat/job/", "/admin/chat/entityversion/"])
def test_staff_without_the_permission_see_no_queue(conflict, path):
    assert staff().get(path).status_code == 403


# Deciding one.


def test_both_sides_stand_side_by_side(reviewer, conflict):
    page = reviewer.get(f"{CONFLICTS}{conflict.pk}/change/").content.decode()
    for shown in ("流水声", "静音", "以后冥想请保持静音", "preference.meditation_sound", "Timeline"):
        assert shown in page


def test_a_decision_is_the_staffs_and_the_user_can_see_why(reviewer, conflict):
    response = decide(reviewer, conflict, decision="keep_old", reason="原话是玩笑")
    assert response.status_code == 302
    conflict.refresh_from_db()
    assert (conflict.status, conflict.decision, conflict.decider, conflict.reason) == (
        "resolved", "keep_old", "staff", "原话是玩笑",
    )  # fmt: skip
    assert EntityVersion.objects.current().get(entity=conflict.entity).value == "流水声"
    event = AuditEvent.objects.get(action="conflict.resolved")
    assert (event.actor, event.reason, event.actor_user.username) == ("staff", "原话是玩笑", "reviewer")


@pytest.mark.parametrize(
    "form",
    [{"decision": "keep_old"}, {"decision": "keep_old", "reason": "   "}, {"reason": "因为"}, {"decision": "flip", "reason": "因为"},
     {"decision": "merge", "reason": "因为"}],
)  # fmt: skip
def test_without_a_reason_or_a_sensible_decision_nothing_happens(reviewer, conflict, form):
    assert decide(reviewer, conflict, **form).status_code == 200
    conflict.refresh_from_db()
    assert conflict.status == "open"


def test_a_conflict_that_the_user_decided_meanwhile_stays(reviewer, conflict):
    page = reviewer.get(f"{CONFLICTS}{conflict.pk}/change/")
    assert page.status_code == 200
    Conflict.objects.filter(pk=conflict.pk).update(
        status="resolved", decision="keep_new", decider="user", decided_at=conflict.opened_at
    )
    response = decide(reviewer, conflict, decision="keep_old", reason="晚了")
    assert response.status_code == 200
    conflict.refresh_from_db()
    assert conflict.decision == "keep_new"


def test_taking_a_decision_back(reviewer, conflict):
    decide(reviewer, conflict, decision="dismiss", reason="不算")
    assert reviewer.post(f"{CONFLICTS}{conflict.pk}/undo/").status_code == 302
    conflict.refresh_from_db()
    assert conflict.status == "open"
    assert reviewer.get(f"{CONFLICTS}{conflict.pk}/undo/").status_code == 403


def test_who_may_only_look_decides_nothing(conflict):
    viewer = staff("view_conflict")
    page = viewer.get(f"{CONFLICTS}{conflict.pk}/change/")
    assert page.status_code == 200
    assert 'name="decision"' not in page.content.decode()
    assert decide(viewer, conflict, decision="keep_old", reason="因为").status_code == 403
    assert viewer.post(f"{CONFLICTS}{conflict.pk}/undo/").status_code == 403
    conflict.refresh_from_db()
    assert conflict.status == "open"


@pytest.mark.parametrize("number", ["999999", "abc", "9" * 30])
def test_an_unknown_conflict_is_no_crash(reviewer, number):
    assert reviewer.get(f"{CONFLICTS}{number}/change/").status_code in {302, 404}


# Among staff.


def test_staff_share_the_queue_and_note_what_they_think(reviewer, conflict):
    other = make_user("senior", is_staff=True)
    tend = f"{CONFLICTS}{conflict.pk}/tend/"
    assert reviewer.post(tend, {"tend-assignee": other.pk, "tend-note": "问过了"}).status_code == 302
    assert reviewer.post(tend, {"tend-assignee": other.pk, "tend-escalated": "on"}).status_code == 302
    assert reviewer.post(tend, {"tend-assignee": other.pk, "tend-escalated": "on", "tend-note": "等回音"}).status_code == 302
    conflict.refresh_from_db()
    assert (conflict.assignee, bool(conflict.escalated_at), conflict.status) == (other, True, "open")
    events = AuditEvent.objects.filter(object_id=conflict.pk, object_type="conflict").order_by("pk")
    assert list(events.values_list("action", "reason")) == [
        ("conflict.assigned", "问过了"), ("conflict.escalated", ""), ("conflict.noted", "等回音"),
    ]  # fmt: skip
    page = reviewer.get(f"{CONFLICTS}{conflict.pk}/change/").content.decode()
    assert "等回音" in page and "senior" in page and "reviewer" in page
    assert "senior · escalated" in reviewer.get(CONFLICTS).content.decode()
    assert conflict in reviewer.get(CONFLICTS, {"escalated": "yes"}).context["cl"].result_list
    assert not reviewer.get(CONFLICTS, {"escalated": "mine"}).context["cl"].result_list


def test_many_are_taken_and_escalated_at_once(reviewer, conflict, bob):
    his = make_conflict(bob)
    for action in ("take", "escalate"):
        reviewer.post(CONFLICTS, {"action": action, "_selected_action": [conflict.pk, his.pk]})
    found = [(each.assignee.username, bool(each.escalated_at), each.status) for each in Conflict.objects.all()]
    assert found == [("reviewer", True, "open")] * 2


def test_only_staff_who_may_decide_tend_and_only_staff_look_after(reviewer, conflict, bob):
    tend = f"{CONFLICTS}{conflict.pk}/tend/"
    reviewer.post(tend, {"tend-assignee": bob.pk, "tend-escalated": "on"})
    Client().post(tend, {"tend-escalated": "on"})
    conflict.refresh_from_db()
    assert conflict.assignee is None and conflict.escalated_at is None


# Deciding many.


def test_many_are_decided_with_one_reason(reviewer, alice):
    conflicts = [
        make_conflict(alice, entity=make_entity(alice, "preference.practice_method", item=str(n))) for n in range(3)
    ]
    chosen = {"action": "dismiss", "_selected_action": [conflict.pk for conflict in conflicts[:2]]}
    asked = reviewer.post(CONFLICTS, chosen)
    assert asked.status_code == 200
    assert 'name="reason"' in asked.content.decode()
    assert not Conflict.objects.exclude(status="open").exists()

    assert reviewer.post(CONFLICTS, {**chosen, "reason": ""}).status_code == 200
    assert not Conflict.objects.exclude(status="open").exists()

    assert reviewer.post(CONFLICTS, {**chosen, "reason": "测试数据"}).status_code == 302
    assert set(Conflict.objects.values_list("status", "reason")) == {("dismissed", "测试数据"), ("open", "")}


def test_many_are_kept_with_both_their_sides(reviewer, alice):
    both = [make_conflict(alice, entity=make_entity(alice, f"habit.other{number}")) for number in range(2)]
    one_sided = make_conflict(alice, entity=make_entity(alice, "habit.wake_time"), kind="knowledge_vs_memory")
    Conflict.objects.filter(pk=one_sided.pk).update(new=None)
    chosen = {"action": "keep_both", "_selected_action": [conflict.pk for conflict in [*both, one_sided]], "reason": "先后不同"}
    page = reviewer.post(CONFLICTS, chosen, follow=True).content.decode()
    assert f"Left as they are: {one_sided.pk}" in page
    assert list(Conflict.objects.order_by("pk").values_list("decision", flat=True)) == ["keep_both", "keep_both", ""]


def test_the_queue_says_how_well_each_side_is_supported(reviewer, conflict):
    EntityVersion.objects.filter(pk=conflict.old_id).update(explicit_confirmations=2)
    EntityVersion.objects.filter(pk=conflict.new_id).update(implicit_confirmations=1)
    assert "4 : 1" in reviewer.get(CONFLICTS).content.decode()


def test_those_that_cannot_be_decided_so_are_left_and_named(reviewer, alice, conflict):
    decided = make_conflict(alice, entity=make_entity(alice, "habit.wake_time"), status="resolved")
    chosen = {"action": "keep_old", "_selected_action": [conflict.pk, decided.pk], "reason": "因为"}
    page = reviewer.post(CONFLICTS, chosen, follow=True).content.decode()
    assert f"Left as they are: {decided.pk}" in page
    conflict.refresh_from_db()
    assert conflict.decision == "keep_old"


def test_filters_and_search(reviewer, alice, conflict):
    other = make_conflict(
        alice, "早上六点", "早上七点", entity=make_entity(alice, "habit.wake_time"), status="resolved"
    )

    def listed(**query) -> set[int]:
        page = reviewer.get(CONFLICTS, query).content.decode()
        return {int(number) for number in re.findall(rf"{CONFLICTS}(\d+)/change/", page)}

    assert listed() == {conflict.pk, other.pk}
    assert listed(status__exact="open") == {conflict.pk}
    assert listed(q="七点") == {other.pk}
    assert listed(age="older") == set()
    assert listed(age="day", kind__exact="entity") == {conflict.pk, other.pk}


def test_the_queue_takes_a_fixed_number_of_queries(reviewer, alice, django_assert_max_num_queries):
    for number in range(30):
        make_conflict(alice, entity=make_entity(alice, "preference.practice_method", item=str(number)))
    reviewer.get(CONFLICTS)
    with django_assert_max_num_queries(12):
        reviewer.get(CONFLICTS)


@pytest.mark.browser
def test_the_queue_fits_a_desktop_window(browser, live_site, page, alice):
    keeper = make_user("keeper-of-the-queue", is_staff=True, is_superuser=True)
    Conflict.objects.filter(pk=make_conflict(alice).pk).update(assignee=keeper, escalated_at=timezone.now())
    sign_in(browser, live_site, keeper)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(CONFLICTS)
    assert page.evaluate("(() => { const list = document.querySelector('.results'); return list.scrollWidth <= list.clientWidth })()")


def test_the_queue_works_in_a_browser_under_our_policy(browser, live_site, page, alice):
    conflict = make_conflict(alice)
    sign_in(browser, live_site, make_user("root", is_staff=True, is_superuser=True))
    page.goto(CONFLICTS)
    page.click(f"a[href*='{CONFLICTS}{conflict.pk}/change/']")
    page.check("[name=decision][value=keep_new]")
    page.fill("[name=reason]", "用户自己说的")
    page.click("input.default[type=submit]")
    page.wait_for_url("**" + CONFLICTS)
    conflict.refresh_from_db()
    assert conflict.decider == "staff"
