"""The words that tell one voice from another: who speaks of whom, asking, supposing, doubting, then and now."""

import re

_KIN = (
    "老婆|妻子|太太|媳妇|老公|丈夫|先生|爱人|女儿|儿子|闺女|孩子|小孩|宝宝|爸爸?|妈妈?|父亲|母亲|父母|阿[嬷公妈爸嫲婆伯叔姨姑]|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥?|弟弟?|姐姐?|妹妹?"
    "|公公|公婆|婆婆|丈母娘|老丈人|连襟|大姨子|小舅子|大伯子|小叔|小姑|大姑|外婆家|侄媳|干儿子|干女儿|继父|继母|养父|养母|岳父|岳母|孙子|孙女|侄子|侄女|外甥女?|舅舅?|阿?姨妈?|姑姑?|叔叔?|伯伯?|嫂子|姐夫|妹夫|女婿|儿媳|表[哥姐弟妹]|堂[哥姐弟妹]|家人|家里人|老爸|老妈|爹|娘"
)
_PEOPLE = (
    "(?:女|男)?朋友|好友|闺蜜|哥们儿?|兄弟|同事|同学|室友|舍友|师父|师傅|上师|师兄|师姐|师弟|师妹|师叔|老师|导师|教练|老板|领导|上司|经理|客户|邻居|博主|网友|群友|群里|群主|班?主任|班长|组长|站长|义工|居士们|楼主"
    "|道友|同修|善知识|师太|法师|禅师|道长|住持|方丈|和尚|高僧|祖师|大师|古人|前人|佛陀|佛祖|医生|大夫|专家|主播|对象|前任|作者|弟子|学员|学生|主角|男主|女主|角色|房东|司机|队友|搭子|粉丝|明星|名人"
    "|居士(?=一天|每|说|念|讲)|香客|信众|老太太|老爷子|大爷|大妈|小伙子?|小姐姐|店家|卖家|买家|同桌|发小|邻桌|学长|学姐|学弟|学妹|师哥|亲戚|大舅|小姨|姑父|姨夫|妯娌|小叔子|小姑子|亲家|干妈|干爹|保姆|快递员|外卖小哥|店员|前夫|前妻|前?男友|前?女友|战友|老乡|同乡|病友|网红|up主|主持人|嘉宾|歌手|作家|诗人|研究(?=表明|显示|发现|指出|说)|数据显示|统计|据|调查|报道|媒体|科学家|心理学家|很多人|有些人|有人(?!带|引导|领)|有的人|别人|人家|大家(?!好)|某人|旁人|他人|一般人|普通人|年轻人|老人家?|大伙儿?|所有人|用户|使用者|他们|她们|他|她|它们?|书上|书里|经上|经里|经书|歌词|视频|帖子|文章|网上|新闻|电影|小说|听说|据说|俗话|老话|常言"
)
# What may stand before such a word: 我健身教练, 我大学同学.
_WHOSE = "(?:健身|瑜伽|太极|游泳|钢琴|古琴|书法|大学|高中|初中|小学|中学|公司|单位|部门|隔壁|楼[上下]|村里?|班上?|群里?|寺里?|庙里?|道场|直属|顶头|以前|之前|原来|最好|一起|合租|亲|表|堂|前|新|老|大|小)的?"
_SURNAME = "[李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊陆郝孔崔康毛邱秦江顾侯邵孟龙段雷钱汤尹黎易乔贺赖龚]"
_NETWORKS = "抖音|小红书|微博|知乎|快手|b站|朋友圈|公众号|论坛|贴吧|直播间"
_ZH = "\u4e00-\u9fff"
_LEAD = "(?:(?:那个?|这|嗯+|哦+|啊|哎|诶|唉|呃|对了?|其实|说实话|话说|而且|但是?|不过|可是|因为|所以|然后|还有|另外|后来|昨天|今天|前天|最近|刚才|刚刚?|上次|上周|去年|以前|现在|早上|晚上|记得|看到?了?|发现|觉得|感觉|羡慕|听|连|就连|倒是|不像|和|跟|我看|我听|我觉得|我发现) ?)*"
_EN_LEAD = r"(?:(?:and|but|so|well|also|oh|btw|because|yesterday|today|then|now|apparently|even|hey|fyi),? )*"
_EN_PEOPLE = (
    r"friends?|students?|clients?|patients?|pupils?|abbots?|priests?|pastors?|lamas?|swamis?|yogis?|landlords?|managers?|nephews?|nieces?|heroes|hero|heroine|protagonist|narrator|hermit|novelist|dentist|physio|lawyer|roommates?|colleagues?|coworkers?|boss|teacher|master|guru|monk|nun|doctor|gp|therapist|neighbou?rs?|brother|sister|mother|mom|mum|father|dad|wife|husband|partner|girlfriend"
    r"|boyfriend|son|daughter|kids?|children|parents?|uncle|aunt|cousin|grandma|grandmother|grandpa|grandfather|ex|flatmate|classmate|instructor|coach|guy|girl|man|woman|person|people|buddy|mate|in-laws?|family|baby|team|book|article|video|podcast|study|author|buddha|someone|somebody|everyone|everybody"
)
# Own nouns that may stand after 我/my without making the clause about someone else are all that are not people.
OTHER = re.compile(
    rf"{_LEAD}(?:(?:寺|庙|道场|村|班|群|公司|单位|学校|小区|楼|院|山|店|厂|组|办公室|宿舍)(?:里|上|下)?的?)?(?:(?:我|咱|俺)(?:们)?(?:的|家|们家)?|你)?(?:{_WHOSE})?(?:有|认识|看见|见过)?(?:高中|初中|小学|大学|以前的?|从前的?|单位(?:里)?的?|公司(?:里)?的?|班上的?|部门的?|寺里的?|健身房的?|村里的?|老家的?|新来的|家的?)?(?:一?个|一?位|几个|些|那个|这个|那位|一群|俩)?[小老大二三]?(?:{_KIN}|{_PEOPLE})(?!是?我(?:自己)?$|的时候)"
    rf"|{_LEAD}(?:隔壁|楼上|楼下|对门)|{_LEAD}(?!我|咱|俺|你|听)(?![^说劝嫌]{{0,6}}[我你请])[{_ZH}]{{1,6}}?(?:阿姨|大爷|大妈|大叔|大姐|大哥|老师|医生|师父|总|哥|姐)?(?:(?<!应该)(?<!具体)(?<!准确)(?<!确切)(?<!严格)(?<!坦白)(?<!总的)(?<!一般)(?<!按理)(?<!老实)(?<!简单)(?<!上次)(?<!前面)(?<!上面)(?<!早先)(?<!那句)(?<!那条)(?<!之前)(?<!刚才)(?<!刚刚)(?<!再)(?<!或者)(?<!比如)(?<!听)(?<!话)(?<!来)(?<!别)(?<![小传学演解游是只多直就都想请要没不会得先细好敢能对有这那么样头便着续新按常总老乱瞎胡在跟照后])(?<!直接)(?<!可以)(?<!慢慢)(?<!说)说(?!说|成|实|明(?![天早晚年])|起|白|来|真|到|不|错|的|法)|告诉(?!我)|劝|嫌|老是说|总说)"
    rf"|{_EN_LEAD}(?:(?:my|our|the|this|that|his|her|their|one of my) )(?:[a-z]+ ){{0,2}}?(?:{_EN_PEOPLE})\b"
    rf"|{_EN_LEAD}(?:a|an|some|one|most|many) (?:[a-z]+ ){{0,2}}?(?:{_EN_PEOPLE})(?: (?:at|from|in|on|of)(?: my| the| our| a)? [a-z]+)? (?:who|that|says?|said|told|is|was|has|had|does|did|swears|[a-z]+(?:ed|s))\b"
    rf"|{_EN_LEAD}(?:he|she|they|someone|somebody|everyone|everybody|people|most people|others|it says)(?:'s|'re|'ve|'d|'ll)?\b"
    rf"|我 ?(?:{_EN_PEOPLE})(?![a-z])"
    # 同组的小李, 抖音上那个医生, 我们车间主任, 张叔
    rf"|{_LEAD}(?:(?:[同本我咱]们?[组科班屋寝校寺院村厂桌]|隔壁[组班科村]?|{_NETWORKS})(?:里|上)?的?|我们?|咱们?)?(?:一?个|一?位|那个|这个|那位)?(?:[小老阿]{_SURNAME}(?!家|子|师|板|人|公|婆)|{_SURNAME}(?:叔|姨|婶|伯|哥|姐|总|工|爷|大爷|大妈|阿姨|师傅|师父|老师|医生|主任|经理|局|处))(?!是?我|这个名|叫)"
    rf"|{_LEAD}(?:刷到|看到|听到|碰到|遇到|见到|认识)(?:了|过)?(?:一?个|一?位|有个|好多|不少)"
    rf"|{_LEAD}(?:{_NETWORKS})(?:里|上)?的?(?:有)?(?:一?个|一?位|那个|这个|那位|人|好多|不少)"
    rf"|{_LEAD}(?:我们?|咱们?)(?:车间|组里?|科室?|部门|单位|公司|班|寺|小区|村|厂|店|院)里?的?(?:主任|组长|科长|处长|厂长|店长|院长|馆主|馆长|校长|村长|师傅|大姐|大哥|阿姨|那位|那个|有个|几个)"
    rf"|{_LEAD}(?:我|咱)?(?:的)?(?:大|小|老|女|男)?(?:徒弟|徒儿|学徒|病人|来访者|租客|房客|护工|月嫂)"
    # the verbs of people, in the third person
    rf"|{_EN_LEAD}(?!(?:i|my|our|we|it|this|that|what|which|there|music|silence)\b)(?!.*\b(?:i|me|my|mine|we|our)\b)(?:the )?[a-z']+(?: [a-z0-9']+){{0,8}}? (?:wakes|gets up|sits|meditates|practi[cs]es|eats|drinks|smokes|lives|sleeps|teaches|chants|prays|goes to|believes|thinks|swears by)\b"
    # people in general, and what is said of them
    rf"|{_EN_LEAD}(?:according to|studies|stud(?:y|ies) shows?|research(?:ers)?|science says|scientists?|experts?|statistics|surveys?|legend has it|tradition says)\b"
    rf"|{_EN_LEAD}(?:(?:\d+|one|two|three|nine) (?:in|out of|of) (?:\d+|every|three|four|five|ten)|\d+ ?(?:%|percent)(?: of)?|half of|(?:nearly |almost |about )?all|most|many|some|few|young|old|older|real|serious|advanced|experienced)? ?"
    r"(?:adults|americans|men|women|teenagers|seniors|users|beginners|newcomers|students|monks|nuns|monastics|lamas|masters|practitioners|meditators|yogis|vegans|vegetarians|smokers|drinkers|buddhists|christians|nurses|doctors|teachers|athletes|celebrities|ceos)(?= (?:[a-z]+ ){0,2}?(?:do|don't|are|aren't|have|can|can't|sit|get|wake|eat|drink|smoke|meditate|practi[cs]e|sleep|should|say|report|live|go|use|prefer|like|who|tend|usually|often|never|always)\b)"
)
# Said by another, but of the speaker.
ABOUT_ME = re.compile(r"(?:医生|大夫|医院|体检|检查|老师|师父|朋友|同事|他们|她|他|家人|老婆|老公)(?:都|又|还|也|报告|结果)*(?:说|诊断|查出|认为|讲)(?:我|是|有|这是|属于|出)|(?:朋友|同事|同学|大家|家人|家里人?|人家|他们|别人|邻居|学生|徒弟|孩子|网友|道友|师兄弟|熟人|工友|老乡)(?:们)?(?:都|平时|一般|习惯|总|也|现在|以前)*(?:叫|喊|称呼|唤|管)(?:我|俺)|(?:医生|大夫|医院|体检|检查)(?:说|诊断|查出|讲|告诉我)(?!他|她|自己)|(?:doctor|gp|therapist) (?:says?|said|told me|diagnosed me|thinks)(?: that)? ?i?|(?:everyone|everybody|people|folks|friends|they|mates|kids|colleagues) (?:just |all |usually |always )*calls? me\b")
YOU = re.compile(rf"{_LEAD}(?:请|麻烦|拜托|希望|要|想|让)?(?:你|您|咱俩)(?!好|们好|看我|说我|觉得我|知道我|猜我|别记)|{_EN_LEAD}(?:(?:can|could|would|will) )?(?:you|your)\b|{_EN_LEAD}(?:please )?(?:outline|write|draft|compose|invent|plot|make up|come up with|imagine|describe) (?:me )?(?:an?|the|some|two|three) ")
ME = re.compile(rf"{_LEAD}(?:我|咱|俺|本人|自己|在下|小弟|吾)|{_EN_LEAD}(?:i|i'm|i've|i'd|i'll|im|ive|my|me|we|we're|we've|our|mine|myself)\b")
# 医生让我别盘了，现在坐椅子: what follows is the speaker's.
TO_ME = re.compile("(?:让|叫|劝|建议|要求|嘱咐|允许|不许|逼|催|骂|嫌|夸|教|陪|送|给|送了|带|拉|约)我|(?:推荐|介绍)(?:来|过来|的|我)")
# Openings after which the subject is the speaker again.
FRESH = re.compile(r"(?:现在(?:得|要|只|我)|所以|只好|只得|于是|我就|以后|今后|往后|请|麻烦|帮我|给我|叫我|喊我|我|咱|俺|本人|自己|i\b|i'|my\b|im\b)")

_ZH_ASK = (
    "(?:什么(?!都|也|事都|的|[^,。]{1,3}(?:都|也)(?:不|没|别|放|听|行|可以|吃|信))|(?<!没)啥(?!也|都|事)|怎么(?!也|都|说|坐都|说呢)|怎样|怎麼|咋(?!说|就)|如何(?!都)|为什么|为何|为啥|几点|几次(?!三番)|(?<![这那好前近十过头后隔])几(?:个|天|岁|遍|分钟|多|年)(?!没)|多少|多久|多长|多大|哪天(?=$|来着|呀|啊)|哪(?!怕|都|也|天|儿都)|谁(?!都|也|知道|让|叫)"
    "|是不是|有没有|有无|能不能|要不要(?!钱)|可不可以|该不该|好不好|对不对|会不会|行不行|算不算|需不需要|需要不需要|用不用|合不合适|是否|能否|可否|还是.{1,12}(?:好|合适|强|对|比较.{1,3})[呀啊呢]?$|(?:到底|该|应该|选|要).{0,12}还是.{1,12}|^(?!.*(?:了还是|我|自己|平时|现在|一般|都|就|也|每|最近|老样子|一样|不|没))(?!(?:打坐|静坐|冥想|禅修|坐|声音|音乐|背景音|姿势|回答|以后|今后|往后|算了)(?:的?时候?|时|里)?还是(?:要|放|用|听|来|选|喜欢|习惯|得|想|别|不|换|改|静|安静|简|详)).{1,7}还是.{1,7}(?<!吧)$|哪个|点样|点解|几多|边个|乜嘢?)"
)
_ZH_ASK_END = "(?:吗(?!啡)(?=$|还是|,| )|(?:吗嘛(?<=能嘛)|么(?<![什怎这那多要])|呢(?<=[么样谁里啥]呢)|不(?<=[能行对好会是得坐以修练]不)|没(?<=[有了过]没)|没有(?<=[过了]没有))[啊呀呐的哈]?$)"
_EN_ASK = (
    r"^(?:and |so |but |hey |hi |ok |please )*(?:what(?! i (?:want|need|like|do|love|prefer|practi[cs]e))|when(?! i\b)|where|who|whose|why|how|which|should i|can i|could i|can you (?:explain|tell|recommend|suggest|give)|could you (?:explain|tell|recommend|suggest)|do i|do you|did i|did you|does|is it|is there|is the|is my|are there|are you|am i|"
    r"would|will it|has|have you|is that|any (?:tips|advice|fix|ideas?|suggestions?|help|thoughts|way)|any (?:\w+ )?to|got any)\b|\bwhat should i\b|\bhow (?:do|can|should) i\b"
)
_ASK = re.compile(f"{_ZH_ASK}|{_ZH_ASK_END}|{_EN_ASK}|(?:想|请|问|问问|请教|咨询|了解)(?:问|一下|知道)|推荐(?!过|给我|的)|求(?:助|解|教)|请教|(?P<verb>[\u4e00-\u9fff])(?<!动)(?<!时)不(?P=verb)(?!动|时)")
_NOT_ASKING = re.compile("(?:没|不)(?:有)?[信练学做放听吃]什么|不知道(?:为什么|怎么|什么)|没什么|没啥|不怎么|什么都|怎么都|怎么也|谁知道|谁让|几乎|多少有|无论|不管|没多少|不管怎|算什么|怎么说呢|what a |whatever|no matter")


def is_question(text: str) -> bool:
    """Whether a folded clause asks, by its words alone."""
    return bool(_ASK.search(_NOT_ASKING.sub("", text)))


# 你觉得…, 请问…: what follows in the sentence is asked too.
ASKING_ON = re.compile("你(?:觉得|说|看|认为|猜)|请问|想问|问(?:一?下|问)|如果|do you think|i wonder|替.{1,5}问")
HYPOTHETICAL = re.compile(
    "(?<!不)如果|要是|假如|假设|倘若|假使|若(?:是|我|能|每天)|万一|(?:的话)(?:[,。]|$|就)|要不(?!是|要|然)(?!$)|比如说?(?!现在)|譬如|例如|梦见|梦到|做梦|打个比方|除非|哪怕|就算(?!是现)|即使|本来想|原本(?:想|打算)|差点|巴不得|恨不得|真希望|要能"
    r"|^(?:呵呵|切|得了吧|拉倒吧)|我(?:可)?太(?:爱|喜欢|想|享受).{0,12}了$|笑死"
    r"|\boh,? (?:sure|great|joy|brilliant|wonderful|fantastic|yeah)\b|\byeah,? right\b|^as if\b|\bjust (?:love|adore|live for) (?:it when|when|how|sitting|being|having)\b|\bsounds (?:super |so |really |like )?(?:fun|awesome|great|lovely|amazing|cool|interesting|nice)\b|\blet'?s (?:pretend|imagine|say|act)\b|\bpretend\b"
    r"|\bif\b(?! you (?:need|want|reply|answer))|\bsuppose\b|\bsupposing\b|\bimagine\b|\bwhat if\b|\bwould(?:n't)? (?:have|be)\b|\bi wish\b|\bwere i\b|\bfor example\b|\be\.g\."
)
HEDGE = re.compile(
    "可能(?!性)|也许|或许|好像|似乎|貌似|说不定|说不准|没准|搞不好|估计|大概率|应该是|应该有|应该.{0,8}吧|我猜|瞎猜|不太?确定|不一定|不太?清楚|记不清|忘了是|没(?:太)?注意|不知道(?:是不是|算不算|对不对)|考虑(?!到)|还没(?:想好|定|决定)|没想好|看情况|再说吧|随便说说|八成|兴许|大约是"
    r"|\bmaybe\b(?! (?:\d+|two|three|four|five|six|ten) (?:a|per) )|\bperhaps\b|\bprobably\b|\bmight\b|\b(?:i|it|we|that|this|he|she|they) may\b|\bpossibly\b|\bnot (?:really )?sure\b|\bi guess\b|\bi suppose\b|\bseems?\b|\bthinking (?:about|of)\b|\bconsidering\b|\bwho knows\b|\bsome ?day\b|\bdon't know\b|\bi think i(?:'m| am)?\b|\bkind of thinking\b|\bcould be\b|\bleaning (?:towards?|to)\b"
)
UNSURE_TAG = re.compile("(?:说不准|不确定|not certain|不太?确定|记不清|没准|说不好|不好说|谁知道|瞎猜|分不清|还没试过|还没想好|还没定|还在想|没想好|再看看|还在考虑|随便说说|我也不知道|不一定|也有可能|吧$|who knows|not sure|i'm not sure|i don't know|don't quote me|or something|haven't decided)")
LASTING = re.compile("以后|今后|往后|从今|从此|之后都|一直|每次都?|永远|一律|始终|长期|from now on|going forward|always|every time|in future|in the future|permanently")
ONLY_NOW = re.compile(
    "这次(?!来真|是真|真的|真|是认真)|这一次|这回|本次|此次|就今天|今天(?!起|开始|是我|第|正式|重新|才)|今儿|今晚(?!起)|今早(?!起)|暂时|先(?:简|详|短|直|说|用|别|不(?!管)|放(?!放|下|一|着)|给|叫|来|换|坐(?!.{0,6}(?:分|小时|钟)))|这(?:个|道)问题|这(?:一)?题|这(?:一)?段|这(?:一)?句|破例|临时|眼下先|这两天|这几天|这会儿|目前先|此刻|下一?条"
    r"|\b(?:just )?(?:this|for) (?:once|time|one|now|today|tonight|question|answer|the weekend|the week)\b|\btoday\b(?! is day)|\btonight\b|\bthis (?:conversation|chat|session|weekend)\b|\bfor the (?:moment|weekend)\b|\bright now,"
)
ONLY_NOW_TAG = re.compile("(?:就|只|仅)?(?:有|限|是|用)?(?:这|今)(?:一)?(?:次|回|天|晚)(?!来真|是真|认真|真)(?:而已|就行|就好|就够|喔|哦)?|只有今[天晚]|说完就恢复|明天照旧|明天恢复|下次再|这次聊天|just (?:this|for) (?:once|today|now|tonight|this)|just (?:that|the|this)(?: last| next)? (?:bit|part|one|answer|section|paragraph|question)|only (?:for )?(?:this|today|tonight|now)")
PLAN = re.compile(
    "(?<![冥观思妄梦联理幻感设猜回瞑乱])想(?!到|起|不|法|念|象|着|必|东|西|哭|睡(?!够|满|到|前|早))|打算|计划|准备|决定|决心|目标|希望|争取|立志|发愿|发心|立个?flag|要求自己|规定自己|逼自己每|(?:以后|今后|往后)(?:都|每天|每晚)*(?:要|得|必须|争取|保证)(?=.{0,12}(?:睡|起床|早起|关灯|上床))|(?<![不只需主重])要(?=(?:每天|天天|每日|每晚|每早)(?:都|早上|晚上|坚持|至少)*(?:坐|打坐|静坐|冥想|练|站桩|念|抄|读))|要(?:开始|戒|去|在|把|努力|学|读|坚持|养成|做到|达到)|将(?:要|会)|明天|明早|明晚|后天|下周|下个?月|明年|年底"
    r"|\bwant(?:s|ed)? to\b|\bgoing to (?!bed|sleep|work|the|church|school)|\bgonna\b|\bplan(?:ning|s)?\b|\bgoals?\b|\bhope to\b|\bhoping to\b|\baim(?:ing)?\b|\btrying to\b|\bintend\b|\bi'll\b|\bi will\b|\bwould like to\b|\bi'd like to\b|\bdecided to\b|\btomorrow\b|\bnext (?:week|month|year)\b|\btarget\b|\bwhat i want\b|\bsigned up\b|\bbooked\b|\bregistered\b|报名"
)
# Says again, more exactly.
FINER = re.compile("(?:具体|准确|确切|精确|严格|仔细|细)(?:一?点|地|来|些)?(?:是|说|讲|来|,|$)|也就是|就是说|说白了|其实就是|to be (?:exact|precise|specific)|specifically|precisely|more exactly")
CORRECTION = re.compile(
    "(?:哦|啊|噢|喔|欸|唉|哎呀?|呃|额|嗯|诶|咦|靠|晕|汗|抱歉|对不起|不好意思|等等|等一?下|[, ])*(?:不对(?!劲)|[呸啧]+(?=$|,)|(?:说|写|打|讲|记)成[^,。]{1,8}了|(?:写|打)错字|不是(?:不是)?(?=$|[,。 是])|错了|说错|讲错|写错|打错|看错|记错|口误|手滑|更正|纠正|应该(?:说|是)|我是说|(?:准确|确切|具体|精确|严格)(?:一?点|地|来|些)?(?:说|讲)|等等|哦不|啊不|噢不|不,?(?=(?:是)?[0-9一二两三四五六七八九十半]+(?:个)?(?:点|次|分|岁|小时|回|年|月|号))|不(?=$)|(?:sorry|no wait|wait|no(?=$|,)|oops|i mean|actually|correction|scratch that|strike that|make that|typo|my bad)(?![a-z]))(?!要|过敏)"
)
# 这个别记: what the message says besides is not to be kept; said alone, it takes back what was said before.
OFF_RECORD = re.compile(
    "(?:别|不要|不用|不必|无需|甭|勿)(?:再)?(?:记|记住|记录|存|保存)(?:住|下来|下)?(?:这(?:个|条|句|件|段)?(?:事|话)?|以下|下面|接下来的?)(?:$|[,:])"
    r"|\b(?:don't|do not|no need to|please don't) (?:save|store|remember|keep|record) (?:this|it)\b|\boff the record\b"
)
RETRACTION = re.compile(
    "(?:(?<!怕)(?<!会)(?<!别)(?<!没)(?<!没有)(?<!没)(?<!没有)(?<!怕自己在台上)(?:说|讲|打|写|发|记|搞|弄|填)错(?!话|过|字|误|题|人))(?:了|啦|的)?|(?<!没)(?<!没有)(?:打|写)错字|口误|手滑|不算(?:数)?(?=$|,|了|哈|啊|喔|哦|的)|作废|(?:别|不要|不用|甭)(?:再)?(?:记(?!得)|存|保存|记录)|忘(?:掉|记)(?:我|刚|上|前面|之前|那|这|前|吧|$)|忘了吧|(?:请|帮我|把.{1,16})忘(?:掉|了|记)|(?:把|将|帮我|请|那|这|我).{0,14}(?:删(?:掉|了|除)|清(?:掉|除)|去掉)(?!.{0,3}(?:烟|酒|糖|肉))|^(?:删(?:掉|了|除)|清(?:掉|除)|去掉)(?:吧|那|这|我)|^(?:my )?(?:phone|email|address|name|location|job|age|birthday|number) ?(?:给我|帮我|请|先|都)?(?:删|清)(?:掉|了|除)|(?<!别)(?<!不要)(?<!免得)误会|弄混|搞混|撤回|收回(?:前|刚|上)|(?:没有?|从没|哪有|哪里)(?:跟你)?说过|吹牛|开玩笑|逗你|瞎说|瞎编|胡说|骗你的|别当真|不作数|发错|撤(?:了|掉|销)(?=吧|$|,|啦)|当(?:你)?没(?:看见|看到|听见|听到|说)|瞎(?:写|扯|掰|打|填)|(?:替|帮).{1,6}(?:问|打|发|写|查|填)的|(?:不是我|同事|朋友|孩子|家人|别人|他|她).{0,6}(?:账号)?(?:发|打|写)的|^[^,]{1,10}?(?:删掉|删了|删除|清掉|去掉|remove|delete)(?: ?一?下|吧|了)*$|闹着玩|当我没说|取消(?:.{0,6}(?:要求|设置|偏好|说法))"
    r"|\bmisspoke\b|\b(?:scrap|scratch) what i\b|\bscratch that\b|\bstrike that\b|\bnever said\b|\bignore (?:that|what i|my (?:last|previous)|the (?:last|previous)|everything i)\b|\bwrong (?:chat|window|person|thread|tab)\b|\bnot (?:true|me|mine)\b(?=$| that| at all| i was)|\bforget (?:that|what|about|my|the|i)\b|\bdelete (?:my|the|that|what)\b|\bremove (?:my|that)\b|\bi take (?:that|it) back\b|\bjk\b|\b(?:just|only) kidding\b|\bdon't (?:save|store|remember|keep)\b|\bi was wrong about\b|\bwas joking\b|\bnever mind what\b"
)
# The message before as a whole: 上面那句, wrong chat.
WHOLE = re.compile(
    "(?:上面|上一|前面|刚刚?|刚才|那|上|前)的?(?:那|一|几)?(?:句|条|段|些话|番话|几句|个消息|个问题)|发错|(?:替|帮).{1,6}(?:问|打|发|写|查|填)的|(?:不是我|同事|朋友|孩子|家人|别人|他|她).{0,6}(?:账号)?(?:发|打|写)的"
    r"|\b(?:last|previous|earlier) (?:message|one|bit|line|thing)\b|\bwrong (?:chat|window|person|thread|tab)\b|\beverything i (?:just )?(?:said|wrote)\b"
)
# Said of a statement that never was true, rather than of a slip.
NEVER_TRUE = re.compile("骗|假的|不是真|瞎|胡说|乱说|乱写|吹牛|玩笑|逗你|闹着玩|当真|不算|作废|作数|never said|kidding|jk|joking|not true|made (?:that|it) up|lied|lying")
NOW = re.compile("现在|现阶段|当前|如今|目前|眼下|而今|当下|这阵子|最近|近来|已经|已|早就|[^前来]后来(?:就|都)|these days|nowadays|now\\b|currently|at the moment|again|anymore|any more")
PAST = re.compile(
    "以前(?!是不|有没|.{0,3}(?:说|讲|告诉|跟你|提))|从前|过去(?!就|的)|曾经|曾(?!孙)|小时候|小学时|中学时|高中(?:时|那|的时候)|大学(?:的)?时|上学(?:时|那|的时候|期间)|念书(?:时|那|的时候)|念大学|读书(?:那|时)|年轻(?:的)?(?:时|那)|(?<![点半刻分晚早饭上午钟前后])那(?:时|会儿|阵子?|几年|[一二两三四五六七八九十]年|年(?!轻)|段(?:时间|日子))|疫情(?:时|期间|那)|当年|当时|刚开始(?:练|学|打坐|坐|修|接触)?(?:的)?(?:时候?|那会|那阵)|初学(?:的)?(?:时|那|阶段)|入门(?:那|时)|(?:毕业|工作|参加工作|刚来|结婚)(?:后|以后|之后)?(?:的)?(?:头|前|那|最初)[一二两三四五六几\\d]+(?:年|个月)|(?:退休|退下来|结婚|婚|生病|怀孕|辞职|离职|转行|毕业|出家|皈依)(?:以|之)?前(?!夕)|(?:第|上|前|头)一?(?:份|个)(?:工作|单位|公司|东家)|(?<!正)(?<!在)(?:当|做|干|教|开|住|待|呆|跑|卖)过(?!敏|来|去|分|度|头|夜|年|节|瘾|火|得)|起初|最初|(?<!周)(?<!星期)(?<!礼拜)一开始(?!就是)|当初|早年|早些年|早几年|往年|原先|原来(?!如此|是)|(?<![点天月年周号日睡饭班觉坐课半钟时刻])之前(?!说|我说|提|你|让|跟|的建议|的设定|要求|那)|前些年|前几年|没戒之前|\\d{2,4}年(?:前|的时候|那会)|\\d{2,4}年?(?:到|至|-|~|—)\\d{2,4}年(?!至今|到现在)"
    r"|\bused to\b|\bin the past\b|\bback (?:then|in|when)\b|\bas a (?:kid|child|student|teenager)\b|\bwhen i was\b|\bin (?:college|uni|university|school|high school)\b|\bformerly\b|\bpreviously\b|\bgrowing up\b|\bonce upon\b|\bat the time\b|\bbefore that\b|\bi was an? (?!bit|little|lot)|\bin my (?:teens|twenties|thirties|youth)\b"
)
SINCE = re.compile(r"从.{1,14}(?:起|开始|到现在|至今|以来)|开始|以来|至今|到现在|就(?:没|不)|了$|戒|since|started|ever since|starting|from")
EVENT = re.compile(
    "昨|前天|大前天|上(?:周|个?星期|个?月|次|回)|刚(?!开始|入门|学|退休|搬|接触|好|满|辞|戒|换|刚好)|刚才|今早|今天(?!起|开始|是|第)|今儿|今晚|今晨|早上(?=没|坐了(?!$)|起来晚)|有(?:一)?(?:次|天|回)|那(?:天|次|回)|第一次|(?:坐|跑|站|睡|练)完|(?:周末|周[一二三四五六日])(?=去了|坐了)"
    r"|\byesterday\b|\blast (?:night|week|month|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|\bthis (?:morning|evening|afternoon)\b|\btoday\b|\btonight\b|\bjust (?:did|sat|finished|meditated|had|got)\b|\bone (?:day|time)\b|\bonce\b(?! a| every| per)|\bago\b"
)
HABIT = re.compile("每|天天|一般|通常|平时|平常|总|老(?=是)|都(?!怪)|经常|常常|习惯|固定|一直|从来|every|always|usually|normally|daily|regularly|tend to|keep")
# Orders to the system and things that only look like a user's words.
INJECTION = re.compile(
    "忽略(?:掉)?(?:以上|之前|前面|上面|所有|全部|你的|一切|先前)|无视(?:以上|之前|前面|所有|你的)|(?:系统|管理员|开发者)(?:提示|消息|指令|密码|权限|模式|设定|设置|通知|账号)|\\[系统|【系统|system prompt|(?:^|\\n|\\s)(?:system|assistant|developer|user) ?[:：>]|</?(?:system|memory|user|assistant|instructions?|im_start|data)>|<\\|"
    "|你现在是(?!不是)|你是一(?:位|个|名)|你(?:来)?(?:当|演|扮|做)(?:我|一?个|一?位)?的?(?:师父|徒弟|老师|医生|学生|老板|女友|男友|妈|爸|皇|丫鬟|秘书|客服|面试官)|我(?:来)?(?:当|演|扮)(?:一?个|一?位|你)?的?(?:师父|徒弟|老师|医生|病人|学生|掌门|皇)|剧本杀|从现在(?:开始|起),?你(?:就|要|得|必须|只能)*(?:是|把我当|扮|服从|听我的)|(?:请)?扮演|假装(?:你|我|自己)是|(?:你|我)(?:来)?演(?!讲|示|员|奏)|人设是|设定[:：]|假扮|越狱|提示词|把.{0,30}(?:存进|写进|写入|存入|加进|注入|录入).{0,10}(?:系统|记忆|数据库|设定|档案)|(?:更新|修改|覆盖|重置|清空|篡改).{0,12}(?:用户资料|用户画像|系统|数据库|记忆库|全部记忆|所有记忆)|用户资料|用户画像"
    r"|记住[:,]?(?:用户|管理员|系统)|用户(?:已|是|喜欢|名|的)|ignore (?:all|any|the|your|previous|prior|above|everything)|disregard (?:all|any|the|your|previous|prior)|you are now|from now on you are|pretend (?:to be|you)|act as (?:a|an|if|my|the)\b|role-? ?play|\bplay the (?:role|part) of|\bin this (?:story|scene|scenario|game)\b|\bmy character\b|jailbreak|developer mode|\bsudo\b|remember: (?:the )?user|\buser(?:\.[a-z_]+| is| has| name| prefers| likes)\b"
    r"|\badmin(?:istrator)?(?:'s)? (?:password|access|mode|rights)|override (?:the|your|all)|set user|new instructions?|\"(?:entities|role|category|attribute|content)\" ?:|insert into|drop table|update .{1,20} set "
)
# Openings after which someone else's text follows.
PASTED = re.compile(
    "(?:下面|以下|如下|这)(?:是|这段|段|篇|一段|的)?.{0,24}(?:发我|转发|看到的|原文|帖子|文章|内容|提示词|摘录|抄|歌词|经文|段子|故事|聊天记录|对话)[^。!?\n]{0,16}[:：\n]"
    "|(?:翻译|翻成|翻到|译成|译为|译作|润色|改写|校对|总结|概括|解释|朗读|续写|仿写|点评)(?:成.{1,4}|一下|下)?(?:这|下面|以下)?(?:句|段|篇)?[^。!?\n]{0,10}[:：\n]|(?:群里|网上|论坛|知乎|有人|有个人|有网友|朋友|同事|师父|老师|他|她)[^。!?\n:]{0,10}(?:问|说|写|发|回|讲|道|云|曰)(?:了|过|道)?(?:一句|一段)?[:：]"
    r"|\b(?:translate|rewrite|proofread|summari[sz]e|paraphrase|read|review|fix)\b[^.!?\n]{0,40}[:：]|\b(?:he|she|they|friend|teacher|someone|article|post|book|says|said|wrote|asks|asked|quote|lyrics|here is|here's)\b[^.!?\n]{0,30}:\s|(?:^|\n)(?:转|转载|转自|搬运|摘自|摘录|摘抄|来源|求助帖|征友|相亲|简历|个人简介|广告|招租|出租|转让|寻人|启事|群公告|公告|通知|招聘|活动预告|课程表)[:：]|(?:帮我|替我|给我|请你?|麻烦)?(?:写|拟|起草|编|生成|造)(?:一?[段篇个份封首则句]|个|条)[^。!?\n]{0,30}[:：]|(?:write|draft|compose|generate|create|make)(?: me| up)? (?:a|an|the|some|my)\b[^.!?\n]{0,50}[:：]|(?:英|中|日|法|德|韩|俄|文言|白话)(?:译|文版?)[^。!?\n]{0,6}[:：]|改(?:成|为|写)[^。!?\n]{0,4}(?:文|句|诗|词|语|人称|语气|口吻|版)[^。!?\n]{0,4}[:：]|\bput (?:this|that|it|the following)\b[^.!?\n]{0,30}[:：]|\b(?:in|into) (?:mandarin|chinese|english|french|german|spanish|japanese|korean|pali|sanskrit|latin)\b[^.!?\n]{0,10}[:：]|\b(?:for|help) (?:my|our|a|the|his|her) [a-z]+\b[^.!?\n]{0,40}[:：]|(?:给|替|帮)我?(?:妈|爸|爷|奶|婆|公|岳|老婆|老公|孩子|同事|同学|朋友|弟|妹|哥|姐|闺蜜|室友|老板|领导|邻居|他|她)[^。!?\n]{0,24}[:：]|转发[:：]|引用[:：]|原文[:：]|歌词[:：]|例[:：]|fwd?:"
)
# A request put as a question, for good: 以后能不能回答简短点.
REQUEST = re.compile(r"(?:以后|今后|往后|之后|都|回答|答复|回复|说话).{0,10}(?:能不能|可不可以|能否|可以|能)|(?:能不能|可不可以|能否|可以|能).{0,10}(?:以后|今后|都|回答|答复|回复|别放|静音)|(?:can|could|would) you (?:please )?(?:always |just )?(?:keep|make|give|answer|reply|respond|use|speak|be|stop|call|write your)")
# Nothing but intended: what is said with it is a goal, not a habit or a state.
ONLY_PLAN = re.compile("(?<![冥观思妄梦联理幻感设猜回瞑乱])想(?!到|起|法|念|象|着|不|东|西|哭|睡(?!够|满|到|前|早))|打算|计划|准备|决定|决心|目标|希望|争取|立志|发愿|发心|flag|(?<![不只需主重])要(?=(?:每天|天天|每日|每晚|每早)(?:都|早上|晚上|坚持|至少)*(?:坐|打坐|静坐|冥想|练|站桩|念|抄|读))|要(?:开始|戒|努力|坚持|养成|做到|达到)|明天|下周|下个?月|明年|want|going to (?!bed|sleep|work|the|church|school)|gonna|plan|goal|hope|aim|trying|intend|i'll|i will|would like|i'd like|decided|target|by christmas")
BEGS = re.compile("推荐|介绍(?:几|一)|给我(?:找|来|讲|说)|教教?我|有没有|求|帮我(?:找|选|想)|recommend|suggest|tell me|any tips")
MARKS_ONLY = re.compile(r"[\W■]*")
# Something has changed at the time named, and still holds: 去年戒的, moved in May.
TURNED = re.compile(
    "戒|改|生日|出生|生于|搬|退休|辞职|离职|转行|改行|换|开始|皈依|归依|受戒|受洗|结婚|离婚|毕业|生了|入门|查出|确诊|诊断|得了|停了|断了|恢复|起就|以来|至今|到现在"
    r"|\b(?:quit|stopped|moved|retired|started|switched|changed|gave up|became|joined|married|graduated|resumed|relocated|took up|began|dropped|paused|since|born|birthday|adopted|converted|went|turned|diagnosed|been|gone)\b"
)
# 我觉得…?: put like a question, but stating.
OPINION = re.compile(r"^(?:我(?:觉得|感觉|好像|可能|应该|估计|大概)|i think|i guess|i might|maybe i)")
# Of these only 今天 with a lasting turn after it is more than today's: 今天腿抽筋，改坐椅子 is not.
LASTING_TURN = re.compile(TURNED.pattern.replace("|改|", "|").replace("|换|", "|"))
# Back from what is only supposed: 要是退休了就搬去大理，可惜现在还在厂里.
IN_FACT = re.compile(r"可惜|但是?|不过|可是|然而|只可惜|无奈|现实是|事实上|实际上|其实|目前|现在|现阶段|眼下|(?:but|unfortunately|sadly|in reality|right now|currently|for now|at the moment)(?![a-z])")
GOAL = re.compile("目标|计划|goal|plan|target")
CHANGED_TO = re.compile("(?:改|换|调|定|升|加|减|提)(?:成|为|到|回)|now |make it |changed to |raised to ")
# 你上次说你喜欢安静: of the assistant, and no request to it.
OF_YOU = re.compile("(?:你|您).{0,4}(?:说(?!话)|喜欢|是(?!不是)|觉得|打坐|冥想|有没有|会不会|叫什么|提到|建议|推荐|讲过|教|为什么|也|信|多大|几岁)")
# Someone who is not family: what follows says nothing of the speaker's own people or animals.
THIRD = re.compile(rf"{_LEAD}(?:我|他|她)?的? ?(?:roommate|flatmate|friend|boss|colleague|neighbou?r|classmate|coach|teacher|supervisor)|{_LEAD}(?:(?:我|咱)(?:们)?(?:的|家)?)?(?:一?个|一?位|那个|这个|有个)?(?:{_PEOPLE}|隔壁|邻家)|{_EN_LEAD}(?:he|she|they|someone|people|everyone)\b|{_EN_LEAD}(?:my|a|the|his|her|their|our) (?:[a-z]+ )?(?:friend|colleague|boss|teacher|neighbou?r|roommate|flatmate|classmate|coach|doctor|monk|nun)")
MYSELF = re.compile(r"我|咱|俺|本人|自己|(?<![a-z])(?:i|my|me|we|our|im|mine|myself)(?![a-z])")
# Others of whom a story tells.
THEM = re.compile("[他她它]|从前|有个人|有一[天个位]|人们|古时|传说|据说|相传")
# Words of a time that is over; a bare 冬天 or 五月 comes every year.
GONE_BY = re.compile("去|[大前]|上|\\d{4}|[零〇一二三四五六七八九]{4}年|年[初中底末]|[Ll]ast|[Aa]go|previous|(?:19|20)\\d\\d")
