"""Whether two memories say the same thing. A high similarity is needed but never enough: 取消 is close to 推迟, and not the same.

First what forbids: other numbers, days, names, people, sides, a denial on one side, opposites. Only then likeness.
"""

import re
from collections import Counter
from difflib import SequenceMatcher
from functools import cache

from chat.memory import numerals
from chat.memory.details import names
from chat.memory.keywords import content_words, cut
from chat.memory.text import fold, language, stem, words

SAME, DIFFERENT, UNSURE = "same", "different", "unsure"
LIKE = 0.80  # cosine of the stored (centred) vectors from which two texts may be one
NEARLY = 0.75  # below it, and not contained, they are different
SURELY, MOSTLY_SHARED = 0.88, 0.6  # likeness and share from which one exchanged word is a synonym, not another thing
MOST_BESIDE = 6  # characters of each of two ways to say one thing that are put side by side: 晚上/睡前
LEAST_TOLD = 5  # characters of a text that another one may hold whole
BARELY = 0.65  # from which a text whose every word stands in the other one is the same, told in fewer words
LEAST_SHARED = 0.15  # of the content, whatever the vectors say
CONTAINED = 0.93  # so much of the shorter text is in the longer one: no vector needed

_OPPOSED = """
取消/推迟/延期/改期/提前/如期/照常 喜欢/讨厌/厌恶/反感/受不了 左/右 上午/下午/中午/傍晚/凌晨/深夜/早上/晚上/早晨/夜里/半夜/夜晚/清晨/午后 早/晚 高/低 涨/降/跌 增/减 升/降 涨薪/降薪 升职/降职 开始/停止/结束/放弃/停 买/卖 来/去/离开 到/离 吸气/呼气
平静/烦躁/焦虑/紧张/害怕 批评/表扬/夸 多/少 胖/瘦 前/后 批/拒/驳回 分手/复合/和好 结婚/离婚 答应/拒绝/推辞 闭/睁 通过/落选/失败/被拒 赢/输 胜/败 开/关 加/减 快/慢 冷/热 长/短 大/小 好转/恶化/加重 记得/忘 借/还 进/退 入职/离职/辞职 得/失 成功/失败 戒/复吸 支持/反对 静音/音乐 坐/站/躺/走 男/女 黑/白 软/硬 有用/没用 轻松/困难
抽烟/喝酒 戒烟/戒酒 偶尔/经常/从不 有时/经常 偶尔/总是/从不 有时/总是/从不 很少/经常 很少/总是 难得/经常 难得/总是 偶尔/一直 有时/一直 有时/每天 偶尔/每天 很少/每天 从不/经常 从不/每天 猫/狗 睡着/失眠 赶上/迟到/错过 单盘/双盘/散盘/跪坐 室内/室外 室/户外 开心/难过/生气 一个人/一起 线上/线下 白天/晚上 站桩/打坐 走神/昏沉/腿麻/犯困/腿疼/睡着/烦躁/头痛 看书/听书
cancelled/canceled/postponed/rescheduled/confirmed/moved like/love/enjoy/hate/dislike left/right morning/afternoon/evening/noon/night/midnight start/begin/stop/quit/finish started/began/stopped/quit/finished buy/sell bought/sold before/after more/less/fewer better/worse calm/upset/anxious/angry calms/upsets up/down in/out high/low
accept/refuse/reject accepted/refused/rejected/declined passed/failed won/lost happy/sad married/divorced open/closed always/never easy/hard early/late gain/lose gained/lost increase/decrease increased/decreased inhale/exhale well/badly dog/cat up/down hired/fired asleep/awake alone/together sometimes/always/never sometimes/often rarely/often/never rarely/usually seldom/often seldom/always rarely/always occasionally/always/never occasionally/often usually/never often/never numb/asleep/distracted headache/asleep
"""
_PEOPLE = re.compile(
    "妈妈?|母亲|爸爸?|父亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|丈夫|先生|老婆|妻子|太太|女儿|儿子|孩子"
    "|哥哥?|弟弟?|姐姐?|妹妹?|朋友|同事|老板|领导|师父|老师|师兄|师姐|医生|邻居|室友|同学|男朋友|女朋友"
    r"|\b(?:mom|mum|mother|dad|father|sister|brother|wife|husband|son|daughter|friend|boss|teacher|doctor"
    r"|neighbou?r|roommate|colleague|grandma|grandpa|grandmother|grandfather)s?\b"
)
_ONE_PERSON = {"妈": "妈", "妈妈": "妈", "母亲": "妈", "爸": "爸", "爸爸": "爸", "父亲": "爸", "哥哥": "哥", "弟弟": "弟", "姐姐": "姐", "妹妹": "妹", "丈夫": "老公", "先生": "老公", "妻子": "老婆", "太太": "老婆", "mum": "mother", "mom": "mother", "dad": "father"}
_DENIAL = re.compile(
    r"不(?!过|仅|但|管|同(?!意)|错|断|久|少|好意思|得了|由|停|安|舒服|动)|没(?!事)|未|无法"
    r"|(?<![特区分个差类级性])别(?!人|的)|莫|拒绝|\b(?:refus|declin|fail)(?:e|es|ed|s)? to\b"
    r"|\b(?:not|never|no|without|cannot)\b|n't\b"
)
_MILD_DENIAL = re.compile(
    "得不行|得不得了|不好受|不是滋味|不得劲|不对劲|不由得|忍住(?:了)?没有?|睡不着|睡不好|静不下|坐不住"
    "|想不起|读不懂|看不懂|没通过|没过|一夜没睡|抬不起"
    "|(?:can't|cannot|can not|couldn't|could not) (?:fall a)?sleep|too strict"
)
# Parts of a day by what one does then: 睡前 is 晚上 told more closely.
_DAY_PARTS = (
    (re.compile("(?:吃[过完])?晚饭(?:以后|之后|过后|后)|临?睡(?:觉)?(?:之前|以前|前)|入睡前"), "晚上"),
    (re.compile("(?:吃[过完])?早饭(?:以后|之后|后)|起床(?:以后|之后|后)|(?:大|一)?清早|一大?早(?!就)"), "早上"),
    (re.compile("(?:吃[过完])?午饭(?:以后|之后|后)|午休(?:时|的时候)?"), "中午"),
)
_PLANNED = re.compile(
    "打算|准备(?!好)|计划|考虑|想(?:要|去|学|买|换|辞|戒|试|养|做)|正(?:在)?考虑|快要|差点"
    "|\\b(?:plan(?:ning)? to|thinking (?:of|about)|going to|about to|want(?:s|ed)? to|might|almost"
    "|consider(?:ing)?)\\b"
)
_DAY = re.compile(
    "周[一二三四五六日天]|星期[一二三四五六日天]|[一二三四五六七八九十]+月|\\d+月|\\d+[日号]|今天"
    "|昨[天晚]|昨天晚上|大?前天|明天|大?后天|上上?周|下下?周|前年|去年|今年|明年|后年|上个?月|下个?月"
    "|这个月|\\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april"
    "|may|june|july|august|september|october|november|december|yesterday|today|tomorrow|last \\w+"
    "|next \\w+)\\b"
)
_NUMBER = re.compile(
    rf"(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十百千]{{2,}}"
    r"|[二两三四五六七八九十](?=[分小天周月年岁次遍个只点元块公斤日号杯根页章品]))"
    rf"|\b(?:{numerals._TENS}|{numerals._ONES}|{numerals._TEENS})\b(?! of)"
)
_NAME = re.compile("《[^》]{1,30}》|(?<=叫)[\u4e00-\u9fff]{2,3}(?=[,，。]|$)")
_PARTICLES = frozenset("的了着过地得我就都也又很在 ")
_AROUND = re.compile("^(?:会|发|变|有|很|好|太|就|都|在|又|再)+(?=.)|(?:着|了|过|起来|下来|得很)$")
_SAME_WORD = {
    "老是": "总是", "老": "总是", "总": "总是", "跟": "和", "由于": "因为", "为了": "因为", "面试": "面试", "没法": "不了", "看不懂": "读不懂", "周末": "周末", "昨晚": "昨天晚上", "夜里": "晚上", "睡前": "晚上", "ill": "sick", "argument": "argue", "argued": "argue",
    "我妈": "妈妈", "我爸": "爸爸", "全家": "家人", "一家人": "家人", "早起": "早上", "中午": "午", "午休": "午", "考上": "考上", "走": "去世", "过世": "去世", "哪里": "哪", "哪儿": "哪",
}  # fmt: skip


def judge(first: str, second: str, likeness: float) -> str:
    """SAME, DIFFERENT, or UNSURE where only a reader could tell. `likeness`: cosine of the two texts' stored vectors."""
    one, other = _told(first), _told(second)
    if "".join(one.split()) == "".join(other.split()):
        return SAME
    if forbids(first, second):
        return DIFFERENT
    share = shared(one, other)
    if share >= CONTAINED or (likeness >= BARELY and _within(one, other)) or (likeness >= LIKE and share >= LEAST_SHARED):
        synonym = likeness >= SURELY and share >= MOSTLY_SHARED
        return SAME if synonym or not swapped(one, other) else UNSURE
    return UNSURE if likeness >= NEARLY else DIFFERENT


def _told(text: str) -> str:
    """Folded, with the parts of the day in one spelling."""
    told = fold(text)
    for pattern, part in _DAY_PARTS:
        told = pattern.sub(part, told)
    return told


def _within(one: str, other: str) -> bool:
    """Whether every word of the shorter text stands in the longer one, in the same order."""
    short, long = sorted((re.sub(r"[\W_]+", " ", one), re.sub(r"[\W_]+", " ", other)), key=len)
    place = 0
    for word in cut(short):
        if word in _PARTICLES:
            continue
        found = long.find(word, place)
        if found < 0:
            return False
        place = found + len(word)
    return len(short.replace(" ", "")) >= LEAST_TOLD


def forbids(first: str, second: str) -> str:
    """Why two texts can't be the same thing, or "": numbers, day, name, person, plan, denial, cause, opposite."""
    one, other = _told(first), _told(second)
    apart = {
        "numbers": (_numbers(one), _numbers(other)),
        "day": (_days(one), _days(other)),
        "name": (_names(first), _names(second)),
        "person": (_people(one), _people(other)),
        "cause": (_causes(one), _causes(other)),
    }
    for reason, (mine, theirs) in apart.items():
        if mine and theirs and not (mine <= theirs or theirs <= mine) and not (reason == "cause" and mine & theirs):
            return reason
    if _subject(one) != _subject(other) and _people(one) != _people(other):
        return "person"
    if bool(_PLANNED.search(one)) != bool(_PLANNED.search(other)):
        return "plan"
    if _denials(one) != _denials(other):
        return "denial"
    if _against(_direction(one), _direction(other)):
        return "direction"
    return "opposite" if _opposed(one, other) else ""


def swapped(one: str, other: str) -> bool:
    """Whether two folded texts are one sentence with one thing in it exchanged (对花生过敏, 对牛奶过敏)."""
    mine, theirs = set(_meant(one)), set(_meant(other))
    if len(mine - theirs) != 1 or len(theirs - mine) != 1:
        return False
    return not _forms_of_one(*(mine - theirs), *(theirs - mine))


def _forms_of_one(one: str, other: str) -> bool:
    """会酸 and 发酸, 闭眼 and 闭上眼睛: what stands around the word is exchanged, not the word."""
    short, long = sorted((_AROUND.sub("", one) or one, _AROUND.sub("", other) or other), key=len)
    rest = iter(long)
    return all(char in rest for char in short) and not long.isascii()


def shared(one: str, other: str) -> float:
    """How much of the shorter text's content the longer one has too, 0–1; both ways where they are of like length."""
    mine, theirs = _content(one), _content(other)
    if not mine or not theirs:
        return 0.0
    common = sum((mine & theirs).values())
    small, large = sorted((sum(mine.values()), sum(theirs.values())))
    by_words = (2 * common / (small + large)) if large < 2 * small else common / small
    pairs = _pairs(one), _pairs(other)
    small_pairs = min(len(pairs[0]), len(pairs[1])) or 1
    by_letters = len(pairs[0] & pairs[1]) / small_pairs
    return (by_words + by_letters) / 2


def combine(first: str, second: str) -> str:
    """One text with both angles: the fuller one where it says all of the other, both sides of the one word in which they
    differ (晚上/睡前), else both, the second (newer) first."""
    one, other = fold(first), fold(second)
    for full, part, text in ((other, one, second), (one, other, first)):
        if not (set(_content(part)) - set(_content(full))) and not (_numbers(part) - _numbers(full)):
            return text
    mine, theirs = cut(first), cut(second)
    blocks = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    changed = [block for block in blocks if block[0] != "equal"]
    if len(changed) == 1 and changed[0][0] == "replace" and language(first) == "zh":
        _tag, i, i2, j, j2 = changed[0]
        old, new = "".join(mine[i:i2]), "".join(theirs[j:j2])
        if max(len(old), len(new)) <= MOST_BESIDE:
            return f"{''.join(mine[:i])}{old}/{new}{''.join(mine[i2:])}"
    return f"{second}（{first}）" if language(second) == "zh" else f"{second} ({first})"


def _content(text: str) -> Counter[str]:
    if language(text) == "en":
        found = [_SAME_WORD.get(w, stem(w)) for w in words(text)]
    else:
        found = [_SAME_WORD.get(w, w) for w in words(text) if len(w) > 1 or w.isascii()]
    return Counter(dict.fromkeys(found, 1))


def _pairs(text: str) -> set[str]:
    bare = re.sub(r"[\W_]+", "", text) if language(text) == "zh" else " ".join(sorted(stem(w) for w in words(text)))
    bare = "".join(char for char in bare if char not in "的了着过我啊呢吧就都也又很")
    return {bare[i : i + 2] for i in range(len(bare) - 1)}


def _numbers(text: str) -> set[str]:
    found = (numerals.parse(match[0]) for match in _NUMBER.finditer(_DAY.sub(" ", text)))
    return {numerals.show(number) for number in found if number is not None}


def _days(text: str) -> set[str]:
    text = re.sub("昨晚|昨天晚上", "昨天", text.replace("星期", "周").replace("这个周末", "周末").replace("个月", "月"))
    found = {re.sub("十月", "10月", match[0]) for match in _DAY.finditer(text)}
    return {day for day in found if not re.fullmatch("[一二三四五六七八九十]月|\\d+月|may", day) or "月" in day or day == "may"}


def _names(text: str) -> set[str]:
    return {match[0].strip("《》") for match in _NAME.finditer(text)} | _places(text)


def _causes(text: str) -> set[str]:
    match = re.search("(?:是因为|因为|由于|为了|because(?: of)?|due to)(.{2,30})", text)
    said = match[1] if match else ""
    if language(said) == "en":
        return set(words(said)[:2])
    return set([char for char in said if char not in "的了我是在和,。 这那个"][:3])


def _meant(text: str) -> list[str]:
    """The words that carry meaning, each in one spelling for its synonyms."""
    return [_SAME_WORD.get(word, word) for word in content_words(text)]


@cache
def _places(text: str) -> frozenset[str]:
    return frozenset(names(text))


def _people(text: str) -> set[str]:
    return {_ONE_PERSON.get(match[0], match[0]) for match in _PEOPLE.finditer(text)}


def _subject(text: str) -> str:
    """Who the text is about: the person it opens with, or the speaker."""
    match = _PEOPLE.search(text[:8])
    return _ONE_PERSON.get(match[0], match[0]) if match else ""


_GIVES, _TAKES = re.compile("给(?!我|自己)|\\bto (?:him|her|them|my)\\b"), re.compile("(?:向|从|跟).{1,6}(?:借|要|拿|收|买|学)|给我|\\bfrom (?:him|her|them|my)\\b")
_OWN = re.compile(f"(?:我|my )(?:的|家)?(?={_PEOPLE.pattern})")  # 我妈妈, my boss: one side, not two
_TOGETHER = re.compile("(?:和|跟|与|同|\\band\\b|\\bwith\\b)")
_SIDES = re.compile(
    r"(?P<me>我(?!的)|\b(?:i|me)\b)|(?P<them>他们?|她们?|\b(?:he|she|they|him|her|them)\b"
    rf"|{_PEOPLE.pattern})"
)
_PASSIVE = re.compile("被|\\b(?:was|were|got|been) \\w+(?:ed|en) by\\b")


def _direction(text: str) -> tuple:
    """Who does it to whom: does the speaker come before the other one (我原谅了他) or after; and giving against taking."""
    found = [(match.lastgroup, match.start(), match.end()) for match in _SIDES.finditer(_OWN.sub("", text))]
    order = list(dict.fromkeys("me" if name == "me" else "them" for name, _start, _end in found))
    acts = order if len(order) == 2 and not _joined(_OWN.sub("", text), found) else []
    if acts and _PASSIVE.search(text):
        acts = acts[::-1]
    return tuple(acts), bool(_GIVES.search(text)) and not _TAKES.search(text), bool(_TAKES.search(text))


def _against(one: tuple, other: tuple) -> bool:
    """The same two people the other way round; or giving on one side, taking on the other."""
    return one[1:] != other[1:] or bool(one[0] and other[0] and one[0] != other[0])


def _joined(text: str, found: list[tuple]) -> bool:
    """我和弟弟: both do the same."""
    (_one, _start, end), (_other, start, _end) = found[0], next(each for each in found if each[0] != found[0][0])
    return bool(_TOGETHER.search(text[end:start])) and start - end <= 6


def _denials(text: str) -> int:
    return len(_DENIAL.findall(_MILD_DENIAL.sub(" ", text))) % 2


@cache
def _opposites() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for group in _OPPOSED.split():
        members = group.split("/")
        for member in members:
            found.setdefault(member, set()).update(other for other in members if other != member)
    return found


def _opposed(one: str, other: str) -> bool:
    """One text has a word where the other has its opposite, each without the other's."""
    mine, theirs = _only(one, other), _only(other, one)
    return any(theirs & _opposites()[word] for word in mine & _opposites().keys())


def _only(text: str, other: str) -> set[str]:
    """Opposable words that this text has and the other has not."""
    if language(text) == "en":
        return set(re.findall("[a-z']+", text)) - set(re.findall("[a-z']+", other))
    found = {word for word in _opposites() if word in text and word not in other}
    return {word for word in found if len(word) > 1 or _stands_alone(word, text, other)}


def _stands_alone(char: str, text: str, other: str) -> bool:
    """A single character counts where the two texts differ by little more than it."""
    blocks = SequenceMatcher(None, text, other, autojunk=False).get_opcodes()
    return any(tag == "replace" and char in text[i:i2] and i2 - i <= 3 and j2 - j <= 3 for tag, i, i2, j, j2 in blocks)


