"""Whether free words can be a value at all: 老写错 is no place, 字 is no name."""

import re

from chat.memory.ontology import Attribute
from chat.memory.text import dictionary
from chat.memory.values import places
from chat.memory.voices import MYSELF

_NO_PLACE = re.compile(
    "[我你他她它的了是不没有来去就都也还说写错打坐想看听吃喝睡玩忙累这那哪什么怎谁很太挺点时候别给让把被着过]"
    "|道场|家里|公司|单位|学校|宿舍|医院|酒店|民宿|市中心|郊区|农村|乡下|老家|外地|国外|附近|一起|父母|楼"
    "|城里|城中村|出租房|出租屋|合租|租的|地下室|小区|公寓|帐篷|[书厨客卧病库]房|卧室|客厅|阳台|办公|院子"
    "|公园|早上|早晨|上午|中午|下午|傍晚|晚上|凌晨|睡前|周末|早班|晚班|夜班"
)
_NO_PLACE_EN = re.compile(
    r"(?:the )?(?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|mornings?|evenings?|nights?|afternoons?|weekends?|late|early|\d"
    r"|(?:the |my |our |your )?(?:\w+ )?(?:bedroom|room|kitchen|garden|hall|hallway|attic|loft|basement"
    r"|cellar|balcony|garage|shed|sofa|couch|chair|bench|floor"
    r"|mat|cushion|office|study|conservatory|park|beach|woods|forest|library|church|temple|evenings?"
    r"|mornings?)\b|bed|peace|silence|town|city|country|general|fact|time|love|pain|this|that|my|it)\b"
)
_NO_NAME = re.compile(
    "[的了吗呢吧啊是不没]|什么|怎么|外卖|起床|打坐|睡觉|名字|一声|你好|师父|那个|这个|(?<!^.)老师$|宝贝$"
    "|亲$|一起|^[去来吃帮多早快出回上下把给过先也]|别|上座|吃药|喝水|出门|练功|念佛|站桩|读经|抄经"
)
_NO_NAME_EN = re.compile(
    r"(?:not|so|very|really|just|a|an|the|sorry|sure|fine|ok|okay|good|great|tired|sad|happy|new|back|here"
    r"|there|trying|going|doing|feeling|looking|thinking|sitting|meditating|vegetarian|vegan|buddhist"
    r"|christian|muslim|"
    r"taoist|catholic|atheist|sober|retired|unemployed|single|married|pregnant|stuck|lost|confused"
    r"|struggling|stressed|anxious|depressed|busy|ready|done|in|on|at|from|with|about|still|also|now|glad"
    r"|curious|afraid|allergic|"
    r"awake|bored|left|right|currently|interested|[a-z]+ing|[a-z]+ed|up|down|off|out|more|much|always"
    r"|never|only|kind|sort|pretty|quite|too|no|yes)\b"
)
_NO_JOB = re.compile(
    "^过|^(?:一家)?(?:公司|单位|学校|私企|大学|国企)里?(?:上班|工作)$|^(?:的|了|一|很|不|个|这|那)"
    "|人$(?<!工人)|时候|觉得|喜欢|[吗呢吧]"
)
# What one may be without living by it.
_NO_JOB_EN = re.compile(
    r"\b(?:(?:cat|dog|fur|plant) (?:mum|mom|mama|dad|parent)|beginner|smoker|drinker|meditator"
    r"|practitioner|sleeper|eater|walker|runner|swimmer|hiker"
    r"|climber|cyclist|lover|believer|follower|worrier|(?:over-?)?thinker|learner|starter|newcomer|quitter"
    r"|sitter|owner"
    r"|father|mother|brother|sister|daughter|grandmother|grandfather|teetotall?er|gamer|loner|vegetarian"
    r"|pescatarian|flexitarian|christian|buddhist|atheist|theist|taoist|daoist|perfectionist|minimalist"
    r"|optimist|pessimist|realist"
    r"|patient|parent|sufferer|survivor|riser|user|member|reader|rambler|mess|person|woman|man|human"
    r"|wanderer|procrastinator|stickler|sucker|fan|player|snorer|insomniac|migrant|immigrant|foreigner"
    r"|newbie|novice"
    r"|asian|european|american|italian|canadian|australian|russian|indian|german|egyptian|ukrainian"
    r"|humanitarian|supporter|outsider|insider|bloomer|bit|better|former|either|other|another|whatever"
    r"|ever|never|over|under)\b"
)
# How Chinese names of trades end, and trades that are called by what is done.
_JOB = re.compile(
    "(?:员|师|生|工|家|手|长|者|医|匠|士|官|警|理|监|管|编辑|记者|教授|主播|计|老板|店主|销售|运营|前台"
    "|客服|保安|保姆|月嫂|行政|财务|人事|设计|开发|测试|采购|策划|翻译|裁缝|司机|农民|主任|导游|编剧|导演"
    "|演员|秘书|出纳|居士|教练|护理|木匠|厨子|商人|军人|工人|艺人|户|嫂|姐|民|农|务|助|殡葬|保险|房产"
    "|地产|旅游|影视|传媒|找工作|求职|养蜂|养殖|种植|餐饮|装修|医疗|环保|建材|生意|买卖|贸易|批发|兵|贩"
    "|商|哥|博|博主|网红|模特|中介|经纪|社工|同传|猿|狮|汪|掌柜|骑手|师傅|hr|it|后端|前端|产品)$"
    "|退休|待业|失业|无业|全职|家庭主妇|自由职业|自由撰稿|插画|写作|摄影|编程|自媒体|电商|直播|外贸|家教"
    "|培训|审计|护理|美容|金融|法务|物流|科研|^(?:开(?!始|心|发|会|玩)|教|写|画|卖|跑|送|种|搞|做)"
    "|研[一二三]|大[一二三四]|高三|研究生|博士|大学"
)
_PRACTICE = re.compile(
    "经|论|观|禅|息|佛|道|坐|修|法门|咒|功|冥想|正念|放松|呼吸|专注|觉|定|慧|戒|念|桩|太极|八段锦|姿势|静"
    "|心|慈|舍|忍|善|妙门|坛|庄子|老子|瑜伽|吐纳|腹式|身体|睡|烟|酒|作息|饮食|耐心|情绪"
    r"|meditat|breath|posture|mindful|sit|sutra|sutta|dharma|zen|tao|yoga|metta|kindness|awareness"
    r"|attention|relax|calm|patience|compassion|practice|body|sleep|chant|koan|stillness|jhana|absorption"
    r"|insight|imperman|non-?self|equanim|tantra|mantra|contempl|awaken|noting|scan|energy|vipassana"
    r"|samatha|sila|precept|concentrat|letting go|gratitude"
)


def plausible(attribute: Attribute, words: str) -> bool:
    check = _CHECKS.get(attribute.slot)
    return check is None or check(words.strip())


def _is_place(words: str) -> bool:
    """A place by its words; where one of them only could be part of a name, the dictionary decides."""
    if words.isascii():
        return len(words) > 1 and not _NO_PLACE_EN.match(words)
    if words in places.NAMES or not _NO_PLACE.search(words):
        return True
    return any(tag == "ns" for _, tag in dictionary().tag(words)) and not re.search("[我你他她了是不没]", words)


def known_place(words: str) -> bool:
    """Whether the dictionary knows these words as a place, and nothing else is among them."""
    if words in places.NAMES:
        return True
    if _SIGHT.search(words):
        return False
    tags = [(word, tag) for word, tag in dictionary().tag(words)]
    named = [tag == "ns" or word in places.NAMES for word, tag in tags]
    return any(named) and all(known or word in _PLACE_KINDS for (word, _tag), known in zip(tags, named, strict=True))


def place_name(words: str) -> str:
    """The place that Latin words begin with: as many of them as are written with a capital or known as a place; else "".

    in Hull, in melbourne; not in peace, in March, in God.
    """
    parts = re.findall(r"[^\W\d_][^\s,]*,?", words)
    for count in range(len(parts), 0, -1):
        name = " ".join(parts[:count]).strip(" ,.!?;'-")
        folded = name.lower()
        capital = all(part[0].isupper() for part in parts[:count]) and not name.isupper()
        if folded in places.NAMES or all(part.strip(" ,.") in places.NAMES for part in folded.split(",")):
            return name
        if capital and not any(_NO_PLACE_EN.match(part) or _NO_CITY.match(part) for part in folded.split()):
            return name
    return ""


# Written with a capital, and no place to live in.
_NO_CITY = re.compile(
    r"(?:i(?:'\w+)?|and|but|god|jesus|christ|allah|krishna|shiva|buddha|dharma|english|french|german"
    r"|spanish|chinese|mandarin"
    r"|japanese|hindi|latin|sanskrit|pali|italian|russian|korean|tibetan|arabic|hr|it|tech|finance"
    r"|marketing|lent|advent"
    r"|ramadan|easter|christmas|diwali|zen|yoga|tai|vipassana|buddhism|christianity|islam|hinduism|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|one|two|three|google|meta|amazon|microsoft|apple|tesco|asda|lidl"
    r"|aldi|ikea|nhs|starbucks|mcdonald\S*|headspace|calm|youtube|zoom|mr|mrs|ms|dr|st)$"
)
# Where one goes, and does not live.
_SIGHT = re.compile("(?:.[寺庙庵宫观塔园站馆店楼]|.[^山]山|西湖|太湖|[长黄]江|黄河)$(?<!平顶山)(?<!马鞍山)")
_PLACE_KINDS = frozenset("省市区县州镇乡村岛旗盟里城")
def _is_name(words: str) -> bool:
    if words.isascii():
        return not _NO_NAME_EN.match(words)
    if _NO_NAME.search(words):
        return False
    if len(words) == 2 and (words[0] == words[1] or words[0] in "大老小阿"):
        return True  # 满满, 朵朵, 大壮
    first = dictionary().tag(words)[0]
    return len(first[0]) < len(words) or first[1][:1] not in ("v", "p", "r", "d", "m", "c", "u") or len(words) == 1


def _is_job(words: str) -> bool:
    if words.isascii():
        return words.startswith("teach ") or not _NO_JOB_EN.search(words)
    return not _NO_JOB.search(words) and bool(_JOB.search(words) or _AT_WORK.search(words))


# What someone does all day (搬砖, 跑滴滴), and who works somewhere.
_AT_WORK = re.compile(
    "^(?:经营|开着)|(?<!不)上班|工作|打工|当差|做事|干活|任职|供职|干$|干了|干着|教.{1,3}$|管.{1,3}$|收银"
    "|实习|看店|退休?$|退下来$"
    "|^[绑砌搬刷烧打装修洗收贴代烤理剃酿磨炒制采抓坐站拧踩扫带放捕杀守看管拍剪唱说拉养种编].{1,4}$|学生"
    "|在读|读[博研]|妈妈|爸爸|宝妈|主妇|司机|师傅|中介|掌柜|的哥|小哥|骑手|学徒|干部|代驾|摊主|小贩"
    "|志愿者|社畜|打工人|上班族|白领|主播|党|狗"
)


def _is_focus(words: str) -> bool:
    """Of all one may study only what belongs to practice is a focus of practice."""
    return bool(_PRACTICE.search(words))


def _is_reading(words: str) -> bool:
    return bool(_READING.search(words))


_READING = re.compile(
    "读|诵|看|抄|念|背|学|经|书|论|传|记|章|页|品|遍|卷|部|篇|咒|语录|庄子|老子|论语|read|chapter|page"
    "|book|sut|scripture|commentary|verse|poem|ching|bible|gita|dhamma|dharma|finish|study|recit|memori"
)
_ADDRESS = re.compile(
    r"\d|[路街号区镇村楼室弄巷栋座苑园城庄里省市县乡]|street|road|avenue|lane|drive|apartment|flat|court"
    r"|close|place|way"
)
_CHECKS = {"profile.address": lambda words: bool(_ADDRESS.search(words)), "goal.reading_plan": _is_reading, "status.current_focus": _is_focus, "profile.location": _is_place, "profile.name": _is_name, "profile.occupation": _is_job}


def own(attribute: Attribute, text: str, start: int) -> bool:
    """Whether what starts at `start` of a clause without a word of the speaker can still be the speaker's own.

    这种狼居住在北海道, 车站地址: another subject stands before it.
    """
    if attribute.slot in _PERSONAL and _FOR_ME.match(text):
        return False
    if attribute.slot not in _PERSONAL or MYSELF.search(text):
        return True
    ahead = _OWN.sub("", text[:start])
    return not any((tag[:1] == "n" and tag != "ns") or tag in ("r", "vn") for word, tag in dictionary().tag(ahead) if word.strip() and not word.isascii())


# 帮我写代码: an order, no trade.
_FOR_ME = re.compile(
    "(?:请|麻烦|拜托|你|您|能不能|可以|可不可以|能)*(?:帮|替|给|为|教|陪)(?:一?下)?我(?!们?家)"
    "|(?:please |can you |could you )*(?:help|teach|show|tell|give|write|draw|make) me(?![a-z])"
)
_PERSONAL = {f"profile.{name}" for name in ("name", "location", "address", "occupation", "belief", "age", "birthday", "pet", "family", "phone")}
_PERSONAL |= {"goal.other_goal", "goal.reading_plan", "goal.retreat_plan"}
_OWN = re.compile(
    r"[一-鿿]{1,3}节|那[天年月]|一个人|独自|工作|公司|家庭|家里?|全家|身体|今年|去年|前年|明年"
    r"|[上下这]?个?[年月周]|寄书|快递|收货|邮寄|联系"
    r"|紧急|新|老|目前|现在|如今|\d+|[一二三四五六七八九十]+月|辞职|调动|毕业|结婚|孩子|因为|为了|春天"
    r"|夏天|秋天|冬天|目标|计划|人生|自己|地方|平时|最近|后来|上个?|打坐|冥想|回|微信|电话|手机|生日|名字"
    r"|住址|地址|号"
)
