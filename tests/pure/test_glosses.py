"""What one word tells of somebody without saying it."""

import pytest

from chat.memory.glosses import MOST, glosses


@pytest.mark.parametrize(
    ("said", "meant"),
    [("我是左撇子", "惯用手 左手写字"), ("我晕船，坐不了渡轮", "坐船头晕"), ("I'm left-handed", "writes with the left hand"), ("我爸有痛风", "慢性病"),
     ("I get seasick easily", "dizzy on boats")],
)  # fmt: skip
def test_a_trait_is_found_by_what_would_be_asked_for(said, meant):
    assert glosses(said) == [meant]


@pytest.mark.parametrize("said", ["今天打坐二十分钟", "I sat for an hour", "", "a lefthander's glove"])
def test_other_words_tell_nothing_more(said):
    assert glosses(said) == []


def test_a_long_text_is_not_drowned_in_what_it_tells():
    assert len(glosses("左撇子，晕船，近视，恐高，路痴，脸盲")) == MOST
