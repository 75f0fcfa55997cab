"""Whether two memories say the same thing. A high similarity is needed but never enough: 取消 is close to 推迟, and not the same.

First what forbids (chat.memory.differences). Where one text says nothing that the other does not say in some words, it is the
same thing told more briefly. Where both do, what speaks for it is summed up (chat.memory.evidence).
"""

import re
from difflib import SequenceMatcher

from chat.memory import evidence
from chat.memory.differences import HARD, differences
from chat.memory.evidence import Near
from chat.memory.keywords import cut
from chat.memory.quantities import days, numbers, without
from chat.memory.text import fold, language
from chat.memory.wording import told, units, unsaid

SAME, DIFFERENT, UNSURE = "same", "different", "unsure"
# Cosines of the stored (centred) vectors.
BARELY = 0.60  # from which two texts are compared
NEARLY = 0.75  # from which a reader is asked
TWICE = 1.0  # of equal fingerprints
LEAST_SAID = 2  # telling words, numbers and days that both must have
LEAST_TOLD = 5  # characters of a text that another may hold word by word
MOST_BESIDE = 6  # characters of each of two ways to say one thing that are put side by side: 晚上/睡前


def judge(first: str, second: str, likeness: float, near: Near) -> str:
    """SAME, DIFFERENT, or UNSURE where only a reader could tell.

    `likeness`: cosine of the two texts' stored vectors; `near` gives vectors of texts and words, and is asked only where it counts.
    """
    one, other = told(first), told(second)
    if _bare(one) == _bare(other):
        return SAME
    found = differences(first, second)
    if likeness < BARELY or not found.isdisjoint(HARD):
        return DIFFERENT
    said = without(one), without(other)
    left = unsaid(*said), unsaid(*reversed(said))
    if all(left) and likeness < TWICE:
        same = evidence.odds(evidence.signs((first, second), said, left, found, near)) >= 0
    elif found:
        return DIFFERENT
    else:
        same = likeness >= TWICE or _much_in_common(one, other, min(len(units(text)) - len(own) for text, own in zip(said, left, strict=True)))
    return SAME if same else UNSURE if likeness >= NEARLY else DIFFERENT


def _bare(said: str) -> str:
    """Without spaces and the marks at the end, but for a question's."""
    return "".join(said.split()).rstrip(",.;!~…。")


def _much_in_common(one: str, other: str, words: int) -> bool:
    """Enough for two texts of which one says nothing that the other doesn't. `words`: those that both have."""
    if _holds(one, other) or _holds(other, one):
        return True
    return words + len(numbers(one) & numbers(other)) + len(days(one) & days(other)) >= LEAST_SAID


def _holds(full: str, part: str) -> bool:
    """Whether a text has the other in it word by word."""
    mine, theirs = "".join(_spelt_out(full)), "".join(_spelt_out(part))
    return len(theirs) >= LEAST_TOLD and theirs in mine


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
