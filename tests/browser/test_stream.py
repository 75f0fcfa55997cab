"""An answer as it comes: reload, a second tab, a cut line, Stop. The test itself writes the stream, as a worker would."""

from contextlib import closing

import pytest
from django.utils import timezone

from chat import streams
from chat.models import Account, Turn
from tests.browser.sign_in import sign_in
from tests.browser.wire import Wire
from tests.factories import make_conversation, make_turn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WORDS = [f"第{number}口呼吸。" for number in range(1, 21)]


@pytest.fixture
def turn(browser, live_site, alice):
    sign_in(browser, live_site, alice)
    waiting = make_turn(make_conversation(alice, title="数息"), answer="", status="running")
    streams.publish(waiting, "recall", {"used": 2, "considered": 9, "took_ms": 4})
    return waiting


def speak(turn: Turn, words: list[str]) -> None:
    for word in words:
        streams.publish(turn, "token", {"text": word})


def finish(turn: Turn, answer: str, status: str = "done") -> None:
    Turn.objects.filter(pk=turn.pk).update(
        status=status, answer=answer, answered_by="builtin", finished_at=timezone.now()
    )
    streams.publish(turn, "final", {"turn_id": turn.pk, "answer": answer})
    streams.publish(turn, "done", {"status": status})


def streamed(page, text: str) -> None:
    page.wait_for_function(
        "text => document.querySelector('[data-stream]')?.textContent === text", arg=text, timeout=15_000
    )


def test_words_appear_as_they_come_and_end_as_markdown(page, turn):
    page.goto(f"/c/{turn.conversation_id}/")
    speak(turn, WORDS[:3])
    streamed(page, "".join(WORDS[:3]))
    assert "2" in page.locator("[data-progress]").inner_text() or page.locator("[data-progress]").inner_text()
    finish(turn, "**慢慢来。**")
    page.locator(".answer strong", has_text="慢慢来。").wait_for()
    assert page.locator("[data-stream]").count() == 0
    assert page.locator("#status").inner_text() == "回答完成"


@pytest.mark.parametrize(("announce", "heard"), [("full", WORDS[0] * 30), ("brief", (WORDS[0] * 30)[:100] + "…"), ("off", "")])
def test_a_screen_reader_hears_the_answer_once_when_it_is_there(page, turn, alice, announce, heard):
    Account.objects.of(alice)
    Account.objects.filter(user=alice).update(announce=announce)
    page.goto(f"/c/{turn.conversation_id}/")
    page.evaluate("""() => {
      window.said = {spoken: [], status: []};
      for (const name in said) new MutationObserver(() => said[name].push(document.getElementById(name).textContent))
        .observe(document.getElementById(name), {childList: true});
    }""")
    assert page.locator("#log").get_attribute("aria-live") == "off"
    for _time in range(30):
        speak(turn, WORDS[:1])
    streamed(page, WORDS[0] * 30)
    assert page.evaluate("said.spoken") == []
    finish(turn, WORDS[0] * 30)
    page.wait_for_function("() => said.status.at(-1) === '回答完成'")
    assert [text for text in page.evaluate("said.spoken") if text] == [heard] * bool(heard)
    assert len(page.evaluate("said.status")) <= 4  # begun, perhaps still at it, done: never a word of the answer


def test_markup_in_the_stream_is_only_text(page, turn):
    page.goto(f"/c/{turn.conversation_id}/")
    speak(turn, ["<img src=x onerror=alert(1)>", "<b>粗</b>"])
    streamed(page, "<img src=x onerror=alert(1)><b>粗</b>")
    assert page.locator("[data-stream] *").count() == 0


def test_reload_in_mid_answer_shows_all_of_it_once(page, turn):
    page.goto(f"/c/{turn.conversation_id}/")
    speak(turn, WORDS[:8])
    streamed(page, "".join(WORDS[:8]))
    page.reload()
    streamed(page, "".join(WORDS[:8]))
    speak(turn, WORDS[8:])
    streamed(page, "".join(WORDS))


def test_what_is_stored_already_is_not_said_twice(page, turn):
    Turn.objects.filter(pk=turn.pk).update(answer="".join(WORDS[:4]))
    speak(turn, WORDS[:6])
    page.goto(f"/c/{turn.conversation_id}/")
    streamed(page, "".join(WORDS[:6]))


def test_a_cut_line_is_taken_up_again_without_loss_or_doubles(page, turn, live_site):
    with closing(Wire(live_site.url)) as wire:
        asked = []
        page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/stream") else None)
        page.goto(f"{wire.url}/c/{turn.conversation_id}/")
        speak(turn, WORDS[:8])
        streamed(page, "".join(WORDS[:8]))
        wire.cut()
        speak(turn, WORDS[8:])
        streamed(page, "".join(WORDS))
        assert len(asked) == 2  # once at first, once after the cut
        finish(turn, "完")
        page.locator("[data-answer]", has_text="完").wait_for()
        assert len(asked) == 2  # and not again after the end


@pytest.mark.parametrize("before", [0, 8])
def test_an_end_that_the_stream_lost_is_told_from_what_is_stored(page, turn, before):
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/stream") else None)
    page.goto(f"/c/{turn.conversation_id}/")
    speak(turn, WORDS[:before])
    if before:
        streamed(page, "".join(WORDS[:before]))
    else:
        page.locator("[data-progress]", has_text="2").wait_for()
    Turn.objects.filter(pk=turn.pk).update(
        status="done", answer="完", answered_by="builtin", finished_at=timezone.now()
    )
    page.locator("[data-answer]", has_text="完").wait_for()
    assert len(asked) == 1  # a reader that took the end for a repeat would ask again and again


def test_a_second_tab_says_the_same(page, browser, turn):
    other = browser.new_page()
    for tab in (page, other):
        tab.goto(f"/c/{turn.conversation_id}/")
    speak(turn, WORDS)
    for tab in (page, other):
        streamed(tab, "".join(WORDS))
    finish(turn, "完")
    for tab in (page, other):
        tab.locator("[data-answer]", has_text="完").wait_for()


def test_an_attempt_that_broke_off_is_wiped_when_the_next_begins(page, turn):
    page.goto(f"/c/{turn.conversation_id}/")
    speak(turn, WORDS[:3])
    streamed(page, "".join(WORDS[:3]))
    streams.publish(turn, "recall", {"used": 1, "considered": 9, "took_ms": 4})
    speak(turn, ["重来。"])
    streamed(page, "重来。")


@pytest.mark.parametrize("how", ["button", "escape"])
def test_stop_is_where_send_is_and_on_escape(page, turn, how):
    page.goto(f"/c/{turn.conversation_id}/")
    speak(turn, WORDS[:2])
    streamed(page, "".join(WORDS[:2]))
    page.reload()
    streamed(page, "".join(WORDS[:2]))
    with page.expect_response(lambda answer: answer.url.endswith("/stop")):
        page.locator("[data-stop-last]").click() if how == "button" else page.keyboard.press("Escape")
    assert Turn.objects.get(pk=turn.pk).stop_requested
    finish(turn, "".join(WORDS[:2]), "stopped")
    page.locator(".state-line", has_text="到此停止。").wait_for()
    assert page.locator("[data-stop-last]").is_hidden()


def test_an_error_says_why_and_offers_another_try(page, turn):
    page.goto(f"/c/{turn.conversation_id}/")
    Turn.objects.filter(pk=turn.pk).update(status="failed", error="timeout", finished_at=timezone.now())
    streams.publish(turn, "error", {"code": "timeout", "message": "", "partial": False})
    streams.publish(turn, "done", {"status": "failed"})
    page.get_by_role("alert").get_by_text("模型用时太久").wait_for()
    page.get_by_role("button", name="再试一次").click()
    page.locator("[data-stream]").wait_for(state="attached")
    assert Turn.objects.get(pk=turn.pk).attempt == 2
