"""English statements of the speaker's own practice by what they mention, where no pattern of the ontology knows the wording.

English says who does it (I, my), so in a plain present sentence about sitting the value itself is enough: "ocean sounds
put me straight into the zone". What could turn the sense round (not, instead of, tried, heard about) leaves it unsaid.
"""

import re
from dataclasses import replace

from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute
from chat.memory.rules.reading import Found, Reading
from chat.memory.rules.sayings import item_of

CONFIDENCE = 0.8
_CJK = re.compile("[\u3400-\u9fff]")
# What a word of _TURNED_ROUND reaches to: dropped the mantra | and gone back to counting breaths.
_PART = re.compile(
    r",| and (?:gone|went|back|now|i|just|started|switched|moved|mostly)(?![a-z])"
    r"| but | then | so | instead of | rather than | with (?:some|a bit of|a little) "
)
_ME = re.compile(r"(?<![a-z])(?:i|my|me|we|our|mine|i'm|i've|we're|we've|myself)(?![a-z])")
_VERB = re.compile(
    "(?:and |then |usually |mostly |just |now |also )*(?:sit|meditate|practi[cs]e|chant|recite|run|walk"
    "|swim|cycle|do) "
)
_TURNED_ROUND = re.compile(
    r"(?<![a-z])(?:not|no|never|without|neither|nor|hardly|barely|less|stop(?:ped)?|quit|gave up|given up"
    r"|giving up|ditch(?:ed)?|dropped|outgr\w+|instead|rather|except|than|used to|tired of|sick of"
    r"|avoid\w*|off|lost|forgot\w*|skip\w*"
    r"|tr(?:y|ied|ying)|hear[ds]?|read|watch\w*|films?|movies?|books?|class(?:es)?|courses?|curious"
    r"|wonder\w*|ask(?:ed|ing|s)?|told|tell|say|says|said|recommend\w*|suggest\w*|should|could|would|might"
    r"|may|someone|people|they|them|he|she|his|her|their"
    r"|friends?|neighbou?rs?|learn\w*|interested|question|difference|miss(?:ed)?|wish|hope|want\w*"
    r"|think\w*|dream\w*|songs?|lyrics|story|stories|joke|yesterday|today|tonight|tomorrow|once|outside"
    r"|was|were|did|had|went|saw|met|bought|came|took|made|got|woke|felt|found|gone(?! back| over| to)|happened|even"
    r"|only if)(?![a-z])|n't(?![a-z])"
)
_DISLIKED = re.compile(
    r"(?<![a-z])(?:hate|loathe|dislike|detest|dread|bores?|boring|bored|annoy\w*|irritat\w*|torture"
    r"|can't (?:get on with|stand|bear|abide)|cannot (?:stand|bear)"
    r"|don't (?:like|enjoy|get on with|get along with|click with)|doesn't (?:do|work|click|suit)"
    r"|not (?:for me|my thing|a fan)|isn't (?:for me|my thing)|never (?:clicked|worked|liked|took to)"
    r"|leaves? me cold|drives? me (?:mad|crazy|nuts|up the wall)|puts? me off|allergic to)(?![a-z])"
)
_OTHER_DISLIKED = re.compile(
    r"(?<![a-z])(?:hear|read|neighbou?rs?|friends?|he|she|they|people|used to|was|were|did|today"
    r"|yesterday)(?![a-z])"
)
# Words that are sounds only where they are heard: by the ocean one may also sit.
_SOUNDING = re.compile(
    r" ?(?:sounds?|noises?|music|recordings?|tracks?|playlists?|playing|ambience|soundscapes?|tapes?"
    r"|apps?)(?![a-z])"
)
_SOUND_OF = re.compile(r"(?:sounds?|noise|recordings?|tracks?) of (?:an? |the |some )?$")
BARE = frozenset(["ocean", "waves", "rain", "wind", "bell", "bells", "birds", "stream", "brook", "quiet", "bowls", "flute", "piano", "chant", "chants", "fireplace", "music", "keep", "keeps"])
_OFTEN = re.compile(
    r"(?<![a-z])(?:every|each|daily|weekly|usually|always|mostly|regularly|often|twice|times|mornings?"
    r"|evenings?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|keeps? me|these days|lately|a week"
    r"|a day|still|been)(?![a-z])"
)
_HAVE = re.compile(
    r"(?<![a-z])(?:have|has|had|got|suffer\w*|diagnosed|live with|living with|deal\w* with|struggl\w* with"
    r"|manag\w*|recover\w*|with my|my|due to|because of|since)(?![a-z])"
)
_NOT_HAD = re.compile(
    r"n't(?![a-z])|(?<![a-z])(?:not|no|never|without|if|prevent\w*|avoid\w*|risk|worr\w*|afraid|fear"
    r"|scared|his|her|their|friend|mother|father|mum|mom|dad|wife|husband|brother|sister|read|heard"
    r"|article|gone|cured|over it|used to|get|give|might|may|could|would)(?![a-z])"
)
_PLACED = re.compile(
    r"(?<![a-z])(?:sit|sits|sitting|meditat\w+|practi[cs]\w+"
    r"|my (?:\w+ )?(?:spot|corner|place|seat|cushion|space|nook))(?![a-z])"
)


def find(reading: Reading, place: int, known: set[str]) -> list[Found]:
    """What the clause mentions of its speaker's practice, of slots other than the `known` ones."""
    clause = reading.clauses[place]
    if _CJK.search(clause.text) or not _plain(clause) or not _of_speaker(reading, place):
        return []
    found: list[Found] = []
    for slot, fits in _SLOTS.items():
        attribute = reading.ontology.attribute(slot)
        if slot not in known and not (attribute.unless and attribute.unless.search(clause.text)):
            found += fits(reading, place, attribute)
    return found


def _of_speaker(reading: Reading, place: int) -> bool:
    """Says it of whom, or goes on with a verb after a clause that does: i get up at 6, sit on a bench."""
    clause = reading.clauses[place]
    if _ME.search(clause.text):
        return True
    before = [c for c in reading.clauses[:place] if c.sentence == clause.sentence]
    return bool(before and _VERB.match(clause.text) and any(_ME.search(c.text) for c in before))


def _plain(clause: Clause) -> bool:
    said = clause.mood == "statement" and clause.subject == "self"
    return said and not (clause.past or clause.planned or clause.retraction or clause.narrative or len(clause.text) > 160)


def _practised(reading: Reading, place: int, attribute: Attribute) -> list[Found]:
    clause = reading.clauses[place]
    if clause.event:
        return []
    start, parts = 0, []
    for end in [*(m.start() for m in _PART.finditer(clause.text)), len(clause.text)]:
        part = clause.text[start:end]
        if not (_TURNED_ROUND.search(part) or _DISLIKED.search(part)):
            parts.append((start, end))
        start = end
    return _mentioned(reading, place, attribute, parts) if parts else []


def _while_sitting(reading: Reading, place: int, attribute: Attribute) -> list[Found]:
    return _practised(reading, place, attribute) if "sitting" in reading.about[place] else []


def _placed(reading: Reading, place: int, attribute: Attribute) -> list[Found]:
    return _practised(reading, place, attribute) if _PLACED.search(reading.clauses[place].text) else []


def _often(reading: Reading, place: int, attribute: Attribute) -> list[Found]:
    return _practised(reading, place, attribute) if _OFTEN.search(reading.clauses[place].text) else []


def _disliked(reading: Reading, place: int, attribute: Attribute) -> list[Found]:
    text = reading.clauses[place].text
    return _mentioned(reading, place, attribute) if _DISLIKED.search(text) and not _OTHER_DISLIKED.search(text) else []


def _suffered(reading: Reading, place: int, attribute: Attribute) -> list[Found]:
    text = reading.clauses[place].text
    return _mentioned(reading, place, attribute) if _HAVE.search(text) and not _NOT_HAD.search(text) else []


def _mentioned(reading: Reading, place: int, attribute: Attribute, parts: list[tuple[int, int]] | None = None) -> list[Found]:
    """The listed values in the clause, or in these parts of it: all of a multi-valued attribute, else the one if there is but one."""
    clause = reading.clauses[place]
    found: dict[str, Found] = {}
    for match in attribute.spelling.finditer(clause.text):
        sounding = _SOUNDING.match(clause.text, match.end()) or _SOUND_OF.search(clause.text[: match.start()])
        if match[0] in BARE and not sounding:
            continue
        if parts is not None and not any(start <= match.start() < end for start, end in parts):
            continue
        value = reading.valued(attribute, {"type": "enum", "key": attribute.choice_of(match[0]).key})
        if attribute.multi:
            value = replace(value, shown=reading.original(clause.start + match.start(), clause.start + match.end()))
        item = item_of(attribute, value.normalized)
        found.setdefault(value.key, Found(attribute, clause, place, value, item, confidence=CONFIDENCE))
    several = len({f.item for f in found.values()}) < len(found)  # two values of one row: which one holds is not said
    return [] if several else list(found.values())


_SLOTS = {
    "preference.meditation_sound": _while_sitting,
    "preference.meditation_guidance": _while_sitting,
    "preference.practice_method": _practised,
    "preference.disliked_practice": _disliked,
    "preference.posture": _while_sitting,
    "preference.environment": _placed,
    "habit.exercise": _often,
    "habit.common_difficulty": _while_sitting,
    "status.health_condition": _suffered,
}
