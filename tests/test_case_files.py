"""The labelled state cases are well formed; what they say about the engine is measured by `evaluate conflicts`."""

import json
import unicodedata
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

CASES = Path(__file__).resolve().parent.parent / "chat" / "evaluation" / "cases"

SINGLE = {
    "preference": "meditation_sound meditation_guidance posture answer_style answer_language environment diet",
    "goal": "daily_meditation quit_smoking quit_drinking reading_plan sleep_goal retreat_plan",
    "habit": "meditation_duration meditation_time meditation_frequency wake_time sleep_time",
    "status": "smoking_status drinking_status meditation_streak practice_status current_focus",
    "profile": "name birthday age occupation location experience_level belief phone email address",
}
MULTI = {
    "preference": "practice_method disliked_practice",
    "goal": "other_goal",
    "habit": "exercise common_difficulty",
    "status": "health_condition",
    "profile": "family pet",
    "schedule": "appointment reminder",
}
LEAST_PER_CLASS = {
    "contradiction": 30,
    "same_value": 12,
    "refinement": 12,
    "multi_addition": 12,
    "only_now": 12,
    "other_people": 24,
    "questions": 24,
    "in_message_correction": 12,
    "retraction": 12,
    "back_dated": 12,
    "query_vs_history": 12,
    "counters_relative_time": 12,
    "injection": 12,
    "hedged": 12,
    "negation_quitting": 12,
    "nothing": 30,
    "long_mixed": 20,
    "pinned": 12,
}
LANGUAGES = {"zh", "zh-hant", "en", "mixed"}
EXPECTATIONS = {"current", "pending", "absent", "conflicts", "told"}


def slots_of(table: dict[str, str]) -> set[str]:
    return {f"{category}.{attribute}" for category, attributes in table.items() for attribute in attributes.split()}


SINGLE_SLOTS, MULTI_SLOTS = slots_of(SINGLE), slots_of(MULTI)
SLOTS = SINGLE_SLOTS | MULTI_SLOTS


def read_cases() -> list[dict[str, Any]]:
    return [
        json.loads(line) | {"file": path.stem}
        for path in sorted(CASES.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


ALL = read_cases()


def test_ids_are_unique_and_name_their_class_and_language() -> None:
    assert [name for name, times in Counter(case["id"] for case in ALL).items() if times > 1] == []
    assert [c["id"] for c in ALL if c["id"].rsplit("-", 1)[0] != f"{c['class']}-{c['lang']}"] == []


def test_every_class_is_covered() -> None:
    found = Counter(case["class"] for case in ALL)
    assert set(found) == set(LEAST_PER_CLASS)
    assert {name: found[name] for name, least in LEAST_PER_CLASS.items() if found[name] < least} == {}


def test_every_language_is_covered() -> None:
    found = Counter(case["lang"] for case in ALL)
    assert found["zh"] + found["zh-hant"] >= 240
    assert found["zh-hant"] >= 30
    assert found["en"] >= 70
    assert found["mixed"] >= 10


def test_no_two_cases_say_the_same() -> None:
    by_texts: dict[tuple[str, ...], list[str]] = {}
    for case in ALL:
        key = tuple(bare(message["text"]) for message in case["messages"])
        # A pin changes what the same words must lead to, so those cases may share them.
        key += ("pinned",) if case.get("setup") else ()
        by_texts.setdefault(key, []).append(case["id"])
    assert [names for names in by_texts.values() if len(names) > 1] == []


def bare(text: str) -> str:
    """The letters and digits alone: cases that differ only in punctuation or spacing are the same case."""
    kept = "".join(char for char in text.casefold() if unicodedata.category(char)[0] in "LN")
    return kept or text


def keys_are_known(case: dict[str, Any]) -> None:
    assert set(case) <= {"id", "class", "lang", "zone", "messages", "setup", "expect", "nothing", "file"}
    assert case["file"] == case["class"]
    assert case["lang"] in LANGUAGES
    assert set(case["expect"]) <= EXPECTATIONS
    assert case["expect"] or case.get("nothing")


def messages_are_dated_with_a_zone_and_ascend(case: dict[str, Any]) -> None:
    ZoneInfo(case.get("zone", "Asia/Shanghai"))  # raises on an unknown name
    moments = [datetime.fromisoformat(message["at"]) for message in case["messages"]]
    assert moments and all(moment.tzinfo for moment in moments)
    assert all(earlier < later for earlier, later in zip(moments, moments[1:], strict=False))
    assert all(message["text"].strip() for message in case["messages"])
    conversations = [message.get("conversation", 1) for message in case["messages"]]
    assert conversations[0] == 1 and conversations == sorted(conversations)
    assert all(set(message) <= {"at", "text", "conversation"} for message in case["messages"])


def current_and_pending_fit_their_slots(case: dict[str, Any]) -> None:
    for part in ("current", "pending"):
        for key, label in case["expect"].get(part, {}).items():
            slots = set(key.split("|"))
            assert slots <= SLOTS, key
            if isinstance(label, dict):
                assert set(label) == {"all"} and slots & MULTI_SLOTS, key
                assert all(are_spellings(item) for item in label["all"])
            else:
                assert are_spellings(label), key
                assert part == "pending" or slots <= SINGLE_SLOTS, key


def are_spellings(label: Any) -> bool:
    return (
        bool(label) and all(isinstance(text, str) and text.strip() for text in label) and len(set(label)) == len(label)
    )


def absences_name_known_slots_and_contradict_no_label(case: dict[str, Any]) -> None:
    current = case["expect"].get("current", {})
    for entry in case["expect"].get("absent", []):
        slot, _, value = entry.partition("=")
        assert slot in SLOTS, entry
        label = current.get(slot, [])
        accepted = [text for item in label["all"] for text in item] if isinstance(label, dict) else label
        assert value not in accepted if value else not accepted, entry


def conflicts_name_known_slots_and_are_told(case: dict[str, Any]) -> None:
    conflicts = case["expect"].get("conflicts")
    for conflict in conflicts or []:
        assert conflict["kind"] in {"entity", "query_vs_history"}
        assert conflict["slot"] in SLOTS
    assert case["expect"].get("told", bool(conflicts)) == bool(conflicts)


def setups_point_at_a_message_and_a_slot(case: dict[str, Any]) -> None:
    for step in case.get("setup", []):
        assert 0 <= step["after"] < len(case["messages"])
        assert step["do"] in {"pin", "authoritative"}
        assert step["slot"] in SINGLE_SLOTS
    assert bool(case.get("setup")) == (case["class"] == "pinned")


def nothing_means_nothing(case: dict[str, Any]) -> None:
    if case.get("nothing"):
        assert not case["expect"].get("current") and not case["expect"].get("pending")
        assert case["expect"].get("conflicts") == []


RULES = [
    keys_are_known,
    messages_are_dated_with_a_zone_and_ascend,
    current_and_pending_fit_their_slots,
    absences_name_known_slots_and_contradict_no_label,
    conflicts_name_known_slots_and_are_told,
    setups_point_at_a_message_and_a_slot,
    nothing_means_nothing,
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_case_keeps_the_rule_that(rule: Callable[[dict[str, Any]], None]) -> None:
    broken = {}
    for case in ALL:
        try:
            rule(case)
        except (AssertionError, KeyError, TypeError, ValueError) as error:
            broken[case["id"]] = repr(error)
    assert broken == {}
