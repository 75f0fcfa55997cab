"""Which turns of a conversation a page shows, and what it says of the branches beside them."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import Http404
from django.shortcuts import get_object_or_404

from chat.branches import Tree
from chat.models import Conversation, Turn

PAGE_LENGTH = 30  # turns
LATER = 10  # how many turns after a linked one are shown with it


@dataclass(frozen=True)
class View:
    turns: list[Turn]
    more: bool  # earlier turns than these
    partly: bool  # later ones too
    elsewhere: Turn | None  # the turn asked for, when it is not in the branch on which the conversation goes on

    @property
    def waiting(self) -> bool:
        return any(turn.is_open for turn in self.turns)


def view_of(talk: Conversation, *, before: str = "", around: str = "") -> View:
    """A page of the branch on screen; `around` a turn of another branch, of that one. Http404: a turn that isn't here."""
    tree = Tree(talk)
    here = tree.line(tree.leaf_id)
    marked = _number(before) or _number(around)
    if marked is None:
        return _page(talk, tree, here[-PAGE_LENGTH - 1 :], partly=False)
    if marked not in tree.parents:
        raise Http404
    line = here if marked in here else tree.line(tree.tip(marked))
    end = line.index(marked) + (0 if _number(before) else 1 + LATER)
    asked = marked if line is not here else None
    return _page(talk, tree, line[:end][-PAGE_LENGTH - 1 :], partly=end < len(line), elsewhere=asked)


def _page(talk: Conversation, tree: Tree, ids: list[int], *, partly: bool, elsewhere: int | None = None) -> View:
    shown = Turn.objects.filter(pk__in=ids[-PAGE_LENGTH:]).for_page().in_bulk()
    turns = tree.mark([shown[pk] for pk in ids[-PAGE_LENGTH:] if pk in shown])
    return View(turns, len(ids) > PAGE_LENGTH, partly, shown.get(elsewhere))


def turn_of(user: User, pk: int) -> Turn:
    """One turn as a page shows it, if it is the user's."""
    turn = get_object_or_404(Turn.objects.owned_by(user).for_page(), pk=pk)
    Tree(turn.conversation).mark([turn])
    return turn


def _number(raw: str) -> int | None:
    return int(raw) if raw.isdecimal() and len(raw) < 19 else None
