"""What recall considered: one frozen value that feeds the prompt, the stored Recall and the inspector alike."""

from dataclasses import dataclass, field
from datetime import datetime

# Decisions: the values of RecallItem.Decision.
USED = "used"
BELOW_FLOOR = "below_floor"
DUPLICATE = "duplicate"
OVER_BUDGET = "over_budget"
OVER_LIMIT = "over_limit"
SUPERSEDED = "superseded"
FORGOTTEN = "forgotten"
CONFLICT = "conflict"
NOT_RELEVANT = "not_relevant"


@dataclass(frozen=True)
class Candidate:
    """One memory (or passage) that a question brought up.

    parts: contributions that add up to `score`. signals: the raw values behind them (cosine, matched words, age in days …).
    reasons: stable codes of why it came up, such as "words", "meaning", "entity", "time", "pinned".
    decision: a value of RecallItem.Decision; `duplicate_of` is a memory id.
    """

    memory_id: int | None
    tier: str
    kind: str
    text: str
    score: float
    parts: dict[str, float] = field(default_factory=dict)
    signals: dict = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    decision: str = USED
    duplicate_of: int | None = None
    passage_id: int | None = None
    version_id: int | None = None
    conflict_id: int | None = None
    turn_ids: tuple[int, ...] = ()
    occurred_at: datetime | None = None
    tokens: int = 0
