"""A turn in a real browser: changing and stepping, why it says what it says, deciding what is remembered."""

import pytest

from chat.models import EarlierAnswer, Memory, RecallItem, Turn
from tests.browser.sign_in import sign_in
from tests.browser.test_chat import COMPOSING, PRESS
from tests.factories import (
    believe,
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


@pytest.fixture
def talk(browser, live_site, alice):
    sign_in(browser, live_site, alice)
    return make_conversation(alice, title="早课")


def test_a_message_is_changed_in_its_place_and_becomes_a_branch(page, talk):
    make_turn(talk, "我晚上打坐"), make_turn(talk, "然后呢")
    page.goto(f"/c/{talk.pk}/")
    first = page.locator(".turn").first
    first.hover()
    first.get_by_role("link", name="修改后重新发送").click()
    field = page.locator(".edit textarea")
    field.wait_for()
    for how in COMPOSING.values():
        assert field.evaluate(PRESS.replace("eval(how)", how), "") == 0
    field.press("Escape")
    first.locator(".bubble", has_text="我晚上打坐").wait_for()
    first.hover()
    first.get_by_role("link", name="修改后重新发送").click()
    field.fill("我早上打坐")
    field.press("Enter")
    page.locator(".bubble", has_text="我早上打坐").wait_for()
    assert page.locator(".turn").count() == 1 and page.get_by_text("2/2").is_visible()
    page.get_by_role("button", name="上一个分支").click()
    page.locator(".bubble", has_text="然后呢").wait_for()
    assert page.locator(".turn").count() == 2 and page.get_by_text("1/2").is_visible()


def test_brackets_step_between_answers_but_not_while_one_writes(page, talk):
    turn = make_turn(talk, answer="新的回答", attempt=2)
    EarlierAnswer.objects.create(turn=turn, attempt=1, answer="旧的回答", status="done")
    page.goto(f"/c/{talk.pk}/")
    page.locator("#text").press("[")
    assert page.locator("#text").input_value() == "["
    page.locator("#text").blur()
    page.keyboard.press("[")
    page.locator("[data-answer]", has_text="旧的回答").wait_for()
    page.keyboard.press("]")
    page.locator("[data-answer]", has_text="新的回答").wait_for()
    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_text("新对话").wait_for()


def test_the_panel_opens_beside_and_acts_in_place(page, talk, alice):
    turn = make_turn(talk)
    memory = make_memory(alice, "数息有用")
    make_recall(turn, (memory,))
    page.goto(f"/c/{talk.pk}/")
    page.locator(".why").click()
    panel = page.locator("#panel")
    panel.locator("[aria-label='0.50 + 0.10 = 0.60']").wait_for()
    panel.get_by_role("button", name="置顶").click()
    panel.get_by_role("button", name="取消置顶").wait_for()
    assert Memory.objects.get(pk=memory.pk).pinned
    panel.locator("summary", has_text="数息有用").click()
    page.wait_for_function("() => document.activeElement.matches('#panel textarea')")
    panel.get_by_role("textbox").fill("数息很有用")
    panel.get_by_role("button", name="保存").click()
    panel.get_by_text("此后有改动").wait_for()
    assert Memory.objects.get(pk=memory.pk).text == "数息很有用"
    panel.get_by_role("link", name="用现在的记忆再算一次").click()
    panel.locator("#today").wait_for()
    assert f"/c/{talk.pk}/" in page.url
    page.keyboard.press("Escape")
    assert panel.inner_html() == ""
    assert page.locator(".why").evaluate("e => e === document.activeElement")


def test_what_is_not_relevant_is_said_there_and_the_answer_given_again(page, talk, alice):
    turn = make_turn(talk)
    make_recall(turn, (make_memory(alice, "数息有用"),))
    page.goto(f"/c/{talk.pk}/")
    page.locator(".why").click()
    panel = page.locator("#panel")
    panel.get_by_role("button", name="不相关").click()
    panel.get_by_role("button", name="重新回答").click()
    page.locator(".turn[data-open]").wait_for()
    assert RecallItem.objects.get().feedback == -1
    assert Turn.objects.get().attempt == 2


def test_what_was_remembered_is_taken_back_beside_the_answer(page, talk, alice):
    turn = make_turn(talk)
    version = believe(alice, turn=turn).versions.get()
    make_notice(turn, "记住了：静音", kind="remembered", version=version)
    page.goto(f"/c/{talk.pk}/")
    page.get_by_role("button", name="知道了").click()
    page.locator("#first-kept").wait_for(state="detached")
    page.locator(".kept").get_by_role("button", name="撤销").click()
    page.get_by_text("已收回").wait_for()
    assert not version.entity.versions.current().exists()


def test_deciding_in_the_chat_and_taking_it_back(page, talk, alice):
    turn = make_turn(talk)
    entity = make_entity(alice)
    old = make_version(entity, "流水声", status="superseded")
    new = make_version(entity, "静音", supersedes=old)
    make_notice(turn, "【记忆提示】", conflict=make_conflict(alice, entity=entity, old_version=old, new_version=new))
    page.goto(f"/c/{talk.pk}/")
    page.get_by_role("button", name="用旧的").click()
    page.get_by_role("button", name="撤销").wait_for()
    assert entity.versions.current().get().value == "流水声"
    page.get_by_role("button", name="撤销").click()
    page.get_by_role("button", name="用新的").wait_for()
    assert entity.versions.current().get().value == "静音"
