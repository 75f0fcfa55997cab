"""Where in a conversation the words of a search stand."""

import re
from dataclasses import dataclass

from chat.models import Conversation, Turn

AROUND = 14  # characters before the word; the list cuts what follows


@dataclass(frozen=True)
class Place:
    turn_id: int
    before: str
    word: str
    after: str


def show_where(conversations: list[Conversation], words: str) -> list[Conversation]:
    """Note on each conversation `.place`: its newest turn that holds one of the words, or None (then only the title does)."""
    wanted = words.split()
    said = Turn.objects.filter(conversation__in=conversations).saying(wanted)
    newest = said.order_by("conversation", "-at", "-pk").distinct("conversation")
    places = {turn.conversation_id: cut_out(turn, wanted) for turn in newest.only("conversation_id", "text", "answer")}
    for conversation in conversations:
        conversation.place = places.get(conversation.pk)
    return conversations


def cut_out(turn: Turn, words: list[str]) -> Place | None:
    """The first of the words in the question, else in the answer, with what stands around it."""
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    for text in (turn.text, turn.answer):
        flat = " ".join(text.split())
        if found := pattern.search(flat):
            start = max(0, found.start() - AROUND)
            before = ("…" if start else "") + flat[start : found.start()]
            return Place(turn.pk, before, found[0], flat[found.end() : found.end() + 60])
    return None
