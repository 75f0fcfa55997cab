"""The words that a stretch of talk turns around, and whether it has gone on to something else."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from rjieba import Jieba

from chat.memory.text import STOP_WORDS, fold, language, stem, words

FEW_WORDS = 3  # content words; a message with fewer goes on with what was talked of
_BACK = re.compile(
    "上次|上回|之前(?:说|提|聊|问)|刚才(?:说|提|问)|你说的|前面说|那件事|last time"
    "|you (?:said|told|mentioned)|earlier you|as before"
)
_GOES_ON = re.compile(
    "^(?:那|这|它|他|她|还有|然后|所以|因为|但是?|不过|可是|而且|如果这样|具体|比如|为什么呢"
    "|怎么(?:做|办)|then|and|but|so|that|this|it|what about|how so|why)"
)
_CONTENT_TAGS = {"n", "nr", "ns", "nt", "nz", "vn", "l", "i", "j", "eng", "nrt", "v", "an"}
# Words of practice that a cut must not go through.
PRACTICE = (
    "打坐 静坐 冥想 禅修 站桩 数息 观呼吸 止观 念佛 抄经 诵经 八段锦 散盘 单盘 双盘 走神 昏沉 妄念 杂念 "
    "腿麻 戒烟 戒酒 早起 辟谷"
)
# What the cut glues together for want of a word in the dictionary: 我要, 我养, 这是, 还有. Kin stay: 我妈.
_GLUED = re.compile("[我你您他她它咱俺](?![爸妈爹娘哥姐弟妹爷奶姥公婆家]).*|[这那].+|.+[是有给]|(?:叫|名|没|无|有)[做叫法着所]")
_PALE = frozenset(
    ["人", "时候", "事", "事情", "问题", "东西", "方法", "建议", "情况", "感觉", "感到", "时间", "方面", "自己", "生活", "伴侣", "朋友", "地方", "今天", "昨天", "明天", "最近", "现在", "觉得", "知道", "看到", "听到", "想要", "希望", "喜欢", "可以", "需要", "应该", "尝试", "告诉", "帮助", "推荐", "分享", "谢谢", "感谢", "听说", "看看", "试试", "开始", "继续", "发现", "认为", "进行", "做到", "选择", "聊天", "有没有", "没有", "成为", "作为", "能够", "看起来", "听起来", "有时候", "一定", "可能", "注意", "提高", "变得", "影响", "遇到", "出来", "起来", "过来", "过去", "请教", "解决", "了解", "知道", "相信", "保持", "不错", "有意思", "有趣", "有点", "心情", "机会", "ai", "提供", "去过", "准备", "考虑", "学习", "很多", "祝愿", "开心", "高兴", "你好", "您好", "我会", "怎么办", "不怎么", "不太好", "认识", "适合", "在家", "打算", "不知", "来说", "有些", "有人", "想起", "得到", "有用", "做法", "今天天气", "好好", "令人", "充满", "好看", "非常高兴", "祝你", "不用谢", "不客气", "没问题", "听起", "想来", "起床时", "明白", "晚安", "哈哈", "到底", "算是", "说话", "不想", "不会", "不能", "不要", "总是", "出现", "有个", "好像", "带来", "就是", "不是", "还是", "越来越", "比如", "例如", "再见", "再聊", "看来", "是否", "不了", "是不是", "非常感谢", "客气", "找到", "thing", "things", "time", "way", "lot", "people", "something", "anything", "today", "yesterday", "day", "good", "great", "really", "like", "want", "know", "think", "make", "get", "go", "try", "help", "use", "need", "feel", "went", "minutes", "hours"]
)


def keywords(texts: Iterable[str], limit: int = 3) -> list[str]:
    """The words that several texts turn around: content words, most frequent first, longer ones before shorter."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(dict.fromkeys(content_words(text), 1))
    kept: list[str] = []
    for word in sorted(counts, key=lambda word: (-counts[word], -min(len(word), 4))):
        if not any(word in other or other in word for other in kept):
            kept.append(word)
        if len(kept) == limit:
            break
    return kept


def content_words(text: str) -> list[str]:
    """Nouns, names and verbs of two and more characters, folded; without the pale ones that fit any talk."""
    if language(text) == "en":
        found = re.findall(r"[a-z][a-z'-]{2,}", fold(text))
        return [word for word in found if word not in STOP_WORDS and word not in _PALE and stem(word) not in _PALE]
    tagged = [*_jieba().tag(fold(text)), ("", "")]
    found = [word for (word, tag), (_next, then) in pairwise(tagged) if tag in _CONTENT_TAGS and not _calls(word, then)]
    return [word for word in found if len(word) > 1 and word not in _PALE and word not in STOP_WORDS and not _GLUED.fullmatch(word)]


def _calls(word: str, then: str) -> bool:
    """Whether what looks like a word says that something is called what follows: 猫叫 in 我的猫叫团子. 楼下狗叫 is a noise."""
    return len(word) == 2 and word[1] == "叫" and then.startswith("n")


def cut(text: str) -> list[str]:
    """All words of a folded text in their order."""
    return [word for word in _jieba().cut(text) if word.strip()]


def goes_on(text: str) -> bool:
    """Whether a message leans on what was said before it."""
    folded = fold(text).strip()
    return bool(_GOES_ON.match(folded) or _BACK.search(folded[:200])) or len(set(content_words(text))) < FEW_WORDS


def changed(before: Iterable[str], text: str) -> bool:
    """Whether `text` opens another topic than the texts before it: no content word in common, and it doesn't lean on them."""
    if goes_on(text):
        return False
    known = {word for earlier in before for word in (*content_words(earlier), *words(earlier))}
    return bool(known) and not known & {*content_words(text)}


@cache
def _jieba() -> Jieba:
    jieba = Jieba()
    for word in PRACTICE.split():
        jieba.add_word(word, 2000, "n")
    return jieba
