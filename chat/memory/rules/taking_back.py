"""What the user takes back: a slip corrected within the message, and retractions of earlier ones."""

import re
from dataclasses import replace
from difflib import SequenceMatcher

from chat.memory import numerals, voices
from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute
from chat.memory.rules.plausible import plausible
from chat.memory.rules.proposal import Proposal
from chat.memory.rules.reading import LONGEST_QUOTE, Found, Reading, moved
from chat.memory.rules.sayings import item_of
from chat.memory.text import fold
from chat.memory.values import clock, days, duration, frequency

_LEAD = re.compile(
    "^(?:(?:(?:the )?last (?:digit|number|letter)s?|最后[一两]?位|typo|spell?ed|spelt|correct(?:ion)?"
    "|尾号|后[一二三四1-4]位|最后[一二三四几]?位|末[一二三四]位|尾数)(?:是|应该是|改成| is|:| )*"
    "|(?:仔细|认真|重新|掰指头)(?:算算?|想想?|数数?|一算|一想)|其实是?|实际是?|就是?|只是?|只有|才"
    "|也就|现在(?:是|在)?|用|叫|写|记|use |是|应该是|应为|该是|改成|改为|其实是|正确的?是|而是|it's|it is|its|should be"
    "|actually|make that|i mean|to|,| )+"
)
_TRAIL = re.compile("(?: please| instead| actually|才对|啦|了|哈|啊|哦|的|呢|吧|才是|, typo| typo)+$")
# 不是六点 是六点半, sent after the slip.
_DENIED = re.compile(
    "(?:哦|啊|噢|哎呀?|呃|额|嗯|诶|抱歉|不好意思|[,。 ])*(?:是)?(?:不是|不叫"
    "|不在)(?P<wrong>[^,。;!?\\s不是我你他]{1,10})[,。;\\s]*(?:而)?(?:是|叫|在"
    "|应该是)(?P<right>[^,。;!?\\s不我你他]{1,14}?)(?:[哈啊呀哦啦才对,。!~ ]|才是)*"
)
_SWAPPED = re.compile(
    "(?:^|[,。:;\n ]|是|叫|在|住|姓|名字|应该|为|位|尾|号)(?:应该|其实|就)?(?:是|叫|在|住"
    "|姓)+(?P<right>[^,。;!?\\s不是我你他]{1,14})[,， ]?(?:而|可)?不(?:是|叫|在|住"
    "|姓)(?P<wrong>[^,。;!?\\s是我你他]{1,14}?)"
    "(?=[哈啊呀哦了的啦]*(?:$|[,。;!?\n ]))"
)
_SWAPPED_EN = re.compile(
    "(?:^|[,.!:] ?|(?<![a-z])(?:is|in|at|that) )(?:(?:it's|its|it is|(?:i'm|im|i am)(?= \\d)|it should be"
    "|should be|i mean|i meant|make that|that's) )?(?:an? |in |at )?"
    "(?P<right>(?!(?:i|i'm|im|we|he|she|they|you|do|does|is|are|am|it's|it|did|that|this|of|so|or|and|but"
    "|why|yes|no|really|just|still|definitely|probably|certainly|mostly|maybe|usually|always|for|to|if"
    "|as)(?![a-z]))[\\w@.'-]{1,24}(?: [\\w.'-]{2,20})?),? not (?:an? |in |at )?"
    "(?P<wrong>[\\w@.'-]{1,24}(?: (?!sorry|oops|my)[\\w.'-]{2,20})?)(?=$|[,.!;])"
)
LONGEST_FRAGMENT = 40
_CALLED = {"姓": "姓名", "名": "名字", "尾号": "号码", "年纪": "年龄", "时间": "打坐时间", "时长": "打坐时长"}
_SHORT = 12
MOST_NAMED = 4
# 镇江打错了: what was not meant.
_SAID_WRONG = re.compile(
    "(?P<wrong>(?!刚|前|上|又|我|名|都|这|那|不|没|是)[\u4e00-\u9fffa-z0-9:.]{1,8}?)(?:是"
    "|我)?(?:[打写说讲记填]错|口误|手滑)(?:了|的)?$"
)
_SLIPPED = re.compile("错|误|滑|快了|不对|typo|wrong|meant|misspoke")
_EXCUSE = re.compile(
    "不好意思|不[太大]?[想愿方]|怕|担心|隐私|保密|抱歉|对不起|手|眼|脑|忽略|删|不算|哈|别|不是|看错|谢"
    "|麻烦|算了|那|前|上|刚"
    "|sorry|ignore|oops|my bad|forget|delete|jk|kidding"
)


def after_marker(clause: Clause) -> Clause:
    """A clause that opens with a correction (哎打错了37岁), from the word after the marker on."""
    marker = voices.CORRECTION.match(clause.text)
    rest = marker.end() if marker else 0
    if marker and "应该" in marker[0]:  # puts right here, and does not doubt
        clause = replace(clause, hedged=False)
    while rest < len(clause.text) and clause.text[rest] in " ,:了的":
        rest += 1
    return moved(clause, rest)


def slip(reading: Reading, place: int, found: list[Found]) -> list[Found]:
    """What of the same message was mistaken, by a clause that says no more than that (年龄写错了), where another follows."""
    marked = voices.SLIP.fullmatch(reading.clauses[place].text)
    if not marked or not found or place + 1 == len(reading.clauses):
        return []
    named = [f for f in found if marked["of"] and f.attribute.calling.search(_CALLED.get(marked["of"], marked["of"]))]
    return named or [f for f in found if f.place == found[-1].place]


def instead(reading: Reading, place: int, mistaken: list[Found]) -> list[Found]:
    """The corrected value, where the clause is only a fragment (…不对，30分钟): of the slot of what was mistaken."""
    clause = reading.clauses[place]
    fragment = clause.text
    lead = _LEAD.match(fragment)
    start = lead.end() if lead else 0
    trail = _TRAIL.search(fragment)
    end = trail.start() if trail and trail.start() > start else len(fragment)
    if not 0 < end - start <= LONGEST_FRAGMENT:
        return []
    words = reading.original(clause.start + start, clause.start + end)
    for wrong in reversed(mistaken):
        value = _fitting(reading, wrong, words)
        if value:
            item = item_of(wrong.attribute, value.normalized)
            doubted = clause.hedged and not (lead and "应" in lead[0])  # 应该是 puts right here, and does not doubt
            return [replace(wrong, value=value, item=item, clause=replace(clause, past=False, hedged=doubted), place=place)]
    return []


def _fitting(reading: Reading, wrong: Found, words: str):
    attribute = wrong.attribute
    words = patched(wrong, words) or words
    if wrong.value and "since" in wrong.value.normalized and (counted := days.parse_counter(fold(words), reading.setting)):
        return reading.valued(attribute, {**wrong.value.normalized, "since": counted["start"]})
    value = reading.value(attribute, _with_unit(wrong, words))
    if wrong.value and "detail" in wrong.value.normalized:
        return replace(wrong.value, normalized={**wrong.value.normalized, "detail": words}, shown=_redetailed(wrong, words))
    if value is None or wrong.value is None:
        return None
    free = value.normalized["type"] in ("text", "name")
    if free and (not plausible(attribute, fold(words)) or len(words) > 16 or re.search("错|手滑|写|打|记|typo|sorry|moved|autoc|autof|spell|finger|keyboard|phone", words)):
        return None
    return value if value.normalized["type"] == wrong.value.normalized["type"] else None


def _redetailed(wrong: Found, words: str) -> str:
    return wrong.value.shown.removesuffix(wrong.value.normalized["detail"]) + words


def _with_unit(wrong: Found, words: str) -> str:
    """一周三次，不对，四次; 20分钟，不对，25: what is counted goes without saying."""
    bare = re.fullmatch(f"{numerals.ZH}|{numerals.EN}", fold(words).strip())
    if bare and (number := numerals.parse(bare[0])) is not None and (unit := _unit_of(wrong)):
        words = f"{number:g}{unit}"
    per = (wrong.value.normalized.get("per_days") if wrong.value else None) or 0
    unit = {1: "每天", 7: "每周", 30: "每月", 365: "每年"}.get(per)
    return f"{unit}{words}" if unit and re.fullmatch(r"[\d一二两三四五六七八九十]+(?:次|回|遍)", words) else words


def swapped(reading: Reading, place: int, found: list[Found]) -> tuple[Found, Found] | None:
    """(what was mistaken, the same put right) where a clause says which of two it is: 最后一位是8不是0."""
    clause = reading.clauses[place]
    said = _SWAPPED.search(clause.text) or _SWAPPED_EN.search(clause.text)
    if not said or not found:
        return None
    for wrong in reversed(found):
        if wrong.operation != "assert" or wrong.value is None or wrong.place >= place:
            continue
        meant = reading.value(wrong.attribute, _with_unit(wrong, said["wrong"]))
        words = _exchanged(wrong, said) or (said["right"] if meant and meant.key == wrong.value.key else "")
        if words and (value := _fitting(reading, wrong, words)):
            return wrong, replace(wrong, value=value, item=item_of(wrong.attribute, value.normalized), place=place)
    return None


def _exchanged(wrong: Found, said: re.Match) -> str:
    """The name, address or number with its wrong part exchanged; of a number the last one."""
    shown = fold(wrong.value.shown)
    if wrong.value.normalized["type"] not in ("name", "contact") or said["wrong"] not in shown:
        return ""
    head, _, tail = shown.rpartition(said["wrong"])
    return f"{head}{said['right']}{tail}"


def _swapped(reading: Reading) -> list[Proposal]:
    """名字是沈阔不是沈括, "it's Nampa, not Boise": where the wrong one is what is believed, the right one takes its place."""
    said = _SWAPPED.search(reading.folded.text) or _SWAPPED_EN.search(reading.folded.text)
    if not said or reading.corrected or any(c.mood != "statement" or c.subject == "other" for c in reading.clauses):
        return []
    right, wrong = (reading.original(*said.span(name)).strip() for name in ("right", "wrong"))
    quote = reading.folded.original.strip()[:LONGEST_QUOTE]
    return [Proposal("", "", item=wrong, value=right, quote=quote, operation="retract", normalized={})]


def _unit_of(wrong: Found) -> str:
    normalized = wrong.value.normalized if wrong.value else {}
    if normalized.get("type") == "duration":
        return "小时" if normalized["seconds"] >= 3600 else "分钟"
    return {"time_of_day": "点", "frequency": "次"}.get(normalized.get("type"), "")


def patched(wrong: Found, words: str) -> str:
    """The value with only the mistaken part put right: 是gmail for a mail at gmial, 尾号是5679 for a number, 是程 for 陈立新."""
    shown = wrong.value.shown if wrong.value else ""
    part = fold(words).strip(" .,")
    if denied := re.match(r"(?P<right>[\w.@-]{1,20}?) ?(?:,|而)?(?:不是|not) ?(?P<wrong>[\w.@-]{1,20})$", part):
        return fold(shown).replace(denied["wrong"], denied["right"]) if denied["wrong"] in fold(shown) else denied["right"]
    if wrong.attribute.name == "email" and "@" not in part and re.fullmatch(r"[a-z0-9.-]{2,24}", part):
        return _likest(fold(shown), part)
    if wrong.attribute.name == "phone" and re.fullmatch(r"\d{1,7}", part):
        return shown[: -len(part)] + part
    return ""


def _likest(address: str, part: str) -> str:
    """The address with the piece that is most like `part` replaced by it."""
    cut = r"[^@]+" if "." in part else r"[^@.]+"
    pieces = [m for m in re.finditer(cut, address) if SequenceMatcher(None, m[0], part).ratio() > 0.5]
    if not pieces:
        return ""
    likest = max(pieces, key=lambda m: SequenceMatcher(None, m[0], part).ratio())
    return address[: likest.start()] + part + address[likest.end() :]


def retractions(reading: Reading, found: list[Found]) -> list[Proposal]:
    """Proposals that take earlier statements back, first the named slots, else the newest one of the conversation."""
    if not found and (denied := _DENIED.fullmatch(reading.folded.text.strip())):
        quote = reading.folded.original.strip()[:LONGEST_QUOTE]
        return [Proposal("", "", item=denied["wrong"], value=denied["right"], quote=quote, operation="retract", normalized={})]
    if swapped := _swapped(reading):
        return swapped
    places = [place for place, clause in enumerate(reading.clauses) if clause.retraction]
    if not places and not found and (right := _put_right(reading)):
        quote = reading.folded.original.strip()[:LONGEST_QUOTE]
        return [Proposal("", "", value=right, quote=quote, operation="retract", normalized={}, source="implied")]
    if not places or reading.corrected:  # 老写错, 手滑: said of the slip that the message has put right itself
        return []
    place = places[0]
    clause = reading.clauses[place]
    sentence = " ".join(c.text for c in reading.clauses if c.sentence == clause.sentence)
    quote = reading.quote(clause)
    said = [f.attribute for f in found if f.operation == "assert" and f.place > place and not f.clause.past and not f.attribute.multi]
    whole = voices.WHOLE.search(reading.folded.text)
    named = said[:1] or _named(reading, place, alone=bool(whole))
    if whole and not named and not _measured(clause.text):
        return [Proposal("", "", quote=quote, operation="unsay", normalized={})]
    value = "" if said else _said_instead(reading, place)
    if not named:
        said_wrong = _SAID_WRONG.match(clause.text)
        wrong = (said_wrong["wrong"] if said_wrong else "") if value else _measured(clause.text)
        return [Proposal("", "", item=wrong, value=value, quote=quote, operation="retract", normalized={})]
    named_value = {each.slot: _choice_named(each, clause.text) or _choice_named(each, sentence) for each in named}
    several = len(named) > 1 and not _called(named, sentence)  # by a value that more than one slot may have: which does, the record tells
    attribute = named[0]
    instead_of_it = value or " ".join(f.value.shown for f in found if f.attribute in said and f.value)
    taken_back = [
        Proposal(
            each.category,
            each.name,
            named_value[each.slot] if each.multi else "",  # 猫那条删掉: of several items only that one
            instead_of_it,
            quote=quote,
            operation="retract",
            normalized={},
            key=f"enum:{named_value[each.slot]}" if several else "",
        )
        for each in named
    ]
    right = reading.value(attribute, value) if value else None
    if right and not (attribute.choices and right.normalized["type"] == "text"):
        item = item_of(attribute, right.normalized)
        taken_back.append(reading.proposal(Found(attribute, clause, place, right, item)))
    return taken_back


def _put_right(reading: Reading) -> str:
    """不对 是四十分钟, with nothing before it in this message: the measure that was meant a turn ago."""
    if len(reading.clauses) not in (1, 2) or not reading.clauses[0].correction:
        return ""
    rest = after_marker(reading.clauses[0]) if len(reading.clauses) == 1 else reading.clauses[1]
    if len(reading.clauses) == 2 and after_marker(reading.clauses[0]).text:
        return ""
    lead = _LEAD.match(rest.text)
    start = lead.end() if lead else 0
    measured = any(found[0] == start for finder in (duration.find, clock.find, frequency.find) for found in finder(rest.text))
    return reading.original(rest.start + start, rest.end)[:_SHORT] if measured and len(rest.text) - start <= _SHORT else ""


def _named(reading: Reading, place: int, *, alone: bool) -> list[Attribute]:
    """Slots named in the clause of the retraction, else in its sentence, `alone` in what is taken back of it: by what people call them or by one of their values.

    Two that are called by the same name (住址) are both meant. Words that only point at the message (替我爸问的) name nothing.
    """
    sentence = " ".join(c.text for c in reading.clauses if c.sentence == reading.clauses[place].sentence and (c.retraction or not alone))
    attributes = [a for a in reading.ontology.attributes.values() if a.category != "last_query"]
    lied = voices.NEVER_TRUE.search(reading.clauses[place].text)  # 骗你的，十分钟都坐不住: what is true instead isn't what was a lie
    for text in (reading.clauses[place].text, "" if lied else sentence):
        text = voices.WHOLE.sub("", text).replace("记住", "")  # 住 is what people call where they live
        if named := _called(attributes, text):
            return named
        if valued := [a for a in attributes if a.choices and a.spelling.search(text)]:
            return valued[:MOST_NAMED]
    return []


def _called(attributes: list[Attribute], text: str) -> list[Attribute]:
    """The slots whose names stand in the text, without those whose name is but part of a longer one."""
    called = [(match.span(), attribute) for attribute in attributes for match in attribute.calling.finditer(text)]
    whole = [
        (span, attribute)
        for span, attribute in called
        if not any(first <= span[0] and span[1] <= last and (first, last) != span for (first, last), _ in called)
    ]
    return list({attribute.slot: attribute for _, attribute in whole}.values())[:MOST_NAMED]


def _measured(text: str) -> str:
    """上回说坐一小时那个别记: the time, length or frequency that is taken back."""
    spans = [found[:2] for finder in (duration.find, clock.find, frequency.find) for found in finder(text)]
    return text[slice(*spans[0])].strip() if spans else ""


def _choice_named(attribute: Attribute, text: str) -> str:
    """The key of the listed value that the text names first."""
    named = attribute.spelling.search(text) if attribute.choices else None
    choice = attribute.choice_of(named[0]) if named else None
    return choice.key if choice else ""


def _said_instead(reading: Reading, place: int) -> str:
    """What should have been said, where it follows the retraction: 是半小时, 其实就二十分钟, 34 (after a slip, not after 作废)."""
    slipped = _SLIPPED.search(reading.clauses[place].text)
    for clause in reading.clauses[place:]:
        rest = after_marker(clause) if clause.retraction else clause
        lead = _LEAD.match(rest.text)
        start = lead.end() if lead else 0
        trail = _TRAIL.search(rest.text)
        end = trail.start() if trail and trail.start() > start else len(rest.text)
        said = start and re.search("是|为|成|就|只|it|be|use", lead[0])
        alone = slipped and not clause.retraction and end - start <= _SHORT and not _EXCUSE.search(rest.text)
        if start < end and (said or alone):
            return reading.original(rest.start + start, rest.start + end)[:80]
    return ""
