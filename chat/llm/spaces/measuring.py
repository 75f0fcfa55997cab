"""Measure an embedding space: what its vectors have in common by language, and the cosines of unrelated and related texts.

Needs texts of both languages and pairs of a question and the text that answers it. The numbers are kept, the texts are not.
"""

from collections.abc import Callable, Sequence

import numpy as np

from chat.llm.spaces import Space
from chat.memory.text import language

Embed = Callable[[list[str], bool], np.ndarray]

# One question and its answer a line, on everyday and on practice; unrelated to each other from line to line.
PAIRS = """
我一般几点打坐？|每天早上六点先坐二十分钟
坐久了腿麻怎么办|打坐到一半腿又麻了，只好换姿势
我的猫叫什么名字？|家里养了一只叫团子的橘猫
上个月去哪里旅行了|七月和同学去了一趟青海湖
我对什么食物过敏|吃虾会起疹子，所以从来不碰海鲜
妹妹在哪里上学|妹妹今年考进了武汉的大学
最近为什么睡不好|这几天加班太晚，躺下还在想方案
我戒烟多久了|从三月一号起就没再抽过一支
生日想要什么礼物|一直想要一副好一点的耳机
我的工作是做什么的|在一家出版社做校对
周末有什么安排|星期六要带父母去体检
读书计划到哪一步了|坛经已经读到第三品了
When do I usually meditate?|I sit for twenty minutes right after waking up
What is my dog called?|We adopted a small terrier named Biscuit
Where did I go last summer?|In July we hiked along the coast of Portugal
What am I allergic to?|Peanuts make my throat swell, so I never eat them
What does my brother do?|My brother repairs violins in a small shop
Why was I angry yesterday?|The landlord raised the rent without any warning
How long have I stopped drinking?|I have not touched alcohol since the first of May
Which book am I reading?|I am halfway through a novel about lighthouse keepers
What instrument do I play?|I practise the cello three evenings a week
Where does my mother live?|My mother moved to a village near Lyon
What did the doctor say?|She told me to rest the knee for two weeks
What helps me to fall asleep?|Counting my breath in bed works better than any pill
"""


def pairs() -> list[tuple[str, str]]:
    return [tuple(line.split("|")) for line in PAIRS.strip().splitlines()]


def measure(name: str, version: str, embed: Embed, extra: Sequence[str] = ()) -> Space:
    """The space of an embedder. embed(texts, is_query) gives raw vectors; `extra`: more texts to take the means from."""
    asked, told = map(list, zip(*pairs(), strict=True))
    texts = [*told, *extra]
    raw, questions = embed(texts, False), embed(asked, True)
    tongues = np.array([language(text) for text in texts])
    means = {tongue: raw[tongues == tongue].mean(axis=0) for tongue in ("zh", "en")}
    space = Space(name, version, means, 0.0, 1.0)
    cosines = space.place(questions, asked) @ space.place(raw[: len(told)], told).T
    related = np.diag(cosines)
    same_tongue = np.array([[language(a) == language(b) for b in told] for a in asked])
    unrelated = cosines[same_tongue & ~np.eye(len(told), dtype=bool)]
    low = float(np.median(unrelated))
    return Space(name, version, means, low, max(low + 0.05, float(np.percentile(related, 75))))
