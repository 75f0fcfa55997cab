"""Every page in both languages and themes, wide and narrow, with scripts off, and by the rules of accessibility."""

import pytest

from chat.models import Account, Conflict, Memory, Turn
from tests.browser.sign_in import sign_in
from tests.factories import (
    make_conflict,
    make_conversation,
    make_entity,
    make_memory,
    make_notice,
    make_recall,
    make_turn,
    make_version,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "没有空格的很长很长的一句话" * 6 + " https://example.org/" + "a" * 120


@pytest.fixture
def places(alice, browser, live_site) -> list[str]:
    """The address of every page, with something on each. Alice is one of the staff here."""
    alice.is_staff = alice.is_superuser = True
    alice.save()
    sign_in(browser, live_site, alice)
    Account.objects.of(alice)
    talk = make_conversation(alice, title=LONG[:100])
    turn = make_turn(
        talk,
        LONG,
        f"{LONG}\n\n```python\nfor breath in range(10): print('{'x' * 90}')\n```\n\n|a|b|\n|-|-|\n|{'长' * 60}|c|",
    )
    memory, other = make_memory(alice, LONG, turns=(turn,), pinned=True), make_memory(alice, "另一条")
    make_memory(alice, LONG, state="forgotten")
    make_recall(
        turn,
        (memory, other),
        sections={"memories": {"tokens": 12, "ceiling": 1500}},
        prompt=[{"role": "user", "content": LONG}],
    )
    entity = make_entity(alice)
    old = make_version(entity, LONG, status="superseded", key="1", turn=turn)
    conflict = make_conflict(
        alice, entity=entity, old_version=old, new_version=make_version(entity, LONG, key="2", turn=turn)
    )
    make_notice(turn, LONG, conflict=conflict)
    make_version(make_entity(alice, "status.health_condition", item="敏"), LONG, key="3", status="pending", turn=turn)
    settled = make_entity(alice, "habit.wake_time")
    make_conflict(alice, LONG[:150], "六点", entity=settled, status="resolved", decider="rule", reason=LONG[:200])
    row = make_memory(alice, "起床时间：六点", kind="entity", version=settled.versions.current().get())
    make_recall(make_turn(talk, LONG), (row,))
    aside = make_turn(make_conversation(alice, temporary=True, memory="off"), LONG)
    return [
        *(
            "/",
            "/?temporary=1",
            f"/c/{talk.pk}/",
            f"/c/{talk.pk}/rename/",
            f"/c/{talk.pk}/delete/",
            f"/turns/{turn.pk}/recall/?now=1",
            f"/turns/{turn.pk}/edit/",
            "/keys/",
        ),
        *("/memory/", "/memory/list/", "/memory/conflicts/", "/memory/forgotten/", "/memory/add/", "/memory/probe/", "/memory/usage/"),
        *(f"/c/{aside.conversation_id}/", f"/memory/state/{settled.pk}/", f"/memory/{row.pk}/", "/memory/list/?order=sure"),
        *(f"/memory/state/{entity.pk}/", f"/memory/state/{entity.pk}/erase/", f"/memory/{memory.pk}/"),
        *(f"/memory/{memory.pk}/edit/", f"/memory/{memory.pk}/erase/", f"/memory/merge/?ids={memory.pk},{other.pk}"),
        *("/settings/", "/settings/weights/?question=x", "/settings/erase-all/", "/ops/", "/ops/knowledge/", "/keys/", "/nowhere/"),
    ]


def test_the_policy_is_kept_on_every_page(page, places):
    """The `page` fixture fails on any violation; here each page is also clicked through a little."""
    admin = [f"/admin/{name}/" for name in ("", "chat/conflict", "chat/job", "chat/document/add", "chat/entityversion", "chat/auditevent")]
    for place in [*places, *admin, f"/admin/chat/conflict/{Conflict.objects.open().get().pk}/change/"]:
        page.goto(place)
        for summary in page.locator("main summary").all():
            summary.click()


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_nothing_has_to_be_scrolled_sideways_at_360(page, places, alice, language):
    Account.objects.filter(user=alice).update(language=language)
    page.set_viewport_size({"width": 360, "height": 740})
    for place in places:
        page.goto(place)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, place


def test_the_rail_is_a_drawer_on_a_phone(page, places):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/memory/")
    assert page.locator("#rail").is_hidden()
    page.get_by_role("button", name="菜单").click()
    assert page.locator("#rail").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#rail").is_hidden()


def test_without_scripts_one_can_send_list_edit_forget_and_restore(_chromium, live_site, alice):
    context = _chromium.new_context(base_url=live_site.url, locale="zh-CN", java_script_enabled=False)
    sign_in(context, live_site, alice)
    memory = make_memory(alice, "周末去爬山")
    page = context.new_page()
    page.goto("/")
    page.locator("#text").fill("我昨天冥想时总走神")
    page.get_by_role("button", name="发送").click()
    page.locator(".bubble", has_text="总走神").wait_for()
    assert Turn.objects.get().text == "我昨天冥想时总走神"
    page.goto("/memory/list/")
    page.get_by_role("link", name="编辑").click()
    page.locator("#id_text").fill("周末去登山")
    page.get_by_role("button", name="保存").click()
    page.goto("/memory/list/")
    page.locator(f"#memory-{memory.pk}").get_by_role("button", name="忘记").click()
    page.goto("/memory/forgotten/")
    page.get_by_role("button", name="恢复").click()
    assert Memory.objects.get().state == "live"
    context.close()
