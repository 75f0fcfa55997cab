"""Where one clause of a message ends and the next begins: at marks, at spaces, and where dictation turns to the next thing."""

import re
from itertools import islice, pairwise

MASK = "■"  # stands for each character that is no word of the writer's own
# A place and what it lies in.
_PLACE = re.compile(
    r"(?:(?:liv(?:e|es|ed|ing)|based|moved|mov(?:e|ing)|relocated|settled|from|home|stay(?:ing)?"
    r"|reside)(?: \w+){0,2} (?:in|to|near|outside)|(?:^"
    r"|[\n.!?] ?)(?:now |yes |yeah )?in) [a-z][a-z'-]+(?: [a-z][a-z'-]+)?$"
)
_IN = re.compile(
    r" (?!now|too|and|but|i|we|so|always|again|still|for|since|yes|no|not|where|which|with|my|because"
    r"|though|actually|please|thanks|sitting|working|every|just|as|it|that)[a-z][a-z'-]+(?: [a-z]+)?(?=$"
    r"|[.!;,\n]| (?:to be exact|exactly|and|but|now|these days|with|since|near|for)(?![a-z]))"
)
_CJK = "\u3400-\u9fff"
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff\u2190-\u21ff\u2b00-\u2bff"
# Where one clause ends and the next begins. A point between digits or letters (3.5, a@b.com) is none; a space is one
# between two Chinese stretches, which is how people write without marks.
# 抄经，我不喜欢: a bare predicate belongs to what stands before the comma.
_PREDICATE = (
    " ?(?:我|就|也|都|真|很|挺|实在|还|特别|非常)*(?:不(?:太|怎么|大|是很)?喜欢|喜欢|讨厌|受不了|不适合我"
    "|不感冒)(?:的|了|它)?(?=$|[,。!?;\n])"
)
_BORDER = re.compile(
    rf"(?P<end>[。!?！？\n]+|\.{{2,}}|…+|\.(?=\s|$|[{_CJK}])|[~～]+(?=\s|$|[{_CJK}]))"
    r"|(?P<mark>(?<=情况|介绍|一下|报下|况吧|近况|更新|补充|说明|如下|说下):|[()](?!\d)"
    rf"|[,;](?<!目标,)(?<!计划,)(?!{_PREDICATE})|(?<=[a-z]):(?= )(?<!goals:)(?<!goal:)(?<!plan:)(?<!year:)"
    rf"|—+| -+ |--+| / |\||[{_EMOJI}\ufe0f\u200d]+)"
    rf"|(?P<space>(?<=[{_CJK})])[ \t]+(?=[{_CJK}])|(?<=\d)[ \t]+(?=[{_CJK}])(?!点|分|个|小时|天|次|岁|月|年"
    rf"|号|遍|刻|周|公里|万?步)|(?<=[{_CJK}])[ \t]{{2,}}(?=\d)|(?<=错了)[ \t]+(?=\d)"
    rf"|(?<=[a-z\d])[ \t]+(?=不对|[打写说记]错|更正|应该是|哦不|不是|错了|等等)"
    rf"|(?<=[{_CJK}])[ \t]+(?=[1-9]\d[了啦]?[ ,](?!分|个|小时|天|次|min|岁))"
    rf"|(?<=[{_CJK}])[ \t]+(?=\d{{2,4}}年(?:的|生)|\d\d岁)|(?<=[起睡坐床醒])[ \t]+(?=\d{{1,2}}(?:点|:\d\d)))"
    r"|(?P<word> (?=(?:but|because|though|although|so now|so (?:i|we|it|that)(?:'ve|'m|'re|'s)?"
    r"|and (?:i|my|we|now|on|also|keep|please|don't)|then i) )"
    r"|(?<!am)(?<!'m)(?<!so)(?<!im) (?=(?:sorry|oops|ugh|scratch that|no wait|wait no|correction)[ ,]))"
    rf"|(?P<turn>(?<=[{_CJK}]{{2}})(?=(?:不对|[打说写]?错了?)是?[\d一二三四五六七八九十])"
    rf"|(?<=叫[{_CJK}]{{2}})(?=[1-9]\d(?:岁|$|[,住在])|今年)|(?<=叫[{_CJK}]{{3}})(?=[1-9]\d(?:岁|$|[,住在])|今年)"
    rf"|(?<=\d岁)(?=[住在做人][{_CJK}])"
    rf"|(?<=[{_CJK}]{{2}})(?=(?:但是|但(?!愿|丁)|不过|可是|只是(?!想|说)|而且|所以|因为|然后"
    rf"|另外)[{_CJK}]))"
)
# Where a stretch that goes on and on without a mark, as people dictate, turns to the next thing.
_RUN_ON = re.compile(
    rf"(?<=[{_CJK}]{{3}})(?=(?:后来|然后|现在|如今|目前|结果|以前|平时|平常|一般(?:都|是)?|最近|去年|今年|前年|每天"
    rf"|每周|每晚|每次|每回|天天|(?:早上|晚上)(?!也|再|各|都|一次|一座|一回|吧|的)|另外|还有|其实|反正|就是说"
    rf"|我(?:老|爸|妈|儿|女|闺|媳|孙|姐|哥|弟|妹)|(?<![居常现也都是就我人还])(?<!一直)住(?=在)"
    rf"|(?<![住人现是])在(?=[{_CJK}]{{2,3}}(?:一[家个所]|的|开|做|当|教|上班|工作|读|干|打工|跑))"
    rf"|腿脚|背景|身体(?=还|不|也|挺|有)|血[压糖脂]|睡眠(?=不|也|还|很|质)|养了|家里|膝盖|腰不"
    rf"|(?<=[床了坐睡吧嘛])(?:打坐|静坐|冥想|起来就|只能|只好)))"
    rf"|(?<=[了呢吧啊呀哦嘛的])(?=我(?!的|们的|自己)|他|她|咱|俺)"
)
# Where it does in English, unless the word before leads on: i get up at 6 | sit for half an hour | i work as a nurse.
_RUN_ON_EN = re.compile(
    r" (?=(?:and |so |then |also |plus |but )*(?:i|im|i'm|ive|i've|my|we|we're|our) (?!am$)"
    r"|(?:and |then )+(?:no|on|in|at|keep|just|mostly|usually|never) |(?:also|plus|anyway|btw|oh) "
    r"|(?:with )?no (?:music|sounds?|guidance|apps?)(?![a-z])"
    r"|(?:sit|meditate|run|work|live|sleep) (?:for |at |on |in |about |\d))"
)
_LEADS_ON = re.compile(
    r"(?<![a-z])(?:i|we|don't|usually|always|only|just|mostly|never|when|whenever|if|that|what|which|while"
    r"|before|after|since"
    r"|because|think|guess|hope|wish|know|feel|said|say|mean|where|why|how|as|than|until|till|once|though"
    r"|unless|believe|sure"
    r"|told|and|so|then|in|on|with|of|for|to|from|at|by|hi|hello|but|all|do|should|can|about|is|hurts|also"
    r"|plus|like|not|under"
    r"|make|have|had|stop|keep|let|get|take|lose|hate|love|cut|lost|left|found|hurt|broke|drives?|calm"
    r"|clear|ease|share|change|near|helps|into|over|anyway|btw|oh|time|way|gives)$"
)
_DICTATED, _DICTATED_EN = 24, 60  # characters without a mark
_MOST_TURNS = 24
_SHORTEST = 3  # characters of what is cut off


def pieces(text: str) -> list[tuple[int, int, int, bool]]:
    """(start, end, sentence, asked) of each clause without the blanks and marks at its ends."""
    pieces, start, sentence = [], 0, 0
    borders = [(m.start(), m.end(), m.lastgroup, m[0]) for m in _BORDER.finditer(text)] + [(len(text), len(text), "end", "")]
    for begin, finish, kind, mark in borders:
        if mark == "," and _PLACE.search(text[start:begin]) and _IN.match(text, finish):
            continue  # in Hackney, London
        left, right = _trimmed(text, start, begin)
        if right > left and text[left:right].strip(MASK):
            pieces += [(first, last, sentence, "?" in mark) for first, last in _runs(text, left, right)]
        start = finish
        if kind == "end" and mark not in ("...", "…"):
            sentence += 1
    return pieces


def _runs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A stretch as it is, or, where it is too long to be one clause, cut before the words that begin another."""
    latin = text[start:end].isascii()
    if end - start < (_DICTATED_EN if latin else _DICTATED):
        return [(start, end)]
    turns = (m.start() for m in (_RUN_ON_EN if latin else _RUN_ON).finditer(text, start, end))
    turns = (turn for turn in turns if not (latin and _LEADS_ON.search(text[max(start, turn - 12) : turn])))
    cuts = [start]
    for turn in (*islice(turns, _MOST_TURNS), end):
        cuts += [turn] if turn - cuts[-1] >= _SHORTEST or turn == end else []
    return [_trimmed(text, first, last) for first, last in pairwise(cuts) if text[first:last].strip()]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start].isspace() or text[start] in "\"'“”()[]{}*#>-·"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in "\"'“”()[]{}*-·"):
        end -= 1
    return start, end
