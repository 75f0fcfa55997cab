"""The score of a memory: parts that add up, bounds, and switches that really switch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory import bm25
from chat.memory.scoring import Evidence, Weights, freshness, recency, relevance_parts, score, strength, weight_factor

unit = st.floats(0, 1)
evidences = st.builds(
    Evidence,
    vector=unit,
    lexical=unit,
    context_vector=st.none() | unit,
    context_lexical=unit,
    neighbours=unit,
    hop=unit,
    entity=unit,
    label=unit,
    theme=unit,
    only_time=unit,
    days=st.floats(0, 4000),
    named_time=st.none() | unit,
    lasting=st.booleans(),
    weight=unit,
)


@given(evidences)
def test_relevance_is_a_share(evidence):
    parts = relevance_parts(evidence)
    assert all(part >= -1e-9 for part in parts.values())
    assert sum(parts.values()) <= 1 + 1e-9
    assert 0 <= strength(evidence) <= 1


@given(evidences)
def test_the_score_is_the_formula(evidence):
    relevance = sum(relevance_parts(evidence).values())
    match = max(evidence.entity, evidence.theme, 0.3 * evidence.label)
    about = max(relevance, match)
    near = evidence.named_time if evidence.named_time is not None else about * recency(evidence.days, evidence.lasting)
    total = (0.6 * relevance + 0.25 * match + 0.15 * near) * weight_factor(evidence.weight) * freshness(evidence.days)
    assert sum(score(evidence, Weights()).values()) == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize(
    ("signal", "field", "value"),
    [
        ("vector", "vector", 0.9),
        ("lexical", "lexical", 0.9),
        ("context", "context_vector", 0.9),
        ("neighbours", "neighbours", 0.9),
        ("hop", "hop", 0.9),
        ("entity", "entity", 1.0),
        ("labels", "label", 1.0),
        ("theme", "theme", 1.0),
        ("time", "named_time", 1.0),
        ("recency", "days", 3.0),
        ("weight", "weight", 0.4),
        ("freshness", "days", 1.0),
    ],
)
def test_a_signal_that_is_off_changes_nothing(signal, field, value):
    plain = Evidence(vector=0.3, lexical=0.3, days=30.0) if field != "days" else Evidence(vector=0.3, lexical=0.3, days=2.0)
    changed = plain._replace(**{field: value})
    others = {"recency", "freshness"} if field == "days" else {signal, "recency"}
    assert sum(score(plain, Weights()).values()) != pytest.approx(sum(score(changed, Weights()).values()), abs=1e-6)
    assert sum(score(plain, Weights(), others).values()) == pytest.approx(sum(score(changed, Weights(), others).values()))


def test_recency_alone_recalls_nothing():
    assert strength(Evidence(days=0.0, named_time=1.0)) == 0


def test_weights_of_a_user_are_taken_within_bounds():
    assert Weights.of({"semantic": 0.2, "time": 7, "other": 0.5}) == Weights(semantic=0.2)


def test_freshness_fades_over_three_days():
    assert [freshness(d) for d in (0, 1.5, 3, 30)] == pytest.approx([1.3, 1.15, 1.0, 1.0])


@given(st.integers(1, 1000), st.integers(0, 1000))
def test_rarity_is_positive(documents, holding):
    assert bm25.rarity(documents, holding) > 0


def test_a_text_that_says_it_all_comes_near_to_one_and_no_word_gives_nothing():
    asked = {"走神": 2.0, "数息": 3.0}
    assert bm25.share(asked, {"走神": 50, "数息": 50}, 10, 10) > 0.95
    assert bm25.share(asked, {}, 10, 10) == 0


def test_a_pair_of_characters_that_is_no_word_counts_little_whether_it_is_held_or_not():
    assert bm25.rarity(100, 3, "司要", pair=True) == pytest.approx(bm25.PAIR_SHARE * bm25.rarity(100, 3, "上司"))
    assert bm25.rarity(100, 0, "司要", pair=True) == bm25.rarity(100, 0, "上司") < bm25.rarity(100, 0, "瑜伽垫")
