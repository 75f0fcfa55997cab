"""What around a length, a time of day or a frequency says what it measures: a sitting, a wait, a change."""

import re

# Around a length: it measures something else than how long one sits.
OTHER_LENGTH_BEFORE = re.compile(
    "(?:第|早了?|晚了?|迟|提前|推迟|等了?|隔|每隔|坐不到|坐不了|坐不满|坐不上|坐不住|撑不到|撑不过|熬不过"
    "|坚持不到|坚持不了|不满|不足|还有|还剩|剩|过了|睡了?|走了?|开车|才睡|不到.{0,2}就|以前|小于"
    "|(?:电脑|屏幕|办公桌|桌|方向盘)(?:前面?|旁|后面?)|坐了|no more |minute|mile|breaths?|beats?|words?"
    "|within|after|before|in|(?<!i.m )(?<!i am )(?<!now )(?<!still )at|until|till|around minute|every"
    "|(?:the|these) last|past|took|first|[再又]多?[加坐练][了个]?|多(?:坐|打坐|练|加)了?"
    "|(?<![不多最至])少(?:坐|打坐|练)了?|比.{1,8}[多少长短]了?|加了|增加了|减了|减少了|缩短了"
    "|延长了|another|extra|added|(?<!followed )by|off) ?$"
)
OTHER_LENGTH_AFTER = re.compile(
    "^ ?(?:(?:就|会|才|腿|脚|开始|左右)?(?:就|会|开始)?(?:腿|脚|麻|疼|痛|困|昏|走神)|前(?!后)|后(?!来|面)"
    "|之前|之后|以前|以后|内|以内|(?:的)?时候?(?!间)|就(?:麻|疼|痛|困|腿|走神|想|坐不|开始|受不|散)"
    "|(?:的)?路|车程|一次|一班|ago|later|earlier|longer|more|less|shorter|off|in,|walk|drive|away)"
)
# 能坐四十五了: of sitting, a round number is one of minutes.
BARE_MINUTES = re.compile(
    r"(?:坐|打坐|静坐|冥想)(?:到|个|满|够|上)*(?P<n>\d?[1-9][05]|[二三四五六七八九]?十五?|一百二?)(?=$|了"
    r"|,|左右|吧|啊|才|就好)"
)
NEGATED = re.compile(
    "(?:不|没有?|别|从不|从来不|甭|无法)(?:再|想|去|在|怎么|会|能|爱|是)?(?:打坐|坐(?!不)|冥想|静坐|起"
    "|睡)|(?:not|never|don.?t|doesn.?t|didn.?t|stopped) (?:\\w+ ){0,2}?(?:sit|meditat|wake|get up|sleep)"
    "|不(?:坐|睡|起)了|没起|失眠|坐不(?:住|了|下去)"
    "|不(?:太|怎么|大|是很)?(?:适合|合适|习惯|行|舒服|适应)(?:我|了|的|啊|呢)*$"
    "|(?:doesn.?t|does not|didn.?t) (?:suit|work for) me|(?:isn.?t|not) for me$"
)
NOT_BEFORE = re.compile("(?:不到|没到|不过).{1,7}不(?:睡|起|上床|合眼|打坐|坐)")  # 不到一点不睡
DAILY = re.compile("每天|每日|一天|a day|per day|every day|daily")
PER_SITTING = re.compile(
    "一天|一次|每次|每回|一坐|一般|通常|usually|normally"
    "|(?:cut|trim|extend|bump|drop|change|switch) ?(?:到|成|为)"
    "|(?:加|增|减|增加|减少|缩短|延长|提高|升|降|调|缩|改)(?:到|成|为)|a day|per day|each time|up to"
    "|down to|each sit"
)
# don't get up till 7: negated, and yet the time of it
NOT_TILL = re.compile(
    r"(?<![a-z])(?:don't|do not|never|not|can't|rarely|doesn't)(?: \w+){0,3}? (?:get up|wake(?: up)?|rise"
    r"|surface|sleep|fall asleep|in bed|to bed|asleep|turn in)"
    r"(?: \w+)? (?:till|until|before)(?![a-z])"
)
UNTIL = re.compile("(?:练到|till|until|no more|不再|than) ?$")
# 六点起来打坐: the time of getting up is the time of sitting too.
UP_AND_SIT = re.compile(
    "(?:起床|起来|醒来|起)(?:以?后|之后|就|先|再|了|,)?(?:就|先)?(?:去)?(?:打坐|静坐|冥想"
    "|坐(?!车|地铁|公交))|(?:get|got|wake) up (?:at \\S+ )?(?:to|and) (?:sit|meditate)"
)
MOVED = re.compile(
    "(?:从|由|from).{0,14}(?:到|至|成|to)|(?:moved|shifted|switched|changed|pushed"
    "|slipped)(?: [a-z]+){0,2} to "
)
# What one does every day is not named again when it changes: I've cut it to 15 minutes, I do it after dinner instead.
IT = "(?:it|them|that|this|things|mine|back|down|up|my (?:sits?|sessions?|practice))"
CHANGED_IT = re.compile(
    r"(?<![a-z])(?:cut|trim\w*|short\w*|reduc\w*|dropp?\w*|slash\w*|lower\w*|rais\w*|extend\w*|stretch\w*"
    r"|bump\w*|increas\w*|upp?ed|scal\w*|gone|went|mov\w*|shift\w*|switch\w*|chang\w*|push\w*|doing|do"
    r"|did)"
    rf"(?: {IT})*(?: (?:to|at|in the|around|about|from [a-z0-9 ]{{2,24}}? to|for))*(?: only| just| a)* ?$"
)
NOT_IT = re.compile(
    r"(?<![a-z])(?:exercis|dishes|laundry|homework|commute|lunch|screen|phone|coffee|meeting|shift|class"
    r"|call|dose|pills?)"
)
UNDONE = re.compile(
    "(?:坐|打坐|冥想|静坐|睡|起)(?:了|完|过)(?!$|.{0,4}(?:以后|都))|(?:晚|早)了|起晚|睡过头|没睡|通宵"
    "|(?<![a-z])(?:sat|meditated|woke|slept|got up)(?![a-z])"
)
STILL_GOOD = re.compile(
    "每|天天|一般|通常|平时|平常|都|总|习惯|现在|最近|目前|加到|增加到|改|换|调|挪|了现在|日|every"
    "|usually|always|now|daily|these days"
)


MEASURE_WORDS = re.compile(
    "挤出|抽出|抠出|匀出|腾出|只能|只够|勉强|凑合|最少|起码|硬撑|我|咱|具体|准确|现在|目前|最近|如今|一般"
    "|通常|平时|已经|已|都|就|只|还|还是|能|可以|大概|大约|差不多"
    "|左右|一天|一次|每次|一坐|加到|加了|增加到|延长到|提高到|缩到|减到|减少到|减到|降到|涨到|缩成|加成"
    "|坐满|坐够|坐到|能坐|顶多|最多|至少|起码|缩短到|增到|体力差|太忙|太累|没时间|调到|升到|改成|改为"
    "|换成|是|到|了|啦|吧|哈|的|每回"
    r"|\beach\b|\bevery\b|\band \d{1,2}$|(?<=evening) \d{1,2}$|(?<=morning) \d{1,2}$|(?<=night) \d{1,2}$"
    r"|up to|(?<![a-z])up(?![a-z])|\bto\b|a day|per day|each time|now|\bi'?m\b|\bim\b|\bi\b|\bdoing\b"
    r"|\bdo\b|\bat\b|\bok\b|\bso\b|\blol\b|\bstill\b|\busually\b|\bnormally\b|\bbeen\b|\bcutting\b"
    r"|\bbumped\b|\bupped\b|\bit\b|\braised\b|\bextended\b|\bdropped\b|\bcut\b|\bgone\b|\bwent\b|\bfrom\b"
    r"|\bmy\b|\bsits?\b|\bback\b|\bthese days\b|\blately\b|\bi've\b|\bve\b|\bonly\b|\bfor me\b|\bcut\b"
    r"|\babout\b|\bdown to\b|\bincreased\b|\bit'?s\b|\byep\b|\bjust\b|\bright\b|\bbe\b|\bprecise\b"
    r"|\bexact(?:ly)?\b|\bspecifically\b|\btoo\b|\balso\b|\band\b|\bminutes?\b|\bsharp\b|\bon the dot\b"
    r"|\bcloser\b|\bmight\b|\bmay\b|\bcould\b|\bmaybe\b|\bperhaps\b|\bprobably\b|\bbut\b|\baround\b"
    r"|\bsomething\b|\bnearer\b|\bmore like\b|\breally\b|\bwell\b|\bactually\b|\binstead\b|\bmake that\b"
    r"|\bmake it\b|\bas of\b|\bhave\b|\bsay\b|\bokay\b|\byeah\b|\byes\b|\bby\b|\bthen\b|\blike\b"
    r"|\bof late\b|\bdone\b|\bsince (?:lockdown|covid|then|\d{4}|last \w+|january|february|march|april|may"
    r"|june|july|august|september|october|november|december)\b"
    r"|\bsolid\b|\bmanag\w+\b|\bgetting\b|\bget\b|\bnowadays\b|\btbh\b|\bhonestly\b|\bweekdays\b|\bfull\b"
    r"|\bwhole\b|\bgood\b|\bhappy with\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bfit in\b"
    r"|\bsqueeze in\b|\bput in\b|\bsitting\b|\bat dawn\b"
    r"|\bon average\b|其实|应该|平均|嗯|哦|对|那|要|这阵子|这段时间|近来|近期|更接近|更|比较|接近|偏"
    r"|大概是|差不多是|也|坐|顶天|吧|嘛|哈"
)


# A clause without an activity goes on about the last one where it says little else: so many letters besides.
