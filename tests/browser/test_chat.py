"""Writing and reading in a real browser: input methods, drafts, where the page stands, the panel, the keyboard."""

import itertools

import pytest

from chat.models import Conversation, Turn
from tests.browser.sign_in import sign_in
from tests.factories import (
    make_conflict,
    make_conversation,
    make_entity,
    make_memory,
    make_recall,
    make_turn,
    make_version,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# How browsers tell the Enter that only ends a composition. The last is Safari's order.
COMPOSING = {
    "isComposing": "f.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true})); key({isComposing: true})",
    "flag": "f.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true})); key({})",
    "229": "key({keyCode: 229})",
    "Process": "key({key: 'Process'})",
    "Safari": "f.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true}));"
    "f.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true, data: '你好'})); key({keyCode: 229})",
    "Safari without 229": "f.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true}));"
    "f.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true, data: '你好'})); key({})",
}
PRESS = """(f, how) => {
  f.focus();
  let submitted = 0;
  f.form.addEventListener('submit', (event) => { submitted++; event.preventDefault(); }, {once: true, capture: true});
  const key = (extra) => {
    const event = new KeyboardEvent('keydown', {key: 'Enter', keyCode: 13, bubbles: true, cancelable: true, ...extra});
    const goesOn = f.dispatchEvent(event);
    if (goesOn && f.matches('input') && !event.isComposing && (extra.key ?? 'Enter') === 'Enter') f.form.requestSubmit();
  };
  eval(how);
  return submitted;
}"""


@pytest.fixture
def talk(browser, live_site, alice):
    sign_in(browser, live_site, alice)
    return make_conversation(alice, title="早课")


def press(page, field: str, how: str) -> int:
    page.locator(field).fill("ni hao")
    # The page's own policy forbids eval, so what is to be done is written into the function itself.
    return page.locator(field).evaluate(PRESS.replace("eval(how)", how), "")


@pytest.mark.parametrize("how", COMPOSING.values(), ids=COMPOSING)
def test_enter_that_ends_a_composition_never_sends(page, talk, how):
    page.goto(f"/c/{talk.pk}/")
    assert press(page, "#text", how) == 0
    page.locator("#text").evaluate("f => f.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true}))")
    page.wait_for_timeout(50)
    assert press(page, "#text", "key({})") == 1


def test_no_text_field_of_any_page_acts_on_a_composing_enter(page, talk, alice):
    first, second = make_memory(alice, "一"), make_memory(alice, "二")
    entity = make_entity(alice)
    version = make_version(entity, "静音")
    make_conflict(alice, entity=entity, old_version=version, new_version=version)
    turn = make_turn(talk)
    make_recall(turn, (first,), shown={"entities": [version.pk]})
    for path in ("/", "/memory/list/", f"/turns/{turn.pk}/recall/", "/memory/probe/", f"/memory/state/{entity.pk}/", f"/c/{talk.pk}/rename/", "/memory/add/",
                 f"/memory/{first.pk}/edit/", f"/memory/merge/?ids={first.pk},{second.pk}", "/settings/", "/settings/erase-all/",
                 "/memory/conflicts/", "/settings/weights/", f"/memory/{first.pk}/", f"/memory/{first.pk}/erase/", f"/memory/state/{entity.pk}/erase/"):  # fmt: skip
        page.goto(path)
        fields = page.locator("main :is(input[type=text], input[type=search], textarea)")
        for number in range(fields.count()):
            field = fields.nth(number)
            for how in COMPOSING.values():
                assert field.evaluate(PRESS.replace("eval(how)", how), "") == 0, (path, number, how)


def test_live_search_waits_for_the_whole_word(page, talk, alice):
    make_memory(alice, "你好吗")
    make_memory(alice, "膝盖疼")
    page.goto("/memory/list/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "q=" in request.url else None)
    page.locator("#id_q").evaluate("""f => {
      f.focus();
      f.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true}));
      for (const part of ['n', 'ni', 'ni h', 'ni hao']) { f.value = part; f.dispatchEvent(new InputEvent('input', {bubbles: true, isComposing: true})); }
    }""")
    page.wait_for_timeout(600)
    assert asked == []
    page.locator("#id_q").evaluate(
        "f => { f.value = '你好'; f.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true})); }"
    )
    page.locator("#found", has_not_text="膝盖疼").wait_for()
    assert len(asked) == 1 and "%E4%BD%A0%E5%A5%BD" in asked[0]
    assert "%E4%BD%A0%E5%A5%BD" in page.url
    assert page.locator("#id_q").evaluate("f => f === document.activeElement")


def test_sending_clears_the_field_and_pins_the_question_to_the_top(page, talk):
    for number in range(8):
        make_turn(talk, f"第{number}句", "一段回答。\n\n" * 6)
    page.goto(f"/c/{talk.pk}/")
    page.locator("#text").fill("第二行前\n第二行后")
    page.locator("#text").press("Enter")
    page.locator(".turn.fresh").wait_for()
    assert page.locator("#text").input_value() == ""
    page.wait_for_function("() => document.querySelector('.turn.fresh').getBoundingClientRect().top < 90")
    assert Turn.objects.order_by("pk").last().text == "第二行前\n第二行后"
    page.locator("#text").fill("又一句")
    page.locator("#text").press("Enter")
    page.locator(".bubble", has_text="又一句").wait_for()
    assert Turn.objects.count() == 10


def test_shift_enter_begins_a_line(page, talk):
    page.goto(f"/c/{talk.pk}/")
    page.locator("#text").fill("一")
    page.locator("#text").press("Shift+Enter")
    page.locator("#text").type("二")
    assert page.locator("#text").input_value() == "一\n二"
    assert not Turn.objects.exists()


def test_what_was_refused_stays_in_the_field_with_the_reason(page, talk):
    page.goto(f"/c/{talk.pk}/")
    page.locator("#text").evaluate("f => { f.value = '啊'.repeat(20001); }")
    page.locator(".send").click()
    page.locator("#alert [role=alert]").wait_for()
    assert len(page.locator("#text").input_value()) == 20_001


def test_a_server_that_is_gone_loses_nothing(page, browser, talk):
    page.goto(f"/c/{talk.pk}/")
    browser.set_offline(True)
    page.locator("#text").fill("没发出去的话")
    page.locator("#text").press("Enter")
    page.get_by_text("连不上服务器").wait_for()
    assert page.locator("#text").input_value() == "没发出去的话"
    browser.set_offline(False)
    page.locator("#text").press("Enter")
    page.locator(".bubble", has_text="没发出去的话").wait_for()
    assert Turn.objects.count() == 1


def test_a_draft_is_kept_for_its_conversation_but_not_for_a_temporary_one(page, talk):
    page.goto(f"/c/{talk.pk}/")
    page.locator("#text").type("写到一半")
    page.goto("/")
    assert page.locator("#text").input_value() == ""
    page.goto(f"/c/{talk.pk}/")
    assert page.locator("#text").input_value() == "写到一半"
    page.goto("/?temporary=1")
    page.locator("#text").type("不留")
    page.reload()
    assert page.locator("#text").input_value() == ""


def test_earlier_turns_come_in_above_without_moving_what_is_read(page, talk):
    for number in range(45):
        make_turn(talk, f"第{number}句", "回答。\n\n" * 3)
    page.goto(f"/c/{talk.pk}/")
    page.evaluate("scrollTo(0, 0)")
    first = page.locator(".turn").first
    before = first.evaluate("e => [e.id, e.getBoundingClientRect().top]")
    page.get_by_role("link", name="更早的对话").click()
    page.get_by_text("第0句").wait_for(state="attached")
    page.wait_for_timeout(100)
    after = page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", before[0])
    assert page.locator(".turn").count() == 45
    assert abs(after - before[1]) < 120


def test_deleting_asks_in_a_dialog(page, talk):
    page.goto(f"/c/{talk.pk}/")
    page.locator(".rail-list li.here").hover()
    page.locator(".rail-list li.here summary").click()
    page.locator(".rail-list").get_by_role("link", name="删除").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("不会删除从中记住的内容").wait_for()
    dialog.get_by_role("link", name="取消").click()
    assert Conversation.objects.exists()
    page.locator(".rail-list li.here").hover()
    page.locator(".rail-list li.here summary").click()
    page.locator(".rail-list").get_by_role("link", name="删除").click()
    dialog.get_by_role("button", name="删除").click()
    page.wait_for_url("**/")
    assert not Conversation.objects.exists()


def test_hostile_markdown_is_inert(page, talk):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail("a dialog opened"))
    make_turn(
        talk,
        "<script>alert(1)</script>",
        "\n\n".join(
            [
                "<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>",
                "![图](http://evil.example/?q=secret) ![](data:image/svg+xml;base64,AAAA)",
                "[点我](javascript:alert(1)) [链接](http://evil.example/a) <javascript:alert(1)>",
                '<a href="x" hx-get="/sign-out" hx-trigger="load" style="position:fixed">a</a>',
                "```html\n<iframe src=//evil.example></iframe>\n```",
                "|a|\n|-|\n|<b onclick=alert(1)>b</b>|",
            ]
        ),
    )
    page.goto(f"/c/{talk.pk}/")
    answer = page.locator("[data-answer]")
    assert (
        answer.locator("script, img, svg, iframe, [style], [onclick], [onerror], [hx-get], a[href^=javascript]").count()
        == 0
    )
    link = answer.locator("a[href='http://evil.example/a']")
    assert {"noopener", "nofollow"} <= set(link.get_attribute("rel").split())
    assert not [url for url in asked if "evil.example" in url]


def test_a_long_conversation_comes_in_pages_and_typing_costs_the_same(page, browser, talk):
    """Layouts are counted, not timed: a key must not make the page measure what was said before."""
    turns = Turn.objects.bulk_create(
        Turn(conversation=talk, user=talk.user, text=f"第{number}句", answer="一段回答。\n\n" * 8, status="done")
        for number in range(500)
    )
    for earlier, turn in itertools.pairwise(turns):
        turn.parent = earlier
    Turn.objects.bulk_update(turns, ["parent"])
    Conversation.objects.filter(pk=talk.pk).update(leaf=turns[-1])
    tools = browser.new_cdp_session(page)
    tools.send("Performance.enable")

    def layouts() -> float:
        return {m["name"]: m["value"] for m in tools.send("Performance.getMetrics")["metrics"]}["LayoutCount"]

    page.goto(f"/c/{talk.pk}/")
    assert page.locator(".turn").count() == 30
    assert page.locator(".turn").first.evaluate("e => getComputedStyle(e).contentVisibility") == "auto"
    before = layouts()
    page.locator("#text").press_sequentially("一二三四五六七八九十")
    assert layouts() - before <= 3 * 10
    page.get_by_role("link", name="更早的对话").click()
    page.get_by_text("第440句").wait_for(state="attached")
    assert page.locator(".turn").count() == 60
    assert page.locator("#text").input_value() == "一二三四五六七八九十"
