"""Contradictions: four kinds, who decides them, what the user is told, and the way back."""

from datetime import timedelta

import pytest

from chat.errors import BadInput, Clash
from chat.memory import arbitration, consistency, entities
from chat.memory.actors import Actor
from chat.memory.rules import read_question
from chat.models import AuditEvent, Conflict, Entity, Memory, Notice, Passage
from tests.factories import make_conversation, make_document, make_memory, make_turn, make_user
from tests.saying import current, day, say, states, versions

pytestmark = pytest.mark.django_db
SOUND, SMOKES, SITS = "preference.meditation_sound", "status.smoking_status", "habit.meditation_duration"


@pytest.fixture
def person(alice):
    return Actor.person(alice)


@pytest.fixture
def contradicted(alice) -> Conflict:
    """流水声 on August 1, 静音 on August 3; told, and open."""
    say(alice, "打坐我喜欢流水声", day(8, 1))
    say(alice, "以后打坐都静音", day(8, 3))
    return Conflict.objects.get()


# The four kinds.


@pytest.mark.parametrize(
    ("slot", "first", "second"),
    [
        ("preference.answer_style", "以后回答都简短点", "以后语气都温和一点"),
        ("preference.diet", "我吃素", "我不吃辣"),
        ("preference.environment", "打坐我喜欢点香", "打坐的时候我习惯关灯"),
    ],
)
def test_values_of_other_facets_stand_side_by_side(alice, slot, first, second):
    say(alice, first, day(8, 1))
    say(alice, second, day(8, 3))
    assert [status for _value, status in states(alice, slot)] == ["current", "current"]
    assert not Conflict.objects.exists()


def test_two_statements(alice, contradicted):
    notice = Notice.objects.get(conflict=contradicted)
    assert (contradicted.kind, notice.kind, notice.prominence) == ("entity", "conflict", "full")
    assert "流水声" in notice.text and "静音" in notice.text and "8月1日" in notice.text


@pytest.mark.parametrize("message", ["戒烟第三天，烟瘾上来了怎么办", "我吃素，红烧肉馋了怎么办，想吃怎么忍", "戒酒一个月了 酒瘾犯了咋办"])
def test_what_a_message_states_outright_is_not_doubted_by_its_own_question(alice, message):
    say(alice, message, day(8, 3))
    assert not Conflict.objects.exists()


@pytest.mark.parametrize("question", ["怎么减少抽烟？", "有什么办法少抽点烟"])
def test_a_question_against_the_history_leaves_the_history(alice, question):
    say(alice, "我已经戒烟了", day(8, 1))
    turn = say(alice, question, day(8, 9))
    conflict = Conflict.objects.get()
    assert (conflict.kind, conflict.new.status, conflict.new.source) == ("query_vs_history", "pending", "implied")
    assert current(alice, SMOKES) == "已戒烟"
    assert question.rstrip("？") in Notice.objects.get(turn=turn, conflict=conflict).text


def test_the_clear_answer_to_such_a_question_settles_it(alice):
    say(alice, "我已经戒烟了", day(8, 1))
    say(alice, "怎么减少抽烟？", day(8, 9))
    say(alice, "我又抽上烟了", day(8, 20))
    assert current(alice, SMOKES) == "抽烟"
    assert not Conflict.objects.open().filter(kind="query_vs_history").exists()
    assert not versions(alice, SMOKES).pending().exists()


@pytest.mark.parametrize(
    ("said", "asked", "slot", "kept"),
    [
        ("I meditate in the morning", "how do I stay awake in my evening sits?", "habit.meditation_time", "in the morning"),
        ("I sit on a chair, always", "in my full lotus my ankle hurts, how do I fix that?", "preference.posture", "on a chair"),
        ("我都是早上打坐", "晚上打坐老犯困，我该怎么调整？", "habit.meditation_time", "早上"),
        ("我散盘", "我每次双盘坐久了脚背疼怎么缓解？", "preference.posture", "散盘"),
        ("I've stopped meditating altogether", "how do I make my daily sit deeper?", "status.practice_status", "paused"),
    ],
)
def test_what_the_words_of_a_question_take_for_granted_is_set_against_the_history(alice, said, asked, slot, kept):
    say(alice, said, day(8, 1))
    say(alice, asked, day(8, 9))
    assert Conflict.objects.get().kind == "query_vs_history"
    assert current(alice, slot) == kept


@pytest.mark.parametrize("question", ["我朋友怎么才能少抽烟？", "怎么防止复吸？", "为什么有人抽烟？"])
def test_a_question_that_takes_nothing_for_granted_raises_nothing(alice, question):
    say(alice, "我已经戒烟了", day(8, 1))
    say(alice, question, day(8, 9))
    assert not Conflict.objects.exists()


def test_a_summary_that_asserts_what_is_over_gives_way_to_the_state(alice):
    first = say(alice, "打坐我喜欢流水声", day(8, 1))
    summary = make_memory(alice, "喜欢流水声", (first,), kind=Memory.Kind.SUMMARY)
    summary.asserts.add(versions(alice, SOUND).get())
    turn = say(alice, "以后打坐都静音", day(8, 3))
    summary.refresh_from_db()
    assert summary.stale
    found = consistency.mark_summaries(turn, [summary.pk])
    assert [(c.kind, c.status, c.decision, c.decider) for c in found] == [("summary_vs_entity", "resolved", "keep_new", "rule")]
    assert found[0].new.value == "静音"
    assert consistency.mark_summaries(turn, [summary.pk]) == []


def test_a_text_that_asks_for_far_more_than_the_user_can_do_gives_way_to_the_user(alice):
    turn = say(alice, "我每次只能坐五分钟", day(8, 1))
    sits = consistency.current_of(alice, SITS)
    long, short = (make_document(text=text).passages.get() for text in ("双盘三十分钟为一座。", "先坐五分钟。"))
    found = consistency.against_reality(turn, [(p.pk, p.text) for p in (long, short)], sits)
    assert [(c.kind, c.passage, c.old, c.decision) for c in found] == [("knowledge_vs_memory", long, sits, "keep_old")]
    assert consistency.against_reality(turn, [(long.pk, long.text)], sits) == found


def test_a_text_is_set_against_a_belief_once_and_no_more_when_a_person_has_said_so(alice, person):
    turn = say(alice, "我每次只能坐五分钟", day(8, 1))
    sits = consistency.current_of(alice, SITS)
    book, other = make_document(text="双盘三十分钟为一座。"), make_document(text="坐一个小时。")
    further = Passage.objects.create(document=book, number=2, text="坐四十分钟。")
    first, last = book.passages.order_by("number")

    def against(passage):
        return consistency.against_reality(turn, [(passage.pk, passage.text)], sits)

    (found,) = against(first)
    assert against(last) == against(further) == [found]
    later = say(alice, "我现在每次只能坐六分钟", day(8, 3))
    sits = consistency.current_of(alice, SITS)
    assert against(first) == [found] and Conflict.objects.filter(kind="knowledge_vs_memory").count() == 1
    arbitration.resolve(found, "dismiss", person)
    assert against(first) == against(last) == [] and later.pk
    assert len(against(other.passages.get())) == 1


# Deciding.


@pytest.mark.parametrize(
    ("decision", "text", "holds"),
    [("keep_new", "", "静音"), ("keep_old", "", "流水声"), ("keep_both", "", "静音"), ("merge", "自然声", "自然声"),
     ("both_wrong", "", None), ("both_wrong", "雨声", "雨声"), ("dismiss", "", "静音")],
)  # fmt: skip
def test_every_decision_and_its_undoing(alice, person, contradicted, decision, text, holds):
    decided = arbitration.resolve(contradicted, decision, person, text=text)
    assert current(alice, SOUND) == holds
    assert (decided.decision, decided.decider) == (decision, "user") and decided.status != "open"
    undone = arbitration.undo(decided, person)
    assert (undone.status, undone.decision, current(alice, SOUND)) == ("open", "", "静音")
    actions = AuditEvent.objects.filter(object_type="conflict", object_id=decided.pk).values_list("action", flat=True)
    assert sorted(actions) == ["conflict.opened", "conflict.resolved", "conflict.undone"]


def test_what_is_kept_beside_stays_recallable_with_its_dates(alice, person, contradicted):
    arbitration.resolve(contradicted, "keep_both", person)
    row = Memory.objects.get(version=contradicted.old)
    assert (row.state, row.occurred_to) == ("live", day(8, 3))


def test_resolved_in_two_tabs_the_second_learns_what_happened(alice, person, contradicted):
    arbitration.resolve(contradicted, "keep_old", person)
    with pytest.raises(Clash) as clash:
        arbitration.resolve(contradicted, "keep_new", person)
    assert clash.value.details["decision"] == "keep_old" and clash.value.details["decided_at"]
    assert current(alice, SOUND) == "流水声"


def test_staff_need_a_reason_and_a_merge_needs_its_text(alice, person, contradicted):
    staff = Actor.staff(make_user("staff", is_staff=True))
    with pytest.raises(BadInput) as refused:
        arbitration.resolve(contradicted, "keep_old", staff)
    assert refused.value.code == "reason_required"
    with pytest.raises(BadInput) as refused:
        arbitration.resolve(contradicted, "merge", person)
    assert refused.value.code == "merge_needs_text"
    arbitration.resolve(contradicted, "keep_old", staff, reason="asked by mail")
    assert AuditEvent.objects.get(action="conflict.resolved").reason == "asked by mail"


def test_naming_a_side_right_after_the_notice_settles_it(alice):
    talk = make_conversation(alice)
    say(alice, "打坐我喜欢流水声", day(8, 1), talk)
    say(alice, "以后打坐都静音", day(8, 3), talk)
    say(alice, "以后打坐放流水声", day(8, 3, 8, 3), talk)
    conflict = Conflict.objects.get()
    assert (conflict.decision, conflict.decider, current(alice, SOUND)) == ("keep_old", "user", "流水声")


def test_days_later_the_same_words_are_a_new_change(alice, contradicted):
    say(alice, "以后打坐放流水声", day(8, 20))
    assert Conflict.objects.filter(kind="entity").count() == 2
    assert current(alice, SOUND) == "流水声"


def test_silence_is_consent_and_said_in_one_line(alice, contradicted):
    turn = say(alice, "今天天气不错", day(8, 3) + timedelta(seconds=40))
    contradicted.refresh_from_db()
    assert (contradicted.decision, contradicted.decider) == ("keep_new", "support")
    notice = Notice.objects.get(turn=turn)
    assert (notice.kind, notice.prominence) == ("decided", "light") and "\n" not in notice.text and "静音" in notice.text


def test_before_thirty_seconds_silence_says_nothing(alice, contradicted):
    say(alice, "今天天气不错", day(8, 3) + timedelta(seconds=20))
    contradicted.refresh_from_db()
    assert contradicted.status == "open"


def test_a_person_may_overrule_what_silence_decided(alice, person, contradicted):
    say(alice, "今天天气不错", day(8, 3) + timedelta(seconds=40))
    arbitration.resolve(contradicted, "keep_old", person)
    assert current(alice, SOUND) == "流水声"


def test_what_waits_is_confirmed_or_refused_by_a_word(alice, person):
    say(alice, "打坐要静音", day(8, 1))
    entities.set_pinned(Entity.objects.slot(SOUND).get(), True, person)
    say(alice, "以后打坐放流水声", day(8, 3))
    waiting = versions(alice, SOUND).pending().get()
    entities.confirm(waiting, person)
    assert current(alice, SOUND) == "流水声" and not Conflict.objects.open().exists()
    for verb in (entities.confirm, entities.reject):
        with pytest.raises(Clash):
            verb(waiting, person)


def test_staff_confirm_what_waits(alice, person):
    say(alice, "打坐要静音", day(8, 1))
    entities.set_pinned(Entity.objects.slot(SOUND).get(), True, person)
    say(alice, "以后打坐放流水声", day(8, 3))
    staff = Actor.staff(make_user("reviewer"))
    arbitration.resolve(Conflict.objects.get(), "keep_new", staff, reason="本人来信确认")
    assert current(alice, SOUND) == "流水声" and not versions(alice, SOUND).pending().exists()


def test_undone_decided_again_and_undone_again(alice, person, contradicted):
    for decision, holds in (("keep_old", "流水声"), ("keep_both", "静音"), ("keep_old", "流水声")):
        contradicted.refresh_from_db()
        arbitration.resolve(contradicted, decision, person)
        assert current(alice, SOUND) == holds
        contradicted.refresh_from_db()
        arbitration.undo(contradicted, person)
        contradicted.refresh_from_db()
        assert current(alice, SOUND) == "静音" and contradicted.status == "open"
    with pytest.raises(Clash):
        arbitration.undo(contradicted, person)


def test_what_waits_ends_the_line_of_time(alice, person):
    say(alice, "打坐我喜欢流水声", day(8, 10, 15))
    say(alice, "以后打坐都静音", day(8, 12, 16))
    entities.set_pinned(Entity.objects.slot(SOUND).get(), True, person)
    later = say(alice, "以后打坐放流水声", day(8, 14))
    text = Notice.objects.get(turn=later, kind="conflict").text
    line = next(line for line in text.splitlines() if line.count("→") == 2)
    first, now, waits = line.split("→")
    assert "8月10日 15:00" in first and "8月12日 16:00" in now and "当前" in now and "8月14日" in waits and "待确认" in waits


# Pins.


@pytest.mark.parametrize("protect", [entities.set_pinned, entities.set_authoritative])
def test_what_is_protected_never_loses_silently(alice, person, protect):
    say(alice, "打坐要静音", day(8, 1))
    protect(Entity.objects.slot(SOUND).get(), True, person)
    say(alice, "以后打坐放流水声", day(8, 3))
    assert states(alice, SOUND) == [("静音", "current"), ("流水声", "pending")]
    conflict = Conflict.objects.get()
    assert Notice.objects.get(conflict=conflict).prominence == "full"
    say(alice, "今天天气不错", day(8, 5))
    say(alice, "以后打坐放流水声", day(8, 9))
    assert current(alice, SOUND) == "静音" and Conflict.objects.open().count() == 1
    arbitration.resolve(conflict, "keep_new", person)
    assert current(alice, SOUND) == "流水声"


@pytest.mark.parametrize("words", ["忘掉我说的冥想声音", "刚才说错了", "上面那句是替我爸问的，别记", "刚才说错了，是流水声"])
def test_taking_back_what_is_protected_waits_for_a_person(alice, person, words):
    stated = say(alice, "打坐要静音", day(8, 1))
    entities.set_pinned(Entity.objects.slot(SOUND).get(), True, person)
    turn = say(alice, words, day(8, 1, 21), stated.conversation)
    assert current(alice, SOUND) == "静音"
    assert Notice.objects.filter(turn=turn, kind="conflict").count() == 1


# Telling.


def test_of_one_entity_the_second_conflict_within_a_day_gets_a_light_line(alice, contradicted):
    turn = say(alice, "以后打坐放雨声", day(8, 3, 20))
    later = say(alice, "以后打坐放古琴", day(8, 5))
    told = {n.turn_id: n.prominence for n in Notice.objects.filter(kind="conflict")}
    assert told[turn.pk] == "light" and told[later.pk] == "full"


def test_three_versions_in_play_are_one_line_of_time(alice, contradicted):
    later = say(alice, "以后打坐放雨声", day(8, 9))
    text = Notice.objects.get(turn=later, kind="conflict").text
    line = next(line for line in text.splitlines() if "→" in line)
    assert line.index("流水声") < line.index("静音") < line.index("雨声") and "当前" in line


def test_at_most_three_at_once_and_the_rest_in_the_next_answer(alice):
    for number, words in enumerate(["打坐我喜欢流水声", "我吃素", "我住在杭州", "我每天六点起床", "我叫周敏"]):
        say(alice, words, day(8, 1 + number))
    turn = say(alice, "以后打坐都静音。我现在吃肉了。我搬到成都了。我现在每天七点起床。", day(8, 20))
    assert Conflict.objects.filter(turn=turn).count() == 4
    assert Notice.objects.filter(turn=turn, kind="conflict").count() == 3
    untold = Conflict.objects.get(told_at=None)
    following = say(alice, "今天天气不错", day(8, 20, 8, 0, 10))
    assert Notice.objects.get(turn=following, conflict=untold)


def test_an_english_message_is_answered_by_an_english_notice(alice):
    say(alice, "I like rain sounds when I meditate", day(8, 1))
    turn = say(alice, "from now on no music or sounds when I meditate", day(8, 3))
    text = Notice.objects.get(turn=turn, kind="conflict").text
    assert text.startswith("[Memory notice]") and "August 1" in text


def test_one_users_conflicts_are_nothing_to_another(alice, bob, contradicted):
    turn = make_turn(make_conversation(bob), "打坐放什么声音好？", at=day(8, 9))
    findings = consistency.check(turn, read_question(turn.text, turn.at, "Asia/Shanghai"), [])
    assert not findings.all
