"""Chinese statements of the speaker's own practice by what they mention, where no pattern of the ontology knows the wording.

Chinese leaves out who does it, so a listed value counts where its clause or sentence says that this is how it goes (每,
平时, 一直, 现在 …) or whose it is (我), where what stands right beside the value fits its slot, and where nothing turns
the sense round (不, 听说, 试 …).
"""

import re
from dataclasses import dataclass, replace

from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute
from chat.memory.rules.reading import Found, Reading
from chat.memory.rules.sayings import item_of

CONFIDENCE = 0.8
LONGEST = 60
_CJK = re.compile("[\u3400-\u9fff]")
# Whose it is, or that it is no single event.
_MINE = re.compile(
    "我|咱|俺|本人|自己|每|平时|平常|平日|一般|通常|天天|日日|夜夜|总(?!觉得)|老(?=是|爱|要)|一直|一向|向来|从来|现在"
    "|如今|目前|眼下|最近|近来|近期|这阵|这段(?:时间|日子)|这些天|习惯|固定|坚持|主要|必|多半|基本|经常|常常|隔[天日三]"
    "|教的|老毛病|病根|犯|周末|早晚|饭后|下班|一坐|一上座|改|换|以后|往后|还在|仍|照旧|功课"
    "|[\\d一二两俩三四五六七八九十几半]+(?:年|个月)"
)
# What is told of is not what the speaker does.
_ASIDE = re.compile(
    "听(?:说|人|讲)|据说|刷到|看[到见过]|书[里上中]|网上|别人|人家|羡慕|佩服|推荐|介绍|教程|什么是|是什么|叫做|起源"
    "|属于|指的|区别|哪|试|体验|尝试|学不会|想学|想练|适合|应该|可以|建议|梦|电影|小说|歌词|故事|比如|不如|比不上"
    "|除了|要不|本来|差点|以为|当成|好像|似乎|像|教(?!的)|讲|问|聊|研究|了解|好奇|怀疑|好处|坏处|原理"
    "|作用|效果|传统|古人"
    "|祖师|禁止|不[准许让]|反对|劝|陪|替|帮|等|如果|要是|万一|的话|[叫喊约让请拉带逼催求]我|刚才|昨|前天"
    "|那天|今天|今早|今晚|有[次回天]|一次(?!坐)"
    "|当年|以前|从前|小时候|曾|过(?=$|,|瘾|吗)"
)
_NOT = re.compile("(?:[不没别无非未甭少戒停断弃嫌讨厌烦腻怕恨忘丢](?!断|了)|用不着|懒得|拉倒|免)[^,]{0,4}$")
_NOT_AFTER = re.compile(
    "[^,]{0,5}(?:不|没(?!事)|别|免|算了|拉倒|戒|停|断|腻|烦|受罪|要命|疼|痛|难|累|太|伤|吗|呢$|丢|弃|撂|搁|放下|荒)"
)

_BEGUN = re.compile("开始|改|换|恢复|捡|拾|年|月|每|天天")  # with a 了 that says since when, not that it is done


@dataclass(frozen=True)
class _Slot:
    """Where a listed value of the slot counts: among what (`about`), and what may stand before and after it."""

    name: str
    before: str = ""
    after: str = ""
    about: str = "sitting"  # the activity that the clause goes on about, "" for none
    never: str = "(?!)"  # spellings that also mean something else
    unless: str = "(?!)"
    needs: str = ""  # what the message must speak of
    any_clause: bool = False  # what marks it as the speaker's own may stand in another clause of the sentence


_SLOTS = (
    _Slot(
        "preference.posture",
        before=(
            "(?:^|坐|盘|用|是|都|就|只|能|还|着|时|候|在|成|到|改|换|了|我|直|般|常|向|天|晚|早|上|习惯|喜欢|个"
            "|条|张|把|的|接|团|垫)"
        ),
        never="沙发|床|站立",
        unless="看|刷|吃|聊|玩|喝|写|上班|办公|睡(?!前)|等|车|手机|电脑",
        needs="打坐|静坐|冥想|禅|数息|呼吸|上座|念佛|引导|盘|座",
        any_clause=True,
    ),
    _Slot(
        "preference.meditation_sound",
        before="(?:放|听|开|播|配|伴|用|来|要|有|戴|离不开|靠)(?:着|点|段|个|一?些|上|首|的是|那种|了)*[^,]{0,5}",
        never="静默|寂静|歌|音乐|安静|箫|钵|磬",
        unless="外面|窗外|楼|隔壁|吵|邻居|路上|被|手机响|想尿",
    ),
    _Slot(
        "preference.meditation_guidance",
        before="(?:听|跟|用|靠|放|开|随|要|有|得)(?:着|点|段|个|了|上)*[^,]{0,6}",
        never="带领|自己坐|引导",
    ),
    _Slot(
        "preference.practice_method",
        about="",
        after="(?!的?(?:书|课|视频|老师|人|时候|音乐|声|机|曲|方法|好处|班))",
        never=(
            "礼拜|观光|前行|静坐|深呼吸|瑜伽|瑜珈|正念|朝拜|断食|参禅|观照|冥想|鼻端|导引|打拳|休息术|流瑜伽|加行"
            "|太极|听佛号|止息|内景|顶礼|绕行|行脚"
        ),
        any_clause=True,
    ),
    _Slot(
        "preference.environment",
        before="(?:在|到|去|锁|关|躲|窝|跑|进|搬|挪|钻|占|缩|猫)[^,]{0,4}",
        after=(
            "(?:里|上|中|边|那|的|角|旁|头|个|角落|靠窗|一个人|安安静静|静静|地|午休|值班|那会|的门|来|去|面|儿"
            "|头|前|下)*(?:坐|打坐|静坐|冥想|练|,|$|了|做功课)"
        ),
        unless="工作|上班|看书|睡(?!前)|吃|聊|住|开会",
    ),
    _Slot(
        "habit.exercise",
        before=(
            "(?:去|打|跳|跑|做|练|游|骑|爬|上|玩|来|走|会|都|就|也|还|要|是|着|两?圈|顺便|早|晚|后|完|天|晨|次|回"
            "|周|早上|晚上|,|^|和|跟|加|、)"
        ),
        about="",
        never="走走|keep|走路|打拳|八段锦|太极",
        unless="上班|接|送|买|地铁|公司|路上|去学校|比赛|新闻",
        any_clause=True,
    ),
    _Slot(
        "status.health_condition",
        before=(
            "(?:有|得|患|是|查出|确诊|老毛病|犯|带|落下?|因为|我|的|着|了|点|些|遗传|严重|轻|重|中|早期|多年|就"
            "|又|还|也|个|出|到|种|上|,|^)"
        ),
        about="",
        never="焦虑|抑郁|怀孕|倦怠|扭伤|骨折|便秘|更年期|眩晕|失眠|疝气",
        unless="防|怕|会不会|风险|容易得|预|科普|文章|病人",
        any_clause=True,
    ),
)


def find(reading: Reading, place: int, known: set[str]) -> list[Found]:
    """What the clause mentions of its speaker, of slots other than the `known` ones."""
    clause = reading.clauses[place]
    if not _CJK.search(clause.text) or not _plain(clause):
        return []
    found: list[Found] = []
    for slot in _SLOTS:
        disliked = "preference.disliked_practice" in known and slot.name in ("preference.practice_method", "preference.posture")
        if slot.name not in known and not disliked:
            found += _of_slot(reading, place, slot)
    return found


def _plain(clause: Clause) -> bool:
    aside = clause.past or clause.event or clause.planned or clause.hedged or clause.narrative or clause.retraction or clause.correction
    said = clause.mood == "statement" and clause.subject == "self" and clause.scope == "lasting"
    return said and not aside and len(clause.text) <= LONGEST and not _ASIDE.search(clause.text)


def _of_slot(reading: Reading, place: int, slot: _Slot) -> list[Found]:
    clause, attribute = reading.clauses[place], reading.ontology.attribute(slot.name)
    matches = list(attribute.spelling.finditer(clause.text))
    if not matches or (slot.about and reading.main[place] != slot.about) or re.search(slot.unless, clause.text):
        return []
    if (attribute.unless and attribute.unless.search(clause.text)) or not _is_mine(reading, place, slot):
        return []
    if not re.search(slot.needs, reading.folded.text):
        return []
    found: dict[str, Found] = {}
    for match in matches:
        if _fits(slot, clause.text, match):
            value = _value(reading, clause, attribute, match)
            found.setdefault(value.key, Found(attribute, clause, place, value, item_of(attribute, value.normalized), confidence=CONFIDENCE))
    several = len({f.item for f in found.values()}) < len(found)
    return [] if several else list(found.values())


def _is_mine(reading: Reading, place: int, slot: _Slot) -> bool:
    sentence = reading.clauses[place].sentence
    clauses = [c for c in reading.clauses if c.sentence == sentence] if slot.any_clause else [reading.clauses[place]]
    return any(c.subject == "self" and c.mood == "statement" and _MINE.search(c.text) for c in clauses)


def _fits(slot: _Slot, text: str, match: re.Match) -> bool:
    before, after = text[: match.start()], text[match.end() :]
    once = after.startswith("了") and not _BEGUN.search(text)
    if once or re.fullmatch(slot.never, match[0]) or _NOT.search(before) or _NOT_AFTER.match(after):
        return False
    return bool(re.search(f"{slot.before}$", before) and re.match(slot.after, after))


def _value(reading: Reading, clause: Clause, attribute: Attribute, match: re.Match):
    value = reading.valued(attribute, {"type": "enum", "key": attribute.choice_of(match[0]).key})
    if not attribute.multi:
        return value
    return replace(value, shown=reading.original(clause.start + match.start(), clause.start + match.end()))
