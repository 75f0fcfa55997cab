"""How a new value stands to an old one, and the arithmetic of intervals that most types share."""

from enum import StrEnum

Interval = tuple[float, float]


class Relation(StrEnum):
    SAME = "same"  # says no more than the old one: another observation of it
    REFINES = "refines"  # true together with the old one, and more exact
    CONTRADICTS = "contradicts"  # cannot be true together with the old one
    ADDS = "adds"  # true beside the old one


def relate(old: Interval, new: Interval, slack: float = 0.0) -> Relation:
    """Compare closed intervals. Ends that differ by at most `slack` are equal; a wider new one only repeats the old."""
    if abs(old[0] - new[0]) <= slack and abs(old[1] - new[1]) <= slack:
        return Relation.SAME
    if old[0] - slack <= new[0] and new[1] <= old[1] + slack:
        return Relation.REFINES
    if new[0] - slack <= old[0] and old[1] <= new[1] + slack:
        return Relation.SAME
    return Relation.CONTRADICTS
