"""The inspector and the queue of conflicts under the fingers: keys, live search with an input method, undo, sliders."""

import pytest

from chat.models import Conflict, Memory
from tests.browser.sign_in import sign_in
from tests.factories import make_conflict, make_conversation, make_entity, make_memory, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def inspector(page, browser, live_site, alice):
    sign_in(browser, live_site, alice)
    return page


def press(page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_list_is_walked_and_worked_by_keys(inspector, alice):
    first, second = make_memory(alice, "第一条"), make_memory(alice, "第二条")
    inspector.goto("/memory/list/")  # newest first
    press(inspector, "j", "j", "k", "j", "x")
    assert inspector.locator(f"#memory-{first.pk} [name=ids]").is_checked()
    with inspector.expect_navigation():
        press(inspector, "p")
    assert Memory.objects.get(pk=first.pk).pinned
    assert inspector.locator(f"#memory-{first.pk}").evaluate("e => e === document.activeElement")
    with inspector.expect_navigation():
        press(inspector, "f")
    assert not Memory.objects.live().filter(pk=first.pk).exists()
    assert inspector.locator(f"#memory-{second.pk}").evaluate("e => e === document.activeElement")
    with inspector.expect_navigation():
        press(inspector, "u")
    assert Memory.objects.live().filter(pk=first.pk).exists()
    inspector.locator("#id_q").focus()
    press(inspector, "f", "x", "j")
    assert inspector.locator("#id_q").input_value() == "fxj"
    assert Memory.objects.live().count() == 2


def test_the_queue_is_decided_by_numbers(inspector, alice):
    conflicts = []
    for number in range(3):
        entity = make_entity(alice, f"habit.other{number}")
        old = make_version(entity, "旧", status="superseded")
        conflicts.append(make_conflict(alice, entity=entity, old_version=old, new_version=make_version(entity, "新", supersedes=old)))
    inspector.goto("/memory/conflicts/")
    last, middle, first = conflicts
    with inspector.expect_navigation():
        press(inspector, "2")  # no card is chosen: the first
    assert Conflict.objects.get(pk=first.pk).decision == "keep_old"
    press(inspector, "j")
    with inspector.expect_navigation():
        press(inspector, "6")
    assert Conflict.objects.get(pk=last.pk).decision == "dismiss"
    with inspector.expect_navigation():
        press(inspector, "u")
    assert Conflict.objects.get(pk=last.pk).status == "open"
    press(inspector, "k", "4")
    inspector.keyboard.type("1256")  # what is typed into the field decides nothing
    with inspector.expect_navigation():
        press(inspector, "Enter")
    assert set(Conflict.objects.values_list("status", flat=True)) == {"open", "resolved"}
    assert Conflict.objects.filter(decision="merge").count() == 1


def test_live_search_waits_for_the_end_of_the_pinyin(inspector, alice):
    make_memory(alice, "周末去爬山")
    inspector.goto("/memory/list/")
    asked: list[str] = []
    inspector.on("request", lambda request: asked.append(request.url) if "/memory/list/" in request.url else None)
    inspector.locator("#id_q").evaluate("""async (field) => {
      const wait = (ms) => new Promise((done) => setTimeout(done, ms));
      const say = (kind, text) => { field.value = text; field.dispatchEvent(new CompositionEvent(kind, {bubbles: true, data: text})); };
      const input = () => field.dispatchEvent(new InputEvent('input', {bubbles: true, isComposing: true}));
      say('compositionstart', ''); say('compositionupdate', 'pa'); input(); await wait(350);
      say('compositionupdate', 'pa shan'); input(); await wait(350);
      say('compositionend', '爬山');
    }""")
    inspector.wait_for_function("() => location.search.includes('q=')")
    assert len(asked) == 1 and "%E7%88%AC%E5%B1%B1" in asked[0]


def test_a_slider_says_its_number_and_shows_what_it_would_change(inspector, alice):
    make_memory(alice, "膝盖疼，不能双盘", pinned=True)
    inspector.goto("/settings/weights/?question=膝盖")
    with inspector.expect_response(lambda answer: "time=0.9" in answer.url):
        inspector.locator("#id_time").fill("0.9")
    assert inspector.locator("#id_time + output").inner_text() == "0.9"


def test_erasing_wants_the_name_and_keeps_what_was_typed(inspector, alice):
    memory = make_memory(alice, "不想留的", state="forgotten")
    make_conversation(alice, title="早课")
    inspector.goto(f"/memory/{memory.pk}/erase/")
    inspector.locator("#confirm").fill("alise")
    inspector.locator("#confirm").press("Enter")
    inspector.get_by_role("alert").get_by_text("请输入用户名来确认").wait_for()
    assert inspector.locator("#confirm").input_value() == "alise" and Memory.objects.exists()
    inspector.locator("#confirm").fill("alice")
    inspector.locator("#confirm").press("Enter")
    inspector.locator("[data-toast]", has_text="已永久删除").wait_for()
    assert inspector.url.endswith("/memory/forgotten/") and not Memory.objects.exists()


def test_a_dialog_opens_after_the_whole_page_was_swapped(inspector, alice):
    inspector.goto("/settings/erase-all/")
    inspector.locator("#confirm").fill("alice")
    inspector.locator("#confirm").press("Enter")
    inspector.wait_for_url("**/settings/")
    inspector.locator(".keys-link").click()
    inspector.get_by_role("dialog").get_by_text("换行").wait_for()
