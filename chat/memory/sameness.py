"""Whether two memories say the same thing. A high similarity is needed but never enough: 取消 is close to 推迟, and not the same.

First what forbids (chat.memory.differences). Then what each text says that the other does not say in any words: nothing on one
side, and it is the same thing told more briefly; something on both, and only a very high likeness makes it one.
"""

import re
from difflib import SequenceMatcher

from chat.memory.differences import forbids, numbers
from chat.memory.keywords import cut
from chat.memory.text import fold, language
from chat.memory.wording import is_noun, told, units, unsaid

SAME, DIFFERENT, UNSURE = "same", "different", "unsure"
# Cosines of the stored (centred) vectors.
BARELY = 0.60  # from which a text of which the other says everything is the same
LIKE = 0.79  # from which two texts are one though each has words of its own, if they are differently built
SURELY = 0.90  # and if they are built alike: below, what they differ in is exchanged, as in 对花生过敏, 对牛奶过敏
NEVER = 2.0
NEARLY = 0.75  # from which a reader is asked
LEAST_SAID = 2  # telling words that both must have
LEAST_TOLD = 5  # characters of a text that another may hold word by word
MOST_BESIDE = 6  # characters of each of two ways to say one thing that are put side by side: 晚上/睡前


def judge(first: str, second: str, likeness: float) -> str:
    """SAME, DIFFERENT, or UNSURE where only a reader could tell. `likeness`: cosine of the two texts' stored vectors."""
    one, other = told(first), told(second)
    if "".join(one.split()) == "".join(other.split()):
        return SAME
    if forbids(first, second):
        return DIFFERENT
    mine, theirs = unsaid(one, other), unsaid(other, one)
    common = min(len(units(one)) - len(mine), len(units(other)) - len(theirs)) + len(numbers(one) & numbers(other))
    if _holds(one, other) or _holds(other, one):
        common = LEAST_SAID
    if common >= LEAST_SAID and likeness >= _enough(one, other, mine, theirs):
        return SAME
    return UNSURE if likeness >= NEARLY else DIFFERENT


def _holds(full: str, part: str) -> bool:
    """Whether a text has the other in it word by word."""
    mine, theirs = "".join(_spelt_out(full)), "".join(_spelt_out(part))
    return len(theirs) >= LEAST_TOLD and theirs in mine


def _enough(one: str, other: str, mine: list[str], theirs: list[str]) -> float:
    """The likeness from which two texts are one, by what each says that the other does not."""
    if not mine or not theirs:
        return BARELY
    if not _exchanged(one, other):
        return LIKE
    things = len(mine) == len(theirs) and all(is_noun(unit) for unit in (*mine, *theirs))
    return NEVER if things else SURELY


def _exchanged(one: str, other: str) -> bool:
    """Whether two texts are one sentence with one stretch in it exchanged: 对花生过敏, 对牛奶过敏."""
    mine, theirs = _spelt_out(one), _spelt_out(other)
    blocks = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    changed = [block for block in blocks if block[0] != "equal"]
    return len(changed) == 1 and changed[0][0] == "replace"


def _spelt_out(said: str) -> list[str]:
    """Its words in English, its characters in Chinese, without those that say nothing."""
    if language(said) == "en":
        return [word for word in re.findall("[a-z0-9']+", said) if word not in ("the", "a", "an")]
    return [char for char in said if char.isalnum() and char not in "的了着过"]


def combine(first: str, second: str) -> str:
    """One text with both angles: the fuller one where it says all of the other, both sides of the one word in which they
    differ (晚上/睡前), else both, the second (newer) first."""
    one, other = fold(first), fold(second)
    for full, part, text in ((other, one, second), (one, other, first)):
        if not unsaid(part, full) and numbers(part) <= numbers(full):
            return text
    mine, theirs = cut(first), cut(second)
    blocks = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    changed = [block for block in blocks if block[0] != "equal"]
    if len(changed) == 1 and changed[0][0] == "replace" and language(first) == "zh":
        _tag, i, i2, j, j2 = changed[0]
        old, new = "".join(mine[i:i2]), "".join(theirs[j:j2])
        if max(len(old), len(new)) <= MOST_BESIDE:
            return f"{''.join(mine[:i])}{old}/{new}{''.join(mine[i2:])}"
    return f"{second}（{first}）" if language(second) == "zh" else f"{second} ({first})"
