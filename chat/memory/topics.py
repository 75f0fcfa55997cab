"""What a message is about, in a few of its own words: 我昨天冥想时总走神 → 冥想走神."""

import re
from functools import cache

from chat.memory import ontology
from chat.memory.text import STOP_WORDS, align, dictionary, language

LONGEST = 16  # characters of a Chinese topic
MOST_WORDS = 4  # words of an English one
_FIRST = 400
_PRACTICE = re.compile(
    r"打坐|静坐|冥想|坐禅|禅修|修行|念佛|诵经|抄经|站桩|呼吸|睡眠|失眠|睡觉|戒烟|戒酒|抽烟|喝酒|吃素|早起"
    r"|闭关|作息|饮食|meditat\w*|sitting|breath\w*|sleep\w*|smok\w*|drink\w*|posture|retreat|practice"
)
_EMPTY = frozenset(
    ["时候", "觉得", "感觉", "知道", "喜欢", "想要", "问题", "办法", "方法", "建议", "谢谢", "多谢", "感谢", "你好", "您好", "好的", "明白", "可以", "现在", "最近", "昨天", "今天", "明天", "前天", "以前", "以后", "每天", "每次", "一直", "总是", "老是", "经常", "有点", "比较", "非常", "特别", "真的", "其实", "然后", "还是", "就是", "不是", "没有", "怎么办", "为什么", "怎么样", "是不是", "有没有", "能不能", "会不会", "要不要", "继续", "刚才", "上次", "那个", "这个", "说说", "讲讲", "一下", "东西", "事情", "自己", "大家", "哈哈", "哈哈哈", "嗯嗯", "阿弥陀佛", "晚安", "早安", "早上", "晚上", "上午", "下午", "中午", "应该", "需要", "帮我", "推荐", "告诉", "介绍", "推荐", "请问", "时间", "开始", "关于", "有些", "一点", "起来", "下来", "出来", "过来", "什么样", "分钟", "小时", "thanks", "thank", "hello", "hi", "hey", "ok", "okay", "please", "yes", "tell", "know", "like", "want", "need", "feel", "really", "always", "usually", "sometimes", "today", "yesterday", "tomorrow", "day", "time", "lot", "help", "good", "well", "make", "get", "got", "going", "still", "also", "too", "more", "much", "thing", "things", "way", "question", "advice", "say", "said", "think", "keep", "every", "when", "while", "during"]
)


def topic(text: str) -> str:
    """A few words that name what the message is about; "" for courtesies and for what only points back."""
    folded = align(text[:_FIRST])
    found = _words(folded.text)
    english = language(text) == "en"
    practice = [(m.start(), m.end()) for m in _PRACTICE.finditer(folded.text)][:1]
    listed = _listed().finditer(folded.text)
    spans = practice + [m.span() for m in listed]
    spans = _apart(spans) or found
    chosen = sorted(_apart(spans + found)[: MOST_WORDS if english else 3])
    return _joined(folded, chosen, english)


def _joined(folded, spans: list[tuple[int, int]], english: bool) -> str:
    words, length = [], 0
    for start, end in spans:
        if not english and length + end - start > LONGEST:
            break
        words.append(folded.quote(start, end))
        length += end - start
    return " ".join(words) if english else "".join(words)


def _apart(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that don't overlap an earlier one, in the order given."""
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        if not any(start < last and first < end for first, last in kept):
            kept.append((start, end))
    return kept


def _words(text: str) -> list[tuple[int, int]]:
    """Places of the words that carry meaning, the longest first."""
    found, place = [], 0
    for word in dictionary().cut(text):
        start, place = place, place + len(word)
        meaning = len(word) > (2 if word.isascii() else 1) and word.strip().isalpha()
        if meaning and word not in STOP_WORDS and word not in _EMPTY:
            found.append((start, place))
    return sorted(found, key=lambda span: (span[0] - span[1], span[0]))


@cache
def _listed() -> re.Pattern:
    """Any listed difficulty, posture, practice or condition of the ontology."""
    slots = ("habit.common_difficulty", "preference.posture", "preference.practice_method", "status.health_condition")
    attributes = [ontology.load().attribute(slot) for slot in slots]
    return re.compile(ontology.alternation([word for a in attributes for c in a.choices for word in c.words]))
