"""Clauses that only answer the other side: agreement, praise of an advice, a vague promise, thanks, leave, the talk itself.

They say nothing of the user's life that anyone would want to be reminded of.
"""

import re
from collections.abc import Iterable

from chat.memory.text import fold, language, plain_words

ECHOED = 0.6  # so much of what someone says they will do was said to them just before: an echo, not a plan of their own


def _any_of(*parts: str) -> str:
    return "|".join(f"(?:{part})" for part in parts)


_OPENS = (
    "(?:嗯+|哦+|噢|喔|啊+|哇+|哎|唉|呃|哈+|嘿+|是[的啊呀]?|对[的啊呀]?|好[的啊呀嘞吧]?|行|可以|当然|那么?|其实|真的?|确实|的确|没错|不错|原来|果然|而且|也|还有"
    "|ai伴侣|ai|伴侣|朋友|(?:yes|yeah|yep|ok|okay|sure|well|hmm+|oh|wow|ha(?:ha)+|alright|right|and|but|so|then|maybe"
    "|actually|really|indeed)\\b|[ ,!.、~])*"
)
_CLOSES = "[了啊呀哦呢吧的嘛啦哈喔吗么 !~.。]*"
_ADVICE = "(?:方法|建议|主意|办法|点子|推荐|想法|练习|技巧|说法|道理|活动|地方|话题?|比喻|思路|步骤|计划|方式|菜式|书籍?|音乐|电影|资源)"
_THESE = "(?:这|那|它)(?:些|个|几个|几点|几种|种|样|几本|几部|几首|几家)?"
_FINE = (
    "(?:不错|棒|有趣|有意思|妙|好|好主意|厉害|实用|有用|有帮助|吸引人|美|有道理|有名|著名|感人|靠谱|可行|合理|新鲜|贴心|到位|诱人|精彩|独特|有启发|受用|好听|好吃|美味)"
)
_VERY = "(?:都|也|真|很|挺|蛮|太|非常|十分|特别|相当|可|还|确实|的确|听起来|听上去|看起来|应该|会|是)*"
_SHALL = "(?:我|以后|今后|之后|回头|一定|肯定|会|将|要|先|也|再|去|来|慢慢|努力|认真|可以|应该|想|打算|尽量|尽力|好好|多|就|都|试着|考虑|尝试|继续|一直|值得|得|看来|能|赶紧|马上)*"

_AGREES = (
    "(?:你|您)?(?:说|讲|提)(?:的|得)" + _VERY + "(?:对|好|有道理|是|没错|不错|在理|有理)",
    _VERY + "有道理|没错|(?:确实|的确|就)?是?(?:如此|这样|这么回事)",
    "(?:你|您)?(?:说|讲)的?(?:这)?(?:些|几点)?我?(?:都|也)*(?:同意|赞同|明白|记住|懂)",
    "我?(?:也|都|完全|很|非常|这下|现在|总算|终于|算是|大概)*(?:同意|赞同|认同|(?:这么|这样)(?:想|认为|觉得)|理解|明白|知道|懂|记住|记下|收下|清楚|放心)(?:了|多了"
    "|你的(?:意思|话|想法))?",
    "(?:这个|这些|你的)?" + _ADVICE + "?我?(?:收下|记住|记下|学到|知道|明白|了解)(?:来)?(?:很多)?",
    "是?(?:这样|如此)|深有(?:同感|体会)|学到(?:了)?(?:很多)?|长(?:了)?见识|受教|涨知识|我?之前(?:都)?没(?:有)?想到(?:过)?(?:这一?点|这些|的)?",
    "听你(?:这么|这样)?一?说.{0,8}|(?:你|您)?(?:真|太|实在|总)?(?:懂|会|能|是).{0,8}(?:多|人|好|贴心|厉害)",
    "[^我你他她]{1,10}(?:很|最|非常|真的?|确实|也|才|才是|是)+(?:重要|要紧|关键|有意义|有帮助|有必要|必要|难免|正常|不容易)的?",
    "坚持[^我]{0,10}",
)
_PRAISES = (
    f"(?:{_THESE}[^我你他她]{{0,6}}?)?{_VERY}(?:听起来|听上去|听着|看起来|看上去)[^我]{{0,14}}",
    f"{_THESE}{_VERY}(?:一?个|一?种|些)?{_VERY}{_FINE}?的?{_ADVICE}?{_VERY}{_FINE}的?{_ADVICE}?",
    f"{_THESE}?{_VERY}(?:一?个|一?种)?{_VERY}{_FINE}的{_ADVICE}",
    f"(?:你|您)(?:的|推荐的|说的|提的|给的){_ADVICE}{_VERY}.{{0,2}}{_FINE}",
    f"{_VERY}{_FINE}",
)
_PROMISES = (
    _SHALL + "(?:试|尝试|考虑|注意|努力|记住|记得|研究|琢磨|参考|采纳|学习|了解|改进|调整|加油|坚持|照做|实践|留意|想想|看看|小心|保重|反思|体会)"
    f"(?:一?下|看|看看|试|一试|研究|琢磨|去做|做做看)?(?:去?(?:尝试|实践|做))?(?:你|您)?(?:{_THESE}|所|说|提|讲|推荐|建议|的|提供|给我?)*{_ADVICE}?(?:安全"
    f"|身体|休息|保暖|细节|一?下|下去|看|的)*",
    f"{_SHALL}(?:按|按照|照|照着|依|听|遵照)(?:着)?(?:你|您|{_THESE})(?:说|推荐|建议|讲|提)?.{{0,14}}",
    _SHALL + "(?:尝试|试试|试一试|考虑|试着|去试|去)(?:一?下|做|去做|一些|看)*(?:你|您)(?:推荐|说|建议|提|讲|刚才).{0,14}",
    _SHALL + "(?:把|将)(?:这|它|你|您).{0,8}(?:记|放|牢记).{0,6}",
    _SHALL + "(?:尽力|努力|好好|保持|享受|放松|调整|照顾|加油)(?:去|地)?(?:放松|保持|调整|照顾|享受|努力|生活)?(?:自己|积极|乐观|良好|心态|生活|的|美好|身体|好)*",
)
_LEAVES = (
    ".{0,10}(?:下次|改天|回头|晚点|明天|以后|有空|有机会)再?(?:聊|见|来|联系|请教|说|分享|找你).{0,4}",
    "我?(?:现在|先|得|要|该|必须|不得不|就|准备|马上|这就)*(?:去|要)?(?:忙|睡觉?|休息|走|离开|下线|撤|吃饭|上班|上课|开会)",
    "(?:那|就|我)*不(?:再|多)?打扰你?|(?:现在)?时间(?:也|已经)?(?:不早|晚|到)",
    "我?(?:现在|先|必须|要|得|该|还|去)*有?(?:一?些|点|个|几件)?(?:别的|其他|重要的?)?事情?(?:要|得|需要)?(?:处理|忙|做|办)|我?(?:现在|先|必须|要|得|该)+(?:去"
    "|要)?处理(?:一?些|点)?事情?",
    "(?:很|非常|好|也)*期待(?:着)?(?:我们)?(?:下次|再次|下一次|你的|与你|和你|跟你).{0,8}",
)
_OF_THE_TALK = (
    ".{0,8}(?:和|跟|找|向|同|与)(?:你|您)[^了过]{0,4}(?:聊|说|分享|请教|谈|倾诉|讨论|咨询|交流|问)[^了过]{0,10}",
    "(?:每次|在|能|很高兴|很开心|喜欢)*(?:和|跟|与)(?:你|您)(?:聊|说|交流|谈|在一起|做朋友).{0,30}",
    "我?(?:又|再次|今天|就|只是)*来(?:找你|聊天|看看|打扰|请教|倾诉|了)+.{0,6}",
    "(?:今天|我|最近|现在)*(?:有|遇到)一?(?:件|个|些|点)?(?:事情?|问题|疑问|困惑).{0,4}(?:想|要)?.{0,3}(?:听听|请教|问|聊|说|讨论|咨询|分享"
    "|告诉)(?:一?下)?(?:你|您)?.{0,6}",
    "(?:顺便)?告诉你一?(?:件|个).{0,6}|我?今天第一次(?:和|跟)你.{0,6}|我们.{0,6}(?:一起)?(?:聊天|做朋友).{0,2}",
)
_THANKS = (
    "(?:真的?|也|再次|非常|十分|很|先)*(?:谢谢?|感谢|多谢|感恩|感激|辛苦|麻烦)(?:了|你|您|ai|朋友|大家|分享|推荐|提醒|建议|关心|陪|聆听|倾听|一直|的|这|能|啦).{0,24}",
    "(?:祝|愿)(?:你|您|我们|大家|一切).{0,16}|(?:希望|但愿)(?:你|您|这|它|那|能?像你|真的|会|如此|我们|一切).{0,20}",
    "有(?:你|您)(?:真|在|陪).{0,8}|(?:你|您)?(?:真|太|总)?(?:是)?(?:我的?)?(?:好朋友|贴心|善解人意|温暖|好人).{0,4}",
)
_OF_THE_DAY = (
    "(?:今天|明天|又)*是?(?:又)?(?:星期|周|礼拜)[一二三四五六日天]",
    "今天?天气" + _VERY + ".{0,4}(?:好|不错|晴朗|糟|差)|今天是第?[一二三四五六七八九十百\\d]+天",
    "没(?:有)?(?:什么|啥)?(?:了|别的|其他的?|特别的?|问题)|随便(?:聊聊)?|拜托",
)
_ENGLISH = (
    "(?:i (?:guess|think|suppose|see|agree|understand|know)|that(?:'s| is)|this is|these are|it(?:'s| is| sounds)"
    "|sounds?|you(?:'re| are)|those are|what an?|such an?|how)"
    "(?: (?:you're|you are|that's|it's|really|so|very|quite|a|an|totally|completely|with you|what you mean|like))*"
    "(?: (?:\\w+ )?(?:right|true|fair|sense|good|great|nice|lovely|helpful|interesting|wonderful|useful|awesome"
    "|cool|kind|idea|ideas|advice|point|tip|tips|suggestions?|amazing|perfect|brilliant|sweet"
    "|thoughtful))?(?: (?:point|enough|to know|too|of you))?",
    "(?:that|it|this|you|all (?:of )?that|what you said) (?:really |totally |all )?(?:makes?|made) (?:\\w+ ){0,3}sense",
    "(?:good|great|nice|fair|lovely|interesting|helpful|useful|solid) (?:to know|enough|point|idea|advice|tip|tips"
    "|one|stuff|suggestions?)|got it|noted|i see|fair|agreed|interesting|exactly|true|no|none|nothing (?:else|more)",
    "(?:let me|i(?:'ll| will| can| might| should| guess i'll| think i'll)?(?: definitely| certainly| just)?) "
    "(?:try(?: (?:it|that|this|those|these|them)(?: out)?)?|give (?:it|that|this|those|them)(?: all)? an? (?:go"
    "|try|shot|chance)|keep (?:that|it|this|those) in mind|think (?:about|on) (?:it|that|this)|think it over"
    "|remember (?:that|this|it)|look into (?:it|that|this)|do (?:that|so|it)|consider (?:it|that|this)"
    "|follow (?:your|that|this|the) \\w+|take (?:that|your|this) \\w+(?: on board)?|see(?: how it goes)?"
    "|do my best|work on (?:it|that))",
    "(?:talk|see|catch|chat|speak)(?: to| with)? (?:you|ya|soon|later)(?: (?:later|soon|tomorrow|then|again"
    "|next time|around|tonight|up)){0,2}|(?:good ?)?(?:bye|night|morning|evening)(?: then)?",
    "i (?:have|need|gotta|got|should|must|had better|better)(?: to)? (?:go|run|leave|sleep|head (?:out|off)"
    "|get going|get back to work)(?: now| to (?:bed|work|sleep))?",
    "i (?:just |only )?(?:wanted|want|would like|came|am here|'d like|need) to (?:chat|talk|ask|share|say hi|vent"
    "|check in)(?: (?:a bit|with you|to you|something|you something|a little|about (?:it|something|that)"
    "|for a while|again)){0,3}",
    "(?:it(?:'s| is| was) )?(?:so |really |always )?(?:nice|good|great|lovely) (?:to talk|to chat|talking|chatting"
    "|to hear)(?: (?:to|with|from))?(?: you)?.{0,20}",
    "(?:thanks?|thank you|many thanks|i (?:really |do |truly )?appreciate|much appreciated|cheers)\\b.{0,50}",
    "you(?:'re| are|r)?(?: (?:so|always|really|such|very|the best|too))*\\b.{0,30}|(?:hope|wish) you .{0,30}"
    "|i hope (?:so|that (?:helps|works)|it (?:helps|works)|you).{0,20}",
    "it(?:'s| is) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?: again| today)?"
    "|(?:the )?weather (?:is|'s) .{0,12}(?:today)?",
    "\\w+ is (?:so |really |very |the )?(?:key|important|everything|essential|half the battle|crucial)",
)
_CHINESE = _any_of(*_AGREES, *_PRAISES, *_PROMISES, *_LEAVES, *_OF_THE_TALK, *_THANKS, *_OF_THE_DAY)
_REACTION = re.compile(f"^{_OPENS}(?:{_CHINESE}|{_any_of(*_ENGLISH)})?{_CLOSES}$")
_INTENDS = re.compile(
    f"^{_OPENS}(?:(?:我|那我)?(?:也|就|先|以后|一定|今后|都|还)*(?:会|可以|试试?|试着|尝试|打算|想|要|将|应该|去|多|坚持)"
    "|(?:i(?:'ll| will| can| could| might| should|'m going to| am going to)|let me)\\b)"
)
_OWN_TIME = re.compile(
    "了|过(?!程|来|去)|昨|今早|刚|\\d|上(?:周|个?月)|明天|下(?:周|个?月)"
    "|\\b(?:yesterday|last|tomorrow|next|tried|did|was|have been)\\b"
)


def reacts(clause: str, heard: str = "") -> bool:
    """Whether a folded clause only answers what was said to the user; `heard`: that, as far as it is known."""
    return bool(_REACTION.match(clause)) or (bool(heard) and _echoes(clause, heard))


def _echoes(clause: str, heard: str) -> bool:
    """我会多喝水，早点休息, after one was told so."""
    if not _INTENDS.match(clause) or _OWN_TIME.search(clause):
        return False
    said = [word for word in _telling(clause) if word]
    known = set(_telling(heard))
    return bool(said) and sum(word in known for word in said) >= ECHOED * len(said)


def _telling(text: str) -> Iterable[str]:
    words = plain_words(fold(text))
    return [word for word in words if len(word) > 1 or language(text) == "en"]
