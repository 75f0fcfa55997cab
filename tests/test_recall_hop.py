"""The second hop: what a found memory names leads to what the question does not reach, also where neither is enough alone."""

from datetime import timedelta

import pytest

from chat.memory import hopping
from chat.memory.recall import recall
from tests.factories import make_conversation
from tests.test_recall import NOW, _patient, store, texts  # noqa: F401 (a fixture)

NOISE = tuple(f"第{n}次去{place}，{what}" for n in range(20) for place in ("超市", "公园", "车站", "医院") for what in ("人很多", "下着雨", "买了水果"))


@pytest.mark.parametrize(
    ("who", "what", "question", "name"),
    [
        ("我表哥叫陈志远，在银行上班", "陈志远下个月结婚，酒席定在苏州", "我表哥什么时候结婚？", "陈志远"),
        ("我的健身教练叫阿杰", "阿杰推荐我买一双宽底的鞋", "教练推荐我买什么？", "阿杰"),
        ("My boss is called Priya", "Priya is moving to Lisbon in October", "Where is my boss moving?", "Priya"),
    ],
)
@pytest.mark.parametrize("labelled", [True, False])
def test_who_it_is_and_what_was_said_of_them_come_back_together(alice, who, what, question, name, labelled):
    store(alice, NOISE)
    labels = [name] if labelled else []
    for text, ago in ((who, 90), (what, 30)):
        store(alice, (text,), labels=labels, conversation=make_conversation(alice), occurred_at=NOW - timedelta(days=ago))
    assert {who, what} <= set(texts(recall(alice, question, at=NOW)))
    without = recall(alice, question, at=NOW, without={"hop"})
    assert len(texts(without)) <= len(texts(recall(alice, question, at=NOW)))


def test_a_rare_name_alone_is_a_firm_hop():
    trail = hopping.Trail(1, 1.0, {"赵雅琳": hopping.NAME_GAIN, "上司": 1.0, "北京": 1.0})
    followed = hopping.follow([trail], {"赵雅琳": [1, 2], "北京": [3], "上司": [1]}, 100)
    assert followed[2] == (pytest.approx(hopping.NAMED_SHARE, abs=0.2), 1) and followed[2][0] >= hopping.NAMED_SHARE
    assert followed[3][0] < followed[2][0] and 1 not in followed
