"""Ceilings of the prompt's sections, and what gives way to a long question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.llm.tokens import count, cut
from chat.memory.budget import BASE, QuestionTooLong, Section, ceilings, spend


def section(name: str, pieces: list[str], ceiling: int, **options) -> Section:
    options = {"rank": range(len(pieces)), "wrap": lambda texts: "\n".join(["<", *texts, ">"])} | options
    return Section(name, ceiling, pieces, **options)


def test_the_ceilings_of_8k_are_those_of_the_design():
    assert ceilings(8192) == BASE
    assert {name: BASE[name] for name in ("system", "entities", "knowledge", "working", "memories", "question", "reserve")} == {
        "system": 500, "entities": 800, "knowledge": 1500, "working": 1000, "memories": 1500, "question": 500, "reserve": 2200,
    }  # fmt: skip
    assert BASE["entities"] + BASE["memories"] <= 2300


@given(st.integers(2048, 1_000_000))
def test_ceilings_add_up_to_the_window_and_scale_with_it(window):
    limits = ceilings(window)
    assert sum(limits.values()) == window
    for name, base in BASE.items():
        assert abs(limits[name] - base * window / 8192) < len(BASE)


def test_a_window_that_holds_nothing_is_refused():
    with pytest.raises(ValueError, match="2048"):
        ceilings(1000)


@given(st.lists(st.text(max_size=60), max_size=12), st.integers(5, 120))
def test_a_section_keeps_whole_pieces_under_its_ceiling(pieces, ceiling):
    filled = section("memories", pieces, ceiling)
    filled.fill(count)
    assert count(filled.text) <= ceiling
    assert len(filled.kept) + filled.dropped == len(pieces)


def test_a_piece_too_large_lets_smaller_ones_pass():
    filled = section("memories", ["静" * 100, "短"], 20)
    filled.fill(count)
    assert filled.kept == [1]


def full() -> list[Section]:
    names = ("entities", "knowledge", "memories", "working", "conflicts")
    return [section(name, [f"第{n}件事" for n in range(6)], 60, firm=frozenset({0})) for name in names]


def test_a_long_question_borrows_what_is_left():
    sections = full()
    used = sum(count(s.wrap(s.pieces)) for s in sections)
    assert spend(sections, 5 * 60 - used + 10, 10, count) == 5 * 60 - used + 10
    assert all(s.dropped == 0 for s in sections)


def test_memories_give_way_first_then_working_memory():
    sections = full()
    used = sum(count(s.wrap(s.pieces)) for s in sections)
    spend(sections, 5 * 60 - used + 11, 10, count)
    assert {s.name: s.dropped for s in sections} == {
        "entities": 0,
        "knowledge": 0,
        "memories": 1,
        "working": 0,
        "conflicts": 0,
    }
    sections = full()
    memories = count(sections[2].wrap(sections[2].pieces))
    spend(sections, 5 * 60 - used + 10 + memories, 10, count)
    dropped = {s.name: s.dropped for s in sections}
    assert dropped["memories"] == 5 and dropped["working"] > 0  # one of the memories is firm
    assert dropped["knowledge"] == dropped["entities"] == dropped["conflicts"] == 0


def test_a_question_too_long_says_how_long_it_is_and_how_long_it_may_be():
    with pytest.raises(QuestionTooLong) as caught:
        spend(full(), 1000, 10, count)
    assert caught.value.tokens == 1000
    assert spend(full(), caught.value.limit, 10, count) == caught.value.limit
    with pytest.raises(QuestionTooLong):
        spend(full(), caught.value.limit + 1, 10, count)


@given(st.text(max_size=200), st.integers(0, 60))
def test_cut_is_a_beginning_that_fits(text, tokens):
    short = cut(text, tokens)
    assert count(short) <= tokens
    assert text.startswith(short)


def test_markers_of_models_are_plain_text():
    assert count("<|endoftext|>") > 1
    assert cut("<|endoftext|>好", 100) == "<|endoftext|>好"
