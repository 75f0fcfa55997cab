"""Statements are answered in kind: a beginner is welcomed, a loss is not lectured, a trouble gets what may help."""

import pytest

from chat.llm.builtin.listening import sought
from chat.memory.material import PassageText
from tests.pure.test_builtin import STEPS, fact, say


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("你好，我是新来的，想学打坐", "欢迎"),
        ("家里的猫走了", "难过"),
        ("昨天跟老公吵了一架", "吵完"),
        ("坐了半年没什么进步，想放弃了", "放弃"),
        ("最近压力好大", "不容易"),
        ("今天坐得很安静，感觉不错", "不错"),
        ("今早坐了二十分钟", "算数"),
        ("I'm new to meditation", "Welcome"),
        ("my dog died on Friday", "sorry"),
    ],
)
def test_what_a_statement_tells_is_answered_in_kind(said, answered):
    assert answered in say(said, PassageText(9, "别的", "别的", "喝水。", 0.2))
    assert answered in say(said, STEPS, just_learned=(fact("profile.family", "家人", "丈夫"),))


@pytest.mark.parametrize("said", ["家里的猫走了", "今天坐得很安静，感觉不错", "今早坐了二十分钟", "今天下雨了"])
def test_nobody_is_given_a_lesson_who_brings_no_trouble(said):
    assert "走神" not in say(said, STEPS)


def test_knowledge_is_searched_for_what_a_statement_says_beside_its_facts():
    assert sought("我叫林夏，34岁，腿会麻", "zh", ["我叫林夏", "34岁"]).strip(" ，") == "腿会麻"
    assert sought("我叫林夏", "zh", ["我叫林夏"]) == "我叫林夏"
    assert sought("想学打坐", "zh", []) == "第一次打坐怎么做"
