"""What keyboards, microphones and dialects write otherwise is read in the common spelling, place by place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory.spellings import _BESIDE, _CANTONESE, _SLIPS, _WORDS, mend, thin
from chat.memory.text import align, fold


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("每晚十一点瞓", "每晚十一点睡"),
        ("我唔食烟", "我不抽烟"),
        ("今次答短啲", "这次答短些"),
        ("我系阿杰，喺屋企打坐", "我是阿杰，在家里打坐"),
        ("网上九点睡", "晚上九点睡"),
        ("今儿没坐", "今天没坐"),
        ("没天打座半个点", "每天打坐半小时"),
        ("做在椅子上", "坐在椅子上"),
    ],
)
def test_one_spelling(written, meant):
    assert mend(fold(written)) == fold(meant)


@pytest.mark.parametrize("kept", ["如今儿子大了", "关系到健康", "阿拉斯加很乖", "光明儿童", "系统提示", "网上买的", "在网上看到"])
def test_what_only_looks_like_it_stays(kept):
    assert mend(fold(kept)) == fold(kept)


def test_no_word_changes_its_length():
    assert all(len(slip) == len(meant) for words in (_SLIPS, _WORDS, _CANTONESE) for slip, meant in words.items())


@given(st.text(alphabet=st.sampled_from("".join({*"".join(_CANTONESE), *"".join(_WORDS), *"天点。，a1儿上"})), max_size=40))
def test_every_place_stays_where_it_was(text):
    assert len(mend(fold(text))) == len(fold(text)) and len(_BESIDE)


@pytest.mark.parametrize(
    ("said", "thinned"),
    [("断断续续坐了得有七八年了", "断断续续坐了七八年了"), ("平时都用中文哈", "平时都用中文"), ("不一定每天坐", "不一定每天坐"), ("这回说什么也要戒", "这回要戒")],
)
def test_words_that_only_lend_weight_are_left_out(said, thinned):
    folded = thin(align(said))
    assert folded.text == thinned
    assert folded.quote(0, len(folded.text)) == said or said.endswith("哈")
