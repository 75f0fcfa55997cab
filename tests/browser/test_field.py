"""What the field and the page do while one writes and leaves: a count of tokens, a word before what is lost, copies of code."""

import pytest

from chat.llm import tokens
from chat.models import Conversation
from tests.browser.sign_in import sign_in
from tests.factories import make_conversation, make_turn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def talk(browser, live_site, alice):
    sign_in(browser, live_site, alice)
    return make_conversation(alice, title="早课")


def test_the_field_says_about_how_much_was_written(page, talk):
    page.goto(f"/c/{talk.pk}/")
    size = page.locator(".size")
    assert size.inner_text() == ""
    for text in ("我最近工作压力大，睡前脑子停不下来，很焦虑，打坐也坐不住，总想看手机。", "My mind wanders all the time when I sit in the morning, what can I do about it?"):
        page.locator("#text").fill(text)
        said = int(size.inner_text().removeprefix("约 ").removesuffix(" token"))
        assert abs(said - tokens.count(text)) <= 0.25 * tokens.count(text), (said, tokens.count(text))
    page.locator("#text").press("Enter")
    page.locator(".turn.fresh").wait_for()
    assert size.inner_text() == ""


@pytest.mark.parametrize("leaving", ["reload", "link"])
def test_a_temporary_conversation_is_not_left_without_a_word(page, browser, live_site, alice, leaving):
    sign_in(browser, live_site, alice)
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.goto("/?temporary=1")
    page.locator("#text").press_sequentially("只在这里说")
    page.locator("#text").press("Enter")
    page.wait_for_url("**/c/*/")
    assert asked == []  # sending it is no leaving
    page.locator("#text").click()
    here = page.url
    if leaving == "link":
        page.locator(".rail-pages a").first.click()
    else:
        page.evaluate("location.reload()")
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"] and page.url == here
    page.locator(".aside-note a").click()
    with page.expect_navigation():
        page.get_by_role("dialog").get_by_role("button", name="删除").click()
    assert asked == ["beforeunload"] and not Conversation.objects.exists()


def test_a_lasting_conversation_is_left_without_a_question(page, talk):
    page.on("dialog", lambda dialog: pytest.fail("a dialog opened"))
    page.goto(f"/c/{talk.pk}/")
    page.locator("#text").press_sequentially("写到一半")
    page.goto("/memory/")


def test_code_is_copied_without_its_button(page, browser, talk):
    browser.grant_permissions(["clipboard-read", "clipboard-write"])
    make_turn(talk, "怎么计时", "这样：\n\n```python\nfor breath in range(10):\n    print(breath)\n```\n\n完。")
    page.goto(f"/c/{talk.pk}/")
    page.get_by_role("button", name="复制代码").click()
    assert page.evaluate("navigator.clipboard.readText()") == "for breath in range(10):\n    print(breath)"
    page.locator(".turn-foot [data-copy]").click()
    assert "复制代码" not in page.evaluate("navigator.clipboard.readText()")
