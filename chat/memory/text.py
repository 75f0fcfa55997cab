"""Text as the engine sees it: one spelling for every way of writing the same thing, and the words that search uses."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from opencc import OpenCC
from rjieba import Jieba

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_CJK_CHAR = re.compile(f"[{_CJK}]")
_CJK_RUN = re.compile(f"[{_CJK}]+")
_MIXED_GAP = re.compile(
    f"(?<=[{_CJK}]) (?=[a-z])|(?<=[a-z]) (?=[{_CJK}])|(?<=[{_CJK}]) (?=\\d+ [点分个小天次岁])"
    "|(?<=\\d) (?=[点分个小天次岁])"
)
# 第 58 天, 每天 40 分钟
_NUMBER_GAP = re.compile("(?<=[第每]) (?=\\d)|(?<=\\d) (?=[天日分秒岁次点遍刻周]|小时|个(?!人)|月(?!亮)|公里|钟头)")
_TOKEN_RUN = re.compile(f"[{_CJK}]+|[^\\W_{_CJK}]+(?:'[^\\W_{_CJK}]+)?")
_LATIN_WORD = re.compile(r"[a-z\u00c0-\u024f]+(?:'[a-z]+)?", re.IGNORECASE)
_SENTENCE = re.compile(r"[^。!?！？;；\n]*?(?:[。!?！？;；\n]+[”’」』\"')）]*|\.{3,}|…+|\.(?=\s|$)|$)", re.DOTALL)
# Everything invisible that a browser, a database or a terminal could act on; line breaks and tabs stay.
# Joiners (U+200C/D) stay too: emoji and some scripts need them.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
# Taiwan writes 著 where the mainland writes 着; in these words it is a 著 everywhere.
_ASPECT_ZHE = re.compile("(?<![显名原编论专土巨译合所拙昭卓])著(?![名作述称书者录])")
_SAME_MARK = {"’": "'", "‘": "'", "ʼ": "'", "`": "'", "〜": "~", "－": "-", "—": "-", "–": "-", "‐": "-", "﹣": "-"}

_DOMAIN_WORDS = (
    "打坐 静坐 冥想 禅修 坐禅 禅坐 站桩 数息 观呼吸 随息 止观 内观 行禅 持咒 念佛 抄经 诵经 参话头 默照 "
    "慈心禅 身体扫描 "
    "八段锦 太极拳 六字诀 五禽戏 易筋经 腹式呼吸 丹田呼吸 散盘 单盘 双盘 跪坐 流水声 雨声 白噪音 海浪声 走神 昏沉 散乱 "
    "妄念 杂念 戒烟 戒酒 早起 辟谷 打七 坛经 心经 清静经 道德经 小止观 六妙门"
)

_STOP_WORDS = (
    "的 了 着 过 吗 呢 吧 啊 呀 哦 嗯 嘛 啦 么 得 地 之 与 及 和 或 而 且 但 也 都 就 还 又 很 太 更 最 "
    "在 是 有 我 你 您 他 她 它 们 "
    "我们 你们 他们 她们 这 那 这个 那个 这些 那些 什么 怎么 怎样 如何 为什么 哪 哪个 哪些 几 多少 谁 "
    "一个 一些 一下 一种 把 被 给 让 "
    "对 对于 关于 以及 如果 因为 所以 可以 可能 应该 需要 会 能 要 想 说 请 请问 "
    "a an the and or but if of to in on at for from by with as is am are was were be been being do does "
    "did have has had i you he she "
    "it we they me him her us them my your his its our their this that these those what which who whom "
    "whose when where why how will "
    "would can could should shall may might must not no so than too very just about into over after "
    "before up down out off then there "
    "here i'm i've i'll i'd it's don't didn't doesn't"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())
_VERB_WITH_RESULT = re.compile(".[给下到住掉完着走成]")  # 留给 finds 留下
_LIGHT = frozenset("去来看做说没不只用个次上下里")  # words of one character that are in every text


@dataclass(frozen=True)
class Folded:
    """A text in its folded spelling that still knows where each folded character came from."""

    original: str
    text: str
    offsets: Sequence[int]  # offsets[i] = place in `original` of folded character i; one more entry for the end

    def quote(self, start: int, end: int) -> str:
        """The literal stretch of the original that folded characters start..end (half-open) came from."""
        if start >= end:
            return ""
        first, last = self.offsets[start], self.offsets[end - 1]
        return self.original[first : max(last + 1, self.offsets[end])]


class _FoldTable(dict):
    """A `str.translate` table that learns one character at a time."""

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        self[code] = folded
        return folded


def _fold_character(char: str) -> str:
    folded = _fold_once(char)
    return folded if folded == char else "".join(map(_fold_character, folded))


def _fold_once(char: str) -> str:
    if char in _SAME_MARK:
        return _SAME_MARK[char]
    if "\u0300" <= char <= "\u036f":  # accents are left out, so that café = cafe however it was typed
        return ""
    if char < "\u0250":
        return "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c)).casefold()
    return unicodedata.normalize("NFKC", char).casefold()


_FOLD_TABLE = _FoldTable()
_simplify = OpenCC("t2s").convert


def fold(text: str) -> str:
    """One spelling for comparing and searching: NFKC width and forms, no accents, lower case, simplified Chinese.

    Chinese punctuation becomes its half-width twin where Unicode has one (，→, ？→?); 。 and 、 stay.
    Idempotent. Not for display: `align` finds the way back to the original.
    """
    return _to_simplified(text.translate(_FOLD_TABLE))


def align(text: str) -> Folded:
    """`fold` with the way back, so that a quote can be cut out of the original literally."""
    folded = fold(text)
    if all(len(_FOLD_TABLE[ord(char)]) == 1 for char in set(text)):
        return Folded(text, folded, range(len(text) + 1))
    offsets = [place for place, char in enumerate(text) for _ in _FOLD_TABLE[ord(char)]]
    return Folded(text, folded, (*offsets, len(text)))


def numbered(folded: Folded) -> Folded:
    """Without the single spaces between a number and its unit (第 58 天)."""
    return _without(folded, _NUMBER_GAP)


def closed_up(folded: Folded) -> Folded:
    """Without the single spaces between Chinese and Latin letters (我 sit 在 chair 上), which say nothing."""
    return _without(folded, _MIXED_GAP)


def _without(folded: Folded, gap: re.Pattern) -> Folded:
    if not _CJK_CHAR.search(folded.text) or " " not in folded.text:
        return folded
    gaps = {match.start() for match in gap.finditer(folded.text)}
    return without(folded, gaps) if gaps else folded


def without(folded: Folded, places: set[int]) -> Folded:
    """The text without the characters at these places."""
    kept = [place for place in range(len(folded.text)) if place not in places]
    text = "".join(folded.text[place] for place in kept)
    return Folded(folded.original, text, [*(folded.offsets[place] for place in kept), folded.offsets[-1]])


def _to_simplified(text: str) -> str:
    if text.isascii():
        return text
    simple = _simplify(text)
    if len(simple) != len(text):
        simple = "".join(_simplify_character(char) for char in text)
    return _ASPECT_ZHE.sub("着", simple) if "著" in simple else simple


@cache
def _simplify_character(char: str) -> str:
    simple = _simplify(char)
    return simple if len(simple) == 1 else char


def language(text: str) -> str:
    """The language to answer in: "zh" or "en". Chinese wins where the message is mostly Chinese, or says nothing."""
    sample = text[:2000]
    chinese = len(_CJK_CHAR.findall(sample))
    latin = len(_LATIN_WORD.findall(sample))
    return "en" if latin and latin * 1.5 > chinese else "zh"


def is_traditional(text: str) -> bool:
    """Whether a Chinese text is written in traditional characters; where both kinds occur, the more frequent one."""
    sample = text[:2000]
    old = sum(1 for char in sample if _CJK_CHAR.match(char) and _simplify_character(char) != char)
    new = sum(1 for char in sample if _CJK_CHAR.match(char) and to_traditional(char) != char)
    return old > new


def to_traditional(text: str) -> str:
    """A text of ours in traditional characters, as Taiwan writes them."""
    return _traditional()(text)


@cache
def _traditional():
    return OpenCC("s2tw").convert


def words(text: str, *, index: bool = False) -> list[str]:
    """Search tokens, run by run, for a `simple` tsvector and for BM25.

    Chinese: dictionary words in search mode and every two-character pair; other scripts: stemmed lower-case words;
    digits as they are. Stop words are left out unless nothing else remains. A Chinese word of one character, or a verb of one with
    what comes of it, counts as that character too, so that 会晕 finds 晕船 and 留给 finds 留下: give `index=True` for stored text, and every single character is added.
    """
    tokens: list[str] = []
    stops: list[str] = []
    for run in _TOKEN_RUN.findall(fold(text)):
        for token in _chinese_tokens(run, index) if _CJK_CHAR.match(run) else (run,):
            if token in STOP_WORDS:
                stops.append(token)
            else:
                tokens.append(token if _CJK_CHAR.match(token) else stem(token))
    return tokens or stops


def plain_words(text: str) -> list[str]:
    """`words` without the pairs of characters that no dictionary knows; those only where there is nothing else."""
    runs = [run for run in _TOKEN_RUN.findall(fold(text)) if _CJK_CHAR.match(run)]
    known = {word for run in runs for word in _jieba().cut_for_search(run)}
    found = words(text)
    return [word for word in found if word in known or not _CJK_CHAR.match(word)] or found


def loose_pairs(text: str) -> set[str]:
    """Those of its `words` that are no words: two Chinese characters side by side, mostly the end of one and the start of the next."""
    found: set[str] = set()
    for run in _CJK_RUN.findall(fold(text)):
        found |= {"".join(pair) for pair in zip(run, run[1:], strict=False)} - set(_jieba().cut_for_search(run))
    return found


def _chinese_tokens(run: str, index: bool) -> list[str]:
    if len(run) == 1:
        return [run]
    cut = _jieba().cut_for_search(run)
    found = [word for word in cut if len(word) > 1]
    known = set(found)
    found += [pair for pair in map("".join, zip(run, run[1:], strict=False)) if pair not in known]
    return found + (list(run) if index else _of_one_character(run))


def _of_one_character(run: str) -> list[str]:
    """The words of one character in a question, and verbs of one before what comes of them; by the dictionary alone, since
    what is only guessed to be a word (会晕, 雪大) is none in other texts."""
    cut = _jieba().cut(run, False)
    return [word[0] for word in cut if (len(word) == 1 or _VERB_WITH_RESULT.fullmatch(word)) and word[0] not in _LIGHT]


def stem(word: str) -> str:
    """A light English stem: meditating, meditated, meditation → meditat. Never shorter than three letters."""
    word = word.removesuffix("'s").replace("'", "")
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]
    for ending in ("ing", "ed", "ion", "ly"):
        stemmed = word.removesuffix(ending)
        if stemmed != word and len(stemmed) >= 3 and re.search("[aeiouy]", stemmed):
            word = _undouble(stemmed)
            break
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _undouble(word: str) -> str:
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word


@cache
def dictionary() -> Jieba:
    """The general dictionary, which also knows what kind a word is; without the words of the domain."""
    return Jieba()


@cache
def _jieba() -> Jieba:
    jieba = Jieba()
    for word in _DOMAIN_WORDS.split():
        jieba.add_word(word, 2000, "n")
    return jieba


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, each with its closing mark, without the space around it. Blank ones are left out."""
    return [piece for match in _SENTENCE.finditer(text) if (piece := match.group().strip())]


def strip_controls(text: str) -> str:
    """The text without control characters, direction overrides, zero-width marks and lone surrogates; CRLF becomes LF."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def is_blank(text: str) -> bool:
    """True where nothing that can be read is left: spaces, controls and invisible marks only."""
    return not strip_controls(text).replace("\u200c", "").replace("\u200d", "").strip()


def one_pattern(lines: str) -> str:
    """A regular expression that a data file spreads over several lines: line ends and the spaces beside them don't count."""
    spread = "\n" in lines or lines.startswith("    ")
    return "".join(line.strip() for line in lines.split("\n")) if spread else lines
