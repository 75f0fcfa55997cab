"""The message while it is read: its clauses, what each is about, and what has been found so far."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from chat.memory import values, voices
from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute, Ontology
from chat.memory.rules.proposal import HEDGED, Proposal
from chat.memory.text import Folded
from chat.memory.values import Value

LONGEST_QUOTE = 160
_CARRIED = 4  # how many clauses an activity is remembered for
ACTIVITIES = ("sitting", "waking", "sleeping", "exercise", "reading", "reminding", "working")


@dataclass(frozen=True)
class Found:
    """A value of an attribute at a place of a clause, not yet a proposal."""

    attribute: Attribute
    clause: Clause
    place: int  # number of the clause
    value: Value | None
    item: str = ""
    operation: str = "assert"
    confidence: float = 0.9
    source: str = "explicit"
    scope: str = ""
    among: tuple[str, ...] = ()
    by: float = 0

    @property
    def slot(self) -> str:
        return self.attribute.slot


@dataclass
class Reading:
    """One message being read."""

    ontology: Ontology
    folded: Folded
    clauses: list[Clause]
    at: datetime
    zone: str
    language: str
    about: list[frozenset[str]] = field(default_factory=list)  # what the message is about at each clause
    main: list[str] = field(default_factory=list)  # the activity that a clause without one goes on about
    corrected: set[int] = field(default_factory=set)  # clauses that correct an earlier one of this message

    def __post_init__(self):
        own = [frozenset(t for t, words in self.ontology.topics.items() if words.search(c.text)) for c in self.clauses]
        so_far: frozenset[str] = frozenset()
        activity, age = "", 0
        for place, clause in enumerate(self.clauses):
            sentence = [own[other] for other, c in enumerate(self.clauses) if c.sentence == clause.sentence]
            so_far = so_far.union(*sentence)
            here = [t for t in ACTIVITIES if t in own[place]]
            ahead = [t for topics in sentence for t in ACTIVITIES if t in topics and t != "working"] if not activity else []
            activity, age = ((here or ahead)[0], 0) if here or ahead else (activity, age + 1)
            self.about.append(so_far)
            self.main.append(activity if age <= _CARRIED else "")

    @property
    def setting(self) -> values.Setting:
        return values.Setting(self.at, self.zone)

    def value(self, attribute: Attribute, words: str) -> Value | None:
        found = values.normalise(attribute, words, self.at, self.zone)
        if found is None or found.normalized["type"] in ("text", "name", "contact"):
            return found
        return self.valued(attribute, found.normalized)

    def valued(self, attribute: Attribute, normalized: dict) -> Value:
        """The value as shown in the language of the message."""
        return values.valued(attribute, normalized, "", self.language, self.setting.today)

    def original(self, start: int, end: int) -> str:
        return self.folded.quote(start, end)

    def quote(self, clause: Clause) -> str:
        return self.original(clause.start, clause.end)[:LONGEST_QUOTE] or self.folded.original[:LONGEST_QUOTE]

    def _said_finer(self, clause: Clause) -> bool:
        """Galway, to be exact: a clause beside it says no more than that."""
        beside = (c.text for c in self.clauses if c.sentence == clause.sentence and c is not clause)
        return any(voices.FINER.search(text) and len(voices.FINER.sub("", text).strip(" ,.!点地说讲是来的")) <= 1 for text in beside)

    def proposal(self, found: Found) -> Proposal:
        clause, when = found.clause, found.clause.when
        value = found.value
        lasting = {"scope": found.scope or _scope(found)}
        begins = _begins(found, when)
        return Proposal(
            found.attribute.category,
            found.attribute.name,
            item=found.item,
            value=value.shown if value else "",
            normalized=value.normalized if value else {},
            key=value.key if value else "",
            quote=self.quote(clause),
            confidence=min(found.confidence, HEDGED) if clause.hedged else found.confidence,
            source=found.source,
            operation=found.operation,
            valid_from=begins,
            valid_to=when.end if clause.past and when and begins else None,
            past=clause.past and found.operation == "assert",
            time_words=when.words if when else "",
            among=found.among,
            by=found.by,
            finer=bool(voices.FINER.search(clause.text)) or self._said_finer(clause),
            **lasting,
        )


def _scope(found: Found) -> str:
    """Tastes and names can be meant for one conversation; a state of the user's life can't."""
    passing = found.attribute.category == "preference" or found.attribute.name == "name"
    return found.clause.scope if passing else "lasting"


def _begins(found: Found, when) -> datetime | None:
    """From when it holds: the time the clause names, unless that is only 最近, or a time still to come."""
    if when is None or when.precision == "vague":
        return None
    return when.start


def moved(clause: Clause, start: int) -> Clause:
    """The clause from `start` (within its text) on."""
    return replace(clause, start=clause.start + start, text=clause.text[start:])
