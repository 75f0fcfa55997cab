"""One spelling for what the keyboard slips on, the microphone mishears and the dialects call otherwise.

Each by as many characters as it had, so that a quote still finds its place in the original.
"""

import re

from chat.memory.text import Folded, without

# Slips of pinyin keyboards and of dictation.
_SLIPS = {
    "没天": "每天", "美天": "每天", "妹天": "每天", "没晚": "每晚", "美晚": "每晚", "没周": "每周", "美周": "每周", "美次": "每次",
    "分种": "分钟", "分中": "分钟", "小是": "小时", "半小是": "半小时",
    "打座": "打坐", "打做": "打坐", "达坐": "打坐", "静座": "静坐", "静做": "静坐", "座禅": "坐禅", "做禅": "坐禅",
    "瞑想": "冥想", "名想": "冥想", "冥相": "冥想", "冥响": "冥想", "数吸": "数息", "树息": "数息", "输息": "数息", "颂经": "诵经", "念弗": "念佛",
    "站装": "站桩", "站庄": "站桩", "战桩": "站桩", "双攀": "双盘", "双旁": "双盘", "双磐": "双盘", "单攀": "单盘", "单磐": "单盘", "散攀": "散盘",
    "起创": "起床", "起窗": "起床", "启床": "起床", "水觉": "睡觉", "睡交": "睡觉", "失棉": "失眠", "早晌": "早上",
    "简节": "简洁", "减洁": "简洁", "祥细": "详细", "颈锥": "颈椎", "腰锥": "腰椎", "糖料病": "糖尿病", "洗欢": "喜欢", "以厚": "以后", "戒咽": "戒烟",
}  # fmt: skip
# Words of the dialects that mean one thing in every text.
_WORDS = {
    "食烟": "抽烟", "吃烟": "抽烟", "吃酒": "喝酒", "整酒": "喝酒", "饮酒": "喝酒", "困觉": "睡觉", "睏觉": "睡觉", "瞓觉": "睡觉", "瞓": "睡",
    "啥子": "什么", "咋个": "怎么", "莫得": "没有", "娃儿": "孩子", "屋头": "家里", "搁家": "在家", "屋企": "家里", "囡囡": "女儿", "侬": "你", "覅": "别",
    "勿要": "不要", "辰光": "时候", "晌午": "中午", "后晌": "下午", "头晌": "上午", "擦黑": "傍晚", "傍黑": "傍晚", "朝早": "早上", "晏昼": "下午",
    "而家": "现在", "依家": "现在", "听日": "明天", "琴日": "昨天", "寻日": "昨天", "今次": "这次", "呢次": "这次", "钟意": "喜欢", "返工": "上班",
    "放工": "下班", "晚晚": "每晚", "朝朝": "每早", "日日": "天天", "半个点": "半小时", "刻把钟": "一刻钟", "个把小时": "一个小时", "个把钟头": "一个钟头",
    "个把月": "一个月", "家姐": "姐姐", "老豆": "老爸", "细路": "小孩", "乜嘢": "什么", "点解": "为何", "点样": "怎样",
}  # fmt: skip
# What is clear only by its neighbours: 网上九点睡 is a mishearing, 如今儿子 holds no 今儿.
_BESIDE = (
    ("网上(?=[八九十]点|1[0-2]点|[89]点)", "晚上"),
    ("做在(?=椅|凳|沙发|床|地上|垫|蒲)", "坐在"),
    ("(?<!如)今儿(?!子|女|媳|孙)", "今天"),
    ("(?<![精聪照光])明儿(?!子|女|媳|孙)", "明天"),
    ("昨儿(?!子|女|媳|孙)", "昨天"),
    ("阿拉(?!斯|伯|法|丁|善)", "我们"),
)
# Cantonese is known by these; in such a text its common words are read too.
_CANTONESE_MARK = re.compile("[冇唔嘅喺咗佢哋瞓嘢啲嗰噉睇嚟畀攞谂]|而家|依家|屋企|钟意|边度|返工")
_CANTONESE = {
    "唔好": "不要", "唔使": "不用", "唔该": "谢谢", "冇得": "没有", "起身": "起床", "收工": "下班", "返嚟": "回来", "同埋": "还有", "成日": "总是",
    "个仔": "儿子", "个女": "女儿", "个钟": "小时", "夜晚": "晚上", "边度": "哪里", "几时": "何时", "呢个": "这个", "嗰个": "那个", "嗰阵": "那时",
    "食素": "吃素", "食斋": "吃斋", "食肉": "吃肉", "食晚饭": "吃晚饭", "饮茶": "喝茶", "饮咖啡": "喝咖啡", "唔": "不", "冇": "没", "嘅": "的", "喺": "在",
    "啲": "些", "佢": "他", "咗": "了", "嚟": "来", "畀": "给", "睇": "看", "谂": "想", "嗰": "那", "哋": "们",
}  # fmt: skip
_IS = re.compile("(?<![关联体派院中外数理文])系(?!统|列|数|带|鞋|着)")


# Words that only lend weight: 得有, 说什么也, 雷打不动. Patterns need not know of them.
_WEIGHT = re.compile(
    "得有|怎么也|好歹|愣是|硬是|雷打不动地?|说(?:什么|啥)也|无论如何|怎么着也?|(?<!不)一定要?|务必|干脆"
    "|索性|真的|实在|确实|的确"
    "|其实|反正|老实说|说实话|毕竟|居然|竟然|总算|好不容易|慢慢|渐渐|逐渐|稍微|眼看|算是|那啥|往往"
    "|老老实实|踏踏实实|认认真真"
    "|舒舒服服|自个儿|(?<=[\u4e00-\u9fff])[哈哎唉嗐害噢呃嗯呗嘞咧](?=$|[,。!? ])"
)


def thin(folded: Folded) -> Folded:
    """The text without the words that only lend weight; the same object where it has none."""
    places = {place for match in _WEIGHT.finditer(folded.text) for place in range(*match.span())}
    return without(folded, places) if places else folded


def _replacer(words: dict[str, str]) -> re.Pattern:
    return re.compile("|".join(sorted(words, key=len, reverse=True)))


_COMMON = _SLIPS | _WORDS
_COMMON_WORD, _CANTONESE_WORD = _replacer(_COMMON), _replacer(_CANTONESE)
_NEIGHBOURS = tuple((re.compile(pattern), meant) for pattern, meant in _BESIDE)


def mend(folded: str) -> str:
    """Folded text in the common spelling: 没天 → 每天, 瞓觉 → 睡觉, 今次 → 这次. Of the same length."""
    if folded.isascii():
        return folded
    if _CANTONESE_MARK.search(folded):
        folded = _IS.sub("是", _CANTONESE_WORD.sub(lambda match: _CANTONESE[match[0]], folded))
    folded = _COMMON_WORD.sub(lambda match: _COMMON[match[0]], folded)
    for pattern, meant in _NEIGHBOURS:
        folded = pattern.sub(meant, folded)
    return folded
