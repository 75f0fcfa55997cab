"""The staff's pages: decide with a reason, without knowing whose memory it is; nothing is deleted in bulk."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from chat.admin.pseudonyms import pseudonym
from chat.knowledge.ingest import embed_missing
from chat.models import AuditEvent, Conflict, Document, EntityVersion, Job
from tests.browser.sign_in import sign_in
from tests.factories import (
    make_conflict,
    make_conversation,
    make_document,
    make_entity,
    make_memory,
    make_recall,
    make_turn,
    make_user,
    make_version,
)

pytestmark = pytest.mark.django_db

CONFLICTS = "/admin/chat/conflict/"


def staff(*permissions: str) -> Client:
    person = make_user("reviewer", is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    return client


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


def test_those_that_cannot_be_decided_so_are_left_and_named(reviewer, alice, conflict):
    decided = make_conflict(alice, entity=make_entity(alice, "habit.wake_time"), status="resolved")
    chosen = {"action": "keep_old", "_selected_action": [conflict.pk, decided.pk], "reason": "因为"}
    page = reviewer.post(CONFLICTS, chosen, follow=True).content.decode()
    assert f"Left as they are: {decided.pk}" in page
    conflict.refresh_from_db()
    assert conflict.decision == "keep_old"


@pytest.mark.parametrize("kind", ["conflict", "document", "job", "entityversion", "recall", "auditevent"])
def test_nothing_is_deleted_in_bulk(client, kind):
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    assert "delete_selected" not in client.get(f"/admin/chat/{kind}/").content.decode()


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


# Jobs, records, knowledge.


def test_what_gave_up_is_run_again(alice):
    keeper = staff("view_job", "change_job")
    turn = make_turn(make_conversation(alice))
    dead = Job.objects.create(
        kind="remember", key=f"turn:{turn.pk}", user=alice, turn=turn, status="dead", attempts=4, error="Boom"
    )
    done = Job.objects.create(kind="remember", key="turn:0", user=alice, status="done")
    page = keeper.get("/admin/chat/job/", {"status__exact": "dead"}).content.decode()
    assert "Boom" in page and "alice" not in page
    keeper.post("/admin/chat/job/", {"action": "run_again", "_selected_action": [dead.pk, done.pk]})
    dead.refresh_from_db()
    done.refresh_from_db()
    assert (dead.status, dead.attempts, dead.error) == ("waiting", 0, "")
    assert done.status == "done"


def test_records_can_be_read_and_not_changed(alice):
    reader = staff(
        "view_entityversion", "view_recall", "view_auditevent", "change_entityversion", "delete_entityversion"
    )
    turn = make_turn(make_conversation(alice), "我的秘密")
    version = make_version(make_entity(alice), "静音")
    recall = make_recall(turn, (make_memory(alice),), prompt=[{"role": "user", "content": "我的秘密"}])
    event = AuditEvent.objects.create(
        user=alice, actor="user", action="memory.added", object_type="memory", object_id=1
    )
    for kind, row in (("entityversion", version), ("recall", recall), ("auditevent", event)):
        page = reader.get(f"/admin/chat/{kind}/{row.pk}/change/")
        assert page.status_code == 200, kind
        text = page.content.decode()
        assert 'type="submit" value="Save"' not in text and "alice" not in text and "我的秘密" not in text, kind
        assert reader.get(f"/admin/chat/{kind}/").status_code == 200
        assert reader.post(f"/admin/chat/{kind}/{row.pk}/change/", {"value": "改"}).status_code == 403
        assert reader.post(f"/admin/chat/{kind}/{row.pk}/delete/", {"post": "yes"}).status_code == 403
        assert reader.get(f"/admin/chat/{kind}/add/").status_code == 403


@pytest.fixture
def librarian(db):
    return staff("view_document", "add_document", "change_document", "delete_document", "view_passage")


def upload(client: Client, name: str, content: bytes):
    return client.post("/admin/chat/document/add/", {"file": SimpleUploadedFile(name, content)})


def test_several_texts_are_brought_in_at_once_and_show_how_far_they_are(librarian):
    def told():
        return librarian.get("/ops/knowledge/").content.decode()

    files = [SimpleUploadedFile(name, content) for name, content in {
        "站桩.md": "# 站桩\n\n两脚与肩同宽。\n".encode(), "照片.png": b"\x89PNG", "行禅.txt": "行禅时慢慢走。".encode(), "坏.pdf": b"%PDF-1.4 no",
    }.items()]  # fmt: skip
    answer = librarian.post("/ops/knowledge/", {"file": files})
    text = answer.content.decode()
    assert answer.status_code == 422 and "Only .md, .txt and .pdf can be read." in text and "照片.png" in text and "坏.pdf" in text
    assert Document.objects.count() == 2
    assert 'max="1" value="0"' in told() and 'hx-trigger="every 2s"' in told()
    embed_missing()
    assert "<progress" not in told() and "every 2s" not in told()
    assert librarian.post("/ops/knowledge/").status_code == 422


def test_only_librarians_bring_texts_in(reviewer):
    assert reviewer.get("/ops/knowledge/").status_code == 403
    User.objects.all().delete()
    reader = staff("view_document")
    assert 'type="file"' not in reader.get("/ops/knowledge/").content.decode()
    assert reader.post("/ops/knowledge/", {"file": SimpleUploadedFile("a.md", b"# a\n\nb")}).status_code == 403


def test_a_text_is_uploaded_listed_and_deleted(librarian):
    response = upload(librarian, "站桩.md", "# 站桩\n\n两脚与肩同宽，膝盖微弯，自然呼吸。\n".encode())
    assert response.status_code == 302, response.content.decode()
    document = Document.objects.get(title="站桩")
    assert document.passages.count() >= 1
    assert "0 / 1" in librarian.get("/admin/chat/document/").content.decode()  # its vector comes in the background
    assert "站桩" in librarian.get("/admin/chat/document/").content.decode()
    assert "两脚与肩同宽" in librarian.get(f"/admin/chat/document/{document.pk}/change/").content.decode()
    assert librarian.post(f"/admin/chat/document/{document.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Document.objects.filter(pk=document.pk).exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.exe", b"MZ"), ("a.pdf", b"not a pdf"), ("a.pdf", b"%PDF-1.7\nbroken"), ("a.txt", b""), ("a.txt", b"\xff\xfe\x00\x80\x81" * 9), ("a.md", b"  \n ")],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_refused_with_a_reason(librarian, name, content):
    response = upload(librarian, name, content)
    assert response.status_code == 200
    assert "errorlist" in response.content.decode()
    assert not Document.objects.exists()


def test_the_built_in_guides_are_not_deleted_here(librarian):
    document = make_document(builtin=True)
    assert librarian.post(f"/admin/chat/document/{document.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Document.objects.filter(pk=document.pk).exists()


@pytest.mark.browser
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
