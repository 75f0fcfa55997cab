"""What was planned and is off, whatever it is: 闭关计划取消了, 周六看牙不去了, the retreat fell through.

Which plan is meant shows only beside those on record (`ending.cancel`).
"""

import re

from chat.memory.rules.proposal import Proposal
from chat.memory.rules.reading import Reading

OFF = re.compile(
    "取消(?!不|关注|订阅|收藏)|泡汤|黄了|作罢|推掉|没戏|去不成|去不了|办不成"
    "|不[去办搞参加考读学报](?:加)?了|(?:先)?搁置|(?:就|还是|那就)算了|退(?:掉|票|订|课)了"
    "|(?:计划|目标|打算|安排).{0,4}作废"
    "|(?<![a-z])(?:cancel\\w*|called off|call off|fell through|fallen through|isn't happening"
    "|not happening|won't happen"
    "|(?:not|no longer|'?m not) going(?: to)?(?: [a-z]+){0,4}? (?:any ?more|after all|anymore)"
    "|no longer going|scrapped|backed out|pulled out"
    "|(?:is|are|it's) off(?= ?$|[ ,.](?:now|after|sadly|sorry))|dropped out|gave up on)(?![a-z])"
)
_NOT_SAID = re.compile(
    "怎么|能不能|可不可以|要不要|吗|如果|别取消|没取消|不取消|不能取消|取消不了|会员|订单|快递|外卖"
    "|闹铃声|(?<![a-z])(?:if|not cancel\\w*|how|subscription|order)(?![a-z])"
)


# Of an animal by its name: 多多上礼拜走了, Olive passed away.
GONE = re.compile(
    "(?:走了|没了|去世|离开了?我?们?|去喵星|去汪星|去彩虹桥|送[走人]了?|丢了|死了)(?:$|,|好几?|的)"
    "|(?<![a-z])(?:passed away|passed on|died|was put down|put (?:him|her|it) (?:down|to sleep)"
    "|crossed the rainbow|ran away|got rehomed|rehomed)(?![a-z])"
)


def find(reading: Reading) -> list[Proposal]:
    """For each clause that calls something off, the words that tell what it is."""
    gone = [
        Proposal("profile", "pet", value=clause.text, quote=reading.quote(clause), operation="cancel", normalized={})
        for clause in reading.clauses
        if clause.mood == "statement" and not clause.hedged and GONE.search(clause.text)
    ]
    return gone + [
        Proposal("", "", value=clause.text, quote=reading.quote(clause), operation="cancel", normalized={})
        for clause in reading.clauses
        if clause.mood == "statement" and clause.subject == "self" and not clause.hedged and OFF.search(clause.text) and not _NOT_SAID.search(clause.text)
    ]
