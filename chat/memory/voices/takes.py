"""What a sentence does to what was said: refines, corrects or takes it back, or was never the user's own."""

import re

# Says again, more exactly.
FINER = re.compile(
    "(?:具体|准确|确切|精确|严格|仔细|细)(?:一?点|地|来|些)?(?:是|说|讲|来|,|$)|也就是|就是说|说白了"
    "|其实就是|to be (?:exact|precise|specific)|specifically|precisely|more exactly"
)
CORRECTION = re.compile(
    "(?:哦|啊|噢|喔|欸|唉|哎呀?|呃|额|嗯|诶|咦|靠|晕|汗|抱歉|对不起|不好意思|等等|等一?下"
    "|不(?=不|[说写打讲记看]错)|[, ])*(?:不对(?!劲)|[呸啧]+(?=$|,)|(?:说|写|打|讲|记)成[^,。]{1,8}了|(?:写|打)错字"
    "|不是(?:不是)?(?=$|[,。 是])|错了|说错|讲错|写错|打错|看错|记错|口误|手滑|更正|纠正|应该(?:说|是)"
    "|我是说|(?:最后[一两]?位|尾号|尾数|末位|后四位)(?:应该)?是(?=\\d)"
    "|(?:准确|确切|具体|精确|严格)(?:一?点|地|来|些)?(?:说|讲)|等等|哦不|啊不|噢不"
    "|不,?(?=(?:是)?[0-9一二两三四五六七八九十半]+(?:个)?(?:点|次|分|岁|小时|回|年|月|号))|不(?=$)"
    "|(?:sorry(?! for| about| to| if| that| but| i'm)|no wait|wait|no(?=$|,)|oops|i mean|actually"
    "|correction|scratch that|strike that|make that"
    "|typo|my bad|(?:the )?last (?:digit|number|letter|bit)s? (?:is|should be)"
    "|(?:it's |it is |that's )?spell?(?:ed|t)(?= [a-z]))(?![a-z]))(?!要|过敏)"
)
# 这个别记: what the message says besides is not to be kept; said alone, it takes back what was said before.
OFF_RECORD = re.compile(
    "(?:别|不要|不用|不必|无需|甭|勿)(?:再)?(?:记|记住|记录|存|保存)(?:住|下来"
    "|下)?(?:这(?:个|条|句|件|段)?(?:事|话)?|以下|下面|接下来的?)(?:$|[,:])"
    r"|\b(?:don't|do not|no need to|please don't) (?:save|store|remember|keep|record) (?:this|it)\b|\boff the record\b"
)
RETRACTION = re.compile(
    "(?:(?<!怕)(?<!会)(?<!别)(?<!没)(?<!没有)(?<!没)(?<!没有)(?<!怕自己在台上)(?:说|讲|打|写|发|记|搞|弄"
    "|填)错(?!话|过|字|误|题|人))(?:了|啦|的)?|(?<!没)(?<!没有)(?:打|写)错字|口误|手滑"
    "|不算(?:数)?(?=$|,|了|哈|啊|喔|哦|的)|作废|(?:别|不要|不用|甭)(?:再)?(?:算|计)(?:进去|在内|上)|(?:别|不要|不用|甭)(?:再)?(?:记(?!得)|存|保存|记录)"
    "|忘(?:掉|记)(?:我|刚|上|前面|之前|那|这|前|吧|$)|忘了吧|(?:请|帮我|把.{1,16})忘(?:掉|了|记)"
    "|(?:把|将|帮我|请|那|这|我)(?:.{0,14}|.{0,3}[a-z0-9.@+_-]{5,60} ?)(?:删(?:掉|了|除)|清(?:掉|除)|抹(?:掉|了|去|除)|去掉)(?!.{0,3}(?:烟|酒|糖|肉))"
    "|^(?:删(?:掉|了|除)|清(?:掉|除)|去掉)(?:吧|那|这|我)"
    "|^(?:my )?(?:phone|email|address|name|location|job|age|birthday|number) ?(?:给我|帮我|请|先"
    "|都)?(?:删|清)(?:掉|了|除)|(?<!别)(?<!不要)(?<!免得)误会|弄混|搞混|撤回|收回(?:前|刚|上)"
    "|(?:刚才?|刚刚|前面|上面)(?:我)?(?:说|写|讲|填|发)?的?[^,。]{0,6}不对$"
    "|(?:没有?|从没|哪有|哪里)(?:跟你)?说过|吹牛|开玩笑|逗你|瞎说|瞎编|胡说|骗你的|别当真|不作数|发错"
    "|撤(?:了|掉|销)(?=吧|$|,|啦)|当(?:你)?没(?:看见|看到|听见|听到|说)|瞎(?:写|扯|掰|打|填)"
    "|(?:替|帮).{1,6}(?:问|打|发|写|查|填)的|(?:不是我|同事|朋友|孩子|家人|别人|他"
    "|她).{0,6}(?:账号)?(?:发|打|写)的|^[^,]{1,10}?(?:删掉|删了|删除|清掉|去掉|remove|delete)(?: ?一?下"
    "|吧|了)*$|闹着玩|当我没说|取消(?:.{0,6}(?:要求|设置|偏好|说法))"
    r"|\bmisspoke\b|\b(?:scrap|scratch) what i\b|\bscratch that\b|\bstrike that\b|\bnever said\b"
    r"|\b(?:scrub|erase|bin|undo|disregard) what i\b"
    r"|\bignore (?:all(?: of)?(?: that| this| it)?(?=$|[,.])|that|what i|my (?:last|previous)"
    r"|the (?:last|previous)|everything i)\b"
    r"|\bwrong (?:chat|window|person|thread|tab)\b|\bnot (?:true|me|mine)\b(?=$| that| at all| i was)"
    r"|(?<!i )(?<!i always )(?<!i often )(?<!i never )(?<!i'll never )\bforget (?:where|when|how \w+) i(?:'m)?\b"
    r"|\b(?:remove|erase|delete) (?:what|anything|the part about)\b"
    r"|\bforget (?:that|what|about|my|the|i)\b|\bdelete (?:my|the|that|what)\b|\bremove (?:my|that)\b"
    r"|\b(?:delete|forget|erase|drop|remove) (?:all|everything|every bit)(?: of)?(?: that| it| this| those"
    r"| what| i | about| my (?:details|info|data)|$)"
    r"|\bmade (?:that|it|this|the whole thing|all (?:of )?(?:that|it)) up\b|\bmade up (?:the|that|my)\b"
    r"|\b(?:that|it)(?:'s| is| was) (?:a lie|a joke|made up|not true|untrue|nonsense)\b|\bi lied\b"
    r"|\bwipe (?:all|that|everything|my)\b|\btake (?:all )?(?:that|it) back\b"
    r"|\bi take (?:that|it) back\b|\bjk\b|\b(?:just|only) kidding\b|\bdon't (?:save|store|remember|keep)\b"
    r"|\bi was wrong about\b|\b(?:was|am|i\'m|only|just) (?:joking|kidding)\b|\bnever mind what\b"
)
# The message before as a whole: 上面那句, wrong chat.
WHOLE = re.compile(
    "(?:刚刚?才?|前面|上面|之前)(?:说|讲|写|发|提|跟你说|告诉你)?的?(?:那些|这些|所有|一切|全部|几样|几个"
    "|东西|的话|话)(?!话|句)|(?:全部?|统统|通通|一起|一并|都)(?:给我|帮我)?"
    "(?:忘|删|清|作废|不算|收回|撤)|全是(?:瞎|假|胡|乱|编)|"
    "(?:上面|上一|前面|刚刚?|刚才|那|上|前)的?(?:那|一|几)?(?:句|条|段|些话|番话|几句|个消息|个问题)|发错"
    "|(?:替|帮).{1,6}(?:问|打|发|写|查|填)的|(?:不是我|同事|朋友|孩子|家人|别人|他"
    "|她).{0,6}(?:账号)?(?:发|打|写)的"
    r"|\b(?:last|previous|earlier) (?:message|one|bit|line|thing)\b"
    r"|\bwrong (?:chat|window|person|thread|tab)\b|\beverything i (?:just )?(?:said|wrote|told you)\b"
    r"|\b(?:all|every bit|both) of (?:that|it|this|those|them|what i)\b|\ball (?:that|those)\b"
    r"|\bthe whole (?:lot|thing)\b|\bdelete everything\b"
)
# A slip of the hand, in a clause of its own: 姓打错了, 尾号打错.
SLIP = re.compile(
    "(?:(?:哦|啊|哎呀?|呃|抱歉|不好意思|等等|刚才|刚刚|上面|前面)*(?:我)?(?P<of>姓|名字?|称呼|年龄|岁数"
    "|年纪|地址|住址|城市|邮箱|邮件|尾号|号码|电话|手机号?|数字|时间|时长"
    "|职业|工作|最后.{0,3}|后.{0,2}位|第.{0,2}位|中间.{0,3}|生日|日期)?(?:我)?(?:又|给"
    "|好像)?(?:(?:[打写说讲记填敲拼算输]|手)(?:错|滑)(?:了|字了?)?"
    "|(?:[写打说讲]|手|嘴)(?:快|多|少|反|岔|漏)了|[多少][写打说]了|[说讲]顺嘴了?|嘴[瓢快滑]了?"
    "|口误))(?:哈|啊|呢|不好意思|抱歉|,| )*|(?:嗐|嗨|唉|啧)*[ ,]?(?:[说讲]顺嘴|嘴[瓢快滑])了?"
    "|(?:ugh|argh|damn|gah|bloody|stupid|sorry|oops|[, ])*(?:autocorrect|auto-correct|typo|typos"
    "|fat fingers?|spell ?check|my keyboard|wrong (?:number|digit|key))(?: again)?"
)
# Said of a statement that never was true, rather than of a slip.
NEVER_TRUE = re.compile(
    "骗|假的|不是真|瞎|胡说|乱说|乱写|吹牛|玩笑|逗你|闹着玩|当真|不算|作废|作数|never said|kidding|jk"
    "|joking|not true|made (?:that|it|this|all that) up|lied|lying|made up"
)
# Orders to the system and things that only look like a user's words.
INJECTION = re.compile(
    "忽略(?:掉)?(?:以上|之前|前面|上面|所有|全部|你的|一切|先前)|无视(?:以上|之前|前面|所有|你的)"
    "|(?:系统|管理员|开发者)(?:提示|消息|指令|密码|权限|模式|设定|设置|通知|账号)"
    "|\\[系统|【系统|system prompt|(?:^|\\n|\\s)(?:system|assistant|developer|user) ?[:：>]"
    "|</?(?:system|memory|user|assistant|instructions?|im_start|data)>|<\\|"
    "|你现在是(?!不是)|你是一(?:位|个|名)|你(?:来)?(?:当|演|扮|做)(?:我|一?个|一?位)?的?(?:师父|徒弟|老师"
    "|医生|学生|老板|女友|男友|妈|爸|皇|丫鬟|秘书|客服|面试官)"
    "|我(?:来)?(?:当|演|扮)(?:一?个|一?位|你)?的?(?:师父|徒弟|老师|医生|病人|学生|掌门|皇)|剧本杀"
    "|从现在(?:开始|起),?你(?:就|要|得|必须|只能)*(?:是|把我当|扮|服从|听我的)|(?:请)?扮演"
    "|假装(?:你|我|自己)是|(?:你|我)(?:来)?演(?!讲|示|员|奏)|人设是|设定[:：]|假扮|越狱|提示词"
    "|把.{0,30}(?:存进|写进|写入|存入|加进|注入|录入).{0,10}(?:系统|记忆|数据库|设定|档案)"
    "|(?:更新|修改|覆盖|重置|清空|篡改).{0,12}(?:用户资料|用户画像|系统|数据库|记忆库|全部记忆|所有记忆)"
    "|用户资料|用户画像"
    r"|记住[:,]?(?:用户|管理员|系统)|用户(?:已|是|喜欢|名|的)"
    r"|ignore (?:all(?! (?:of )?(?:that|this|it)(?:$|[,.!]))|any|the|your|previous|prior|above|everything)"
    r"|disregard (?:all|any|the|your|previous|prior)|you are now|from now on you are|pretend (?:to be|you)"
    r"|act as (?:a|an|if|my|the)\b|role-? ?play|\bplay the (?:role|part) of"
    r"|\bin this (?:story|scene|scenario|game)\b|\bmy character\b|jailbreak|developer mode|\bsudo\b"
    r"|remember: (?:the )?user|\buser(?:\.[a-z_]+| is| has| name| prefers| likes)\b"
    r"|\badmin(?:istrator)?(?:'s)? (?:password|access|mode|rights)|override (?:the|your|all)|set user"
    r"|new instructions?|\"(?:entities|role|category|attribute|content)\" ?:|insert into|drop table"
    r"|update .{1,20} set "
)
# Openings after which someone else's text follows.
PASTED = re.compile(
    "(?:招(?:人|工|学徒|店员|聘)|求职|征友)[^。\n]{0,6}[:：]"
    "|(?:下面|以下|如下|这)(?:是|这段|段|篇|一段|的)?.{0,24}(?:发我|转发|看到的|原文|帖子|文章|内容"
    "|提示词"
    "|摘录|抄|歌词|经文|段子|故事|聊天记录|对话)[^。!?\n]{0,16}[:：\n]"
    "|(?:翻译|翻成|翻到|译成|译为|译作|润色|改写|校对|总结|概括|解释|朗读|续写|仿写|点评)(?:成.{1,4}|一下"
    "|下)?(?:这|下面|以下)?(?:句|段|篇)?[^。!?\n]{0,10}[:：\n]"
    "|(?:群里|网上|论坛|知乎|有人|有个人|有网友|朋友|同事|师父|老师|他|她)[^。!?\n:]{0,10}(?:问|说|写|发"
    "|回|讲|道|云|曰)(?:了|过|道)?(?:一句|一段)?[:：]"
    r"|\b(?:translate|rewrite|proofread|summari[sz]e|paraphrase|read|review|fix)\b[^.!?\n]{0,40}[:：]"
    r"|\b(?:he|she|they|friend|teacher|someone|article|post|book|says|said|wrote|asks|asked|quote|lyrics"
    r"|here is|here's)\b[^.!?\n]{0,30}:\s|(?:^|\n)(?:转|转载|转自|搬运|摘自|摘录|摘抄|来源|求助帖|征友"
    r"|相亲|求职|求租|求购|招人|招工|出售|简历|个人简介|广告|招租|出租|转让|寻人|启事|群公告|公告|通知"
    r"|招聘|活动预告|课程表)[:：]"
    r"|(?:帮我|替我|给我|请你?|麻烦)?(?:写|拟|起草|编|生成|造)(?:一?[段篇个份封首则句]|个"
    r"|条)[^。!?\n]{0,30}[:：]|(?:write|draft|compose|generate|create|make)(?: me| up)? (?:a|an|the|some"
    r"|my)\b[^.!?\n]{0,50}[:：]|(?:英|中|日|法|德|韩|俄|文言|白话)(?:译|文版?)[^。!?\n]{0,6}[:：]"
    r"|改(?:成|为|写)[^。!?\n]{0,4}(?:文|句|诗|词|语|人称|语气|口吻|版)[^。!?\n]{0,4}[:：]"
    r"|\bput (?:this|that|it|the following)\b[^.!?\n]{0,30}[:：]"
    r"|\b(?:in|into) (?:mandarin|chinese|english|french|german|spanish|japanese|korean|pali|sanskrit"
    r"|latin)\b[^.!?\n]{0,10}[:：]|\b(?:for|help) (?:my|our|a|the|his|her) [a-z]+\b[^.!?\n]{0,40}[:：]"
    r"|(?:给|替|帮)我?(?:妈|爸|爷|奶|婆|公|岳|老婆|老公|孩子|同事|同学|朋友|弟|妹|哥|姐|闺蜜|室友|老板"
    r"|领导|邻居|他|她)[^。!?\n]{0,24}[:：]|转发[:：]|引用[:：]|原文[:：]|歌词[:：]|例[:：]|fwd?:"
)
MARKS_ONLY = re.compile(r"[\W■]*")
