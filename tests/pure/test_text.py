"""Text: one spelling for every way of writing the same thing."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory.text import align, fold, is_blank, language, loose_pairs, sentences, stem, strip_controls, words


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("靜坐三十分鐘", "静坐三十分钟"),
        ("聽著流水聲", "听着流水声"),
        ("顯著的名著", "显著的名著"),
        ("Ｈｅｌｌｏ，Café！", "hello,cafe!"),
        ("I’m", "i'm"),
        ("①杯", "1杯"),
    ],
)
def test_fold_gives_one_spelling(written, folded):
    assert fold(written) == folded


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=60), st.data())
def test_every_stretch_of_folded_text_is_a_stretch_of_the_original(text, data):
    folded = align(text)
    assert folded.text == fold(text)
    start = data.draw(st.integers(0, len(folded.text)))
    end = data.draw(st.integers(start, len(folded.text)))
    quote = folded.quote(start, end)
    assert quote in text
    assert fold(text[start:end]) in fold(quote) or len(folded.text) != len(text)


def test_a_quote_keeps_the_spelling_of_the_writer():
    folded = align("……我叫Ａlice，聽雨聲")
    start = folded.text.index("alice")
    assert folded.quote(start, start + 5) == "Ａlice"
    assert folded.quote(folded.text.index("雨"), len(folded.text)) == "雨聲"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我想试试 body scan", "zh"),
        ("How do I pronounce 打坐?", "en"),
        ("请用English回答我", "zh"),
        ("I quit smoking", "en"),
        ("", "zh"),
        ("……？", "zh"),
    ],
)
def test_the_language_to_answer_in(text, expected):
    assert language(text) == expected


def test_a_question_of_one_character_finds_a_stored_word_that_contains_it():
    assert words("茶") == ["茶"]
    assert "茶" in words("每天喝茶", index=True)
    assert "茶" not in words("每天喝茶打坐")


def test_words_agree_between_scripts_and_forms():
    assert set(words("聽流水聲")) == set(words("听流水声"))
    assert words("meditating daily") == words("Meditated, daily!")
    assert {"流水声", "流水"} <= set(words("我喜欢流水声"))


def test_stop_words_are_left_out_unless_nothing_else_remains():
    assert "the" not in words("the river")
    assert words("我们") == ["我们"]


@pytest.mark.parametrize("form", ["meditate", "meditating", "meditated", "meditation", "meditations"])
def test_stem_joins_the_forms_of_a_word(form):
    assert stem(form) == "meditat"


def test_sentences_end_at_their_marks_and_keep_them():
    assert sentences("你好。我是谁？\n他说：“好！”然后走了") == ["你好。", "我是谁？", "他说：“好！”", "然后走了"]
    assert sentences("It is 3.5 km. Fine") == ["It is 3.5 km.", "Fine"]
    assert sentences("  \n ") == []


def test_controls_go_and_line_breaks_stay():
    assert strip_controls("a\x00b\r\nc\u202ed\u200b\ud800\t👨‍👩‍👧") == "ab\ncd\t👨‍👩‍👧"
    assert is_blank(" \u200b\x00\n\u200d")
    assert not is_blank("。")


def test_a_hundred_thousand_characters_are_no_trouble():
    started = time.perf_counter()
    words("我每天早上靜坐" * 14_000)
    sentences("a" * 50_000 + "." * 50_000)
    assert time.perf_counter() - started < 3


@pytest.mark.parametrize(("question", "told"), [("我坐什么会晕", "我晕船"), ("爷爷留给我什么", "爷爷留下的手表"), ("雪大吗", "那天下雪")])
def test_a_word_of_one_character_and_a_verb_before_its_result_are_found_within_others(question, told):
    single = {word for word in words(question) if len(word) == 1}
    assert single and single & set(words(told, index=True))


def test_pairs_that_are_no_word_are_told_from_words():
    pairs = loose_pairs("我的上司要去哪里出差？")
    assert {"司要", "要去"} <= pairs and not {"上司", "出差"} & pairs
    assert loose_pairs("Where is my boss moving?") == set()
