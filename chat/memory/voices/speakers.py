"""Who speaks of whom: others, the assistant, the speaker."""

import re

_KIN = (
    "老婆|妻子|太太|媳妇|老公|丈夫|先生|爱人|女儿|儿子|闺女|孩子|小孩|宝宝|爸爸?|妈妈?|父亲|母亲|父母"
    "|阿[嬷公妈爸嫲婆伯叔姨姑]|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥?|弟弟?|姐姐?|妹妹?"
    "|公公|公婆|婆婆|丈母娘|老丈人|连襟|大姨子|小舅子|大伯子|小叔|小姑|大姑|外婆家|侄媳|干儿子|干女儿"
    "|继父|继母|养父|养母|岳父|岳母|孙子|孙女|侄子|侄女|外甥女?|舅舅?|阿?姨妈?|姑姑?|叔叔?|伯伯?|嫂子"
    "|(?:外?[曾高]|外)?祖[父母]|太(?:爷爷?|奶奶?|公(?![平道开正益共])|婆(?!妈)|姥[姥爷]|外[公婆])|祖上|先祖|教[父母]"
    "|姐夫|妹夫|女婿|儿媳|表[哥姐弟妹]|堂[哥姐弟妹]|家人|家里人|老爸|老妈|爹|娘"
)
_PEOPLE = (
    "(?:女|男)?朋友|好友|闺蜜|哥们儿?|兄弟|同事|同学|室友|舍友|师父|师傅|上师|师兄|师姐|师弟|师妹|师叔"
    "|老师|导师|教练|老板|领导|上司|经理|客户|邻居|博主|网友|群友|群里|群主|班?主任|班长|组长|站长|义工"
    "|居士们|楼主"
    "|道友|同修|善知识|师太|法师|禅师|道长|住持|方丈|和尚|高僧|祖师|大师|古人|前人|佛陀|佛祖|医生|大夫"
    "|专家|主播|对象|前任|作者|弟子|学员|学生|主角|男主|女主|角色|房东|司机|队友|搭子|粉丝|明星|名人"
    "|居士(?=一天|每|说|念|讲)|香客|信众|老太太|老爷子|大爷|大妈|小伙子?|小姐姐|店家|卖家|买家|同桌|发小"
    "|邻桌|学长|学姐|学弟|学妹|师哥|亲戚|大舅|小姨|姑父|姨夫|妯娌|小叔子|小姑子|亲家|干妈|干爹|保姆"
    "|快递员|外卖小哥|店员|前夫|前妻|前?男友|前?女友|战友|老乡|同乡|病友|网红|up主|主持人|嘉宾|歌手|作家"
    "|诗人|研究(?=表明|显示|发现|指出|说)|数据显示|统计|据|调查|报道|媒体|科学家|心理学家|很多人|有些人"
    "|有人(?!带|引导|领)|有的人|别人|人家|大家(?!好)|某人|旁人|他人|一般人|普通人|年轻人|老人家?|大伙儿?"
    "|所有人|用户|使用者|他们|她们|他|她|它们?|书上|书里|经上|经里|经书|歌词|视频|帖子|文章|网上|新闻"
    "|电影|小说|听说|据说|俗话|老话|常言"
)
# What may stand before such a word: 我健身教练, 我大学同学.
_WHOSE = (
    "(?:健身|瑜伽|太极|游泳|钢琴|古琴|书法|大学|高中|初中|小学|中学|公司|单位|部门|隔壁|对[桌面门]|[前后]排|[上下]铺|旁边|楼[上下]|村里?"
    "|班上?|群里?|寺里?|庙里?|道场|直属|顶头|以前|之前|原来|最好|一起|合租|亲|表|堂|前|新|老|大|小)的?"
)
SURNAME = "[李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊陆郝孔崔康毛邱秦江顾侯邵孟龙段雷钱汤尹黎易乔贺赖龚]"
# 老毛病, 小马扎: what begins like the name of someone.
_NOT_CALLED = (
    "马[扎甲路]|方[桌凳块法]|石[凳子头]|龙虾|康|段|毛[病巾毯孩]|任务|金[鱼鼎库]|姜|汤|钱|江湖|田|熊|孔"
    "|黄[狗瓜鸡鱼牛]|夏天|高[一二三考中血层]|丁点|程序|余"
    "|白[兔狗猫菜]|秦腔|戴"
)
_NETWORKS = "抖音|小红书|微博|知乎|快手|b站|朋友圈|公众号|论坛|贴吧|直播间"
_ZH = "\u4e00-\u9fff"
_LEAD = (
    "(?:(?:那个?|这|嗯+|哦+|啊|哎|诶|唉|呃|对了?|其实|说实话|话说|而且|但是?|不过|可是|因为|所以|然后"
    "|还有|另外|后来|昨天|今天|前天|最近|刚才|刚刚?|上次|上周|去年|以前|现在|早上|晚上|记得|看到?了?|发现"
    "|觉得|感觉|羡慕|听|连|就连|倒是|不像|和|跟|我看|我听|我觉得|我发现) ?)*"
)
_EN_LEAD = r"(?:(?:and|but|so|well|also|oh|btw|because|yesterday|today|then|now|apparently|even|hey|fyi),? )*"
_EN_PEOPLE = (
    r"friends?|students?|clients?|patients?|pupils?|abbots?|priests?|pastors?|lamas?|swamis?|yogis?"
    r"|landlords?|managers?|nephews?|nieces?|heroes|hero|heroine|protagonist|narrator|hermit|novelist"
    r"|dentist|physio|lawyer|roommates?|colleagues?|coworkers?|boss|teacher|master|guru|monk|nun|doctor|gp"
    r"|therapist|neighbou?rs?|brother|sister|mother|mom|mum|father|dad|wife|husband|partner|girlfriend"
    r"|boyfriend|son|daughter|kids?|children|parents?|uncle|aunt|cousin|grandma|grandmother|grandpa"
    r"|grandfather|ex|flatmate|classmate|instructor|coach|guy|girl|man|woman|person|people|buddy|mate"
    r"|in-laws?|family|baby|team|book|article|video|podcast|study|author|buddha|someone|somebody|everyone"
    r"|everybody|(?:great-)*grand(?:ma|mother|pa|father|dad|parents?|son|daughter)|god(?:mother|father)"
    r"|step(?:mother|father|son|daughter|brother|sister|mum|mom|dad)"
)
# Own nouns that may stand after 我/my without making the clause about someone else are all that are not people.
OTHER = re.compile(
    rf"{_LEAD}(?:(?:寺|庙|道场|村|班|群|公司|单位|学校|小区|楼|院|山|店|厂|组|办公室|宿舍)(?:里|上"
    rf"|下)?的?)?(?:(?:我|咱|俺)(?:们)?(?:的|家|们家)?|你)?(?:{_WHOSE})?(?:有|认识|看见|见过)?(?:高中|初中"
    r"|小学|大学|以前的?|从前的?|单位(?:里)?的?|公司(?:里)?的?|班上的?|部门的?|寺里的?|健身房的?|村里的?"
    rf"|老家的?|新来的|家的?)?(?:一?个|一?位|几个|些|那个|这个|那位|一群|俩|[那这])?[小老大二三]?(?:{_KIN}"
    rf"|{_PEOPLE})(?!是?我(?:自己)?$|的时候)"
    rf"|{_LEAD}(?:隔壁|楼上|楼下|对门)|{_LEAD}(?!我|咱|俺|你"
    rf"|听)(?![^说劝嫌]{{0,6}}[我你请])[{_ZH}]{{1,6}}?(?:阿姨|大爷|大妈|大叔|大姐|大哥|老师|医生|师父|总|哥"
    r"|姐)?(?:(?<!点)(?<!应该)(?<!具体)(?<!准确)(?<!确切)(?<!严格)(?<!坦白)(?<!总的)(?<!一般)(?<!按理)(?<!老实)(?<!简单)(?<!上次)(?<!上回)(?<![昨前那今]天)(?<!前面)(?<!上面)(?<!早先)(?<!那句)(?<!那条)(?<!之前)(?<!刚才)(?<!刚刚)(?<!再)(?<!或者)(?<!比如)(?<!听)(?<!话)(?<!来)(?<!别)(?<![小传学演解游是只多直就都想请要没不会得先细好敢能对有这那么样头便着续新按常总老乱瞎胡在跟照后])(?<!直接)(?<!可以)(?<!慢慢)(?<!说)说(?!说"
    r"|啥也|什么也"
    r"|成|实|明(?![天早晚年])|起|白|来|真|到|不|错|的|法)|告诉(?!我)|劝|嫌|老是说|总说)"
    rf"|{_EN_LEAD}(?:(?:my|our|the|this|that|his|her|their|one of my) )(?:[a-z]+ ){{0,2}}?(?:{_EN_PEOPLE})\b"
    rf"|{_EN_LEAD}(?:a|an|some|one|most|many) (?:[a-z]+ ){{0,2}}?(?:{_EN_PEOPLE})(?: (?:at|from|in|on"
    r"|of)(?: my| the| our| a)? [a-z]+)? (?:who|that|says?|said|told|is|was|has|had|does|did|swears"
    r"|quit|gave|went|took|got|sat|kept|put|began|became|can|will|[a-z]+(?:ed|s))\b"
    rf"|{_EN_LEAD}(?:mum|mom|mam|mummy|mommy|dad|daddy|gran|granny|nan|nana|grandma|grandad|granddad|grandpa|hubby"
    r"|the (?:wife|husband|missus|kids|boys|girls|in-laws|neighbours?|neighbors?|lads?|fella))(?:'s"
    r"|'ve)? (?!and i\b|to be\b)(?=[a-z])"
    rf"|{_EN_LEAD}(?:the|this|that|a|an|my|our|their) (?:[a-z]+ ){{0,3}}?[a-z]+ (?:says?|said|recommends?"
    r"|suggests?|states|claims|lists|tells (?:you|people))\b"
    rf"|{_EN_LEAD}(?:he|she|they|someone|somebody|everyone|everybody|people|most people|others"
    r"|it says)(?:'s|'re|'ve|'d|'ll)?\b"
    rf"|我 ?(?:{_EN_PEOPLE})(?![a-z])"
    # 同组的小李, 抖音上那个医生, 我们车间主任, 张叔
    rf"|{_LEAD}(?:(?:[同本我咱]们?[组科班屋寝校寺院村厂桌]|隔壁[组班科村]?|{_NETWORKS})(?:里|上)?的?|我们?"
    rf"|咱们?)?(?:一?个|一?位|那个|这个|那位)?(?:[小老阿](?!{_NOT_CALLED}){SURNAME}(?!家|子|师|板|人|公|婆)"
    rf"|{SURNAME}(?:叔|姨|婶|伯|哥|姐|总|工|爷|大爷|大妈|阿姨|师傅|师父|老师|医生|主任|经理|局"
    r"|处))(?!是?我|这个名|叫)"
    rf"|{_LEAD}(?:刷到|看到|听到|碰到|遇到|见到|认识)(?:了|过)?(?:一?个|一?位|有个|好多|不少)"
    rf"|{_LEAD}(?:看|读|听|翻|刷|追)(?:完|到|了|过)(?:一?[个篇条本部段集期]"
    rf"|有[个篇条])?[{_ZH}]{{0,6}}(?:帖子?|文章|视频|书|博客|故事|新闻|访谈|纪录片"
    r"|播客|节目|分享|游记|日记|传记)(?![^,。]*[我咱俺])"
    rf"|{_LEAD}(?:{_NETWORKS})(?:里|上)?的?(?:有)?(?:一?个|一?位|那个|这个|那位|人|好多|不少)"
    rf"|{_LEAD}(?:我们?|咱们?)(?:车间|组里?|科室?|部门|单位|公司|班|寺|小区|村|厂|店|院)里?的?(?:主任|组长"
    r"|科长|处长|厂长|店长|院长|馆主|馆长|校长|村长|师傅|大姐|大哥|阿姨|那位|那个|有个|几个)"
    rf"|{_LEAD}(?:我|咱)?(?:的)?(?:大|小|老|女|男)?(?:徒弟|徒儿|学徒|病人|来访者|租客|房客|护工|月嫂)"
    # the verbs of people, in the third person
    rf"|{_EN_LEAD}(?!(?:i|my|our|we|it|this|that|what|which|there|music|silence|do|did|two|three|one"
    r"|\d+)\b)(?!.*\b(?:two|three|four|\d) sits\b)(?!.*\b(?:i|me|my|mine"
    rf"|we|our)\b)(?:the )?[a-z']+(?: [a-z0-9']+){{0,8}}? (?:wakes|gets up|sits|meditates|practi[cs]es|eats"
    r"|drinks|smokes|lives|sleeps|teaches|chants|prays|goes to|believes|thinks|swears by)\b"
    rf"|{_EN_LEAD}(?:i |i've )?(?:read|heard|saw|learnt|learned|hear|gather"
    rf"|watched)(?: \w+){{0,3}}? (?:that|how|about) (?!i\b|i'|my\b|me\b)"
    # people in general, and what is said of them
    rf"|{_EN_LEAD}(?:according to|studies|stud(?:y|ies) shows?|research(?:ers)?|science says|scientists?"
    r"|experts?|statistics|surveys?|legend has it|tradition says)\b"
    rf"|{_EN_LEAD}(?:(?:\d+|one|two|three|nine) (?:in|out of|of) (?:\d+|every|three|four|five|ten)"
    r"|\d+ ?(?:%|percent)(?: of)?|half of|(?:nearly |almost |about )?all|most|many|some|few|young|old"
    r"|older|real|serious|advanced|experienced)? ?"
    r"(?:adults|americans|men|women|teenagers|seniors|users|beginners|newcomers|students|monks|nuns"
    r"|monastics|lamas|masters|practitioners|meditators|yogis|vegans|vegetarians|smokers|drinkers"
    r"|buddhists|christians|nurses|doctors|teachers|athletes|celebrities"
    r"|ceos)(?= (?:[a-z]+ ){0,2}?(?:do|don't|are|aren't|have|can|can't|sit|get|wake|eat|drink|smoke"
    r"|meditate|practi[cs]e|sleep|should|say|report|live|go|use|prefer|like|who|tend|usually|often|never"
    r"|always)\b)"
)
# 小学老师, 网约车司机: what someone is, said of nobody else.
TRADE = re.compile(
    "(?:[做当是干]?(?:一?[个名位])?)?(?:(?![我你他她咱俺那这有和跟])[\u4e00-\u9fff]){0,5}(?:老师|教练"
    "|医生|大夫|司机|作家|歌手|店员"
    "|保姆|快递员|经理|学生|主持人|主播|师傅|义工)(?:的|一枚|一名)?"
)
# Said by another, but of the speaker.
ABOUT_ME = re.compile(
    "(?:跟|和|同|与)我?[^,不]{1,4}(?:合伙|合开|一块儿?|一道|搭伙|结伴|约好|合租|一起开)"
    "|(?:老师|师父|师傅|师兄|师姐|教练|上师|法师|朋友)(?:教|传)(?:的|给我|我|了我)(?!孩)|"
    "(?:医生|大夫|中医|西医|医院)(?:不让|不许|不准|让|叫|嘱咐|要求)(?!他|她|我[爸妈哥姐弟妹])"
    "|(?:孩子|娃|儿子|女儿|闺女|老公|老婆|老伴|师父|我[妈爸])"
    "[^,]{0,6}(?:那天|那年|那会儿?|的时候|以后|之后|后)[^,]{0,2}我(?!妈|爸|们家)|"
    r"(?:医生|大夫|医院|体检|检查|老师|师父|朋友|同事|他们|她|他|家人|老婆|老公)(?:都|又|还|也|报告"
    r"|结果)*(?:说|诊断|查出|认为|讲)(?:我|是|有|这是|属于|出)"
    r"|(?:朋友|同事|同学|大家|大伙儿?|街坊|邻里|村里人?|厂里人?|单位里?|家人|家里人?|人家|他们|别人|邻居"
    r"|学生|徒弟|孩子|网友|道友|师兄弟|熟人|工友"
    r"|老乡)(?:们)?(?:都|平时|一般|习惯|总|也|现在|以前)*(?:叫|喊|称呼|唤|管)(?:我|俺)"
    r"|(?:医生|大夫|医院|体检|检查)(?:说|诊断|查出|讲|告诉我)(?!他|她|自己)"
    r"|(?:they|the hospital|consultant|specialist|doctors?|gp|physio|nurse)(?: also| have| has| just"
    r"| finally|'ve)* (?:diagnosed me|told me i|found (?:i|that i|out i)|say i|said i|reckon i|put me on)"
    r"|(?:doctor|gp|therapist) (?:says?|said|told me|diagnosed me|thinks)(?: that)? ?i?"
    r"|(?:everyone|everybody|people|folks|friends|they|mates|kids"
    r"|colleagues) (?:just |all |usually |always )*calls? me\b"
)
YOU = re.compile(
    rf"{_LEAD}(?:请|麻烦|拜托|希望|要|想|让)?(?:你|您|咱俩)(?!好|们好|看我|说我|觉得我|知道我|猜我|别记)"
    rf"|{_EN_LEAD}(?:(?:can|could|would|will) )?(?:you|your)\b"
    rf"|{_EN_LEAD}(?:please )?(?:outline|write|draft|compose|invent|plot|make up|come up with|imagine"
    r"|describe) (?:me )?(?:an?|the|some|two|three) "
)
ME = re.compile(
    rf"{_LEAD}(?:我|咱|俺|本人|自己|在下|小弟|吾)|{_EN_LEAD}(?:i|i'm|i've|i'd|i'll|im|ive|my|me|we|we're"
    r"|we've|our|mine|myself)\b"
)
# 医生让我别盘了，现在坐椅子: what follows is the speaker's.
TO_ME = re.compile(
    "(?:太|很|老|总|天天|一直|整天)(?:闹腾?|吵|哭|打呼噜?|烦)|打呼噜|放假|占着?"
    "|(?:回|住|搬)(?:进来|来住|来了|过来)|(?:得|要)(?:接|送|哄|带|陪|喂|看|管)"
    "|(?:带|领|拉|教|陪)着我|"
    "(?:让|叫|劝|建议|要求|嘱咐|允许|不许|逼|催|骂|嫌|夸|教|陪|送|给|送了|带|拉|约)我"
    "|(?:医生|大夫|医院|中医|西医|体检).{0,3}"
    "(?:让|叫|要求|建议|嘱咐|劝|说要|说得|说不能|不许|禁止)(?!他|她|我[爸妈哥姐弟妹])|(?:推荐|介绍)(?:来|过来|的|我)"
)
# Openings after which the subject is the speaker again.
FRESH = re.compile(
    r"(?:等(?:他|她|它|孩子|娃|小孩|宝宝|全家|家里?人|老公|老婆|小的)|现在(?:得|要|只|我)|所以|只好|只得"
    r"|于是|我就|以后|今后|往后|请|麻烦|帮我|给我|叫我|喊我|我|咱|俺"
    r"|本人|自己|i\b|i'|my\b|im\b)"
)
# 你上次说你喜欢安静: of the assistant, and no request to it.
OF_YOU = re.compile(
    "(?:你|您).{0,4}(?:说(?!话|得|的|那|这么|太|一大|一堆|点|细|短|慢|重|直|人话|来说去|了一)|喜欢"
    "|是(?!不是)|觉得|打坐|冥想|有没有|会不会|叫什么|提到|建议|推荐|讲过"
    "|教|为什么|也|信|多大|几岁)"
)
# Someone who is not family: what follows says nothing of the speaker's own people or animals.
THIRD = re.compile(
    rf"{_LEAD}(?:我|他|她)?的? ?(?:roommate|flatmate|friend|boss|colleague|neighbou?r|classmate|coach"
    rf"|teacher|supervisor)|{_LEAD}(?:(?:我|咱)(?:们)?(?:的|家)?)?(?:一?个|一?位|那个|这个"
    rf"|有个)?(?:{_PEOPLE}|隔壁|邻家)|{_EN_LEAD}(?:he|she|they|someone|people|everyone)\b"
    rf"|{_EN_LEAD}(?:my|a|the|his|her|their|our) (?:[a-z]+ )?(?:friend|colleague|boss|teacher|neighbou?r"
    r"|roommate|flatmate|classmate|coach|doctor|monk|nun)"
)
# A clause without a subject that can only be I's: Run a shop in Ennis; off the fags since May.
_LEAVES_OUT_I = re.compile(
    r"(?:(?:still|just|also|mostly|usually|always|normally|generally|sometimes|only|currently|recently|now"
    r"|never|mainly|often|then|and|so|have) )*"
    r"(?:run|own|live|work|sit|smoke|drink|vape|eat|have|love|hate|like|prefer|sleep|wake|get up|meditate"
    r"|practi[cs]e|chant|drive|swim|cycle|jog|walk"
    r"|teach|study|keep|use|suffer|struggle|can't|cannot|don't|haven't|didn't|used to|quit|gave|stopped"
    r"|started|moved|switched|swapped|went|took|tried|got"
    r"|been|lost|began|retired|turned|hit|had|went|broke|find|found|follow|believe|want|need|hope|plan|aim"
    r"|grew|belong|go(?: to bed)?)(?![a-z'])"
)
_LEAVES_OUT_AM = re.compile(
    r"(?:(?:still|just|also|mostly|currently|now|never|mainly|basically|actually|already|not|no longer"
    r"|very|pretty|quite|fairly|totally|completely|strictly) )*"
    r"(?:off|on|in|from|dry|sober|clean|vegan|vegetarian|veggie|pescatarian|retired|based|born|allergic"
    r"|diabetic|coeliac|celiac|lactose|gluten|single|married"
    r"|pregnant|unemployed|teetotal|buddhist|christian|catholic|muslim|hindu|jewish|atheist|agnostic|an?"
    r"|up (?:at|by|before)|asleep|awake|down to|back|new to"
    r"|living|working|doing|trying|hoping|planning|sitting|meditating|practi[cs]ing|using|drinking|smoking"
    r"|vaping|eating|sleeping|studying|teaching|running|reading"
    r"|struggling|suffering|getting|having|thinking|learning|following)(?![a-z'])"
)


def left_out(text: str) -> str:
    """The subject that a folded English clause leaves out: "i ", "i'm " or ""."""
    if not text.isascii():
        return ""
    return "i " if _LEAVES_OUT_I.match(text) else "i'm " if _LEAVES_OUT_AM.match(text) else ""


MYSELF = re.compile(r"我|咱|俺|本人|自己|(?<![a-z])(?:i|my|me|we|our|im|mine|myself)(?![a-z])")
# Others of whom a story tells.
THEM = re.compile("[他她它]|从前|有个人|有一[天个位]|人们|古时|传说|据说|相传")
