"""Then, now, only now and from now on."""

import re

LASTING = re.compile(
    "以后|今后|往后|从今|从此|之后都|一直|每次都?|永远|一律|始终|长期|from now on|going forward|always"
    "|every time|in future|in the future|permanently"
)
ONLY_NOW = re.compile(
    "(?:这|本)个?(?:周|星期|礼拜|月)(?=.{0,4}(?:出差|在外|旅游|出门|考试|生病|感冒|发烧|住院|加班|放假|特别忙|太忙))|"
    "这[次回](?!说(?:啥|什么)也|一定要|非|铁了心|是?认真|豁出去|下决心|无论如何|是?真)(?!来真|是真|真的"
    "|真|是认真)|这一次|本次|此次|就今天|今天(?!起(?![晚得不迟床])|开始|是我|第|正式|重新|才)"
    "|今儿|今晚(?!起)|今早(?!起)|暂时|先(?:简|详|短|直|说|用|别|不(?!管)|放(?!放|下|一|着)|给|叫|来|换"
    "|坐(?!.{0,6}(?:分|小时|钟)))|这(?:个|道)问题|这(?:一)?题|这(?:一)?段"
    "|这(?:一)?(?:条|篇|轮|遭|趟|把|单|场)(?!件)|这(?:一)?句|破例|临时|眼下先"
    "|这两天|这几天|这会儿|目前先|此刻|下一?条"
    r"|\b(?:just )?(?:this|for) (?:once|time|one|now|today|tonight|question|answer|the weekend|the week)\b"
    r"|\btoday\b(?! is day)|\btonight\b|\bthis (?:conversation|chat|session|weekend)\b"
    r"|\bfor the (?:moment|weekend)\b|\bright now,"
)
ONLY_NOW_TAG = re.compile(
    "(?:就|只|仅)?(?:有|限|是|用)?(?:这|今)(?:一)?(?:次|回|天|晚)(?!来真|是真|认真|真)(?:而已|就行|就好"
    "|就够|喔|哦)?|只有今[天晚]|说完就恢复|明天照旧|明天恢复|下次再|这次聊天"
    "|just (?:this|for) (?:once|today|now|tonight|this)"
    "|just (?:that|the|this)(?: last| next)? (?:bit|part|one|answer|section|paragraph|question)"
    "|only (?:for )?(?:this|today|tonight|now)"
)
NOW = re.compile(
    "现在|现阶段|当前|如今|目前|眼下|而今|当下|这阵子|最近|近来|已经|已|早就|没再|再没|再也[没不]|[^前来]后来(?:就|都)"
    "|these days|nowadays|now\\b|currently|at the moment|again|anymore|any more"
)
PAST = re.compile(
    "以前(?!是不|有没|.{0,3}(?:说|讲|告诉|跟你|提))|从前|(?<![睡晕昏熬挺拖撑挨走跑飘滑])过去(?!就|的)"
    "|曾经|曾(?!孙)|小时候|小学时|中学时"
    "|(?:大学|高中|初中|中学|小学|当兵|部队|插队|留学|实习)[^,]{0,5}(?:的时候|那会|时期|期间|那阵|那时)"
    "|高中(?:时|那|的时候)|大学(?:的)?时|上学(?:时|那|的时候|期间)|念书(?:时|那|的时候)|念大学"
    "|读书(?:那|时)|年轻(?:的)?(?:时|那)|(?<![点半刻分晚早饭上午钟前后])那(?:时|会儿|阵子?|几年"
    "|[一二两三四五六七八九十]年|年(?!轻)|段(?:时间|日子))|疫情(?:时|期间|那)|当年|当时"
    "|刚开始(?:练|学|打坐|坐|修|接触)?(?:的)?(?:时候?|那会|那阵)|初学(?:的)?(?:时|那|阶段)|入门(?:那|时)"
    "|(?:毕业|工作|参加工作|刚来|结婚)(?:后|以后|之后)?(?:的)?(?:头|前|那"
    "|最初)[一二两三四五六几\\d]+(?:年|个月)|(?:退休|退下来|结婚|婚|生病|怀孕|辞职|离职|转行|毕业|出家"
    "|皈依)(?:以|之)?前(?!夕)|(?:第|上|前|头)一?(?:份|个)(?:工作|单位|公司|东家)"
    "|(?<!正)(?<!在)(?:当|做|干|教|开|住|待|呆|跑|卖)过(?!敏|来|去|分|度|头|夜|年|节|瘾|火|得"
    "|手术|检查|体检|核磁|治疗|化疗)|起初|最初"
    "|(?<!周)(?<!星期)(?<!礼拜)一开始(?!就是)|当初|早年|早些年|早几年|往年|原先|原来(?!如此|是)"
    "|(?<![点天月年周号日睡饭班觉坐课半钟时刻岁底])之前(?!说|我说|提|你|让|跟|的建议|的设定|要求|那)|前些年"
    "|前几年|没戒之前|\\d{2,4}年(?:前|的时候|那会)|\\d{2,4}年?(?:到|至|-|~|—)\\d{2,4}年(?!至今|到现在)"
    r"|\bused to\b|\bin the past\b|\bback (?:then|when)\b"
    r"|\bback in (?:\d|the (?:days?|\w+ties|old|early|late|spring|summer|autumn|winter|\d)"
    r"|my (?:teens|twenties|thirties|forties|youth"
    r"|student|school|uni|college|single|drinking|smoking|day)|school|college|uni"
    r"|(?:jan|feb|mar|apr|may|june|july|aug|sep|oct|nov|dec)\w*)"
    r"|\bas a (?:kid|child|student|teenager)\b"
    r"|\bwhen i was\b|\bin (?:college|uni|university|school|high school)\b|\bformerly\b|\bpreviously\b"
    r"|\bgrowing up\b|\bonce upon\b|\bat the time\b|\bbefore that\b|\bi was an? (?!bit|little|lot)"
    r"|\bin my (?:teens|twenties|thirties|youth)\b"
)
# What comes after the past is over: 以前抽烟，后来戒了.
THEN = re.compile("(?:再?后来|然后|之后|结果|最后|then |later |since then |eventually )")
SINCE = re.compile(
    r"从.{1,14}(?:起|开始|到现在|至今|以来)|开始|以来|至今|到现在|就(?:没|不)|了$|戒|since|started"
    r"|ever since|starting|from"
)
EVENT = re.compile(
    "昨|前天|大前天|上(?:周|个?星期|个?月|次|回)|刚(?!开始|入门|学|退休|搬|接触|好|满|辞|戒|换|刚好)|刚才"
    "|今早|今天(?!起(?![晚得不迟床])|开始|是|第)|今儿|今晚|今晨|早上(?=没|坐了(?!$)|起来晚)|有(?:一)?(?:次|天|回)"
    "|那(?:天|次|回)|第一次|(?:坐|跑|站|睡|练)完|(?:周末|周[一二三四五六日])(?=去了|坐了)"
    r"|\byesterday\b|\blast (?:night|week|month|time|monday|tuesday|wednesday|thursday|friday|saturday"
    r"|sunday)\b|\bthis (?:morning|evening|afternoon)\b|\btoday\b|\btonight\b"
    r"|\bjust (?:did|sat|finished|meditated|had|got)\b|\bone (?:day|time)\b|\bonce\b(?! a| every| per)"
    r"|\bago\b"
)
HABIT = re.compile(
    "每|天天|一般|通常|平时|平常|总|老(?=是)|都(?!怪)|经常|常常|习惯|固定|一直|从来|every|always|usually"
    "|normally|daily|regularly|tend to|keep"
)
# Something has changed at the time named, and still holds: 去年戒的, moved in May.
TURNED = re.compile(
    "(?:没了|去世了?|过世了?|离世了?|走了|送人了?|送走了|死了|丢了)(?=$|,)"
    "|(?<=[天日月年周号])起(?!床|来|身|得|步)|戒|改|生日|出生|生于|搬|退休|辞职|离职|转行|改行|换|开始"
    "|皈依|归依|受戒|受洗|结婚|离婚|毕业|生了"
    "|入门|查出|确诊|诊断|(?<![坐睡跑站做吃喝走撑])得了|停了|断了|恢复|起就|以来|至今|到现在"
    r"|\b(?:quit|stopped|moved|retired|started|switched|changed|gave up|became|joined|married|graduated"
    r"|resumed|relocated|took up|began|dropped|paused|since|born|birthday|adopted|converted|went|turned"
    r"|diagnosed|been|gone)\b"
)
# Of these only 今天 with a lasting turn after it is more than today's: 今天腿抽筋，改坐椅子 is not.
LASTING_TURN = re.compile(TURNED.pattern.replace("|改|", "|").replace("|换|", "|"))
# Words of a time that is over; a bare 冬天 or 五月 comes every year.
GONE_BY = re.compile(
    "去|[大前]|上|\\d{4}|[零〇一二三四五六七八九]{4}年|年[初中底末]|[Ll]ast|[Aa]go|previous|(?:19|20)\\d\\d"
)
