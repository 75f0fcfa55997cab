"""The details of a text that a summary must not lose: numbers with what they count, dates, and names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from chat.memory import numerals
from chat.memory.text import STOP_WORDS, Folded, align, dictionary, fold
from chat.memory.times import TimeSpan, find_in

_UNITS = (
    "分钟|小时|刻钟|秒|点钟|点半|点|天|周|星期|礼拜|个半月|个多月|个月|月|年|岁|次|遍|回|元|块钱|块|万"
    "|公里|千米|里地|里|米|厘米|斤|公斤|千克|克|升|毫升|杯|碗|根|支|包|本|部|篇|页|章|首|集|家|道|层|步"
    "|位|名|人|只|条|张|台|辆|场|门|级|度|分|%|倍|折|个(?!人认为|人觉得)|声|口|轮|组|套|座|号|届"
)
_EN_UNITS = (
    r"(?:minutes?|mins?|hours?|hrs?|seconds?|days?|weeks?|months?|years?|times?|km|kg|miles?|pounds?"
    r"|dollars?|percent|cups?|pages?|chapters?|books?|people|o'clock|am|pm|p\.m\.|a\.m\.|breaths?"
    r"|cigarettes?|steps?)"
)
_ZH_NUMBER = "[零〇一二两三四五六七八九十百千万几多半]"
_NUMBER = re.compile(
    rf"(?<![\d.a-z])\d+(?:[.:]\d+)*(?:多|几|来)?(?: ?(?:{_UNITS})(?:半)?| ?{_EN_UNITS}\b)?"
    rf"|(?<!第)(?:[零〇二两三四五六七八九十百千万]{_ZH_NUMBER}*"
    rf"|一(?:{_ZH_NUMBER}+|(?=小时|刻钟|个月|年(?!级)|周|公里|斤|万|百|千)))(?:{_UNITS})(?:半)?"
    rf"|\b(?:{numerals._TENS}|{numerals._ONES}|{numerals._TEENS})(?:[- ](?:{numerals._ONES}))? {_EN_UNITS}\b"
)
_LOOSE = re.compile("^(?:两个人|几|十分$|千万|万一|百分|半天|三心二意|四面八方|五颜六色|七上八下|一模一样|十足)")
_TITLE = re.compile("《[^》\n]{1,40}》|「[^」\n]{2,12}」|“[^”\n]{2,12}”|\"[^\"\n]{2,24}\"")
_LATIN_IN_CHINESE = re.compile(r"(?<![a-zA-Z])[A-Za-z][A-Za-z0-9+#.\-]*[A-Za-z0-9+#](?: [A-Z][A-Za-z0-9\-]+)*")
_CAPITALISED = re.compile(r"(?<![.!?:\"“] )(?<![\n])(?<!^)\b[A-Z][a-z]+(?:'s)?(?: (?:of |the |de )?[A-Z][a-z]+)*")
_INSIDE = re.compile(r"[a-z,] $")  # before a word in the middle of a sentence
_CJK = re.compile("[\u3400-\u9fff]")
_NAME_TAGS = {"nr", "ns", "nrt"}
_SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳史唐费廉岑薛雷贺倪汤罗毕郝安常乐于傅皮齐康伍余元顾孟平黄和穆萧尹姚邵汪祁毛禹狄米明臧计成戴宋庞熊纪舒屈项祝董梁杜阮"
    "蓝闵席季麻强贾路江童颜郭梅盛林钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房解应宗丁邓洪石崔龚程邢裴陆荣翁曾欧聂关司黎易叶刘龙涂白"
)
_NOT_NAMES = frozenset(
    ["和谐", "安静", "平静", "高兴", "快乐", "明白", "安排", "成功", "方法", "方式", "方面", "平时", "常常", "和睦", "万一", "马上", "于是", "关心", "关注", "应该", "任何", "何时", "安慰", "温柔", "高效", "平和", "康复", "成长", "明天", "安心", "明年", "白天", "成就", "计划", "解压", "管理", "应用", "祝福", "祝贺", "强烈", "水平", "马拉松", "金钱", "华丽", "安全", "平衡", "方向", "成为", "江湖", "强调", "明显", "明确", "程序", "程度", "路上", "路线", "解决", "解释", "支持", "任务", "易懂", "乐趣", "乐观", "和善", "金融", "关系", "能力", "文静", "舒缓", "舒适", "舒服", "温馨", "温暖", "安好", "谢谢", "欧美", "西方", "东方", "晴朗", "小时候", "那样", "宁静", "文艺", "高尔夫", "白领", "严格", "严肃", "严重", "许多", "云朵", "花园", "花朵", "花草", "元素", "康乃馨", "毛衣", "夏天", "夏日", "金色", "阳光", "周末", "周围", "周到", "万事", "明智", "马虎", "白色", "平常", "平凡", "高度", "易燃", "雷雨", "石头", "高强度", "成熟", "成果", "成绩", "广场", "艾灸", "太极", "瑜伽", "晚安", "早安", "乐器", "麻烦", "常见", "安神", "冥想", "打坐", "静坐", "ai", "AI", "伴侣", "朋友", "单盘", "双盘", "散盘", "站桩", "于你", "和你", "和我", "金刚", "谢谢你", "简单", "艾", "古典", "和平", "安宁", "安稳", "宁可", "明媚", "华", "小白", "祝你", "温和", "严谨", "元气", "张力", "爱情", "博物馆", "公园", "祝愿", "英语", "雅思", "麻木", "高考", "平台", "万分", "康健", "水果", "毕业", "毕竟", "毕业生", "章节", "施展", "美丽", "城市", "深度", "东西", "湖泊", "荣幸", "海滨", "山峰", "新鲜", "山脉", "关怀", "高超", "内省", "令人", "金黄", "攀岩", "登山", "吉他", "英文", "上山", "老城", "登山鞋", "山川", "冰川", "山坡", "海滩", "外国", "海鲜", "大海", "山区", "古城", "小镇", "校园", "梅花", "樱花", "桃花", "应对", "强项", "强大", "关键", "费用", "戏剧", "史", "钟头", "钟", "时光", "和解", "安抚", "高涨", "舒心", "舒展", "程式", "任性", "任由", "常规", "常用", "平安", "平淡", "喻", "纪念", "纪念品", "谢", "贺卡", "贺", "尤其", "元旦", "贾", "卫生", "宗教", "米饭", "米", "万能", "万物", "万里", "高级", "高手", "高峰", "高品质", "高质量", "沈", "连续剧", "解答", "解放", "季节", "项目", "路途", "路", "石", "白", "云", "江", "龙", "明", "金", "方", "成", "乐", "安", "和", "高", "平", "常"]
)


@dataclass(frozen=True)
class Detail:
    """One detail as it stands in the text. kind: number, date or name. `shown`: how a summary may write it."""

    kind: str
    words: str
    shown: str = ""

    @property
    def key(self) -> str:
        return "".join(fold(self.words.strip("《》「」“”\"")).split())


def find(text: str, at: datetime, zone: str) -> list[Detail]:
    """The details of a text in their order, each once. Relative days are resolved against `at` in `zone`."""
    folded = align(text)
    spans = [span for span in find_in(folded, at, zone, lean="past") if span.precision not in ("vague", "season")]
    found = [(span.place[0], span.place[1], _date(span, at, zone)) for span in spans]
    for start, end, kind in (*_numbers(folded), *_names(folded)):
        if not any(start < other_end and other_start < end for other_start, other_end, _d in found):
            found.append((start, end, Detail(kind, folded.quote(start, end))))
    unique: dict[str, Detail] = {}
    for _start, _end, detail in sorted(found, key=lambda item: item[:2]):
        unique.setdefault(detail.key, detail)
    return list(unique.values())


def names(text: str) -> list[str]:
    """The names in a text, folded: people, places, titles."""
    folded = align(text)
    return [folded.text[start:end].strip("《》「」“”\"") for start, end, _kind in _names(folded)]


def missing(details: Iterable[Detail], text: str) -> list[Detail]:
    """Those that a summary does not say, neither literally nor resolved."""
    said = "".join(fold(text).split())
    return [d for d in details if d.key not in said and not (d.shown and "".join(fold(d.shown).split()) in said)]


def show_day(moment: datetime, at: datetime, zone: str, language: str = "zh") -> str:
    """A day as a summary writes it; the year only where it is not that of `at`."""
    day, now = moment.astimezone(ZoneInfo(zone)), at.astimezone(ZoneInfo(zone))
    if language == "en":
        return f"{day:%b} {day.day}" + ("" if day.year == now.year else f", {day.year}")
    return ("" if day.year == now.year else f"{day.year}年") + f"{day.month}月{day.day}日"


def _date(span: TimeSpan, at: datetime, zone: str) -> Detail:
    if span.precision in ("month", "year"):
        return Detail("date", span.words)
    language = "zh" if _CJK.search(span.words) else "en"
    return Detail("date", span.words, show_day(span.start, at, zone, language))


def _numbers(folded: Folded) -> list[tuple[int, int, str]]:
    return [
        (m.start(), m.end(), "number") for m in _NUMBER.finditer(folded.text) if not _LOOSE.match(m[0])
    ]


def _names(folded: Folded) -> list[tuple[int, int, str]]:
    titles = [(m.start(), m.end(), "name") for m in _TITLE.finditer(folded.text)]
    if not _CJK.search(folded.text):
        return titles + _english_names(folded)
    taken = [range(start, end) for start, end, _kind in titles]
    latin = [(m.start(), m.end(), "name") for m in _LATIN_IN_CHINESE.finditer(folded.text) if m[0] not in _NOT_NAMES]
    return titles + [item for item in latin + _tagged(folded.text) if not any(item[0] in span for span in taken)]


def _english_names(folded: Folded) -> list[tuple[int, int, str]]:
    if len(folded.original) != len(folded.text):
        return []
    small = set(re.findall(r"(?<![\w'])[a-z][a-z']+", folded.original))
    found = []
    for match in _CAPITALISED.finditer(folded.original):
        start, words = match.start(), match[0].split(" ")
        inside = bool(_INSIDE.search(folded.original[:start]))
        while words and (words[0] in _NOT_ENGLISH or words[0].lower() in small or (not inside and _opens(words[0].lower()))):
            start += len(words.pop(0)) + 1
        if words:
            found.append((start, match.end(), "name"))
    return found


def _opens(word: str) -> bool:
    """Whether it has its capital only because it opens a sentence, a line or a quotation: From, What."""
    return word in STOP_WORDS or word in _OPENERS


def _tagged(text: str) -> list[tuple[int, int, str]]:
    found, place = [], 0
    for word, tag in dictionary().tag(text):
        if tag in _NAME_TAGS and len(word) >= 2 and _CJK.search(word) and _is_name(word, tag):
            found.append((place, place + len(word), "name"))
        place += len(word)
    return found


def _is_name(word: str, tag: str) -> bool:
    if word in _NOT_NAMES:
        return False
    return tag != "nr" or (word[0] in _SURNAMES and len(word) <= 4)


_OPENERS = frozenset(
    ["again", "also", "although", "another", "because", "both", "breathe", "during", "each", "even", "every", "everything", "everyone", "feel", "find", "first", "focus", "good", "great", "hello", "hi", "however", "instead", "just", "keep", "last", "later", "let", "let's", "look", "many", "maybe", "more", "most", "never", "nothing", "notice", "now", "ok", "okay", "once", "only", "perhaps", "please", "same", "second", "since", "some", "someone", "something", "sometimes", "sorry", "start", "still", "thank", "thanks", "though", "today", "tomorrow", "tonight", "try", "until", "use", "well", "while", "without", "yes", "yesterday", "yet", "any", "are", "as", "does", "next", "other", "take", "think", "using", "whether", "set", "sit", "make", "give", "ask"]
)
_NOT_ENGLISH = frozenset(["I", "I'm", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Mr", "Mrs", "Dr", "OK"])
