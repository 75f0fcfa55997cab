"""The floor: what is related comes back, from small stores too, and what is not stays away."""

import pytest

from chat.memory.recall import recall
from tests.test_recall import NOW, _patient, store, texts  # noqa: F401 (a fixture)

PRACTICE = (
    "昨天打坐老走神，数息数到一半就忘了",
    "膝盖疼，上下楼梯都费劲",
    "周末带孩子去海边玩沙子",
    "抄心经的时候心里特别安静",
    "公司最近裁员，压力有点大",
    "每天早上六点起床站桩半小时",
)
HOME = (
    "我爱人不喜欢我在客厅点香",
    "上个月开始吃素，体重掉了三斤",
    "晚上一点才睡着，白天没精神",
    "和师父约好下个月去寺里打七",
    "戒烟第三周，饭后特别想抽",
    "家里的猫总是在我打坐时跳到腿上",
)
ENGLISH = (
    "My knees hurt after twenty minutes of sitting",
    "I quit coffee last month and sleep better",
    "My boss moved our weekly meeting to Friday",
    "We adopted a dog named Biscuit in spring",
    "Reading the Platform Sutra before bed",
    "I get anxious before giving presentations",
)
RELATED = [
    (PRACTICE, "我打坐为什么总走神", 0),
    (PRACTICE, "膝盖疼怎么办", 1),
    (PRACTICE, "数息老是忘记数到几", 0),
    (PRACTICE, "抄经对我有什么帮助", 3),
    (PRACTICE, "工作压力大睡不着", 4),
    (PRACTICE, "我几点起床", 5),
    (PRACTICE, "上次带孩子去哪里玩了", 2),
    (PRACTICE, "工作上有点焦虑", 4),
    (HOME, "点香会不会影响家里人", 0),
    (HOME, "吃素以后瘦了多少", 1),
    (HOME, "我为什么白天老是犯困", 2),
    (HOME, "失眠怎么办", 2),
    (HOME, "打七需要准备什么", 3),
    (HOME, "我戒烟多久了", 4),
    (HOME, "我的猫打扰我怎么办", 5),
    (ENGLISH, "What helps with knee pain when meditating?", 0),
    (ENGLISH, "What is my dog's name?", 3),
    (ENGLISH, "I have to speak in public tomorrow and I am nervous", 5),
    (ENGLISH, "打坐时膝盖疼", 0),
    (("膝盖疼得厉害，盘不了腿",), "膝盖疼怎么办", 0),
    (("昨天打坐老走神",), "我打坐为什么总走神", 0),
]
UNRELATED = [
    *((PRACTICE, text) for text in ("今天的股票行情怎么样", "帮我写一首关于秋天的诗", "红烧肉怎么做", "明天北京天气如何", "你好")),
    *((HOME, text) for text in ("世界杯冠军是谁", "怎么给汽车换轮胎", "量子力学是什么", "讲个笑话", "谢谢你")),
    *((ENGLISH, text) for text in ("What is the capital of Peru?", "How do I fix a flat tire?", "Tell me a joke", "hello")),
    *((("膝盖疼得厉害，盘不了腿",), text) for text in ("今天吃什么好", "我妹妹在哪里上学")),
]


@pytest.mark.parametrize(("told", "question", "wanted"), RELATED)
def test_what_is_related_comes_back(alice, told, question, wanted):
    store(alice, told)
    assert told[wanted] in texts(recall(alice, question, at=NOW))


@pytest.mark.parametrize(("told", "question"), UNRELATED)
def test_what_is_unrelated_stays_away(alice, told, question):
    store(alice, told)
    assert texts(recall(alice, question, at=NOW)) == []
