"""What a message says of who its writer is: name, age, work, where they live, family, animals, belief."""

import pytest

from chat.memory.rules import propose
from tests.pure.reading_rules import AT, ZONE, assert_stated

# What is said, and per slot a part of the value, its item or its key. "a|b": either slot will do.
STATED = [
    ("大家好，我叫林晓月", {"profile.name": "林晓月"}),
    ("你可以叫我阿杰", {"profile.name": "阿杰"}),
    ("我的法名是慧觉", {"profile.name": "慧觉"}),
    ("我姓王", {"profile.name": "王"}),
    ("My name is Robert", {"profile.name": "Robert"}),
    ("Call me Jo", {"profile.name": "Jo"}),
    ("我是87年3月15号出生的", {"profile.birthday": "1987年3月15日"}),
    ("我生日是农历八月十五", {"profile.birthday": "农历8月15日"}),
    ("My birthday is June 3rd", {"profile.birthday": "3 June"}),
    ("I was born on 12 May 1990", {"profile.birthday": "12 May 1990"}),
    ("我今年四十五了", {"profile.age": "45"}),
    ("我二十八岁", {"profile.age": "28"}),
    ("I'm 52 years old", {"profile.age": "52"}),
    ("我是小学老师", {"profile.occupation": "小学老师"}),
    ("我在银行上班，做柜员的", {"profile.occupation": "柜员"}),
    ("我是个退休工人", {"profile.occupation": "退休"}),
    ("I work as a nurse", {"profile.occupation": "nurse"}),
    ("I'm a software engineer", {"profile.occupation": "software engineer"}),
    ("在互联网公司做产品经理", {"profile.occupation": "产品经理"}),
    ("我开出租车的", {"profile.occupation": "开出租"}),
    ("我还在读研究生", {"profile.occupation": "研究生"}),
    ("我住在成都", {"profile.location": "成都"}),
    ("我家在福建泉州", {"profile.location": "泉州"}),
    ("去年搬到了昆明", {"profile.location": "昆明"}),
    ("坐标深圳", {"profile.location": "深圳"}),
    ("I live in Edinburgh", {"profile.location": "Edinburgh"}),
    ("I'm based in Berlin", {"profile.location": "Berlin"}),
    ("We moved to Osaka last year", {"profile.location": "Osaka"}),
    ("人在東京", {"profile.location": "東京"}),
    ("我是初学者", {"profile.experience_level": "新手"}),
    ("打坐十年了", {"profile.experience_level": "10年"}),
    ("I'm new to meditation", {"profile.experience_level": "beginner"}),
    ("I've been meditating for five years", {"profile.experience_level": "5 years"}),
    ("学打坐才三个月", {"profile.experience_level": "3个月"}),
    ("我是佛教徒", {"profile.belief": "佛教"}),
    ("我没有宗教信仰", {"profile.belief": "无"}),
    ("我信道教", {"profile.belief": "道教"}),
    ("I'm a Catholic", {"profile.belief": "Catholic"}),
    ("I'm an atheist", {"profile.belief": "none"}),
    ("我女儿叫小雨，上三年级", {"profile.family": "小雨"}),
    ("我有两个儿子", {"profile.family": "儿子"}),
    ("我妈妈跟我一起住", {"profile.family": "妈"}),
    ("I have a daughter called Emma", {"profile.family": "daughter"}),
    ("My husband works nights", {"profile.family": "husband"}),
    ("我结婚了，老公是程序员", {"profile.family": "老公"}),
    ("家里养了一只叫豆豆的狗", {"profile.pet": "狗"}),
    ("我有两只猫", {"profile.pet": "猫"}),
    ("We have a golden retriever named Max", {"profile.pet": "retriever"}),
    ("我家猫叫咪咪", {"profile.pet": "咪咪"}),
    ("我的手机号是13912345678", {"profile.phone": "13912345678"}),
    ("My number is 415-555-0123", {"profile.phone": "4155550123"}),
    ("邮箱：zhang.san@example.com", {"profile.email": "zhang.san@example.com"}),
    ("you can email me at jo@example.org", {"profile.email": "jo@example.org"}),
    ("我的地址是北京市海淀区中关村大街1号", {"profile.address": "中关村大街"}),
    ("My address is 12 Rose Street, Edinburgh", {"profile.address": "12 Rose Street"}),
    ("我本名张伟", {"profile.name": "张伟"}),
    ("叫我老陈吧", {"profile.name": "老陈"}),
    ("你好呀 我是小美", {"profile.name": "小美"}),
    ("I'm Daniel", {"profile.name": "Daniel"}),
    ("生日是十月一号", {"profile.birthday": "10月1日"}),
    ("我1992年出生", {"profile.birthday": "1992"}),
    ("born in 1975", {"profile.birthday": "1975"}),
    ("今年刚满三十", {"profile.age": "30"}),
    ("我属虎，今年52", {"profile.age": "52"}),
    ("turned 40 last month", {"profile.age": "40"}),
    ("我是做IT的", {"profile.occupation": "it"}),
    ("我当了十年护士", {"profile.occupation": "护士"}),
    ("我是名高中物理老师", {"profile.occupation": "老师"}),
    ("I'm retired", {"profile.occupation": "retired"}),
    ("I teach yoga for a living", {"profile.occupation": "yoga"}),
    ("老家四川，现居重庆", {"profile.location": "重庆"}),
    ("我们搬到郑州来了", {"profile.location": "郑州"}),
    ("我是在苏州生活的", {"profile.location": "苏州"}),
    ("living in Melbourne these days", {"profile.location": "Melbourne"}),
    ("打坐小白一个", {"profile.experience_level": "新手"}),
    ("我修行二十多年了", {"profile.experience_level": "20年"}),
    ("complete beginner here", {"profile.experience_level": "beginner"}),
    ("皈依佛门三年了", {"profile.belief": "佛教"}),
    ("我是无神论者", {"profile.belief": "无"}),
    ("I'm Jewish", {"profile.belief": "Judaism"}),
    ("我跟父母同住", {"profile.family": "父母"}),
    ("我有个弟弟在上大学", {"profile.family": "弟弟"}),
    ("孩子今年高考", {"profile.family": "孩子"}),
    ("my son is 12", {"profile.family": "son"}),
    ("养了缸金鱼", {"profile.pet": "金鱼"}),
    ("my cat Luna sits with me", {"profile.pet": "cat"}),
    ("有事打我电话 18612345678", {"profile.phone": "18612345678"}),
    ("我的邮箱是 foo@bar.cn", {"profile.email": "foo@bar.cn"}),
    ("收货地址：上海市徐汇区漕溪路100号", {"profile.address": "漕溪路"}),
    ("在苏州一所小学教语文，打坐快三年了", {"profile.location": "苏州", "profile.occupation": "教语文", "profile.experience_level": "3年"}),
    ("87年的 属兔", {"profile.birthday": "1987"}),
    ("今年四十有三", {"profile.age": "43"}),
    ("马上奔五了，四十八", {"profile.age": "48"}),
    ("别叫我张哥，叫小张就行", {"profile.name": "小张"}),
    ("朋友都喊我老鱼", {"profile.name": "老鱼"}),
    ("以后叫我满满吧", {"profile.name": "满满"}),
    ("改名了，现在叫陈静远", {"profile.name": "陈静远"}),
    ("叫我Lily或者莉莉都行", {"profile.name": "Lily"}),
    ("住在通州，跑滴滴的", {"profile.location": "通州", "profile.occupation": "跑滴滴"}),
    ("我是殡仪馆的入殓师", {"profile.occupation": "入殓师"}),
    ("做了半辈子裁缝", {"profile.occupation": "裁缝"}),
    ("刚从银行退下来", {"profile.occupation": "退休"}),
    ("法院书记员，天天打字", {"profile.occupation": "书记员"}),
    ("现在在街道办上班", {"profile.occupation": "街道办"}),
    ("不送外卖了，去厂里拧螺丝了", {"profile.occupation": "拧螺丝"}),
    ("老家河南信阳，现在漂在北京", {"profile.location": "北京"}),
    ("我嫁到顺德好多年了", {"profile.location": "顺德"}),
    ("公司裁员，回老家赣州了", {"profile.location": "赣州"}),
    ("住城中村呢，广州天河", {"profile.location": "广州天河"}),
    ("家里一儿一女", {"profile.family": "儿子"}),
    ("在成都带孙子", {"profile.family": "孙子"}),
    ("刚当爹，闺女才满月", {"profile.family": "闺女"}),
    ("媳妇怀二胎了", {"profile.family": "媳妇"}),
    ("家有两猫一狗", {"profile.pet": "狗"}),
    ("皈依十年的居士", {"profile.belief": "佛教"}),
    ("家庭地址是长宁区天山路88号", {"profile.address": "天山路88号"}),
    ("全职写小说", {"profile.occupation": "写小说"}),
    ("叫我老周 54了 跑大车的", {"profile.age": "54"}),
    ("五戒弟子，酒肉不沾", {"profile.belief": "佛教"}),
    ("人已经在昆明了", {"profile.location": "昆明"}),
]


@pytest.mark.parametrize(("text", "expected"), STATED)
def test_what_is_stated_is_found(text, expected):
    assert_stated(text, expected)


@pytest.mark.parametrize("text", ["我第一份工作是在影院检票", "上一个单位是报社，当编辑", "我高中班主任姓赖，教数学", "我在山里当过三个月志愿者", "做过敏测试去了", "毕业头两年我在保险公司跑业务"])
def test_what_one_once_did_or_others_do_is_no_trade_of_now(text):
    assert "profile.occupation" not in {p.slot for p in propose(text, AT, ZONE) if not p.past}


@pytest.mark.parametrize("text", ["我的英文名叫Orion", "我小名叫豆豆", "网名是山中客"])
def test_another_name_is_not_what_one_is_called(text):
    assert "profile.name" not in {p.slot for p in propose(text, AT, ZONE)}


@pytest.mark.parametrize("who", ["我的曾祖父", "我太爷爷", "我外祖母", "我教父", "my great-grandfather", "my stepmother", "my godfather"])
def test_kin_of_every_degree_is_somebody_else(who):
    assert "profile.occupation" not in {p.slot for p in propose(f"{who} is a nurse" if who.isascii() else f"{who}是藏药师", AT, ZONE)}
