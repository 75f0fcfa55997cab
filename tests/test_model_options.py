"""What the model may do on the way to an answer, when it is allowed to: rewrite the question, fuse what was found."""

import pytest

from chat import reply
from chat.knowledge.ingest import ingest
from chat.memory import fusing, rewriting
from chat.models import Recall, Turn
from tests.factories import make_conversation, make_turn
from tests.llm_server import Reply

pytestmark = pytest.mark.django_db

STANDING = "# 站桩\n\n## 站桩怎么站\n\n" + "站桩先站5分钟，膝盖微屈，两脚与肩同宽，肩放松，呼吸自然，不要憋气，累了就停。" * 4


def say(user, words: str, conversation=None) -> Turn:
    turn = reply.post(user, conversation or make_conversation(user), words)
    reply.answer(turn.pk)
    turn.refresh_from_db()
    return turn


@pytest.fixture
def rewrites(llm, settings):
    settings.LLM_QUERY_REWRITING = True
    return llm


@pytest.fixture
def fuses(llm, settings, monkeypatch):
    settings.LLM_CONTEXT_FUSION = True
    monkeypatch.setattr(fusing, "WORTH", 100)
    ingest(STANDING.encode(), "站桩.md", embed=False)
    return llm


def test_both_are_off_by_default(alice, llm):
    say(alice, "站桩腿抖怎么办？")
    assert len(llm.requests) == 1


# Rewriting.


def test_the_rewritten_question_is_searched_for_too(alice, rewrites):
    ingest(STANDING.encode(), "站桩.md", embed=False)
    talk = make_conversation(alice)
    make_turn(talk, "站桩时腿抖", "站短一点。")
    rewrites.enqueue_structured({"queries": ["站桩怎么站", "桩功的站法"]})
    turn = say(alice, "那个到底怎么弄？", talk)
    asked, answered = rewrites.requests
    assert "站短一点" in asked.prompt and "那个到底怎么弄" in asked.prompt
    assert "膝盖微屈" in answered.prompt and turn.answer == "好的。"


@pytest.mark.parametrize("text", ["不会", '{"queries": "站桩"}', '{"queries": [1, "", "  "]}', "{}", "[]", '{"queries": ['])
def test_what_is_no_rewriting_changes_nothing(alice, rewrites, text):
    rewrites.enqueue_structured(text)
    assert say(alice, "站桩腿抖怎么办？").status == "done"


@pytest.mark.parametrize("trouble", [Reply(hang_after=0), Reply(status=400), Reply(cut_after=0)])
def test_a_rewriting_that_is_late_or_fails_costs_its_deadline_only(alice, rewrites, settings, trouble):
    settings.LLM_REWRITING_SECONDS = 0.15
    rewrites.enqueue_structured(trouble, trouble)
    turn = say(alice, "站桩腿抖怎么办？")
    rewrites.release()
    assert (turn.status, turn.answer) == ("done", "好的。")


def test_only_new_wordings_count():
    found = rewriting.usable('{"queries": ["站樁腿抖怎麼辦？", "桩功腿抖", "桩功腿抖", "a", "b"]}', "站桩腿抖怎么办？")
    assert found == ("桩功腿抖", "a")
    assert rewriting.usable('{"queries": ["' + "长" * 300 + '"]}', "问") == ()


# Fusion.


def test_the_background_takes_the_place_of_what_was_found(alice, fuses):
    fuses.enqueue("- 站桩先站5分钟，膝盖微屈（《站桩》）", "慢慢站。")
    turn = say(alice, "站桩怎么站？")
    asked, answered = fuses.requests
    assert "两脚与肩同宽" in asked.prompt and "两脚与肩同宽" not in answered.prompt
    assert "背景>\n- 站桩先站5分钟，膝盖微屈（《站桩》）\n</data" in answered.messages[1]["content"]
    assert all("膝盖微屈" not in message["content"] for message in answered.messages if message["role"] == "system")
    stored = Recall.objects.get(turn=turn)
    assert stored.prompt == answered.messages and stored.sections["knowledge"]["tokens"] == 0
    assert stored.sections["memories"]["tokens"] <= stored.sections["memories"]["ceiling"]


@pytest.mark.parametrize("pack", ["- 站桩要站45分钟", "- 《六祖坛经》说要站", " \n", "- 长" * 3000])
def test_a_background_that_no_source_says_or_that_has_no_room_is_left_out(alice, fuses, pack):
    fuses.enqueue(pack, "慢慢站。")
    assert say(alice, "站桩怎么站？").answer == "慢慢站。"
    assert "两脚与肩同宽" in fuses.requests[-1].prompt and "背景>" not in fuses.requests[-1].prompt


@pytest.mark.parametrize("trouble", [Reply(hang_after=0), Reply(status=400), Reply(raw=b"no json")])
def test_a_fusion_that_is_late_or_fails_costs_its_deadline_only(alice, fuses, settings, trouble):
    settings.LLM_FUSION_SECONDS = 0.15
    fuses.enqueue(trouble, "慢慢站。", "慢慢站。")
    turn = say(alice, "站桩怎么站？")
    fuses.release()
    assert (turn.status, turn.answer) == ("done", "慢慢站。")
    assert "两脚与肩同宽" in fuses.requests[-1].prompt


def test_little_is_not_fused(alice, fuses, monkeypatch):
    monkeypatch.setattr(fusing, "WORTH", 100_000)
    say(alice, "站桩怎么站？")
    assert len(fuses.requests) == 1
