"""What changes of something that is listed, in whatever words: left off, taken up beside the rest, put in another's place.

The patterns of the ontology know the sayings of one slot; here any listed value is read that stands beside a word of
change. What takes another's place is read only where something is believed of its slot (`among`), so that a change in
something else leaves no trace.
"""

import re
from dataclasses import replace

from chat.memory import voices
from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute
from chat.memory.rules import measures
from chat.memory.rules import turning_en as english
from chat.memory.rules.plausible import place_name
from chat.memory.rules.reading import Found, Reading
from chat.memory.rules.sayings import item_of

CONFIDENCE = 0.85
LONGEST = 40
_LEFT = ("habit.exercise", "preference.practice_method", "preference.environment", "habit.common_difficulty", "preference.posture")
_JOINED = ("habit.exercise", "preference.practice_method")
_PUT = ("preference.posture", "preference.meditation_sound", "preference.meditation_guidance", "preference.environment", "preference.answer_language")
_TIMES = ("habit.meditation_time", "habit.wake_time", "habit.sleep_time")
_FINER = (*_PUT, "preference.diet", "profile.belief")
_MEASURED = {"duration": ("habit.meditation_duration",), "frequency": ("habit.meditation_frequency",), "time_of_day": _TIMES}
_DO = "(?:练|跳|上|做|去|学|打|跑|游|站|玩|骑|爬|坐|修|念|诵|放|听|用|弄|碰|搞|参加)"
# What has ended stands behind these words, up to what takes its place.
_ENDED = re.compile(
    r"(?<![a-z])(?:no more(?! than)|(?:bye bye|goodbye|bye)(?: to)?"
    r"|(?:i |i've |we |just |have |had to |and |^)(?:binned|jacked in|sacked off"
    r"|hung up|knocked|scrapped|retired from)|(?:had|have|having) to (?:stop|quit|drop|give up|give)"
    r"|(?:do not|don't|dont|can't|cannot|not|never)(?= .*(?<![a-z])any ?(?:more|longer)(?![a-z]))"
    r"|no longer"
    r"|(?:i|i've|i have|we|we've|and|then|just|finally|recently|also|have|^)[ ]?(?:stopped|quit|gave up"
    r"|given up|dropped|ditched|packed in|done with|finished with|let go of|left off)(?! by| in on| off"
    r"| out(?! of)))(?![a-z])"
    rf"|(?:不再|再也不|早就?不|已经不|现在不|没有?再|停(?:掉|了)|断了|放弃了?|[撂搁]下了?"
    rf"|(?:quit|stop|drop)(?= ?[\u4e00-\u9fff]) ?了?)(?:去|想|{_DO})*(?:那个|什么|的)?"
    rf"|(?<![要想会得])不(?:去|再)?(?:{_DO})?(?=.{{1,16}}了$)"
)
_LEFT_AFTER = re.compile(
    "(?:课|班|馆)?(?:我|[今去前]年|上个?[周月]|上礼拜|上星期|也|都|就|是|给|已经?|早就?|现在|最近|这阵子?"
    "|后来|[,→ ]|前阵子?|这|那|边|儿|个|门|项|什么的|实在)*"
    "(?:(?:停|断|撂|搁|扔|丢|荒废|放弃|取消|退|戒|quit ?|stop ?|drop ?)(?!不)"
    f"|(?:不(?:再|想|去|怎么|大)?|没(?:再|在|有再|有在|怎么|工夫|时间|空)){_DO})(?:了|掉|下|着|好久|很久"
    "|有|过|$)"
)
_BUT = re.compile(
    r"(?<![a-z])(?:but|because|since|so|for|instead|in favou?r|after|before|when|while|during"
    r"|without)(?![a-z])|(?<![a-z])and (?=(?:gone|went|back|now|took|taken|started|switched|moved|am|i"
    r"|just|do|doing|use|using)(?![a-z]))|因为|但|改|换"
)
_NOT_ENDED = re.compile(
    r"(?<![a-z])(?:only|just do|enough|as much|as often|every ?day|daily|mind|like|hate|smok\w*"
    r"|drink\w*)(?![a-z])|只|光|每天"
)
_TAKEN_UP = re.compile(
    "(?:改|换|转|加|添|增|捡|拾|迷|爱|入坑|上手|学|报|开始|恢复|练|玩|打|修|做|兼|跟)(?:起|上|了|着|个|一个"
    "|一?[项门样套]|回|来|点|些|修|练|学|做|念|玩|打|着|的是|又)*$"
)
_BESIDE = re.compile("改|换|转|还|又|也|再|新|最近|现在|近来|近期|近日|如今|眼下|另外|外加|之外|[加添增]了")
_PUT_BEFORE = re.compile(
    "(?:(?:改|换|调|挪|移|转|退)(?:成|为|到|回|在|用|去|坐|放|听|跪|作|上|了|家里?|个|一[个条张把]|着|点|开|而)*"
    "|(?:现在|如今|目前|眼下|而今|只能|只好|得)(?:就|都|也|只|能|好|全|改|是|搬|拿|弄|找|坐|放|听|用|跪"
    "|靠|个|把|张|条|着|在|点|了|一)*"
    "|(?:还是|不如|发现|只有)(?:放|听|坐|用|跪|在|着|点)*)$"
)
_PUT_AFTER = re.compile(
    "(?:上|里|中|那边)?(?:来|去)?(?:坐|打坐|静坐|冥想|做|练|放|听|说|回|吧|呢|的|了|啦|咯|囉|啰|喽|最|更"
    "|好|舒服|自在|踏实|稳|能|静下来|香|清净|算|就|行|即可|罢|凑合)*$"
)
_RESUMED = re.compile(
    "(?:又|重新|再)(?:给|把它|慢慢)*(?:续|捡|拾|接|恢复|开始|念|练|坐|抄|站|跑|游|拿|做|上)(?:上|起来?"
    "|回来?|过)?(?:了|啦)?$"
)
_TURNED = re.compile(
    "[减加降升涨增](?:到|回|至|成)|改|换|调|挪|移|又|还是|回到|退|变|加到|减到|缩|降到|升到|提前|推[迟后]"
    "|延[长后]|现在|如今|眼下|(?<![a-z])(?:now|changed|switched|moved|back)(?![a-z])"
    rf"|{english.LATELY}|(?<![a-z])(?:only|more like|closer to|up to|down to|make it|reached|hitting"
    r"|managing|alarm|for me|it's (?:always|mostly|usually)|cut|bumped|upped|raised|dropped|shifted"
    r"|extended|nudged)(?![a-z])"
)
_ASIDE = re.compile(f"{_TURNED.pattern}|[减加降升涨增成为到回在用去就都也只能得了啦咯囉啰喽吧呢的才又再→]|每次|每回|一次")  # what may stand beside a bare measure


def left_off(reading: Reading, place: int) -> list[Found]:
    """An end for each slot and item that the clause says is over: "I don't do yoga anymore" ends it as exercise and as a practice."""
    clause = reading.clauses[place]
    own = clause.mood == "statement" and clause.subject == "self" and not (clause.narrative or clause.retraction or clause.planned)
    if not own or clause.scope == "conversation" or _NOT_ENDED.search(clause.text):
        return []
    return [found for slot in _LEFT for found in _ended(reading, place, reading.ontology.attribute(slot))]


def _ended(reading: Reading, place: int, attribute: Attribute) -> list[Found]:
    clause, text = reading.clauses[place], reading.clauses[place].text
    ended = None if clause.past else _ENDED.search(text)
    but = ended and _BUT.search(text, ended.end())
    start, end = (ended.end(), but.start() if but else len(text)) if ended else (0, 0)
    found = {}
    for match in attribute.spelling.finditer(text):
        if start <= match.start() < end or _LEFT_AFTER.match(text, match.end()) or english.LEFT_AFTER.match(text, match.end()):
            value = reading.valued(attribute, {"type": "enum", "key": attribute.choice_of(match[0]).key})
            item = item_of(attribute, value.normalized)
            found[value.key] = Found(attribute, replace(clause, past=False), place, value, item, "end", CONFIDENCE)
    return list(found.values())


def find(reading: Reading, found: list[Found]) -> list[Found]:
    """Listed values that the clauses without a finding take up or put in another's place."""
    spoken = {f.place for f in found} | reading.corrected
    turned: list[Found] = []
    for place, clause in enumerate(reading.clauses):
        if place in spoken or not _tells(clause):
            continue
        for attribute in reading.ontology.attributes.values():
            if attribute.slot in (*_JOINED, *_FINER) and (each := _listed(reading, place, attribute)):
                turned.append(each)
    if not found and len(reading.folded.text) <= LONGEST and voices.FINER.search(reading.folded.text):
        turned += _place_alone(reading)
    told = {f.slot for f in found}
    return [f for f in turned if f.attribute.multi or f.slot not in told]


def resumed(reading: Reading, found: list[Found]) -> list[Found]:
    """Without the ends that the same sentence takes back (前阵子念佛断了，这礼拜又续上了)."""
    again = {c.sentence: place for place, c in enumerate(reading.clauses) if _RESUMED.search(c.text) and _tells(c)}
    return [f for f in found if f.operation != "end" or f.place >= again.get(reading.clauses[f.place].sentence, -1)]


def unplaced(reading: Reading) -> list[Found]:
    """A measure said without saying of what (现在改成晚上九点了): of what is measured so, if that is one thing."""
    for place, clause in enumerate(reading.clauses):
        if not _tells(clause) or clause.event or clause.scope != "lasting" or not _TURNED.search(clause.text):
            continue
        bare, rest = measures.bare(reading, place)
        if not bare and (counted := english.minutes(clause.text)):
            attribute = reading.ontology.attribute("habit.meditation_duration")
            value = reading.value(attribute, f"{counted[2]} minutes")
            return [Found(attribute, clause, place, value, confidence=CONFIDENCE, among=(attribute.slot,))] if value else []
        if bare and (not _ASIDE.sub("", rest) or english.nothing_else(clause, bare)):
            slots = _MEASURED[bare[-1].kind]
            attribute = reading.ontology.attribute(slots[0])
            if measures.plausible(attribute, bare[-1], clause):
                found = measures.measured(reading, place, attribute, [m for m in bare if m.kind == bare[-1].kind])
                return [replace(found, confidence=CONFIDENCE, among=slots)]
    return []


def _place_alone(reading: Reading) -> list[Found]:
    """Galway, to be exact: a place and nothing else, where a wider one is believed."""
    attribute = reading.ontology.attribute("profile.location")
    for place, clause in enumerate(reading.clauses):
        words = re.sub("^(?:well|in|just|it's|near) ", "", clause.text)
        original = reading.original(clause.end - len(words), clause.end)
        if _tells(clause) and place_name(original) == original.strip():
            return [Found(attribute, clause, place, reading.value(attribute, original), confidence=CONFIDENCE, among=(attribute.slot,))]
    return []


def _tells(clause: Clause) -> bool:
    """Said of the writer, for sure, in a clause and not a tale."""
    aside = clause.hedged or clause.planned or clause.narrative or clause.retraction or clause.correction
    return clause.mood == "statement" and clause.subject == "self" and not aside and len(clause.text) <= LONGEST


def _listed(reading: Reading, place: int, attribute: Attribute) -> Found | None:
    clause = reading.clauses[place]
    matches = list(attribute.spelling.finditer(clause.text))
    if not matches:
        return None
    match = matches[0]
    if len(matches) > 1 and clause.text.isascii():  # swapped the bench for the chair: the last one not left
        kept = [m for m in matches if not english.left(clause.text[: m.start()], clause.text[m.end() :])]
        match = kept[-1] if kept else match
    before, after = clause.text[: match.start()], clause.text[match.end() :]
    value = reading.valued(attribute, {"type": "enum", "key": attribute.choice_of(match[0]).key})
    item = item_of(attribute, value.normalized)
    if attribute.multi:  # shown by the user's own word for it
        value = replace(value, shown=reading.original(clause.start + match.start(), clause.start + match.end()))
    found = Found(attribute, clause, place, value, item, confidence=CONFIDENCE)
    if clause.past or clause.event or clause.scope != "lasting":
        return None
    if attribute.slot in _JOINED:
        return found if _TAKEN_UP.search(before) and _BESIDE.search(before) and not re.search("不|没|别", before) else None
    if attribute.slot in _FINER and any(voices.FINER.search(c.text) for c in reading.clauses if c.sentence == clause.sentence):
        return replace(found, among=(attribute.slot,)) if not english.left(before, after) and not re.search("[不没别]", before) else None
    if attribute.slot not in _PUT:
        return None
    put = _PUT_BEFORE.search(before) and _PUT_AFTER.match(after) and not re.search("[不没别]$", before)
    return replace(found, among=(attribute.slot,)) if put or english.put(reading, place, match) else None
