"""What a message is for: shares of a few intents, told from its clauses; and which clauses are mere courtesy."""

import re

from chat.memory import voices
from chat.memory.text import fold

# In the order in which they are asked: the first that fits takes the clause.
NAMES = ("courtesy", "recall", "ask", "command", "complain", "plan", "prefer", "experience", "state")

_GREETING = (
    r"(?:(?:早上|上午|中午|下午|晚上|早|午|晚|大家|老师|师父|朋友|你们?|您)?好(?:呀|啊|哦|哇|的呀)?|嗨+"
    r"|hi+|hello|hey|哈[喽啰罗]|在吗|在不在|早安|晚安|午安|再见|拜拜|回头(?:见|聊)|明天见"
    r"|下次(?:见|聊|再聊)|谢+|多谢|感谢|感恩|合十|阿弥陀佛|随喜(?:赞叹)?|辛苦(?:你|您)?了?"
    r"|麻烦(?:你|您)?了?"
    r"|不客气|不用谢|没关系|没事|嗯+|哦+|噢|好(?:的|吧|呢|嘞|滴|啦)*|行|可以|ok(?:ay)?|收到|明白了?|知道了"
    r"|懂了|了解了?|是的|对(?:的|啊|呀)?|没错|当然(?:可以)?|哈+|嘿+|呵+|加油"
    r"|(?:good )?(?:morning|afternoon|evening|night)|bye|goodbye|thanks?|thank you|thx|cheers|sure|yes"
    r"|yeah|yep|no|nice|great|cool|please|sorry)"
)
_ADDRESS = (
    r"(?:你|您|ai|伴侣|ai伴侣|小助手|助手|老师|师父|朋友|我的朋友|亲爱的|先生|大家|there|you|friend|again"
    r"|all|so much|very much|a lot|了|啦|呀|啊|哦|吧|的|很|太|非常|真的|十分|多|又|,|，|!|！|。|\.| |~"
    r"|～)*"
)
_COURTESY = re.compile(
    rf"^(?:{_ADDRESS}{_GREETING})+{_ADDRESS}$"
    r"|^(?:非常|十分|真的?|太|很)?(?:感谢|谢谢|多谢)(?:你|您|ai伴侣|ai|我的朋友)?(?:的)?(?:推荐|建议|帮助"
    r"|帮忙|分享|支持|陪伴|鼓励|关心|理解|回答|解答|倾听|提醒|指导|安慰|祝福|耐心|这些|宝贵"
    r"|.{0,4})*[了啊呀哦]?$"
    r"|^(?:很|非常)?(?:高兴|开心|荣幸)(?:能)?(?:认识|见到|和|跟)(?:你|您).{0,6}$"
    r"|^(?:和|跟)(?:你|您)(?:聊天|说话|交流).{0,12}(?:开心|收获|愉快|舒服|轻松|高兴|有趣|放松)$"
    r"|^祝(?:你|您).{0,12}$|^(?:有什么|还有什么).{0,8}(?:帮|可以)"
    r"|^(?:nice|good|glad|happy) to (?:meet|see|talk|chat).{0,20}$"
    r"|^(?:thanks?|thank you)(?: you)?(?: so much| very much| a lot)?(?: for .{0,40})?$"
    r"|^(?:take care|see you|talk (?:to you )?(?:soon|later)|have a (?:good|nice|great) .{0,12})$"
)
_RECALL = re.compile(
    "(?:还|你)?记得(?!住).{0,12}(?:吗|么|什么|谁|\\?)"
    "|我(?:之前|以前|上次|曾经|说过|提过|告诉过|跟你说).{0,16}(?:什么|吗|几|哪|谁|多少|怎么)"
    "|do you remember|what did i|have i (?:told|said)"
)
_COMMAND = re.compile(
    "^(?:请|麻烦|帮我|给我|替我|提醒我|记住|以后(?:请|别|不要|都)|别再?|不要再?|以后冥想请)"
    "|(?:你|您)(?:能|可以|帮).{0,4}(?:帮|给|替|为)我|推荐(?:一|几|些|给)"
    "|^用.{1,8}(?:概括|总结|说明?|解释|回答|介绍)|^(?:再|重新)?换(?:一?个|种)?(?:说法|角度|方式|话题|例子)"
    "|^(?:please|remind me|tell me|give me|show me|help me|recommend|don't|suggest|explain|summari[sz]e|translate)\\b"
    "|^(?:write|list|describe|name|draft|compare) (?:me|a|an|the|some|two|three|five|ten)\\b"
)
_COMPLAIN = re.compile(
    "总(?:是)?(?:走神|忘|睡|打瞌睡|失败|坚持不)|老(?:是)?(?:走神|忘|想|做不)|走神|昏沉|失眠|睡不着|坐不住"
    "|静不下|麻|疼|痛|酸|难受|不舒服|烦|累|压力|焦虑|紧张|害怕|难过|伤心|郁闷|失落|沮丧|生气|崩溃|迷茫"
    "|困惑|纠结|困扰|困难|问题|毛病|吵架|坚持不|控制不住|忍不住|受不了"
    "|没(?:什么)?(?:进步|效果|用|动力|时间)|不太?好|糟糕|倒霉|失败|又抽|又喝|复吸"
    r"|\b(?:can't|cannot|couldn't|struggl\w+|pain\w*|hurts?|aches?|numb|tired|exhausted|stress\w*|anxious"
    r"|worried|angry|upset|sad|frustrat\w+|distract\w+|fell asleep|failed|problem|trouble|insomnia"
    r"|annoy\w+)\b"
)
_PREFER = re.compile(
    "喜欢|偏好|爱(?:听|吃|喝|看|用|坐)|讨厌|不爱|更(?:习惯|愿意)|受不了|热爱|最爱|感兴趣|爱好"
    "|\\b(?:prefer|like|love|hate|enjoy|dislike|favou?rite)\\b"
)
_EVENT = re.compile(
    "(?:了|过|完|到)(?:$|[^解不])|今天|昨|前天|刚|上周|上个?月|去年|那天|有一次|遇到|碰到|发现|参加|去了"
    "|来了|\\b(?:yesterday|today|last|this (?:morning|week)|went|had|met|got|did|saw|tried|started"
    "|finished|was|were|found|made|took|felt)\\b"
)
_SPLIT = re.compile(r"(?<=[。!?;；\n…])|[,，、~～]|(?<=\.)\s")


def intents(text: str) -> dict[str, float]:
    """{intent: share}; shares add up to 1 and follow the length of the clauses. Empty text: {}."""
    lengths: dict[str, int] = {}
    for clause in clauses(text):
        name = intent(clause)
        lengths[name] = lengths.get(name, 0) + len(clause)
    total = sum(lengths.values())
    return {name: round(length / total, 3) for name, length in sorted(lengths.items(), key=lambda item: -item[1])}


def clauses(text: str) -> list[str]:
    """Folded clauses, each with its closing mark."""
    return [clause.strip() for clause in _SPLIT.split(fold(text)) if clause.strip(" ,。.!?;…\"'“”")]


def intent(clause: str) -> str:
    """The intent of one folded clause."""
    if is_courtesy(clause):
        return "courtesy"
    if _RECALL.search(clause):
        return "recall"
    if "?" in clause or voices.is_question(clause.rstrip("。.!")):
        return "ask"
    if _COMMAND.search(clause):
        return "command"
    for name, pattern in (("complain", _COMPLAIN), ("plan", voices.PLAN), ("prefer", _PREFER), ("experience", _EVENT)):
        if pattern.search(clause):
            return name
    return "state"


def is_courtesy(clause: str) -> bool:
    """A greeting, thanks, a nod: nothing that anyone would want to be reminded of."""
    bare = fold(clause).strip(" ,。.!?;…~\"'“”()、")
    return not bare or bool(_COURTESY.match(bare))


def main_intent(shares: dict[str, float]) -> str:
    return max(shares, key=shares.get) if shares else ""
