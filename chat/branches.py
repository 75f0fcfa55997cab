"""A conversation forks, and nothing is overwritten: a message that is changed and sent again begins a branch beside the old
one; an answer that is given again keeps the earlier ones. The reader steps between them, and what is on screen counts.
"""

from collections import defaultdict

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from chat import jobs, reply
from chat.db import lock_user
from chat.errors import Clash
from chat.memory.actors import Actor
from chat.memory.unlearning import unlearn
from chat.models import Conversation, EarlierAnswer, Job, Memory, Turn

VARIANT = ("attempt", "answer", "answered_by", "status", "feedback")  # what an answer takes with it when another is shown


class Tree:
    """How the turns of one conversation hang together, by their ids; one query."""

    def __init__(self, conversation: Conversation) -> None:
        self.parents = dict(conversation.turns.order_by("pk").values_list("pk", "parent_id"))
        self.children: dict[int | None, list[int]] = defaultdict(list)
        for turn_id, parent_id in self.parents.items():
            self.children[parent_id].append(turn_id)
        self.leaf_id = conversation.leaf_id or self.tip(None)

    def line(self, end: int | None) -> list[int]:
        """From the first turn to `end`."""
        found = []
        while end is not None:
            found.append(end)
            end = self.parents[end]
        return found[::-1]

    def tip(self, turn_id: int | None) -> int | None:
        """The newest end of the branches that hold the turn; of None: of all."""
        while self.children[turn_id]:
            turn_id = self.children[turn_id][-1]
        return turn_id

    def beside(self, turn_id: int) -> list[int]:
        """The turn itself and those that other branches have in its place, oldest first."""
        return self.children[self.parents[turn_id]]

    def size(self, turn_id: int) -> int:
        """How many turns the branches below it have, itself included."""
        waiting, count = [turn_id], 0
        while waiting:
            count += 1
            waiting += self.children[waiting.pop()]
        return count

    def mark(self, turns: list[Turn]) -> list[Turn]:
        """Note on each turn what a page says of branches: `.beside`, and `.elsewhere`, the turns that those hold."""
        for turn in turns:
            turn.beside = self.beside(turn.pk)
            turn.elsewhere = sum(self.size(other) for other in turn.beside if other != turn.pk)
        return turns


def resend(turn: Turn, words: str, *, key: str = "") -> Turn:
    """Send a changed message in the place of `turn`: a branch of its own. What the old words taught is taken back.

    A second call with the same key returns the first turn. BadInput: as `reply.post`. Clash: still_answering.
    """
    with transaction.atomic():
        lock_user(turn.user_id)
        conversation = Conversation.objects.select_for_update().get(pk=turn.conversation_id)
        if key and (sent := conversation.turns.filter(key=key).first()):
            return sent
        turn = Turn.objects.select_related("user").get(pk=turn.pk)
        if turn.is_open:
            raise Clash("still_answering", _("This message is still being answered. Stop the answer first."))
        Conversation.objects.filter(pk=conversation.pk).update(leaf=turn.parent_id)
        fresh = reply.post(turn.user, conversation, words, key=key)
        unlearn(turn, Actor.person(turn.user))
    return fresh


def show(turn: Turn) -> None:
    """Go on in the newest branch that holds the turn."""
    Conversation.objects.filter(pk=turn.conversation_id).update(leaf=Tree(turn.conversation).tip(turn.pk))


def answer_again(turn: Turn) -> Turn:
    """Answer once more; the answer so far stays as a variant. Does nothing while the turn is being answered."""
    with transaction.atomic():
        turn = Turn.objects.select_for_update().select_related("conversation").get(pk=turn.pk)
        if turn.is_open or turn.status == Turn.Status.IMPORTED:
            return turn
        _keep_answer(turn)
        turn.attempt = max([turn.attempt, *turn.earlier_answers.values_list("attempt", flat=True)]) + 1
        turn.status, turn.answer, turn.error, turn.feedback = Turn.Status.QUEUED, "", "", 0
        turn.stop_requested, turn.started_at, turn.finished_at = False, None, None
        turn.save()
        jobs.enqueue(Job.Kind.REPLY, [turn])
    return turn


def choose_answer(turn: Turn, attempt: int) -> Turn:
    """Another of the answers is the one that is shown and counts; the present one stays as a variant."""
    with transaction.atomic():
        turn = Turn.objects.select_for_update().get(pk=turn.pk)
        chosen = turn.earlier_answers.filter(attempt=attempt).first()
        if turn.is_open or chosen is None:
            return turn
        _keep_answer(turn)
        for name in VARIANT:
            setattr(turn, name, getattr(chosen, name))
        turn.error = ""
        turn.save(update_fields=[*VARIANT, "error"])
        chosen.delete()
    return turn


def _keep_answer(turn: Turn) -> None:
    """As a variant, if anything was said. Summaries that tell of it are no longer right."""
    if turn.answer:
        EarlierAnswer.objects.create(turn=turn, **{name: getattr(turn, name) for name in VARIANT})
    turn.memories.filter(kind=Memory.Kind.SUMMARY).update(stale=True)
