"""Whether free words can be a value at all: 老写错 is no place, 字 is no name."""

import re
from functools import cache

from rjieba import Jieba

from chat.memory.ontology import Attribute

_NO_PLACE = re.compile(
    "[我你他她它的了是不没有来去就都也还说写错打坐想看听吃喝睡玩忙累这那哪什么怎谁很太挺点时候别给让把被着过]|道场|家里|公司|单位|学校|宿舍|医院|酒店|民宿|市中心|郊区|农村|乡下|老家|外地|国外|附近|一起|父母|楼|城里"
)
_NO_PLACE_EN = re.compile(r"(?:the )?(?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december|morning|evening|night|\d|bed|peace|silence|town|city|country|general|fact|time|love|pain|this|that|my|it)\b")
_NO_NAME = re.compile("[的了吗呢吧啊是不没]|什么|怎么|外卖|起床|打坐|睡觉|名字|一声|你好|师父|那个|这个|老师$|宝贝$|亲$")
_NO_NAME_EN = re.compile(
    r"(?:not|so|very|really|just|a|an|the|sorry|sure|fine|ok|okay|good|great|tired|sad|happy|new|back|here|there|trying|going|doing|feeling|looking|thinking|sitting|meditating|vegetarian|vegan|buddhist|christian|muslim|"
    r"taoist|catholic|atheist|sober|retired|unemployed|single|married|pregnant|stuck|lost|confused|struggling|stressed|anxious|depressed|busy|ready|done|in|on|at|from|with|about|still|also|now|glad|curious|afraid|allergic|"
    r"awake|bored|left|right|currently|interested|[a-z]+ing|[a-z]+ed|up|down|off|out|more|much|always|never|only|kind|sort|pretty|quite|too|no|yes)\b"
)
_NO_JOB = re.compile("^(?:的|了|一|很|不|个|这|那)|人$(?<!工人)|时候|觉得|喜欢|[吗呢吧]")


def plausible(attribute: Attribute, words: str) -> bool:
    check = _CHECKS.get(attribute.slot)
    return check is None or check(words.strip())


def _is_place(words: str) -> bool:
    """A place by its words; where one of them only could be part of a name, the dictionary decides."""
    if words.isascii():
        return len(words) > 1 and not _NO_PLACE_EN.match(words)
    if not _NO_PLACE.search(words):
        return True
    return any(tag == "ns" for _, tag in _jieba().tag(words)) and not re.search("[我你他她了是不没]", words)


def _is_name(words: str) -> bool:
    if words.isascii():
        return not _NO_NAME_EN.match(words)
    if _NO_NAME.search(words):
        return False
    first = _jieba().tag(words)[0]
    return len(first[0]) < len(words) or first[1][:1] not in ("v", "p", "r", "d", "m", "c", "u") or len(words) == 1


def _is_job(words: str) -> bool:
    return not _NO_JOB.search(words)


_CHECKS = {"profile.location": _is_place, "profile.name": _is_name, "profile.occupation": _is_job}


@cache
def _jieba() -> Jieba:
    return Jieba()
