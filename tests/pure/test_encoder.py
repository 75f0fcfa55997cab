"""The encoder of the learned reader: how it cuts a text into pieces, and what it makes of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory.tagging import encoder
from chat.memory.tagging.pieces import Vocabulary
from chat.memory.tagging.tagger import ENCODER, MODELS

SMALL = Vocabulary(["<unk>", "▁", "打", "坐", "打坐", "▁sit", "s", "si", "t"], [0.0, -3, -5, -5, -6, -4, -4, -6, -4], 0)


def reader() -> encoder.Encoder:
    return encoder.load(MODELS / ENCODER)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("打坐", ["", "打坐"]),  # likelier than its two halves
        ("坐打", ["", "坐", "打"]),
        ("sit  sits", ["sit", "sit", "s"]),  # spaces belong to no piece, however many
        ("打龘坐", ["", "打", "龘", "坐"]),  # what is in no piece stands alone
        ("", [""]),
    ],
)
def test_a_text_is_cut_into_its_likeliest_pieces(text, pieces):
    assert [text[start:end] for _number, start, end in SMALL.split(text)] == pieces


@given(st.text(max_size=60) | st.text("我每天sit打坐 半小时，🙏\n\t09", max_size=60))
def test_the_pieces_cover_all_but_the_spaces_in_order(text):
    covered = [place for _number, start, end in reader().vocabulary.split(text) for place in range(start, end)]
    assert covered == sorted(set(covered))
    assert {place for place, char in enumerate(text) if not char.isspace()} <= set(covered)


@given(st.text(max_size=80))
def test_the_chances_of_each_piece_add_up_to_one(text):
    pieces, likely = reader().read(text)
    assert likely.shape == (len(pieces), 1 + len(reader().slots))
    assert np.allclose(likely.sum(axis=1), 1, atol=1e-4) and (likely >= 0).all()


def test_a_text_without_end_is_cut_off():
    pieces, likely = reader().read("我在绍兴教书，" * 500)
    assert len(pieces) == len(likely) == encoder.LONGEST


@pytest.mark.parametrize(
    ("text", "words", "slot"),
    [("我住在绍兴", "绍兴", "profile.location"), ("每次打坐半小时", "半小时", "habit.meditation_duration"), ("i live in oslo", "oslo", "profile.location")],
)
def test_it_sees_what_a_plain_statement_is_about(text, words, slot):
    pieces, likely = reader().read(text)
    inside = [row for piece, row in zip(pieces, likely, strict=True) if text.index(words) <= piece.start < text.index(words) + len(words)]
    assert {("", *reader().slots)[row.argmax()] for row in inside} == {slot}
