"""Parts of the day: 睡前, 晚饭后, before work; how they are said, and which lie within which."""

# part of the day: (first minute, last minute, zh, en). Ends past 1440 reach into the next day.
PARTS = {
    "before_dawn": (0, 300, "凌晨", "before dawn"),
    "early_morning": (240, 480, "清晨", "early morning"),
    "after_waking": (240, 600, "起床后", "after waking up"),
    "morning": (240, 720, "早上", "in the morning"),
    "noon": (660, 840, "中午", "at noon"),
    "after_lunch": (720, 870, "午饭后", "after lunch"),
    "afternoon": (720, 1140, "下午", "in the afternoon"),
    "dusk": (1020, 1170, "傍晚", "at dusk"),
    "after_work": (1020, 1320, "下班后", "after work"),
    "after_dinner": (1080, 1290, "晚饭后", "after dinner"),
    "evening": (1050, 1560, "晚上", "in the evening"),
    "before_dinner": (1000, 1170, "晚饭前", "before dinner"),
    "before_breakfast": (300, 540, "早饭前", "before breakfast"),
    "after_breakfast": (390, 630, "早饭后", "after breakfast"),
    "children_gone": (420, 600, "送完孩子后", "after the school run"),
    "children_asleep": (1170, 1500, "孩子睡后", "once the children are asleep"),
    "before_bed": (1200, 1560, "睡前", "before bed"),
    "late_night": (1320, 1680, "深夜", "late at night"),
}
PART_WORDS = {
    "before_dawn": "凌晨|before dawn|(?:in the )?wee (?:small )?hours|(?:in the )?small hours",
    "early_morning": (
        "清晨|清早|一早(?!上|一晚)|大清早|一大早|大早上|早早|黎明|天没亮|天不亮|天刚亮"
        "|early (?:in the )?mornings?|(?:just after |just before |around |at |before )?(?:dawn|daybreak"
        "|sunrise|sunup|first light)|(?:at )?(?:the )?crack of dawn"
    ),
    "after_waking": (
        "(?:起床|睡醒|醒来|起来|刚醒)(?:以后|之后|后|就|先)|(?:起床|醒来|睁眼|起来)(?:后)?(?:的)?第一件事|一睁眼"
        "|一醒来|一起床|早起后|(?:right )?after (?:i )?(?:wake|waking|get|getting) up"
        "|first thing in the morning|first thing(?! i(?!n)| that| to| you| on (?:my|the))"
        "|(?:straight |right |as soon as |the moment |the minute )?(?:on|upon|after) waking(?: up)?"
        "|(?:as soon as|the moment|the minute|right after|straight after|just after|when|once) i (?:wake"
        "|get) up|straight out of bed|before (?:my )?(?:breakfast|coffee|brekkie)"
    ),
    "morning": (
        "(?<=一)早(?=一晚)|早上|早晨|早间|上午|今早|明早|昨早|今晨|昨晨|昨天早|每早|晨间"
        "|早(?=晚(?!饭|餐)|起?打坐|课|坐)|in the mornings?|mornings?|every morning"
    ),
    "noon": (
        "中午|正午|午休(?:时|的时候)?|午间|at noon|noon"
        "|(?:at |over |on |during )?(?:my )?lunch ?(?:times?|break|hour)|(?:at|over|during) lunch|midday"
    ),
    "after_lunch": "(?:午饭|午餐|中饭)(?:以后|之后|后)|after lunch",
    "afternoon": "下午|午后|in the afternoons?|afternoons?",
    "dusk": "傍晚|黄昏|at dusk|at sunset",
    "after_work": (
        "(?:收工|收摊|下课|下夜班|收车|打烊|关店)(?:以后|之后|后|回来)|下班(?:以后|之后|后|回来|回家)|下了班"
        "|放学(?:以后|之后|后)|after work|after school|after (?:the )?office|after my shift"
        "|when i get (?:home|in)(?: from work)?|(?:once|after) i(?:'m| get) home"
    ),
    "after_dinner": "(?:晚饭|晚餐|吃完饭|饭)(?:以后|之后|后)|after (?:my |our )?(?:dinner|supper|tea|evening meal)",
    "evening": (
        "(?<=一早一)晚|晚上|晚间|夜里|夜晚|夜间|今晚|明晚|昨晚|前晚|昨夜|当晚|每晚|入夜|(?<=早)晚(?!饭|餐)"
        "|晚(?=坐|课|各|都|打坐)|in the evenings?|evenings?|at night|(?<![a-z])(?<!a )(?<!per )nights?|tonight"
        "|last night|(?:once|when|after) (?:the|my|our) (?:kids?|children|little ones?|baby|house|family|boys"
        "|girls)(?: are| is|'s)?(?: all)? (?:asleep|in bed|down|gone to bed|sleeping)"
    ),
    "before_dinner": "(?:吃)?(?:晚饭|晚餐)(?:之|以)?前|before (?:dinner|supper)",
    "before_breakfast": "(?:吃)?(?:早饭|早餐|早点)(?:之|以)?前",
    "after_breakfast": "(?:吃完)?(?:早饭|早餐|早点)(?:之|以)?后|吃完(?:早饭|早餐|早点)|after breakfast",
    "children_gone": (
        "送(?:完|了)?(?:孩子|娃|小孩|孙子|孙女|宝宝|闺女|儿子|女儿)?(?:上学|上幼儿园|去学校)?(?:之?后|以后"
        "|回来)"
    ),
    "children_asleep": (
        "(?:哄|等)(?:完|着)?(?:孩子|娃|小孩|宝宝|孙子|孙女|他们?|她们?|家人|全家|小的|俩娃)?(?:都)?(?:睡|入睡"
        "|睡觉|睡着|睡下)(?:了|着|下)?"
        "(?:之?后|以后|了|$)|(?:孩子|娃|小孩|宝宝|俩娃|孙子)(?:们)?(?:都)?(?:睡|睡着|睡下)(?:了|着)?(?:之?后"
        "|以后|了)(?!$)"
    ),
    "before_bed": (
        "(?:临)?(?:睡|入睡|睡觉|上床|休息)(?:之|以)?前"
        "|before (?:i )?(?:going to |go to )?(?:bed|sleep|sleeping)(?:time)?|at bedtime|bed ?time ?前"
        "|bed ?time|before bed|last thing(?: at night)?(?! i(?!n)| that)"
        "|before (?:i )?(?:turn(?:ing)? in|nod(?:ding)? off|lights out|hit(?:ting)? the (?:hay|sack))"
    ),
    "late_night": "深夜|半夜|大半夜|午夜|late at night|late night",
}
PART_OF_PART = {
    "early_morning": "morning",
    "after_waking": "morning",
    "before_bed": "evening",
    "after_dinner": "evening",
    "late_night": "evening",
    "after_lunch": "noon",
    "dusk": "evening",
    "after_work": "evening",
    "before_dinner": "evening",
    "before_breakfast": "morning",
    "after_breakfast": "morning",
    "children_gone": "morning",
    "children_asleep": "evening",
}
