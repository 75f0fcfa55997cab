"""What the rules make of a message: proposals to the state, and what a question is after."""

from dataclasses import dataclass
from datetime import datetime

HEDGED = 0.5  # what a speaker is not sure of; below the 0.6 from which a belief may become current


@dataclass(frozen=True)
class Proposal:
    """One change to the state that a message proposes.

    item: "" for a single-valued attribute, else the canonical key of the item (the ontology's Chinese word where it
    lists one). quote: a literal, non-empty stretch of the message. confidence 0–1, below 0.6 when hedged.
    source: explicit, implied or inferred. scope: lasting or conversation. operation: assert; end (no longer true: the
    item, or for a single-valued attribute the value of `key`, "" meaning any); retract (it never was: the named slot,
    item or key, with what the message says instead as `value`; category and attribute "" mean the newest statement of this conversation, and a non-empty `value` is
    then what should have been said: read it with `values.normalise` for the slot of what was taken back; a non-empty `item`
    is the value that it was not); unsay (all that the message before stated); cancel (of the plans on record the one that the words of `value` name is off).
    among: where it isn't said of what the value is, the slots that it may be of: it is of the one of them of which something
    is believed, and says nothing where that is none or several. by: so many seconds longer
    (of a time of day: later) than what is believed, `value` being only how many. finer: says more exactly what was said before.
    valid_from, valid_to: when it holds in the world, None where nothing is said. past: told of the past, never to
    replace the present. time_words: the words the times were read from.
    """

    category: str
    attribute: str
    item: str = ""
    value: str = ""
    normalized: dict | None = None
    key: str = ""
    quote: str = ""
    confidence: float = 0.9
    source: str = "explicit"
    scope: str = "lasting"
    operation: str = "assert"
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    past: bool = False
    time_words: str = ""
    among: tuple[str, ...] = ()
    by: float = 0
    finer: bool = False

    @property
    def slot(self) -> str:
        return f"{self.category}.{self.attribute}"


@dataclass(frozen=True)
class Question:
    """What a message asks.

    slots: "category.attribute" of what it asks about the user's own state, best first. implies: states that the
    question takes for granted (怎么减少抽烟: the user smokes). refers_back: leans on what was said before (上次, 那个方法).
    about_self: asks about the user rather than the world.
    """

    is_question: bool = False
    slots: tuple[str, ...] = ()
    implies: tuple[Proposal, ...] = ()
    refers_back: bool = False
    about_self: bool = False

    @property
    def concerns(self) -> tuple[str, ...]:
        """The slots that an answer has to do with: those asked about, then those taken for granted."""
        return tuple(dict.fromkeys([*self.slots, *(proposal.slot for proposal in self.implies)]))
