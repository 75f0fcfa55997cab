"""The weight of a memory over time: continuous, falling between uses, within 0–1, and what feedback does to it."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory import retention

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Life:
    decay: str = "normal"
    importance: float = 0.5
    pinned: bool = False
    authoritative: bool = False
    marked_wrong: bool = False
    clock_at: datetime = NOW
    start_weight: float = 1.0
    extra_days: float = 0.0
    use_count: int = 0
    due_at: datetime | None = None
    skips: int = 0


lives = st.builds(
    Life,
    decay=st.sampled_from(["normal", "identity", "state", "command"]),
    importance=st.floats(0, 1),
    start_weight=st.floats(0, 1),
    extra_days=st.floats(-60, 60),
    use_count=st.integers(0, 6),
    due_at=st.none() | st.just(NOW + timedelta(days=5)),
)
days = st.floats(0, 4000)


def after(life: Life, number: float) -> float:
    return retention.weight(life, NOW + timedelta(days=number))


@given(lives, days)
def test_it_stays_within_0_and_1(life, day):
    assert 0 <= after(life, day) <= 1


@given(lives, days, st.floats(0, 400))
def test_it_never_rises_by_itself(life, day, later):
    assert after(life, day + later) <= after(life, day) + 1e-9


@given(lives, days)
def test_it_makes_no_jump(life, day):
    minute = 1 / 1440
    assert abs(after(life, day) - after(life, day + minute)) < 0.002


@given(lives, days, st.booleans())
def test_pins_do_not_move(life, day, pinned):
    kept = replace(life, pinned=pinned, authoritative=not pinned)
    assert after(kept, day) == 1


@given(lives, days)
def test_use_never_lowers_it(life, day):
    now = NOW + timedelta(days=day)
    changes = {k: v for k, v in retention.used(life, now).items() if k != "last_used_at"}
    assert retention.weight(replace(life, **changes), now) >= retention.weight(life, now) - 1e-9


@given(lives, days)
def test_feedback_moves_it_its_own_way(life, day):
    now = NOW + timedelta(days=day)
    before = retention.weight(life, now)
    assert retention.weight(replace(life, **retention.useful(life, now)), now) >= before - 1e-9
    assert retention.weight(replace(life, **retention.useless(life)), now) <= before + 1e-9


@pytest.mark.parametrize(
    ("day", "weight"), [(0, 1.0), (3, 0.9418), (18, 0.6592), (33, 0.4709), (90, 0.05), (1000, 0.05)]
)
def test_the_corners_of_the_curve(day, weight):
    assert after(Life(importance=0.1), day) == pytest.approx(weight, abs=1e-4)


@pytest.mark.parametrize(
    ("importance", "uses", "floor"), [(0.1, 0, 0.05), (0.3, 0, 0.05), (0.5, 0, 0.175), (0.7, 0, 0.3), (0.1, 3, 0.3)]
)
def test_the_floor(importance, uses, floor):
    assert retention.floor(importance, uses) == pytest.approx(floor)


def test_who_the_user_is_stays_for_five_years():
    assert after(Life(decay="identity"), 5 * 365) >= 0.8


def test_a_command_lives_until_a_day_after_it_is_due():
    reminder = Life(decay="command", due_at=NOW)
    assert retention.weight(reminder, NOW) == 1
    assert retention.is_forgotten(reminder, NOW + timedelta(hours=24))


def test_three_skipped_reminders_expire():
    assert retention.is_forgotten(Life(decay="command", due_at=NOW + timedelta(days=1), skips=3), NOW)


def test_unimportant_and_unused_is_forgotten_after_ninety_days():
    life = Life(importance=0.1)
    assert not retention.is_forgotten(life, NOW + timedelta(days=89))
    assert retention.is_forgotten(life, NOW + timedelta(days=90))


def test_wrong_beats_pinned():
    assert after(Life(marked_wrong=True, pinned=True), 0) == 0.01


def test_restored_starts_at_four_fifths():
    now = NOW + timedelta(days=200)
    assert retention.weight(replace(Life(), **retention.restored(now)), now) == pytest.approx(0.8)


@given(lives)
def test_the_half_life_is_the_age_at_which_half_of_the_start_is_left(life):
    found = retention.half_life(life)
    if life.decay in {"state", "command"}:
        assert found is None
    elif found is not None and life.start_weight > 0.1:
        aged = replace(life, extra_days=0.0)
        assert after(aged, found) <= life.start_weight / 2 + 1e-6 < after(aged, max(0.0, found - 0.5)) + 1e-2


@pytest.mark.parametrize(("fields", "days"), [({}, 31), ({"decay": "identity"}, 2511), ({"pinned": True}, None), ({"marked_wrong": True}, None)])
def test_half_lives_by_example(fields, days):
    found = retention.half_life(Life(**fields))
    assert found == (days and pytest.approx(days, abs=1))
