"""The learned reader: its corpus, its models, and what is made of what it sees."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from shutil import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory import ontology, rules, tagging
from chat.memory.rules import learned
from chat.memory.tagging import corpus, training
from chat.memory.tagging.corpus import MARKS, Label, parse
from chat.memory.tagging.tagger import ENCODER, LONGEST, MODELS

AT = datetime(2026, 3, 2, 4, tzinfo=UTC)


def test_a_line_is_a_message_with_its_labels():
    read = parse("从{<habit.meditation_time:早上}挪到{habit.meditation_time:午休}了，{-profile.pet=猫:猫走了}")
    assert read.text == "从早上挪到午休了，猫走了"
    assert read.labels == (
        Label(1, 3, "habit.meditation_time", "", "past"),
        Label(5, 7, "habit.meditation_time", "", "holds"),
        Label(9, 12, "profile.pet", "猫", "over"),
    )


@pytest.mark.parametrize("line", ["我{住绍兴", "我住绍兴}", "{profile.location}", "{profile.location:}", "{{profile.location:绍兴}}"])
def test_a_stray_brace_is_named_with_its_file_and_line(tmp_path, line):
    (tmp_path / "some.txt").write_text(f"我在绍兴\n\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"some\.txt, line 3: "):
        list(corpus.read(tmp_path))


def test_every_label_of_the_corpus_is_of_the_ontology():
    slots = ontology.load().attributes
    labels = [label for message in corpus.read() for label in message.labels]
    assert len(labels) > 5000
    wrong = {(label.slot, label.key) for label in labels if label.slot not in slots or (label.key and not slots[label.slot].choice(label.key))}
    assert wrong == set()
    assert {label.mark for label in labels} == set(MARKS.values())


def test_the_models_are_of_this_corpus():
    """`manage.py train_tagger` writes both."""
    assert (MODELS / "source.sha256").read_text(encoding="utf-8").strip() == training.source_print()


def test_training_learns_what_it_is_shown_and_gives_the_same_twice(tmp_path):
    frames = ("我住在{profile.location:%s}", "搬到{profile.location:%s}了", "我每次坐{habit.meditation_duration:%s}", "%s天气好吗")
    words = ("绍兴", "佛山", "洛阳"), ("银川", "厦门", "扬州"), ("十分钟", "半小时", "一刻钟"), ("绍兴", "西安", "北海")
    lines = [parse(frame % word) for frame, several in zip(frames, words, strict=True) for word in several] * 4
    for name in ("a", "b"):
        training.train(lines, tmp_path / name)
    for model in ("spans", "marks", "keys"):
        assert (tmp_path / "a" / f"{model}.crf").read_bytes() == (tmp_path / "b" / f"{model}.crf").read_bytes()
    copy(MODELS / ENCODER, tmp_path / "a")
    folded, clauses = training.read("我住在桂林")
    found = tagging.tag(folded.text, clauses, tmp_path / "a")
    assert [(t.slot, folded.text[t.start : t.end], t.mark) for t in found] == [("profile.location", "桂林", "holds")]
    assert 0.5 < found[0].chance <= 1


@given(st.text(max_size=120) | st.text("我每天打坐半小时在绍兴教书。，？?! \n「」{}0:9abc", max_size=200))
def test_whatever_is_tagged_lies_in_the_text_and_in_a_clause(text):
    folded, clauses = training.read(text)
    for tagged in tagging.tag(folded.text, clauses):
        assert 0 <= tagged.start < tagged.end <= len(folded.text)
        assert clauses[tagged.place].start <= tagged.start < clauses[tagged.place].end
        assert 0 <= tagged.chance <= 1 and 0 <= tagged.key_chance <= 1 and tagged.mark in MARKS.values()
        assert tagged.slot in ontology.load().attributes


def test_threads_that_read_at_once_read_what_each_would_alone():
    texts = [f"我住在{place}，每天打坐{minutes}分钟" + "，挺好" * (minutes % 7) for place in ("绍兴", "佛山", "大理") for minutes in range(10, 40)]
    read = [(folded.text, clauses) for folded, clauses in map(training.read, texts)]
    alone = [tagging.tag(*each) for each in read]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda each: tagging.tag(*each), read)) == alone


def test_a_text_without_end_is_none():
    folded, clauses = training.read("我在绍兴教书，" * LONGEST)
    assert tagging.tag(folded.text, clauses) == []


def proposed(text: str) -> list:
    return rules.propose(text, AT, "Asia/Shanghai")


@pytest.mark.parametrize(
    "text", ["三年前咕噜咕噜五分钟咕噜", "三年前咕噜，咕噜五分钟咕噜", "多年前咕噜，咕噜五分钟咕噜"]
)
def test_what_a_sentence_tells_of_long_ago_is_past(monkeypatch, text):
    start = text.index("五分钟")
    place = text[:start].count("，")
    seen = tagging.Tagged(start, start + 3, place, "habit.meditation_duration", 0.99, "holds", "", 0.0)
    monkeypatch.setattr(tagging, "tag", lambda text, clauses: [seen])
    assert [(p.value, p.past) for p in proposed(text)] == [("5分钟", True)]


def test_who_counts_the_days_without_it_has_no_wish_to_stop(monkeypatch):
    seen = tagging.Tagged(0, 7, 0, "goal.quit_smoking", 0.99, "holds", "戒烟", 0.99)
    monkeypatch.setattr(tagging, "tag", lambda text, clauses: [seen])
    assert {p.slot for p in proposed("戒烟第12天啦")} == {"status.smoking_status"}


@pytest.mark.parametrize("quoted", ["书上写着「我戒烟十年了，在绍兴教书」", "```\n我住在绍兴\n```"])
def test_what_is_quoted_is_not_the_writers(quoted):
    assert [p for p in proposed(quoted) if p.slot in ("profile.location", "status.smoking_status", "profile.occupation")] == []


def test_the_rules_go_first(monkeypatch):
    """The reader adds neither a second value to a slot that was read, nor another slot for the same words."""
    seen = rules.propose("我每天早上六点打坐", AT, "Asia/Shanghai")
    again = tagging.Tagged(2, 9, 0, "habit.wake_time", 0.99, "holds", "", 0.0)
    other = tagging.Tagged(2, 9, 0, "habit.meditation_time", 0.99, "holds", "", 0.0)
    monkeypatch.setattr(tagging, "tag", lambda text, clauses: [again, other])
    assert rules.propose("我每天早上六点打坐", AT, "Asia/Shanghai") == seen


def tagged(monkeypatch, text: str, words: str, slot: str, chance: float, mark: str = "holds", key: str = "") -> list:
    """What is proposed where the reader alone sees something: `words` of `text` as a value of `slot`."""
    start = text.index(words)
    seen = tagging.Tagged(start, start + len(words), 0, slot, chance, mark, key, 0.99 if key else 0.0)
    monkeypatch.setattr(tagging, "tag", lambda text, clauses: [seen])
    return proposed(text)


def test_what_is_likely_is_believed_and_what_is_perhaps_so_is_asked(monkeypatch):
    said = ("咕噜咕噜绍兴咕噜", "绍兴", "profile.location")
    [believed] = tagged(monkeypatch, *said, learned.LIKELY)
    assert (believed.value, believed.confidence, believed.among, believed.source) == ("绍兴", learned.CONFIDENCE, (), "inferred")
    assert tagged(monkeypatch, *said, learned.SURE)[0].source == "explicit"
    [asked] = tagged(monkeypatch, *said, learned.PERHAPS)
    assert asked.among == ("profile.location",) and asked.confidence < 0.6
    assert tagged(monkeypatch, *said, learned.PERHAPS - 0.01) == []


def test_marks_say_how_it_holds(monkeypatch):
    said = ("咕噜咕噜绍兴咕噜", "绍兴", "profile.location", 0.99)
    assert tagged(monkeypatch, *said, "past")[0].past
    assert tagged(monkeypatch, *said, "unsure") == []
    assert tagged(monkeypatch, *said, "over")[0].operation == "end"


def test_the_value_of_a_list_is_the_key_that_the_words_mean(monkeypatch):
    [diet] = tagged(monkeypatch, "咕噜咕噜荤腥咕噜", "荤腥", "preference.diet", 0.99, key="吃素")
    assert (diet.value, diet.key) == ("吃素", "enum:吃素")
    [pet] = tagged(monkeypatch, "咕噜咕噜主子咕噜", "主子", "profile.pet", 0.99, key="猫")
    assert (pet.item, pet.value) == ("猫", "主子")


@pytest.mark.parametrize(("words", "kept"), [("没有吃素", False), ("not a vegetarian", False), ("不碰荤腥", True), ("吃素", True)])
def test_a_value_that_is_named_and_denied_is_not_meant(monkeypatch, words, kept):
    found = tagged(monkeypatch, f"咕噜咕噜{words}咕噜", words, "preference.diet", 0.99, key="吃素")
    assert bool([p for p in found if p.key == "enum:吃素" and p.operation == "assert"]) == kept


def test_a_supposition_states_nothing_however_sure_the_reader_is(monkeypatch):
    assert tagged(monkeypatch, "要是咕噜咕噜绍兴咕噜就好了", "绍兴", "profile.location", 0.99) == []


def test_of_a_question_it_must_be_surer(monkeypatch):
    assert tagged(monkeypatch, "咕噜咕噜绍兴咕噜吗？", "绍兴", "profile.location", learned.LIKELY) == []
    assert tagged(monkeypatch, "咕噜咕噜绍兴咕噜吗？", "绍兴", "profile.location", learned.SURE)


@pytest.mark.parametrize(
    ("text", "words", "slot"),
    [
        ("他朋友咕噜咕噜绍兴咕噜", "绍兴", "profile.location"),
        ("小明咕噜绍兴咕噜", "绍兴", "profile.location"),
        ("外面咕噜流水声", "流水声", "preference.meditation_sound"),
        ("my commute is 40 minutes now", "40 minutes", "habit.meditation_duration"),
        ("帮我把这段改简洁一点", "简洁一点", "preference.answer_style"),
        ("平时写字咕噜古琴", "古琴", "preference.meditation_sound"),
        ("咕噜咕噜试过站桩", "站桩", "preference.practice_method"),
    ],
)
def test_what_is_said_of_others_or_of_something_else_is_none_however_sure_the_reader_is(monkeypatch, text, words, slot):
    assert tagged(monkeypatch, text, words, slot, 0.99) == []
