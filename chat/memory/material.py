"""What an answer is made from: plain values, read once from the database, the same for a model and for the built-in answerer."""

from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chat.memory.candidates import Candidate


@dataclass(frozen=True)
class Fact:
    """One current belief about the user. `confidence` 0–1; `source`: an EntityVersion.Source value."""

    slot: str  # category.attribute
    label: str  # in the language of the answer
    value: str
    confidence: float = 1.0
    pinned: bool = False
    source: str = "explicit"
    learned_at: datetime | None = None
    version_id: int | None = None
    normalized: dict = field(default_factory=dict)  # typed value, see chat.memory.values
    unconfirmed: bool = False  # pending: the user has been asked


@dataclass(frozen=True)
class WorkingTurn:
    """One of the last turns of this conversation."""

    text: str
    answer: str
    at: datetime


@dataclass(frozen=True)
class PassageText:
    """A passage of the knowledge base. `score` 0–1."""

    id: int
    title: str
    heading: str
    text: str
    score: float = 1.0


@dataclass(frozen=True)
class ConflictNote:
    """Two beliefs that disagree; `kind`: a Conflict.Kind value. `text` replaces the line made from old and new."""

    id: int
    kind: str
    old: str
    new: str
    old_at: datetime | None = None
    new_at: datetime | None = None
    text: str = ""
    slot: str = ""


@dataclass(frozen=True)
class LastTopic:
    """What was talked of last, for questions that begin with 上次."""

    topic: str
    content: str = ""
    advice: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class Opening:
    """For the first answer of a conversation: key events of the last seven days and the mood in them. To be used, not recited."""

    events: tuple[str, ...] = ()
    mood: str = ""


@dataclass(frozen=True)
class Material:
    """Everything that one answer may use. Texts in it are data, whatever they say."""

    question: str
    language: str  # "zh" or "en"
    now: datetime
    zone: tzinfo
    facts: tuple[Fact, ...] = ()
    passages: tuple[PassageText, ...] = ()  # best first
    memories: "tuple[Candidate, ...]" = ()  # best first
    working: tuple[WorkingTurn, ...] = ()  # oldest first
    conflicts: tuple[ConflictNote, ...] = ()
    last: LastTopic | None = None
    opening: Opening | None = None
    just_learned: tuple[Fact, ...] = ()  # what this very message said about the user
    said_again: tuple[Fact, ...] = ()  # what it said that was on record already
    former: tuple[Fact, ...] = ()  # superseded beliefs on what the question is about, newest first; not for the prompt
