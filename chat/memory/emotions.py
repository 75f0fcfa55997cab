"""The feeling in a message, one of six, by its words; and how the feelings of some days run, in words and numbers."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chat.memory import voices
from chat.memory.text import fold

EMOTIONS = ("happy", "sad", "anxious", "angry", "calm", "neutral")
# How pleasant each is, −1 to 1.
VALENCE = {"happy": 1.0, "calm": 0.6, "neutral": 0.0, "anxious": -0.6, "sad": -0.8, "angry": -0.9}

_WORDS = {
    "happy": (
        "开心|高兴|快乐|愉快|喜悦|欢喜|幸福|兴奋|激动|太好了|太棒|真棒|满足|欣慰|惊喜|感动|期待|有成就感|顺利"
        "|自豪|乐在其中|哈哈|😊|😄|😀|🎉|\\b(?:happy|glad|delighted|joy\\w*|excited|wonderful|great day"
        "|thrilled|proud|grateful|cheerful)\\b"
    ),
    "sad": (
        "难过|伤心|悲伤|悲痛|失落|沮丧|低落|郁闷|忧郁|抑郁|绝望|哭|流泪|心碎|孤独|寂寞|孤单|想念|失恋|分手"
        "|去世|离世|心灰|灰心|委屈|遗憾|失望|消沉|😢|😭"
        "|\\b(?:sad|depress\\w*|lonely|cry\\w*|cried|heartbroken|grief|grieving|hopeless"
        "|miss (?:him|her|them)|passed away|disappointed|down lately)\\b"
    ),
    "anxious": (
        "焦虑|紧张|担心|担忧|害怕|恐惧|不安|压力|慌|忐忑|烦躁|心烦|着急|焦急|迷茫|困惑|纠结|睡不着|失眠|没底"
        "|崩溃|撑不住|\\b(?:anxious|anxiety|nervous|worried|worry|afraid|scared|stress\\w*|panic\\w*"
        "|overwhelmed|restless|uneasy|tense)\\b"
    ),
    "angry": (
        "生气|愤怒|恼火|火大|气死|气愤|发火|发脾气|暴躁|讨厌死|可恶|受够|吵架|吵了|争吵|怨|恨死|不公平"
        "|\\b(?:angry|furious|mad at|annoyed|irritated|rage|fed up|pissed|resent\\w*|argued|quarrel\\w*)\\b"
    ),
    "calm": (
        "平静|宁静|安静下来|安宁|安定|放松|轻松|踏实|清净|清明|安详|自在|淡定|舒服多了|松了一口气|静下来"
        "|\\b(?:calm\\w*|peaceful|relaxed|at ease|serene|settled|quiet mind|centered|centred|relieved)\\b"
    ),
}
_PATTERNS = {name: re.compile(words) for name, words in _WORDS.items()}
_NOT = re.compile(
    "(?:不(?:太|再|那么|怎么|会|要|用|必|是很)?|没(?:有|那么|什么|再)?|(?<!特)别|毫无|并非|缓解|减轻|缓和"
    "|消除|对抗|克服|\\bnot?\\b|n't\\b|\\bless\\b|\\bno longer\\b|\\bwithout\\b)[^,。!?;]{0,6}$"
)
_EASED = re.compile(
    "[^,。]{0,4}(?:缓解|减轻|少了|没了|消失|好多了|好些了|散了|过去了"
    "| (?:is|was|has) (?:gone|eased|passed|better))"
)
_TURNED = {"happy": "sad", "calm": "anxious"}  # 不开心, 静不下来; the denial of a bad feeling is calm
_NEGATED_ALREADY = re.compile("静不下|开心不起来|高兴不起来|放松不了|不平静|不安")
_OTHERS = re.compile(f"^(?:{voices.OTHER.pattern})")
_SPLIT = re.compile("[,，。!?;；\n]")


def emotion(text: str) -> str:
    """The strongest feeling that the writer tells of themselves; neutral when there is none. Later clauses count more."""
    scores: Counter[str] = Counter()
    for place, clause in enumerate(_SPLIT.split(fold(text)[:4000])):
        if voices.HYPOTHETICAL.search(clause) or _OTHERS.match(clause):
            continue
        for name in _felt(clause):
            scores[name] += 1.0 + 0.1 * place
    if not scores:
        return "neutral"
    return max(scores, key=lambda name: (scores[name], abs(VALENCE[name])))


def _felt(clause: str) -> list[str]:
    if _NEGATED_ALREADY.search(clause):
        return ["sad"] if "起来" in clause else ["anxious"]
    found = []
    for name, pattern in _PATTERNS.items():
        match = pattern.search(clause)
        if match:
            denied = _NOT.search(clause[: match.start()]) or (VALENCE[name] < 0 and _EASED.match(clause[match.end() :]))
            found.append(_TURNED.get(name, "calm") if denied else name)
    return found


@dataclass(frozen=True)
class Trend:
    """The run of some days. `mean` and `slope` (per day) are of valence, −1 to 1; direction: better, worse or steady."""

    counts: dict[str, int]
    mean: float
    slope: float
    direction: str
    main: str  # the feeling named most often, neutral left out; "" when there is none


def trend(felt: Iterable[tuple[int, str]]) -> Trend:
    """From (day number, emotion) pairs. One bad day makes no trend: at least three days must tell a feeling."""
    felt = list(felt)
    counts = Counter(name for _day, name in felt)
    telling = [(day, VALENCE[name]) for day, name in felt if name != "neutral"]
    mean = sum(value for _day, value in telling) / len(telling) if telling else 0.0
    slope = _slope(telling) if len({day for day, _value in telling}) >= 3 else 0.0
    direction = "better" if slope > 0.1 else "worse" if slope < -0.1 else "steady"
    main = max((name for name in counts if name != "neutral"), key=lambda name: counts[name], default="")
    return Trend(dict(counts), round(mean, 3), round(slope, 3), direction, main)


def _slope(points: Sequence[tuple[int, float]]) -> float:
    """Least squares."""
    middle = sum(day for day, _v in points) / len(points)
    level = sum(value for _d, value in points) / len(points)
    spread = sum((day - middle) ** 2 for day, _v in points)
    return sum((day - middle) * (value - level) for day, value in points) / spread if spread else 0.0
