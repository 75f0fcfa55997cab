"""What changed between two texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory.diffs import diff

TEXT = st.text(alphabet="早上六七点打坐 morning.\n", max_size=40)


def marked(old: str, new: str) -> str:
    marks = {"same": "{}", "gone": "[-{}]", "come": "[+{}]"}
    return "".join(marks[piece.kind].format(piece.text) for piece in diff(old, new))


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("每天早上六点打坐", "每天早上七点打坐", "每天早上[-六][+七]点打坐"),
        ("I sit in the morning", "I sit in the evening", "I sit in the [-morning][+evening]"),
        ("坐十分钟", "坐十分钟，不盘腿", "坐十分钟[+，不盘腿]"),
        ("流水声", "静音", "[-流水声][+静音]"),
        ("", "静音", "[+静音]"),
        ("一样", "一样", "一样"),
    ],
)
def test_only_what_differs_is_marked(old, new, shown):
    assert marked(old, new) == shown


@given(TEXT, TEXT)
def test_the_pieces_are_both_texts(old, new):
    pieces = diff(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "come") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == new


def test_long_repetitive_texts_take_no_quadratic_time():
    pieces = diff("啊" * 4000, "哦" + "啊" * 3000 + "哦" + "啊" * 999)
    assert {piece.kind for piece in pieces} <= {"same", "gone", "come"}
