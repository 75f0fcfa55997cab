"""Splitting texts into passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.knowledge.split import LARGEST, SMALLEST, size, split

GUIDE = """# 站桩入门

> 关键词：站桩、桩功

## 站桩怎么站

站桩先站5分钟。

1. 两脚与肩同宽。
2. 膝盖微屈。

## 站桩腿抖

腿抖是常事。
"""


def letters(text: str) -> str:
    return "".join(text.split())


def test_a_guide_is_split_at_its_headings():
    found = split(GUIDE)
    assert (found.title, found.keywords) == ("站桩入门", "站桩、桩功")
    assert [piece.heading for piece in found.pieces] == ["站桩怎么站", "站桩腿抖"]
    assert found.pieces[0].text == "站桩先站5分钟。\n1. 两脚与肩同宽。\n2. 膝盖微屈。"


@pytest.mark.parametrize(
    "heading", ["第三章", "第十二品 安樂", "具緣第一", "卷上", "第2节：调息", "Chapter 4", "* 具緣第一", "### 坐忘"]
)
def test_headings_of_many_kinds(heading):
    found = split(f"前文在此。\n\n{heading}\n\n後文在此。")
    assert [piece.text for piece in found.pieces] == ["前文在此。", "後文在此。"]
    assert found.pieces[1].heading == heading.lstrip("*# ")


@pytest.mark.parametrize("line", ["第一次打坐，坐了五分钟。", "他排第一", "- 第一步：坐稳", "我读到第三章就停了。"])
def test_sentences_that_look_like_headings_are_not_lost(line):
    found = split(f"前文在此。\n{line}\n后文在此。")
    assert letters(line.lstrip("- ")) in letters("".join(piece.heading + piece.text for piece in found.pieces))


@pytest.mark.parametrize("last", ["* 坐前先喝水", "第三章 坐忘", "- 一\n\n* 二\n\n* 三"])
def test_what_ends_a_text_is_not_lost_as_a_heading_of_nothing(last):
    kept = "".join(piece.text for piece in split(f"前文在此。\n\n{last}").pieces)
    assert all(word in kept for word in last.replace("*", " ").replace("-", " ").split())


def test_long_sections_are_cut_at_sentence_ends():
    text = "".join(f"这是第{n}句话，说的是怎样把心放在呼吸上而不用力。" for n in range(60))
    pieces = split(text).pieces
    assert len(pieces) > 3
    assert all(piece.text.endswith("。") and size(piece.text) <= LARGEST for piece in pieces)
    assert all(size(piece.text) >= SMALLEST for piece in pieces)


def test_wrapped_lines_are_put_together():
    assert split("不得苞藏瑕\n疵、顯異惑眾。").pieces[0].text == "不得苞藏瑕疵、顯異惑眾。"
    assert split("Sit down and medi-\ntate for five\nminutes. Then rest.").pieces[0].text == (
        "Sit down and meditate for five minutes. Then rest."
    )


@pytest.mark.parametrize("before", range(LARGEST - 8, LARGEST + 3))
@pytest.mark.parametrize("quantity", ["15分钟", "三十天", "1.5小时", "二十四個", "100 克"])
def test_no_cut_between_a_number_and_its_unit(before, quantity):
    pieces = split("静" * before + quantity + "静" * LARGEST).pieces
    assert any(quantity in piece.text for piece in pieces)


def test_a_list_that_fits_stays_in_one_passage():
    steps = "\n".join(f"{n}. 第{n}步要做的事情，慢慢来，不要着急，坐稳再说。" for n in range(1, 9))
    before = "前面有很长的一段话，" * 25 + "说完了。\n"
    assert any(steps in piece.text for piece in split(before + steps).pieces)


@given(st.text(alphabet=st.sampled_from("打坐静心。！？，、\n 　15分钟abc.-*#第一章1)（）「」"), max_size=1500))
def test_nothing_is_lost_and_nothing_is_too_large(text):
    found = split("开头。\n" + text)
    kept = letters("".join([found.title, found.keywords, *(piece.heading + piece.text for piece in found.pieces)]))
    assert all(piece.text.strip() and size(piece.text) <= LARGEST + SMALLEST for piece in found.pieces)
    assert len(kept) >= 0.5 * len("".join(c for c in letters(text) if c in "打坐静心分钟"))


@pytest.mark.parametrize(
    "text",
    ["坐" * 200_000, "坐\n" * 100_000, "a " * 200_000, "1. x\n" * 50_000, "# " + " " * 100_000 + "#x", "。" * 50_000],
)
def test_hostile_texts_are_split_in_no_time(text):
    pieces = split(text).pieces
    assert all(size(piece.text) <= LARGEST + SMALLEST for piece in pieces)
