"""Places that lie in one another: 徐州 in 江苏, 余杭 in 杭州, Galway in Ireland. Enough to know that a city does not contradict its province."""

import re

_CITIES = {
    "河北": "石家庄 唐山 秦皇岛 邯郸 邢台 保定 张家口 承德 沧州 廊坊 衡水 雄安 三河 燕郊",
    "山西": "太原 大同 阳泉 长治 晋城 朔州 晋中 运城 忻州 临汾 吕梁",
    "内蒙古": "呼和浩特 包头 乌海 赤峰 通辽 鄂尔多斯 呼伦贝尔 巴彦淖尔 乌兰察布 兴安盟 锡林郭勒 阿拉善",
    "辽宁": "沈阳 大连 鞍山 抚顺 本溪 丹东 锦州 营口 阜新 辽阳 盘锦 铁岭 朝阳 葫芦岛",
    "吉林": "长春 吉林市 四平 辽源 通化 白山 松原 白城 延边 延吉",
    "黑龙江": "哈尔滨 齐齐哈尔 鸡西 鹤岗 双鸭山 大庆 伊春 佳木斯 七台河 牡丹江 黑河 绥化 大兴安岭 漠河",
    "江苏": "南京 无锡 徐州 常州 苏州 南通 连云港 淮安 盐城 扬州 镇江 泰州 宿迁 昆山 江阴 常熟 张家港 太仓 宜兴",
    "浙江": "杭州 宁波 温州 嘉兴 湖州 绍兴 金华 衢州 舟山 台州 丽水 义乌 慈溪 余姚 诸暨 海宁 横店 乌镇",
    "安徽": "合肥 芜湖 蚌埠 淮南 马鞍山 淮北 铜陵 安庆 黄山 滁州 阜阳 宿州 六安 亳州 池州 宣城",
    "福建": "福州 厦门 莆田 三明 泉州 漳州 南平 龙岩 宁德 晋江 石狮 武夷山",
    "江西": "南昌 景德镇 萍乡 九江 新余 鹰潭 赣州 吉安 宜春 抚州 上饶",
    "山东": "济南 青岛 淄博 枣庄 东营 烟台 潍坊 济宁 泰安 威海 日照 临沂 德州 聊城 滨州 菏泽 曲阜",
    "河南": "郑州 开封 洛阳 平顶山 安阳 鹤壁 新乡 焦作 濮阳 许昌 漯河 三门峡 南阳 商丘 信阳 周口 驻马店 济源",
    "湖北": "武汉 黄石 十堰 宜昌 襄阳 鄂州 荆门 孝感 荆州 黄冈 咸宁 随州 恩施 仙桃 潜江 天门 神农架",
    "湖南": "长沙 株洲 湘潭 衡阳 邵阳 岳阳 常德 张家界 益阳 郴州 永州 怀化 娄底 湘西 吉首",
    "广东": "广州 韶关 深圳 珠海 汕头 佛山 江门 湛江 茂名 肇庆 惠州 梅州 汕尾 河源 阳江 清远 东莞 中山 潮州 揭阳 云浮",
    "广西": "南宁 柳州 桂林 梧州 北海 防城港 钦州 贵港 玉林 百色 贺州 河池 来宾 崇左 阳朔",
    "海南": "海口 三亚 三沙 儋州 万宁 琼海 文昌 陵水",
    "四川": (
        "成都 自贡 攀枝花 泸州 德阳 绵阳 广元 遂宁 内江 乐山 南充 眉山 宜宾 广安 达州 雅安 巴中 资阳 阿坝 "
        "甘孜 凉山 西昌 都江堰"
    ),
    "贵州": "贵阳 六盘水 遵义 安顺 毕节 铜仁 黔西南 黔东南 黔南 凯里 丹寨 都匀",
    "云南": "昆明 曲靖 玉溪 保山 昭通 丽江 普洱 临沧 楚雄 红河 文山 西双版纳 大理 德宏 怒江 迪庆 腾冲 香格里拉 双廊",
    "西藏": "拉萨 日喀则 昌都 林芝 山南 那曲 阿里",
    "陕西": "西安 铜川 宝鸡 咸阳 渭南 延安 汉中 榆林 安康 商洛",
    "甘肃": "兰州 嘉峪关 金昌 白银 天水 武威 张掖 平凉 酒泉 庆阳 定西 陇南 临夏 甘南 敦煌",
    "青海": "西宁 海东 玉树 格尔木 德令哈",
    "宁夏": "银川 石嘴山 吴忠 固原 中卫",
    "新疆": "乌鲁木齐 克拉玛依 吐鲁番 哈密 昌吉 阿克苏 喀什 和田 伊犁 伊宁 塔城 阿勒泰 石河子 库尔勒",
    "台湾": "台北 新北 桃园 台中 台南 高雄 基隆 新竹 嘉义 苗栗 彰化 南投 云林 屏东 宜兰 花莲 台东 澎湖 金门",
    "北京": "朝阳 海淀 丰台 石景山 西城 东城 通州 顺义 昌平 大兴 房山 门头沟 怀柔 平谷 密云 延庆 望京 回龙观 亦庄",
    "上海": "浦东 徐汇 长宁 静安 普陀 虹口 杨浦 黄浦 闵行 宝山 嘉定 松江 青浦 奉贤 金山 崇明 陆家嘴",
    "天津": "和平 河西 南开 河东 河北区 红桥 滨海新区 塘沽 武清 宝坻 静海 蓟州",
    "重庆": "渝中 江北 沙坪坝 九龙坡 南岸 北碚 渝北 巴南 涪陵 万州 合川 永川 江津 綦江",
    "广州": "天河 越秀 海珠 荔湾 白云 黄埔 番禺 花都 南沙 增城 从化",
    "深圳": "福田 罗湖 南山 宝安 龙岗 龙华 坪山 光明 盐田 前海",
    "杭州": "余杭 西湖区 上城 拱墅 滨江 萧山 临平 钱塘 富阳 临安 桐庐 建德 淳安",
    "南京": "玄武 秦淮 建邺 鼓楼 栖霞 雨花台 江宁 浦口 六合 溧水 高淳 仙林",
    "成都": "锦江 青羊 金牛 武侯 成华 高新区 双流 郫都 温江 新都 龙泉驿 天府新区",
    "苏州": "姑苏 吴中 相城 吴江 虎丘 工业园区 昆山 常熟 张家港 太仓",
    "武汉": "武昌 汉口 汉阳 洪山 江夏 青山 东西湖 黄陂 光谷",
    "西安": "雁塔 碑林 莲湖 未央 灞桥 长安区 曲江 高陵",
    "佛山": "顺德 南海 禅城 三水 高明",
    "香港": "九龙 新界 港岛 旺角 铜锣湾 沙田 元朗 荃湾 屯门 深水埗",
    "美国": "纽约 洛杉矶 旧金山 湾区 硅谷 芝加哥 波士顿 西雅图 休斯顿 费城 加州",
    "日本": "东京 大阪 京都 横滨 名古屋 福冈 札幌 神户 奈良",
    "加拿大": "温哥华 多伦多 蒙特利尔 渥太华 卡尔加里",
    "澳大利亚": "悉尼 墨尔本 布里斯班 珀斯 阿德莱德 堪培拉",
    "英国": "伦敦 曼彻斯特 爱丁堡 伯明翰 利物浦 剑桥 牛津",
    "马来西亚": "吉隆坡 槟城 马六甲 柔佛 新山 怡保",
    "泰国": "曼谷 清迈 普吉",
    "新西兰": "奥克兰 惠灵顿 基督城",
}
_CITIES_EN = {
    "england": (
        "london, manchester, birmingham, leeds, liverpool, bristol, sheffield, newcastle, nottingham, "
        "leicester, brighton, "
        "oxford, cambridge, york, bath, hull, plymouth, exeter, norwich, reading, southampton, portsmouth, "
        "coventry, derby, "
        "bradford, sunderland, stoke, totnes, cornwall, devon, kent, essex, surrey, yorkshire, cumbria, "
        "dorset, somerset, "
        "suffolk, norfolk, lancashire, cheshire, bournemouth, luton, slough, croydon, hackney, wolverhampton"
    ),
    "scotland": "edinburgh, glasgow, aberdeen, dundee, inverness, stirling, perth, fife, skye, orkney",
    "wales": "cardiff, swansea, newport, wrexham, bangor, aberystwyth",
    "northern ireland": "belfast, derry, lisburn, newry",
    "ireland": (
        "dublin, cork, galway, limerick, waterford, sligo, kilkenny, donegal, kerry, mayo, clare, wexford, "
        "tralee, ennis"
    ),
    "australia": (
        "sydney, melbourne, brisbane, perth, adelaide, canberra, hobart, darwin, cairns, byron bay, geelong, "
        "newcastle, queensland, tasmania, victoria"
    ),
    "new zealand": "auckland, wellington, christchurch, dunedin, hamilton, queenstown, nelson",
    "india": (
        "mumbai, delhi, new delhi, bangalore, bengaluru, chennai, kolkata, hyderabad, pune, ahmedabad, "
        "jaipur, lucknow, kochi, "
        "cochin, goa, gurgaon, gurugram, noida, chandigarh, indore, bhopal, nagpur, mysore, mysuru, "
        "coimbatore, trivandrum, "
        "thiruvananthapuram, varanasi, rishikesh, dehradun, patna, surat, vadodara, kerala, tamil nadu, karnataka, "
        "maharashtra, gujarat, punjab, rajasthan, west bengal, odisha, assam, bihar, pondicherry, madurai, vizag"
    ),
    "pakistan": "karachi, lahore, islamabad, rawalpindi, peshawar, faisalabad, multan",
    "bangladesh": "dhaka, chittagong, sylhet",
    "sri lanka": "colombo, kandy, galle, jaffna",
    "nepal": "kathmandu, pokhara",
    "usa": (
        "new york, brooklyn, los angeles, chicago, houston, phoenix, philadelphia, san antonio, san diego, "
        "dallas, austin, "
        "san francisco, oakland, berkeley, seattle, portland, denver, boulder, boston, detroit, nashville, "
        "memphis, atlanta, "
        "miami, orlando, tampa, charlotte, raleigh, baltimore, washington, minneapolis, milwaukee, "
        "cleveland, columbus, "
        "cincinnati, pittsburgh, buffalo, tucson, albuquerque, santa fe, sacramento, las vegas, salt lake "
        "city, honolulu, "
        "california, texas, florida, ohio, oregon, colorado, arizona, nevada, utah, vermont, maine, "
        "michigan, wisconsin, "
        "minnesota, iowa, kansas, missouri, tennessee, virginia, new jersey, massachusetts, new mexico, "
        "hawaii, brooklyn, queens"
    ),
    "canada": (
        "toronto, vancouver, montreal, ottawa, calgary, edmonton, winnipeg, halifax, victoria, quebec, "
        "ontario, alberta"
    ),
    "germany": (
        "berlin, hamburg, munich, muenchen, münchen, cologne, köln, koln, frankfurt, stuttgart, düsseldorf, "
        "dusseldorf, leipzig, "
        "dresden, hannover, hanover, nuremberg, bremen, essen, dortmund, bonn, kassel, freiburg, mainz, "
        "bavaria, heidelberg, "
        "kiel, rostock, augsburg, regensburg, göttingen, gottingen, tübingen, tubingen"
    ),
    "austria": "vienna, wien, graz, linz, salzburg, innsbruck, klagenfurt",
    "switzerland": "zurich, zürich, geneva, basel, bern, berne, lausanne, lucerne, luzern, winterthur, st gallen",
    "france": "paris, lyon, marseille, toulouse, nice, nantes, bordeaux, lille, strasbourg",
    "netherlands": "amsterdam, rotterdam, utrecht, the hague, eindhoven",
    "spain": "madrid, barcelona, valencia, seville, malaga",
    "italy": "rome, milan, turin, florence, naples, bologna",
    "portugal": "lisbon, porto",
    "china": (
        "beijing, shanghai, guangzhou, shenzhen, hangzhou, chengdu, chongqing, nanjing, wuhan, xi'an, xian, "
        "suzhou, tianjin, "
        "qingdao, xiamen, kunming, dalian, shenyang, harbin, changsha, zhengzhou, jinan, hefei, fuzhou, "
        "ningbo, dali, lijiang"
    ),
    "taiwan": "taipei, kaohsiung, taichung, tainan, hsinchu",
    "japan": "tokyo, kyoto, osaka, nagoya, yokohama, fukuoka, sapporo, kobe",
    "malaysia": "kuala lumpur, kl, penang, johor bahru, ipoh, malacca",
    "thailand": "bangkok, chiang mai, phuket",
    "uae": "dubai, abu dhabi, sharjah",
    "south africa": "cape town, johannesburg, durban, pretoria",
    "kenya": "nairobi, mombasa",
    "nigeria": "lagos, abuja",
    "": (
        "singapore, hong kong, hongkong, macau, uk, united kingdom, great britain, britain, united states, "
        "america, malta, iceland, "
        "denmark, copenhagen, sweden, stockholm, gothenburg, norway, oslo, bergen, finland, helsinki, "
        "poland, warsaw, krakow, prague, "
        "budapest, hungary, belgium, brussels, ghent, antwerp, greece, athens, turkey, istanbul, israel, tel "
        "aviv, jerusalem, russia, "
        "moscow, ukraine, kyiv, vietnam, hanoi, saigon, ho chi minh city, philippines, manila, indonesia, "
        "jakarta, bali, korea, "
        "south korea, seoul, busan, mexico, mexico city, brazil, sao paulo, argentina, buenos aires, chile, "
        "peru, lima, colombia, "
        "bogota, egypt, cairo, morocco, ghana, accra, qatar, doha, saudi arabia, riyadh, kuwait, bahrain, "
        "oman, muscat, mauritius, fiji"
    ),
}
_EN = {region: frozenset(cities.split(", ")) for region, cities in _CITIES_EN.items()}
_OTHER_NAMES = {"魔都": "上海", "帝都": "北京", "羊城": "广州", "鹏城": "深圳", "蓉城": "成都", "山城": "重庆", "江城": "武汉", "春城": "昆明", "冰城": "哈尔滨", "星城": "长沙", "泉城": "济南"}
_KIND = re.compile("(?:特别行政区|(?:壮族|回族|维吾尔)?自治区|自治州|地区|[省市区县州])$")
_NAMES_ZH = frozenset([*_CITIES, *_OTHER_NAMES, *(city for cities in _CITIES.values() for city in cities.split())])
NAMES = _NAMES_ZH.union(*_EN.values(), filter(None, _EN))
_INSIDE = {city: frozenset(region for region, cities in _CITIES.items() if city in cities.split()) for city in _NAMES_ZH}
_PARTS = dict.fromkeys(("uk", "united kingdom", "britain", "great britain"), ("england", "scotland", "wales", "northern ireland"))


def same(one: str, other: str) -> bool:
    """Two names of one place: 上海, 上海市, 魔都."""
    return _plain(one) == _plain(other)


def lies_in(place: str, region: str) -> bool:
    """Whether the first place lies in the second, by what is known here: 徐州 in 江苏, 杭州余杭 in 浙江."""
    place, region = _plain(place), _plain(region)
    if region in _EN or region in _PARTS:
        cities = _EN.get(region, frozenset()).union(*(_EN[part] | {part} for part in _PARTS.get(region, ())))
        return any(part.strip() in cities for part in place.split(","))
    if region not in _CITIES:
        return False
    return any(region in _regions(name) for name in _INSIDE if name in place)


def _regions(name: str) -> set[str]:
    around = set(_INSIDE.get(name, ()))
    for region in tuple(around):
        around |= _INSIDE.get(region, frozenset())
    return around


def _plain(name: str) -> str:
    shorter = _KIND.sub("", name)
    name = shorter if len(shorter) >= 2 else name
    return _OTHER_NAMES.get(name, name)
