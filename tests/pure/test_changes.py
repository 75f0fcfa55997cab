"""From one message to the next: what is a change, and what is none (the same again, more exact, another's, only today)."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from chat.memory import ontology, values
from chat.memory.rules import propose
from chat.memory.text import fold
from chat.memory.values import Relation

ZONE = "Asia/Shanghai"
AT = datetime(2026, 6, 10, 9, 0, tzinfo=ZoneInfo(ZONE))

# (before, now, what holds now)
CHANGES = [
    ("我坐的时候喜欢听雨", "以后别放雨声了，安静就好", {"preference.meditation_sound": "静音"}),
    ("我打坐放古琴曲", "古琴听腻了，换成鸟叫吧", {"preference.meditation_sound": "鸟鸣"}),
    ("I like silence when I sit", "Actually these days I put on some white noise when I sit", {"preference.meditation_sound": "white noise"}),
    ("我要有人带着冥想", "引导音频我现在不用了，自己坐", {"preference.meditation_guidance": "无引导"}),
    ("打坐我散盘", "腿软了，现在改单盘了", {"preference.posture": "单盘"}),
    ("我双盘", "膝盖伤了，以后坐椅子", {"preference.posture": "椅子坐"}),
    ("I sit cross-legged", "I've switched to a chair because of my knees", {"preference.posture": "on a chair"}),
    ("回答请详细一点", "以后回答简短些就行", {"preference.answer_style": "简洁"}),
    ("请用中文回答", "从今天起用英语回复我", {"preference.answer_language": "英文"}),
    ("我都在阳台打坐", "天冷了，改到书房里坐了", {"preference.environment": "书房"}),
    ("我吃素", "上个月开始吃肉了，医生建议的", {"preference.diet": "荤素都吃"}),
    ("我什么都吃", "从今年起吃素了", {"preference.diet": "吃素"}),
    ("每次打坐半小时", "最近体力差，减到十五分钟了", {"habit.meditation_duration": "15分钟"}),
    ("I sit for ten minutes", "now I sit for half an hour each time", {"habit.meditation_duration": "30 minutes"}),
    ("我早上打坐", "换成睡前坐了", {"habit.meditation_time": "睡前"}),
    ("我每天都打坐", "现在一周只坐两次了", {"habit.meditation_frequency": "每周2次"}),
    ("I meditate every day", "I only meditate on weekends now", {"habit.meditation_frequency": "weekends"}),
    ("我七点起床", "换了工作，现在五点半就得起", {"habit.wake_time": "5:30"}),
    ("我十一点睡觉", "最近老熬夜，都一点才睡", {"habit.sleep_time": "1:00"}),
    ("I go to bed at 11", "I've been going to bed at 1am lately", {"habit.sleep_time": "1:00"}),
    ("我不抽烟", "压力太大 又抽上烟了", {"status.smoking_status": "抽烟"}),
    ("我抽烟二十年了", "上周把烟戒了", {"status.smoking_status": "已戒烟"}),
    ("I don't drink", "I've started drinking again", {"status.drinking_status": "drinking"}),
    ("我天天喝酒", "酒戒了，一个月没碰了", {"status.drinking_status": "已戒酒"}),
    ("打坐停了一阵子了", "我恢复打坐了", {"status.practice_status": "进行中"}),
    ("我住在南京", "搬家了，现在住合肥", {"profile.location": "合肥"}),
    ("I live in Paris", "I just moved to Lyon", {"profile.location": "Lyon"}),
    ("我是会计", "换工作了，现在当老师", {"profile.occupation": "老师"}),
    ("叫我小李", "别叫小李了，叫我老李吧", {"profile.name": "老李"}),
    ("I'm a nurse", "I'm a teacher now", {"profile.occupation": "teacher"}),
    ("我信佛", "我受洗了，现在是基督徒", {"profile.belief": "基督教"}),
    ("我的手机号13800001111", "手机号换了，新的是13900002222", {"profile.phone": "13900002222"}),
    ("我的目标是每天坐半小时", "目标改成每天坐一小时", {"goal.daily_meditation": "1小时"}),
    ("我打算每天读一章道德经", "读经计划改成读坛经", {"goal.reading_plan": "坛经"}),
    ("我想每天十一点前睡", "睡眠目标调到十点半", {"goal.sleep_goal": "22:30"}),
    ("我邮箱是a@b.com", "邮箱换成c@d.com了", {"profile.email": "c@d.com"}),
    ("打坐放点轻音乐我才坐得住", "轻音乐也不放了 现在就爱静静坐着", {"preference.meditation_sound": "静音"}),
    ("俺打坐爱听木鱼声", "木鱼听烦了，给我换雨声", {"preference.meditation_sound": "雨声"}),
    ("冥想音樂我都放鋼琴曲", "最近改聽海浪聲了", {"preference.meditation_sound": "海浪"}),
    ("meditation 我要 silence", "现在觉得放点 white noise 更好，以后就放这个", {"preference.meditation_sound": "白噪音"}),
    ("每次坐一刻钟就够", "慢慢加上去了，现在每次坐五十分钟", {"habit.meditation_duration": "50分钟"}),
    ("一坐就一个钟", "老了坐不动了，如今顶多坐二十分钟", {"habit.meditation_duration": "20分钟"}),
    ("I usually do 30 mins", "been cutting it down, 15 mins a day now", {"habit.meditation_duration": "15 minutes"}),
    ("我習慣清晨打坐", "現在都改成傍晚坐了", {"habit.meditation_time": "傍晚"}),
    ("五点爬起来打坐", "天冷起不来，改中午坐了", {"habit.meditation_time": "中午"}),
    ("mornings are when I meditate", "I've moved my practice to lunchtime", {"habit.meditation_time": "noon"}),
    ("周末才打坐", "如今每天都坐上一坐", {"habit.meditation_frequency": "每天"}),
    ("我六点半起", "孩子上学了，现在得五点四十起", {"habit.wake_time": "5:40"}),
    ("一般十点就睡了", "唉现在都拖到十二点半才睡", {"habit.sleep_time": "0:30"}),
    ("我單盤", "腳踝受傷，現在都坐椅子", {"preference.posture": "椅子坐"}),
    ("full lotus all the way", "my knee gave up so it's half lotus now", {"preference.posture": "half lotus"}),
    ("打坐要有人带我", "跟引导跟腻了，以后不要引导", {"preference.meditation_guidance": "无引导"}),
    ("回答我想要详细的", "太长了看着累，以后精简点回答", {"preference.answer_style": "简洁"}),
    ("以后用英语跟我聊", "算了还是说中文吧，以后都用中文", {"preference.answer_language": "中文"}),
    ("我就爱在公园里坐", "公园太吵，现在都在家里书房坐", {"preference.environment": "书房"}),
    ("我吃肉的，无肉不欢", "体检吓到了，现在改吃素", {"preference.diet": "吃素"}),
    ("我吃全素", "扛不住了，现在吃锅边素", {"preference.diet": "锅边素"}),
    ("I eat everything", "went veggie a month ago", {"preference.diet": "vegetarian"}),
    ("烟戒了大半年", "没忍住，又抽回去了", {"status.smoking_status": "抽烟"}),
    ("我抽烟的", "烟彻底戒了，药店买的戒烟贴", {"status.smoking_status": "已戒烟"}),
    ("smoke-free since 2020", "had a rough month, started smoking again", {"status.smoking_status": "smoking"}),
    ("酒我是天天喝", "医生说肝不行，酒停了", {"status.drinking_status": "已戒酒"}),
    ("我滴酒不沾的", "逢年过节也会喝两杯了", {"status.drinking_status": "偶尔"}),
    ("打坐天天坚持着", "歇了，打坐先停一停", {"status.practice_status": "暂停"}),
    ("停了好久没打坐", "重新捡起来了，天天打坐", {"status.practice_status": "进行中"}),
    ("我在深圳上班，住南山", "回老家了，现在住梅州", {"profile.location": "梅州"}),
    ("based in Leeds", "relocated to Bristol for work", {"profile.location": "Bristol"}),
    ("我是护士", "转行做瑜伽教练了", {"profile.occupation": "瑜伽教练"}),
    ("在工地上当电工", "今年退休了", {"profile.occupation": "退休"}),
    ("I work as an accountant", "quit my job, I'm a baker now", {"profile.occupation": "baker"}),
    ("我不信教", "上周皈依了", {"profile.belief": "佛教"}),
    ("目标每天坐二十分钟", "目标提高到四十分钟一天", {"goal.daily_meditation": "40分钟"}),
    ("打算十月去打七", "打七改到明年三月了", {"goal.retreat_plan": "明年三月"}),
    ("我微信手机同号 13612340000", "号换成 15812340000 了", {"profile.phone": "15812340000"}),
]

NO_CHANGES = [
    ("每天打坐半小时", "我每天坐三十分钟呀"),
    ("我六点起床", "早上6点起"),
    ("我吃素", "我是素食者"),
    ("I quit smoking", "I don't smoke"),
    ("我住上海", "我在上海住"),
    ("打坐喜欢安静", "冥想不放音乐"),
    ("我早上打坐", "一般六点半打坐"),
    ("我住浙江", "我住浙江杭州"),
    ("我信佛", "我是修净土的"),
    ("我吃素", "严格说是纯素，蛋奶也不吃"),
    ("I'm a teacher", "I'm a primary school teacher"),
    ("我练八段锦", "也练太极拳"),
    ("我家有只猫", "又养了条狗"),
    ("我有高血压", "还有糖尿病"),
    ("打坐总走神", "还老犯困"),
    ("回答详细一点", "今天就简单说说吧"),
    ("我早上打坐", "今天有事，晚上再坐"),
    ("我坐半小时", "今天只坐了十分钟"),
    ("我吃素", "昨天同学聚会吃了点肉"),
    ("我住西安", "这周在北京出差"),
    ("I get up at six", "I overslept today and got up at nine"),
    ("我不喝酒", "我老公天天喝酒"),
    ("我散盘", "我师兄双盘很厉害"),
    ("我住成都", "我姐住重庆"),
    ("I'm a nurse", "my wife is a lawyer"),
    ("我六点起", "我爸四点就起了"),
    ("我每天坐二十分钟", "坐一个小时是不是更好"),
    ("我散盘", "要不要试试双盘？"),
    ("我住广州", "如果搬到大理住会不会更安静"),
    ("我现在单盘", "以前都是双盘"),
    ("我不抽烟了", "以前一天两包"),
    ("我住武汉", "小时候住在长沙"),
    ("I'm a designer", "I used to be a teacher"),
    ("我住南昌", "不好意思打错了，是南京"),
    ("我每天打坐两小时", "开玩笑的，其实就二十分钟"),
    ("我35岁", "说错了，34"),
    ("每天坐个把小时", "每天坐一小时"),
    ("打坐二十分钟", "一般坐20min"),
    ("我十点半睡", "22点半睡觉"),
    ("我戒烟了", "烟早就不抽了"),
    ("我爱听水声打坐", "打坐就放小溪流水的声音"),
    ("我信佛的", "学佛，修禅宗"),
    ("我是医生", "儿科医生"),
    ("我住台北", "台北大安區這邊"),
    ("晚上打坐", "晚上九点坐"),
    ("I sit on a chair", "sitting on a chair as always"),
    ("我有失眠", "還有胃炎"),
    ("我有个儿子", "还有个小女儿"),
    ("目标：学会弹琴", "再加一个目标，跑完半马"),
    ("周一到周五早上提醒我打坐七点", "晚上十点半再提醒我睡觉"),
    ("冥想我要静音", "今天心烦，放首歌听听吧"),
    ("我散盘", "今天试了下双盘，疼死"),
    ("回答简短点", "这个你给我详细讲讲"),
    ("我六点起", "今早睡到九点哈哈"),
    ("我不抽烟", "办公室同事天天抽烟熏死我"),
    ("我单身住上海", "闺蜜搬去了杭州"),
    ("我每天坐一小时", "新手坐一小时会不会太久"),
    ("I wake at 6", "my flatmate wakes at 4, crazy"),
    ("我吃素", "上大学那会儿顿顿吃肉"),
    ("我住长沙", "零几年的时候住北京"),
    ("I don't drink", "back in my twenties I drank every night"),
    ("我是程序员", "要是当和尚就好了"),
]


def stated(text, at):
    lasting = [p for p in propose(text, at, ZONE) if p.operation == "assert" and p.scope == "lasting"]
    return {(p.slot, p.item): p for p in lasting if not p.past and p.confidence >= 0.6}


def contradictions(before, now):
    old, new = stated(before, AT), stated(now, AT + timedelta(days=3))
    return {
        slot: new[slot, item]
        for slot, item in old.keys() & new.keys()
        if values.compare(ontology.load().attribute(slot), old[slot, item].normalized, new[slot, item].normalized)
        is Relation.CONTRADICTS
    }


@pytest.mark.parametrize(("before", "now", "holds"), CHANGES)
def test_a_change_contradicts_what_was_said(before, now, holds):
    found = contradictions(before, now)
    for slot, part in holds.items():
        assert fold(part) in fold(f"{found[slot].value} {found[slot].key}")


@pytest.mark.parametrize(("before", "now"), NO_CHANGES)
def test_what_is_no_change_contradicts_nothing(before, now):
    if not any(p.operation == "retract" for p in propose(now, AT, ZONE)):
        assert contradictions(before, now) == {}
