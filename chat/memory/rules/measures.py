"""Lengths, times of day and frequencies: found as values first, then given to the slot of what the clause is about."""

import re
from dataclasses import dataclass, replace

from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute
from chat.memory.rules import from_to
from chat.memory.rules.reading import ACTIVITIES, Found, Reading
from chat.memory.values import clock, duration, frequency

LONGEST_CLAUSE = 200
_FINDERS = {
    "duration": duration.find,
    "time_of_day": lambda text: clock.find(text, "day"),
    "frequency": frequency.find,
}
_SLOTS = (
    "habit.wake_time",
    "habit.sleep_time",
    "habit.meditation_frequency",
    "habit.meditation_time",
    "habit.meditation_duration",
)
# Around a length: it measures something else than how long one sits.
_OTHER_LENGTH_BEFORE = re.compile(
    "(?:第|早了?|晚了?|迟|提前|推迟|等了?|隔|每隔|坐不到|坐不了|坐不满|坐不上|坐不住|撑不到|撑不过|熬不过"
    "|坚持不到|坚持不了|不满|不足|还有|还剩|剩|过了|睡了?|走了?|开车|才睡|不到.{0,2}就|以前|小于"
    "|(?:电脑|屏幕|办公桌|桌|方向盘)(?:前面?|旁|后面?)|坐了|no more |minute|mile|breaths?|beats?|words?"
    "|within|after|before|in|(?<!i.m )(?<!i am )(?<!now )(?<!still )at|until|till|around minute|every"
    "|(?:the|these) last|past|took|first|[再又]多?[加坐练][了个]?|多(?:坐|打坐|练|加)了?"
    "|(?<![不多最至])少(?:坐|打坐|练)了?|比.{1,8}[多少长短]了?|加了|增加了|减了|减少了|缩短了"
    "|延长了|another|extra|added|(?<!followed )by|off) ?$"
)
_OTHER_LENGTH_AFTER = re.compile(
    "^ ?(?:(?:就|会|才|腿|脚|开始|左右)?(?:就|会|开始)?(?:腿|脚|麻|疼|痛|困|昏|走神)|前(?!后)|后(?!来|面)"
    "|之前|之后|以前|以后|内|以内|(?:的)?时候?(?!间)|就(?:麻|疼|痛|困|腿|走神|想|坐不|开始|受不|散)"
    "|(?:的)?路|车程|一次|一班|ago|later|earlier|longer|more|less|shorter|off|in,|walk|drive|away)"
)
# 能坐四十五了: of sitting, a round number is one of minutes.
_BARE_MINUTES = re.compile(
    r"(?:坐|打坐|静坐|冥想)(?:到|个|满|够|上)*(?P<n>\d?[1-9][05]|[二三四五六七八九]?十五?|一百二?)(?=$|了"
    r"|,|左右|吧|啊|才|就好)"
)
_NEGATED = re.compile(
    "(?:不|没有?|别|从不|从来不|甭|无法)(?:再|想|去|在|怎么|会|能|爱|是)?(?:打坐|坐(?!不)|冥想|静坐|起"
    "|睡)|(?:not|never|don.?t|doesn.?t|didn.?t|stopped) (?:\\w+ ){0,2}?(?:sit|meditat|wake|get up|sleep)"
    "|不(?:坐|睡|起)了|没起|失眠|坐不(?:住|了|下去)"
    "|不(?:太|怎么|大|是很)?(?:适合|合适|习惯|行|舒服|适应)(?:我|了|的|啊|呢)*$"
    "|(?:doesn.?t|does not|didn.?t) (?:suit|work for) me|(?:isn.?t|not) for me$"
)
_NOT_BEFORE = re.compile("(?:不到|没到|不过).{1,7}不(?:睡|起|上床|合眼|打坐|坐)")  # 不到一点不睡
_DAILY = re.compile("每天|每日|一天|a day|per day|every day|daily")
_PER_SITTING = re.compile(
    "一天|一次|每次|每回|一坐|一般|通常|usually|normally"
    "|(?:cut|trim|extend|bump|drop|change|switch) ?(?:到|成|为)"
    "|(?:加|增|减|增加|减少|缩短|延长|提高|升|降|调|缩|改)(?:到|成|为)|a day|per day|each time|up to"
    "|down to|each sit"
)
# don't get up till 7: negated, and yet the time of it
_NOT_TILL = re.compile(
    r"(?<![a-z])(?:don't|do not|never|not|can't|rarely|doesn't)(?: \w+){0,3}? (?:get up|wake(?: up)?|rise"
    r"|surface|sleep|fall asleep|in bed|to bed|asleep|turn in)"
    r"(?: \w+)? (?:till|until|before)(?![a-z])"
)
_UNTIL = re.compile("(?:练到|till|until|no more|不再|than) ?$")
# 六点起来打坐: the time of getting up is the time of sitting too.
_UP_AND_SIT = re.compile(
    "(?:起床|起来|醒来|起)(?:以?后|之后|就|先|再|了|,)?(?:就|先)?(?:去)?(?:打坐|静坐|冥想"
    "|坐(?!车|地铁|公交))|(?:get|got|wake) up (?:at \\S+ )?(?:to|and) (?:sit|meditate)"
)
_MOVED = re.compile(
    "(?:从|由|from).{0,14}(?:到|至|成|to)|(?:moved|shifted|switched|changed|pushed"
    "|slipped)(?: [a-z]+){0,2} to "
)
# What one does every day is not named again when it changes: I've cut it to 15 minutes, I do it after dinner instead.
_IT = "(?:it|them|that|this|things|mine|back|down|up|my (?:sits?|sessions?|practice))"
_CHANGED_IT = re.compile(
    r"(?<![a-z])(?:cut|trim\w*|short\w*|reduc\w*|dropp?\w*|slash\w*|lower\w*|rais\w*|extend\w*|stretch\w*"
    r"|bump\w*|increas\w*|upp?ed|scal\w*|gone|went|mov\w*|shift\w*|switch\w*|chang\w*|push\w*|doing|do"
    r"|did)"
    rf"(?: {_IT})*(?: (?:to|at|in the|around|about|from [a-z0-9 ]{{2,24}}? to|for))*(?: only| just| a)* ?$"
)
_NOT_IT = re.compile(
    r"(?<![a-z])(?:exercis|dishes|laundry|homework|commute|lunch|screen|phone|coffee|meeting|shift|class"
    r"|call|dose|pills?)"
)
_UNDONE = re.compile(
    "(?:坐|打坐|冥想|静坐|睡|起)(?:了|完|过)(?!$|.{0,4}(?:以后|都))|(?:晚|早)了|起晚|睡过头|没睡|通宵"
    "|(?<![a-z])(?:sat|meditated|woke|slept|got up)(?![a-z])"
)
_STILL_GOOD = re.compile(
    "每|天天|一般|通常|平时|平常|都|总|习惯|现在|最近|目前|加到|增加到|改|换|调|挪|了现在|日|every"
    "|usually|always|now|daily|these days"
)


_MEASURE_WORDS = re.compile(
    "挤出|抽出|抠出|匀出|腾出|只能|只够|勉强|凑合|最少|起码|硬撑|我|咱|具体|准确|现在|目前|最近|如今|一般"
    "|通常|平时|已经|已|都|就|只|还|还是|能|可以|大概|大约|差不多"
    "|左右|一天|一次|每次|一坐|加到|加了|增加到|延长到|提高到|缩到|减到|减少到|减到|降到|涨到|缩成|加成"
    "|坐满|坐够|坐到|能坐|顶多|最多|至少|起码|缩短到|增到|体力差|太忙|太累|没时间|调到|升到|改成|改为"
    "|换成|是|到|了|啦|吧|哈|的|每回"
    r"|\beach\b|\bevery\b|\band \d{1,2}$|(?<=evening) \d{1,2}$|(?<=morning) \d{1,2}$|(?<=night) \d{1,2}$"
    r"|up to|(?<![a-z])up(?![a-z])|\bto\b|a day|per day|each time|now|\bi'?m\b|\bim\b|\bi\b|\bdoing\b"
    r"|\bdo\b|\bat\b|\bok\b|\bso\b|\blol\b|\bstill\b|\busually\b|\bnormally\b|\bbeen\b|\bcutting\b"
    r"|\bbumped\b|\bupped\b|\bit\b|\braised\b|\bextended\b|\bdropped\b|\bcut\b|\bgone\b|\bwent\b|\bfrom\b"
    r"|\bmy\b|\bsits?\b|\bback\b|\bthese days\b|\blately\b|\bi've\b|\bve\b|\bonly\b|\bfor me\b|\bcut\b"
    r"|\babout\b|\bdown to\b|\bincreased\b|\bit'?s\b|\byep\b|\bjust\b|\bright\b|\bbe\b|\bprecise\b"
    r"|\bexact(?:ly)?\b|\bspecifically\b|\btoo\b|\balso\b|\band\b|\bminutes?\b|\bsharp\b|\bon the dot\b"
    r"|\bcloser\b|\bmight\b|\bmay\b|\bcould\b|\bmaybe\b|\bperhaps\b|\bprobably\b|\bbut\b|\baround\b"
    r"|\bsomething\b|\bnearer\b|\bmore like\b|\breally\b|\bwell\b|\bactually\b|\binstead\b|\bmake that\b"
    r"|\bmake it\b|\bas of\b|\bhave\b|\bsay\b|\bokay\b|\byeah\b|\byes\b|\bby\b|\bthen\b|\blike\b"
    r"|\bof late\b|\bdone\b|\bsince (?:lockdown|covid|then|\d{4}|last \w+|january|february|march|april|may"
    r"|june|july|august|september|october|november|december)\b"
    r"|\bsolid\b|\bmanag\w+\b|\bgetting\b|\bget\b|\bnowadays\b|\btbh\b|\bhonestly\b|\bweekdays\b|\bfull\b"
    r"|\bwhole\b|\bgood\b|\bhappy with\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bfit in\b"
    r"|\bsqueeze in\b|\bput in\b|\bsitting\b|\bat dawn\b"
    r"|\bon average\b|其实|应该|平均|嗯|哦|对|那|要|这阵子|这段时间|近来|近期|更接近|更|比较|接近|偏"
    r"|大概是|差不多是|也|坐|顶天|吧|嘛|哈"
)


# A clause without an activity goes on about the last one where it says little else: so many letters besides.
_GOES_ON = {"duration": 6, "time_of_day": 1, "frequency": 1}


@dataclass(frozen=True)
class _Mention:
    kind: str
    start: int
    end: int
    normalized: dict
    topic: str


def find(reading: Reading, place: int) -> list[Found]:
    """The typed values of one clause, each with the slot it belongs to."""
    clause = reading.clauses[place]
    if clause.mood != "statement" or clause.subject != "self" or len(clause.text) > LONGEST_CLAUSE:
        return []
    if clause.scope == "conversation" or clause.retraction or clause.narrative:
        return []
    mentions = _mentions(reading, place)
    if not mentions:
        return []
    if clause.intended:
        return _goal(reading, place, mentions)
    negated = _NEGATED.search(clause.text) and not (_NOT_BEFORE.search(clause.text) or _NOT_TILL.search(clause.text))
    if clause.event or negated or _happened_once(clause.text):
        return []
    found = []
    for slot in _SLOTS:
        attribute = reading.ontology.attribute(slot)
        fitting = [m for m in mentions if _fits(attribute, m, clause)]
        if fitting:
            found.append(measured(reading, place, attribute, fitting))
    return _sat_from_to(reading, place, found)


def _sat_from_to(reading: Reading, place: int, found: list[Found]) -> list[Found]:
    """六点坐到六点半 says when one sits and for how long, unless the message says how long otherwise."""
    slots = {f.slot: f for f in found}
    when, length = slots.get("habit.meditation_time"), reading.ontology.attribute("habit.meditation_duration")
    if when is None or length.slot in slots or any(m.kind == "duration" for other in range(len(reading.clauses)) for m in _mentions(reading, other)):
        return found
    spans = {span[end] for span in when.value.normalized["spans"] for end in ("from", "to")}
    text = reading.clauses[place].text
    ends = from_to.sat(text, [time for time in clock.find(text, "day") if {time[2]["from"], time[2]["to"]} <= spans])
    if ends is None:
        return found
    begins, minutes = ends
    lasts = replace(when, attribute=length, value=reading.valued(length, {"type": "duration", "seconds": minutes * 60}))
    return [*(f for f in found if f is not when), replace(when, value=reading.valued(when.attribute, begins)), lasts]


def bare(reading: Reading, place: int) -> tuple[list[_Mention], str]:
    """The measures of a clause that belong to no activity, and the letters that stand beside them."""
    mentions = [m for m in _mentions(reading, place) if not m.topic]
    spans = [(m.kind, m.start, m.end, m.normalized) for m in mentions]
    return mentions, _rest(reading.clauses[place].text, spans)


def _fits(attribute: Attribute, mention: _Mention, clause: Clause) -> bool:
    topic = mention.topic
    if topic == "waking" and attribute.name == "meditation_time" and _UP_AND_SIT.search(clause.text):
        topic = "sitting"
    if attribute.name == "wake_time" and "part" in mention.normalized and _UP_AND_SIT.search(clause.text):
        return False
    return mention.kind in attribute.types and topic == attribute.topic and plausible(attribute, mention, clause)


def _happened_once(text: str) -> bool:
    return bool(_UNDONE.search(text)) and not _STILL_GOOD.search(text)


def _mentions(reading: Reading, place: int) -> list[_Mention]:
    clause = reading.clauses[place]
    spans = [(kind, *span) for kind, finder in _FINDERS.items() for span in finder(clause.text)]
    hours = [(start, end) for kind, start, end, at in spans if kind == "time_of_day" and "part" not in at]
    spans = [s for s in spans if s[0] != "duration" or not any(start < s[2] and s[1] < end for start, end in hours)]  # 六点十分
    spans += [("duration", *match.span("n"), duration.parse(match["n"] + "分钟")) for match in _BARE_MINUTES.finditer(clause.text)]
    if not spans:
        return []
    topics = _topic_places(reading, clause)
    rest = _rest(clause.text, spans) if not topics or reading.main[place] else ""
    granted = _taken_for_granted(reading, clause.text, spans, rest) if not topics else ""
    mentions = []
    for kind, start, end, normalized in spans:
        # 下班后 itself speaks of work, and is no work
        apart = [t for t in topics if kind != "time_of_day" or t[1] <= start or end <= t[0]]
        carried = reading.main[place] if len(rest) <= _GOES_ON[kind] else ""
        changed = "sitting" if not topics and _changes_it(clause, kind, start) else ""
        mentions.append(_Mention(kind, start, end, normalized, _nearest(apart, start, end, kind) or carried or granted or changed))
    return mentions


def _changes_it(clause: Clause, kind: str, start: int) -> bool:
    """Does the value that begins at `start` replace another of something that goes without saying?"""
    changed = _CHANGED_IT.search(clause.text[:start])
    told = changed and (re.search(rf" {_IT}(?![a-z])", changed[0]) or re.search("(?<![a-z])(?:to|from) ", changed[0]))
    lasting = kind != "time_of_day" or _STILL_GOOD.search(clause.text) or re.search("instead|(?:morning|evening|night|afternoon)s|since", clause.text)
    return bool(told and lasting) and not _NOT_IT.search(clause.text)


def _rest(text: str, spans: list[tuple]) -> str:
    """The letters of a clause without its measures and the words that go with them."""
    letters = list(text)
    for _, start, end, _ in spans:
        letters[start:end] = " " * (end - start)
    return re.sub(r"\W", "", _MEASURE_WORDS.sub("", "".join(letters)))


def _taken_for_granted(reading: Reading, text: str, spans: list[tuple], rest: str) -> str:
    """每天40分钟, with nothing else in the clause: here that is said of sitting."""
    kinds = {kind for kind, *_ in spans}
    daily = "frequency" in kinds or _PER_SITTING.search(text)
    exact = re.search("具体|准确|precise|exact|specific", reading.folded.text)
    measured = (daily and "duration" in kinds) or (exact and "time_of_day" in kinds)
    return "sitting" if measured and not rest else ""


def _topic_places(reading: Reading, clause: Clause) -> list[tuple[int, int, str]]:
    return [
        (match.start(), match.end(), topic)
        for topic in ACTIVITIES
        for match in reading.ontology.topics[topic].finditer(clause.text)
    ]


def _nearest(topics: list[tuple[int, int, str]], start: int, end: int, kind: str) -> str:
    """A time of day belongs to the verb after it (六点起床), a length to the verb before it (打坐半小时)."""

    topics = [t for t in topics if not (t[2] == "waking" and kind == "duration")] or topics

    def distance(place: tuple[int, int, str]) -> tuple[int, int]:
        first, last, _ = place
        follows = first >= end
        gap = first - end if follows else max(0, start - last)
        wrong_side = follows if kind == "duration" else not follows
        return gap + (4 if wrong_side else 0), first

    return min(topics, key=distance)[2] if topics else ""


def plausible(attribute: Attribute, mention: _Mention, clause: Clause) -> bool:
    """Whether the measure is one of the kind and size that the attribute can have here."""
    if mention.kind == "frequency":
        return mention.normalized.get("vague") in (None, "sometimes")
    if mention.kind == "time_of_day":
        before, after = clause.text[: mention.start], clause.text[mention.end :]
        lain_in = before.endswith("睡到") and not re.search("起|醒", after)
        sat_on = before.endswith(("坐到", "坐到了")) and len(clock.find(before)) == 0
        return not (lain_in or sat_on or (_UNTIL.search(before) and not _NOT_TILL.search(before)))
    low, high = attribute.within or (0, float("inf"))
    if not low <= mention.normalized["seconds"] <= high:
        return False
    before, after = clause.text[: mention.start], clause.text[mention.end :]
    if _OTHER_LENGTH_BEFORE.search(before) and not re.search("(?:加|增|延长|up)到了? ?$", before):
        return False
    return not _OTHER_LENGTH_AFTER.match(after)


def measured(reading: Reading, place: int, attribute: Attribute, mentions: list[_Mention]) -> Found:
    """What these mentions of a clause say of the attribute."""
    clause = reading.clauses[place]
    if _MOVED.search(clause.text):
        mentions = mentions[-1:]
    first, last = mentions[0], mentions[-1]
    if attribute.types[0] == "time_of_day":
        value = reading.valued(attribute, _times(attribute, clause, mentions))
    else:
        chosen = last if attribute.types[0] == "duration" else first
        value = reading.valued(attribute, chosen.normalized)
    return Found(attribute, clause, place, value)


def _times(attribute: Attribute, clause: Clause, mentions: list[_Mention]) -> dict:
    """The times of day of these mentions, bare hours read as the attribute means them (睡: 十一点 is 23:00)."""
    places = [m.start for m in mentions]
    return clock.together([span for start, _, span in clock.find(clause.text, attribute.hint or "day") if start in places])


def _goal(reading: Reading, place: int, mentions: list[_Mention]) -> list[Found]:
    """What is only intended: a daily goal, not yet a habit."""
    attribute = reading.ontology.attribute("goal.daily_meditation")
    clause = reading.clauses[place]
    fitting = [m for m in mentions if m.topic == "sitting" and m.kind in attribute.types and plausible(attribute, m, clause)]
    if not fitting:
        fitting = [m for m in mentions if m.kind == "duration" and not m.topic and _DAILY.search(clause.text) and plausible(attribute, m, clause)]
    lengths = [m for m in fitting if m.kind == "duration"]
    chosen = (lengths or fitting)[-1:]
    if not chosen or ("vague" in chosen[0].normalized):
        return []
    return [Found(attribute, clause, place, reading.valued(attribute, chosen[0].normalized))]
