"""Read a message by the rules, as tests of what it states want it."""

from datetime import datetime
from zoneinfo import ZoneInfo

from chat.memory.rules import Proposal, propose
from chat.memory.text import fold

ZONE = "Asia/Shanghai"
AT = datetime(2026, 8, 20, 9, 0, tzinfo=ZoneInfo(ZONE))


def stated(text: str, at: datetime = AT) -> list[Proposal]:
    """Beliefs that may become current: asserted, of the present, for good, without doubt."""
    return [
        p
        for p in propose(text, at, ZONE)
        if p.operation == "assert" and not p.past and p.scope == "lasting" and p.confidence >= 0.6
    ]


def assert_stated(text: str, expected: dict[str, str]) -> None:
    """The message states, per slot ("a|b": either), a value that has the given words in it."""
    found = stated(text)
    for slots, part in expected.items():
        there = [p for p in found if p.slot in slots.split("|")]
        assert any(fold(part) in fold(f"{p.value} {p.item} {p.key}") for p in there), (slots, part, there)
