"""How much a memory matters, 0–1: 0.8 and more for who one is, 0.5–0.7 for events, 0.2–0.4 for tastes and small talk."""

import re

from chat.memory.text import fold

_BASE = {"complain": 0.5, "plan": 0.55, "experience": 0.45, "prefer": 0.35, "command": 0.4, "state": 0.4, "ask": 0.3, "recall": 0.2, "courtesy": 0.1}
_LIFE = re.compile(
    "结婚|离婚|怀孕|生了?(?:个)?(?:孩子|宝宝|女儿|儿子)|出生|去世|离世|过世|葬礼|住院|手术|确诊|诊断|癌"
    "|骨折|车祸|失业|辞职|离职|裁员|入职|升职|跳槽|毕业|考上|录取|退休|搬家|搬到|买房|分手|失恋|订婚|皈依"
    "|受戒|出家|戒烟|戒酒|破产|创业|移民|过敏|抑郁症"
    r"|\b(?:married|divorc\w+|pregnan\w+|born|died|passed away|funeral|surgery|hospital|diagnos\w+|cancer"
    r"|accident|laid off|quit my job|new job|promot\w+|graduat\w+|retir\w+|moved to|broke up|engaged"
    r"|allerg\w+|quit smoking|quit drinking)\b"
)
_PRACTICE = re.compile(
    "打坐|冥想|静坐|禅修|站桩|数息|观呼吸|念佛|诵经|戒|闭关|打七|走神|昏沉|妄念|腿麻|失眠"
    "|\\b(?:meditat\\w+|retreat|breath\\w*|practi[cs]\\w+|sitting)\\b"
)
_SMALL = re.compile(
    "天气|吃了(?:早|午|晚)饭|吃饭|路上|堵车|外卖|剧|综艺"
    "|\\b(?:weather|lunch|breakfast|dinner|traffic|tv show)\\b"
)
# What is told of oneself without a day near: it was so, it is so, and it will be asked for in years.
_SELF = re.compile(
    "^(?:我|我们|咱|俺|(?:my|our|i|i'm|i've|we) )(?!觉得|感觉|想(?!念)|会(?!说|弹)|要|也|就|知道|认为"
    "|希望|以为|听说|看到|猜|明白|同意|(?:will|think|feel|guess|hope|want|know|agree)\\b)"
)
_LIFELONG = re.compile(
    "从小|小时候|曾经|第一次|第一份|一辈子|这辈子|\\d{4}年|岁那年|那年|老家|老房子|年轻时|发愿|遗传|天生"
    "|\\b(?:as a child|when i was|in (?:19|20)\\d\\d|grew up|all my life|used to|childhood|born)\\b"
)
_NEAR = re.compile(
    "今天|昨|前天|明天|今早|今晚|刚|中午|早上|晚上|最近|这几天|这两天|这周|上周|下周|现在|一会"
    "|\\b(?:today|yesterday|tomorrow|tonight|recently|lately|now|last night|this (?:morning|week))\\b"
)
LASTING = 0.25
OF_A_DAY = 0.58  # what is told of a day near, and changed no life, matters no more: after a month its day's digest holds it


def importance(text: str, intent: str, emotion: str = "neutral", details: int = 0) -> float:
    """Of a fragment or a summary, by its main intent, its words, the feeling in it and how many details it carries."""
    folded = fold(text)
    value = _BASE.get(intent, 0.4)
    if _LIFE.search(folded):
        value += 0.25
    if _PRACTICE.search(folded):
        value += 0.1
    if _LIFELONG.search(folded) or (_SELF.search(folded) and not _NEAR.search(folded)):
        value += LASTING
    if emotion in ("sad", "angry", "anxious", "happy"):
        value += 0.05
    value += min(0.1, 0.03 * details)
    if _NEAR.search(folded) and not _LIFE.search(folded) and not _LIFELONG.search(folded):
        value = min(value, OF_A_DAY)
    if _SMALL.search(folded) and not _LIFE.search(folded):
        value -= 0.2
    if len(folded) < 5:
        value -= 0.1
    return round(min(0.85, max(0.1, value)), 2)
