"""Asking, supposing, doubting, intending."""

import re

_ZH_ASK = (
    "(?:什么(?!都|也|事都|的|[^,。]{1,3}(?:都|也)(?:不|没|别|放|听|行|可以|吃|信))|(?<!没)啥(?!也|都|事)"
    "|怎么(?!也|都|说|坐都|说呢)|怎样|怎麼|咋(?!说|就)|如何(?!都)|为什么|为何|为啥|几点|几次(?!三番)"
    "|(?<![这那好前近十过头后隔])几(?:个|天|岁|遍|分钟|多|年)(?!没)"
    "|几[^,了]{1,6}(?:合适|为宜|够|妥|好)[呀啊呢]?$|多少|多久|多长|多大"
    "|哪天(?=$|来着|呀|啊)|哪(?!怕|都|也|天|儿都)|谁(?!都|也|知道|让|叫)"
    "|是不是|有没有|有无|能不能|要不要(?!钱)|可不可以|该不该|好不好|对不对|会不会|行不行|算不算|需不需要"
    "|需要不需要|用不用|合不合适|是否|能否|可否|还是.{1,12}(?:好|合适|强|对|比较.{1,3})[呀啊呢]?$"
    "|(?:到底|该|应该|选|要).{0,12}还是.{1,12}|^(?!.*(?:了还是|我|自己|平时|现在|一般|都|就|也|每|最近"
    "|老样子|一样|不|没))(?!(?:打坐|静坐|冥想|禅修|坐|声音|音乐|背景音|姿势|回答|以后|今后|往后"
    "|算了)(?:的?时候?|时|里)?还是(?:要|放|用|听|来|选|喜欢|习惯|得|想|别|不|换|改|静|安静|简"
    "|详)).{1,7}还是.{1,7}(?<!吧)$|哪个|点样|点解|几多|边个|乜嘢?)"
)
_ZH_ASK_END = (
    "(?:吗(?!啡)(?=$|还是|,| )|(?:吗嘛(?<=能嘛)|么(?<![什怎这那多要])|呢(?<=[么样谁里啥]呢)"
    "|不(?<=[能行对好会是得坐以修练]不)|没(?<=[有了过]没)|没有(?<=[过了]没有))[啊呀呐的哈]?$)"
)
_EN_ASK = (
    r"^(?:and |so |but |hey |hi |ok |please )*(?:what(?! i (?:want|need|like|do|love|prefer|practi[cs]e))"
    r"|when(?='s| (?:do|does|did|is|are|was|were|will|should|can|could|would|am|to|exactly|in the)\b|$)"
    r"|where|who|whose|why|how|which|should i|can i|could i"
    r"|can you (?:explain|tell|recommend|suggest|give)|could you (?:explain|tell|recommend|suggest)|do i"
    r"|do you|did i|did you|does|is it|is there|is the|is my|are there|are you|am i|"
    r"would|will it|has|have you|is that|any (?:tips|advice|fix|ideas?|suggestions?|help|thoughts|way)"
    r"|any (?:\w+ )?to|got any)\b|\bwhat should i\b|\bhow (?:do|can|should) i\b"
)
_ASK = re.compile(
    f"{_ZH_ASK}|{_ZH_ASK_END}|{_EN_ASK}|(?:想|请|问|问问|请教|咨询|了解)(?:问|一下|知道)"
    "|推荐(?!过|给我|的)|求(?:助|解|教)|请教|(?P<verb>[\u4e00-\u9fff])(?<!动)(?<!时)不(?P=verb)(?!动|时)"
)
_NOT_ASKING = re.compile(
    "(?:别|不要|不用|甭|少)[^,]{0,5}(?:推荐?|介绍)"
    "|(?:要|放|听)(?:啥|什么)(?:音乐|声音|背景音|曲子)(?=$|,)|(?:没|不)(?:有)?[信练学做放听吃]什么"
    "|不知道(?:为什么|怎么|什么)|没什么|没啥|不怎么|什么都|怎么都"
    "|怎么也|谁知道|谁让|谁(?:爱|要|能|会|有空|有那)?(?:看|读|受得了|记得住|顶得住|扛得住)"
    "|(?:哪|哪儿|哪里)(?:能|会|还|有|敢|来的|轮得到)*(?:看|读|记|受|坐|顶|空|时间|工夫|功夫|心思|力气"
    "|精力|闲)(?:得)?|几乎|多少有|无论|不管|没多少|不管怎|算什么|怎么说呢|what a |whatever|no matter"
)


def is_question(text: str) -> bool:
    """Whether a folded clause asks, by its words alone."""
    return bool(_ASK.search(_NOT_ASKING.sub("", text)))


# 你觉得…, 请问…: what follows in the sentence is asked too.
ASKING_ON = re.compile("你(?:觉得|说|看|认为|猜)|请问|想问|问(?:一?下|问)|如果|do you think|i wonder|替.{1,5}问")
HYPOTHETICAL = re.compile(
    "(?<!是)不是[不没](?!是|错|对|想|愿|肯|能|会|行)|(?<!不)如果|要是|假如|假设|倘若|假使|若(?:是|我|能|每天)|万一|(?:的话)(?:[,。]|$|就)"
    "|要不(?!是|要|然)(?!$)|比如说?(?!现在)|譬如|例如|梦见|梦到|做梦|打个比方|除非|哪怕|就算(?!是现)|即使"
    "|本来想|原本(?:想|打算)|差点|巴不得|恨不得|真希望|要能"
    r"|^(?:呵呵|切|得了吧|拉倒吧)|我(?:可)?太(?:爱|喜欢|想|享受).{0,12}了$|笑死"
    r"|\boh,? (?:sure|great|joy|brilliant|wonderful|fantastic|yeah)\b|\byeah,? right\b|^as if\b"
    r"|\bjust (?:love|adore|live for) (?:it when|when|how|sitting|being|having)\b"
    r"|\bsounds (?:super |so |really |like )?(?:fun|awesome|great|lovely|amazing|cool|interesting|nice)\b"
    r"|\blet'?s (?:pretend|imagine|say|act)\b|\bpretend\b"
    r"|\bif\b(?! you (?:need|want|reply|answer))|\bsuppose\b|\bsupposing\b|\bimagine\b|\bwhat if\b"
    r"|\bwould(?:n't)? (?:have|be)\b|\bi wish\b|\bwere i\b|\bfor example\b|\be\.g\."
)
HEDGE = re.compile(
    "可能(?!性)|也许|或许|好像|似乎|貌似|说不定|说不准|没准|搞不好|估计|大概率|应该是|应该有|应该.{0,8}吧"
    "|我猜|瞎猜|不太?确定|不一定|不太?清楚|记不清|忘了是|没(?:太)?注意|不知道(?:是不是|算不算|对不对)"
    "|考虑(?!到)|还没(?:想好|定|决定)|没想好|看情况|再说吧|随便说说|八成|兴许|大约是"
    r"|\bmaybe\b(?! (?:\d+|two|three|four|five|six|ten) (?:a|per) )|\bperhaps\b|\bprobably\b|\bmight\b"
    r"|\b(?:i|it|we|that|this|he|she|they) may\b|\bpossibly\b|\bnot (?:really )?sure\b|\bi guess\b"
    r"|\bi suppose\b|\bseems?\b|\bthinking (?:about|of)\b|\bconsidering\b|\bwho knows\b|\bsome ?day\b"
    r"|\bdon't know\b|\bi think i(?:'m| am)?\b|\bkind of thinking\b|\bcould be\b"
    r"|\bleaning (?:towards?|to)\b"
)
UNSURE_TAG = re.compile(
    "(?:说不准|不确定|not certain|不太?确定|记不清|没准|说不好|不好说|谁知道|瞎猜|分不清|还没试过"
    "|还没想好|还没定|还在想|没想好|再看看|还在考虑|随便说说|我也不知道|不一定|也有可能|吧$|who knows"
    "|not sure|i'm not sure|i don't know|don't quote me|or something|haven't decided)"
)
PLAN = re.compile(
    "盼着?(?:能|哪天|有|早)|巴望着?|指望着?能|梦都想|向往着?|寻思着?(?:把|要|该|得|去|学)"
    "|琢磨着(?:把|要|该|戒|去)|盘算着|合计着|惦记着(?:要|把)|下狠心要|军令状|"
    "(?<![冥观思妄梦联理幻感设猜回瞑乱])想(?!到|起|不|法|念|象|着|必|东|西|哭|睡(?!够|满|到|前|早))|打算"
    "|计划|准备|决定|决心|目标|希望|争取|立志|发愿|发心|立个?flag|要求自己|规定自己|逼自己每"
    "|(?:以后|今后|往后)(?:都|每天|每晚)*(?:要|得|必须|争取|保证)(?=.{0,12}(?:睡|起床|早起|关灯|上床))"
    "|(?<![不只需主重])要(?=(?:每天|天天|每日|每晚|每早)(?:都|早上|晚上|坚持|至少)*(?:坐|打坐|静坐|冥想"
    "|练|站桩|念|抄|读))|要(?:开始|戒|去|在|把|努力|学|读|坚持|养成|做到|达到)|将(?:要|会)|明天|明早|明晚"
    "|后天|下周|下个?月|明年|年底"
    r"|\bwant(?:s|ed)? to\b|\bgoing to (?!bed|sleep|work|the|church|school)|\bgonna\b|\bplan(?:ning|s)?\b"
    r"|\bgoals?\b|\bhope to\b|\bhoping to\b|\baim(?:ing)?\b|\btrying to\b|\bintend\b|\bi'll\b|\bi will\b"
    r"|\bwould like to\b|\bi'd (?:like|love) to\b|\bdecided to\b|\btomorrow\b|\bnext (?:week|month|year)\b"
    r"|\btarget\b|\bwhat i want\b|\bsigned up\b|\bbooked\b|\bregistered\b|报名"
)
# A request put as a question, for good: 以后能不能回答简短点.
REQUEST = re.compile(
    r"(?:以后|今后|往后|之后|都|回答|答复|回复|说话).{0,10}(?:能不能|可不可以|能否|可以|能)"
    r"|(?:能不能|可不可以|能否|可以|能).{0,10}(?:以后|今后|都|回答|答复|回复|别放|静音)"
    r"|(?:能不能|可不可以|能否|可以|能)(?:请|麻烦|跟我|给我|对我|不|再|稍微|尽量|也|好好|正常|别|甭|少|多"
    r"|老|总|一直|用|整|来|搞)*"
    r"(?:说|讲|写|答|短|简|细|详|温柔|直接|举|列|分点|展开|人话|大白话|那么|这么|太|老|总|一口一个|引"
    r"|跟.{1,4}(?:似|一样)|像|绕|客气|啰|罗|凶|训)"
    r"|你(?:怎么|干嘛|咋|为啥|为什么)(?:又|老|总|每次|还|就)"
    r"|^(?!.*(?:坐|冥想|放|听|盘|息|练)).*(?:说|讲|写|答|回|短|简|细|直|人话).{0,8}"
    r"(?:行不行|好不好|成不成|可以吗|行吗|好吗|行不|好不|成不|好伐)[啊呀嘛]?$"
    r"|(?:can|could|would) (?:you|we) (?:please )?(?:always |just |maybe |kindly )?(?:switch|talk|stick"
    r"|drop|cut|skip|tone|turn|leave|chat|go back|keep|make|give|answer|reply|respond|use"
    r"|speak|be|stop|call|write your)"
)
# A wish put as a reproach: why is every answer a list?
COMPLAINT = re.compile(
    r"\b(?:can't|cannot|can you not|could you not|won't|must|need|why|what's with|do you (?:have|need) to"
    r"|does (?:it|everything) have to)"
    r"(?: \w+){0,2}? (?:you|your|every|everything|all|it|be)\b"
)
# Nothing but intended: what is said with it is a goal, not a habit or a state.
ONLY_PLAN = re.compile(
    "(?:要求|规定|逼)自己|给自己定|盼着?(?:能|哪天|有|早)|巴望着?|指望着?能|梦都想|向往着?"
    "|寻思着?(?:把|要|该|得|去|学)|琢磨着(?:把|要|该|戒|去)|盘算着|合计着|惦记着(?:要|把)|下狠心要|军令状"
    "|"
    "(?<![冥观思妄梦联理幻感设猜回瞑乱])想(?!到|起|法|念|象|着|不|东|西|哭|睡(?!够|满|到|前|早))|打算"
    "|计划|准备|决定|决心|目标|希望|争取|立志|发愿|发心|flag"
    "|(?<![不只需主重])要(?=(?:每天|天天|每日|每晚|每早)(?:都|早上|晚上|坚持|至少)*(?:坐|打坐|静坐|冥想"
    "|练|站桩|念|抄|读))|要(?:开始|戒|努力|坚持|养成|做到|达到)|明天|下周|下个?月|明年|want"
    "|going to (?!bed|sleep|work|the|church|school)|gonna|plan|goal|hope|aim|trying|intend|i'll|i will"
    "|would like|i'd like|i'd love|decided|target|by christmas"
)
BEGS = re.compile(
    "推荐|介绍(?:几|一)|给我(?:找|来|讲|说)|教教?我|有没有|求|帮我(?:找|选|想)|recommend|suggest|tell me|any tips"
)
# 我觉得…?: put like a question, but stating.
OPINION = re.compile(r"^(?:我(?:觉得|感觉|好像|可能|应该|估计|大概)|i think|i guess|i might|maybe i)")
# Back from what is only supposed: 要是退休了就搬去大理，可惜现在还在厂里.
IN_FACT = re.compile(
    r"可惜|但是?|不过|可是|然而|只可惜|无奈|现实是|事实上|实际上|其实|目前|现在|现阶段|眼下"
    r"|(?:but|unfortunately|sadly|in reality|right now|currently|for now|at the moment)(?![a-z])"
)
GOAL = re.compile("目标|计划|goal|plan|target")
VOW = re.compile(
    "(?:我|今年|现在|先|给自己)*(?:立|定|下|许|发)(?:了|下|个|一个)*(?:小|新|大)?(?:flag|目标|决心|愿|誓"
    "|规矩|军令状)(?:了|吧|啊)?"
)
CHANGED_TO = re.compile("(?:改|换|调|定|升|加|减|提)(?:成|为|到|回)|now |make it |changed to |raised to ")
