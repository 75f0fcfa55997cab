"""The words that a text turns around."""

import pytest

from chat.memory.keywords import content_words


@pytest.mark.parametrize("text", ["", " ", "。", "😊", "…", "\n"])
def test_a_text_without_words_turns_around_nothing(text):
    assert content_words(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我要去打坐", ["打坐"]),
        ("我养的猫叫团子", ["团子"]),
        ("楼下狗叫，睡不着", ["狗叫", "睡不着"]),
        ("这是我，我妈住院了", ["我妈", "住院"]),
        ("还有小王也来闭关", ["小王", "闭关"]),
    ],
)
def test_what_the_cut_glues_together_is_no_word(text, words):
    assert content_words(text) == words
