"""The ontology: complete, checked as it is read, with errors that name the line."""

import re

import pytest

from chat.memory import ontology
from chat.memory.ontology import OntologyError, load

SLOTS = {
    "preference": "meditation_sound meditation_guidance practice_method* posture answer_style answer_language environment diet disliked_practice*",
    "goal": "daily_meditation quit_smoking quit_drinking reading_plan sleep_goal retreat_plan other_goal*",
    "habit": "meditation_duration meditation_time meditation_frequency wake_time sleep_time exercise* common_difficulty*",
    "status": "smoking_status drinking_status meditation_streak practice_status health_condition* current_focus",
    "profile": "name birthday age occupation location experience_level belief family* pet* phone email address",
    "schedule": "appointment* reminder*",
    "last_query": "topic content",
}


@pytest.mark.parametrize("category", SLOTS)
def test_every_slot_exists_with_its_cardinality(category):
    for name in SLOTS[category].split():
        attribute = load().attribute(f"{category}.{name.rstrip('*')}")
        assert attribute is not None, name
        assert attribute.multi == name.endswith("*"), name
        assert attribute.label("zh") and attribute.label("en")


def test_what_is_due_expires_and_who_one_is_stays():
    assert load().attribute("schedule.reminder").decay == "command"
    assert load().attribute("profile.birthday").decay == "identity"
    assert load().attribute("status.smoking_status").decay == "state"
    assert load().attribute("profile.shoe_size") is None


def test_a_free_name_finds_the_slot_it_means():
    assert load().canonical("profile", "手机号") == "profile.phone"
    assert load().canonical("profile", "Phone number") == "profile.phone"
    assert load().canonical("preference", "Favorite Color!") == "preference.favorite_color"


def test_every_pattern_compiles_and_every_fixed_value_is_listed():
    for attribute in load().attributes.values():
        for saying in (*attribute.says, *attribute.implies):
            assert isinstance(saying.pattern, re.Pattern)
            assert not saying.value or attribute.choice(saying.value), (attribute.slot, saying.value)


def test_a_spelling_means_one_value():
    for attribute in load().attributes.values():
        seen = {}
        for choice in attribute.choices:
            for word in choice.words:
                assert seen.setdefault(word, choice.key) == choice.key, (attribute.slot, word)


GOOD = """
[words]
LIKE = "(?:喜欢|like)"
[topics]
tea = "茶"
[preference.tea]
zh = "茶"
en = "tea"
types = ["enum"]
values = [ { zh = "绿茶", en = "green tea" }, { zh = "龙井", en = "longjing", refines = "绿茶" } ]
says = [ "<LIKE><V>" ]
"""


def write(tmp_path, text):
    path = tmp_path / "slots.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_attribute_is_an_edit_of_the_file(tmp_path):
    tea = load(write(tmp_path, GOOD)).attribute("preference.tea")
    assert tea.says[0].pattern.search("我喜欢龙井")["v"] == "龙井"
    assert tea.ancestors(tea.choice("龙井")) == {"绿茶"}


@pytest.mark.parametrize(
    ("wrong", "by", "line", "problem"),
    [
        ('types = ["enum"]', 'types = ["colour"]', 9, "colour"),
        ("<LIKE><V>", "<LOVE><V>", 11, "LOVE"),
        ("<LIKE><V>", "(<LIKE><V>", 11, "pattern"),
        ('refines = "绿茶"', 'refines = "红茶"', 10, "红茶"),
        ('en = "tea"', 'english = "tea"', 8, "english"),
        ("[preference.tea]", "[drink.tea]", 6, "drink"),
        ('en = "tea"', "en = tea", 8, "line 8"),
        ('zh = "茶"', 'zh = "茶"\ndecay = "never"', 8, "never"),
    ],
)
def test_a_mistake_names_the_file_and_the_line(tmp_path, wrong, by, line, problem):
    with pytest.raises(OntologyError) as error:
        load(write(tmp_path, GOOD.replace(wrong, by)))
    message = str(error.value)
    assert "slots.toml" in message
    assert problem in message
    assert f":{line}:" in message or f"line {line}" in message


def test_it_is_read_once():
    assert ontology.load() is ontology.load()


def test_all_patterns_can_be_compiled_before_the_first_message(monkeypatch):
    """A warm process compiles nothing of the ontology while somebody waits."""
    attributes = ontology.load().attributes.values()
    for attribute in attributes:
        attribute.patterns()
    monkeypatch.setattr(re, "compile", None)
    kept = [pattern for attribute in attributes for pattern in attribute.patterns()]
    assert len(kept) > 1000 and all(isinstance(pattern, re.Pattern) for pattern in kept)
