"""The staff's records and jobs: looked at, run again, never deleted in bulk."""

import pytest

from chat.models import AuditEvent, Job
from tests.factories import (
    make_conversation,
    make_entity,
    make_memory,
    make_recall,
    make_turn,
    make_user,
    make_version,
)
from tests.staff import staff

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", ["conflict", "document", "job", "entityversion", "recall", "auditevent"])
def test_nothing_is_deleted_in_bulk(client, kind):
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    assert "delete_selected" not in client.get(f"/admin/chat/{kind}/").content.decode()


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
