"""Whatever is written: proposals are quoted, typed and of a known slot, and found in bounded time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory import ontology
from chat.memory.rules import propose
from tests.pure import test_rules_life, test_rules_nothing, test_rules_people, test_rules_preferences
from tests.pure.reading_rules import AT, ZONE

SAID = [text for file in (test_rules_life, test_rules_people, test_rules_preferences) for text, _ in file.STATED] + test_rules_nothing.NOTHING


@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=4), st.sampled_from("，。！ \n"))
def test_every_proposal_is_quoted_typed_and_of_a_known_slot(messages, mark):
    text = mark.join(messages)
    for proposal in propose(text, AT, ZONE):
        assert proposal.quote
        assert proposal.quote in text
        assert 0 <= proposal.confidence <= 1
        if proposal.operation == "assert":
            attribute = ontology.load().attribute(proposal.slot)
            assert attribute is not None
            assert proposal.item or not attribute.multi
            assert proposal.value and proposal.key and proposal.normalized["type"]


KNOWN = sorted({word for a in ontology.load().attributes.values() for choice in a.choices for word in choice.words})
FRAMES = ["{}", "我{}", "我喜欢{}", "每天{}", "{}坐着打坐", "i {}", "not {}", "{}二十分钟", "现在改{}", "{}了"]


@given(st.lists(st.sampled_from(KNOWN), min_size=1, max_size=4), st.sampled_from(FRAMES), st.sampled_from(["", "、", "，", " "]))
def test_no_heap_of_known_words_is_too_strange(words, frame, mark):
    propose(frame.format(mark.join(words)), AT, ZONE)


@given(st.text(max_size=120))
def test_no_text_is_too_strange(text):
    assert all(p.quote in text for p in propose(text, AT, ZONE))


@pytest.mark.parametrize(
    "piece", ["我每天早上六点打坐二十分钟，", "我喜欢", "a ", "1", "每天", "“", "我住在", ",。", "no ", "戒烟", "i like to sit and ", "的" * 50 + "，"]
)
def test_a_hundred_thousand_characters_are_read_in_bounded_time(piece):
    propose(piece, AT, ZONE)
    started = time.perf_counter()
    propose(piece * (100_000 // len(piece)), AT, ZONE)
    assert time.perf_counter() - started < 3
