"""The past made ready to be drawn: a memory's wordings and the line of its weight, the two sides of a conflict."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.memory import lifelines
from chat.memory.diffs import Piece, diff
from chat.models import AuditEvent, Conflict, Memory, RecallItem
from chat.templatetags.page import shown_value
from chat.views.charts import Chart, Series

USES = 200  # of the newest; a line has no room for more


@dataclass(frozen=True)
class Wording:
    """What a memory said from `at` on, and how that differs from what it said before. The first one has no `actor`."""

    text: str
    pieces: list[Piece]
    at: datetime
    actor: str = ""
    reason: str = ""
    merged: bool = False


def wordings(memory: Memory) -> list[Wording]:
    """Newest first. A revision holds what was said before a change, and who changed it."""
    changes = list(memory.revisions.order_by("number"))
    texts = [*(change.text for change in changes), memory.text]
    actors = dict(AuditEvent.Actor.choices)
    told = [Wording(texts[0], [Piece("same", texts[0])], memory.recorded_at)]
    for change, text in zip(changes, texts[1:], strict=True):
        who = str(actors.get(change.actor, change.actor))
        merged = bool(change.data.get("merged"))
        told.append(Wording(text, diff(change.text, text), change.created_at, who, change.reason, merged))
    return told[::-1]


def draw_life(memory: Memory, now: datetime) -> Chart:
    """Its weight from when it was learned to 90 days from now. Dots are answers that used it."""
    used = RecallItem.objects.filter(memory=memory, decision=RecallItem.Decision.USED).order_by("-pk")
    uses = list(used.values_list("recall__turn__at", flat=True)[:USES])
    past = lifelines.past(memory, min(memory.recorded_at, now), uses, now)
    ahead = lifelines.ahead(memory, now)[1:]
    moments = [at for at, _weight in (*past, *ahead)]
    marks = [place for place, (at, _weight) in enumerate(past) if at in {*uses, memory.last_used_at}]
    series = [
        Series(_("until now"), [*(value for _at, value in past), *[None] * len(ahead)], "semantic"),
        Series(_("if nothing happens"), [*[None] * (len(past) - 1), past[-1][1], *(value for _at, value in ahead)], "semantic", dashed=True),
    ]
    labels = [date_format(timezone.localtime(at), "Y-m-d") for at in moments]
    note = _("How alive it is: used, it begins anew; left alone, it fades. Dots are answers that used it.")
    return Chart("weight", _("Weight over time"), labels, series, digits=2, top=1.0, marks=marks, note=note)


@dataclass(frozen=True)
class Card:
    """A conflict with what differs between its sides, and why the suggestion is what it is."""

    conflict: Conflict
    old: list[Piece]
    new: list[Piece]
    why: str


def draw_conflict(conflict: Conflict) -> Card:
    if not (conflict.old and conflict.new):
        return Card(conflict, [], [], "")
    pieces = diff(shown_value(conflict.old), shown_value(conflict.new))
    marked = sum(len(piece.text) for piece in pieces if piece.kind == "same") > 1  # with nothing in common there is nothing to mark
    old, new = ([Piece(p.kind if marked else "same", p.text) for p in pieces if p.kind != other] for other in ("come", "gone"))
    return Card(conflict, old, new, _why(conflict))


def _why(conflict: Conflict) -> str:
    """In the words of chat.memory.arbitration.by_rule_or_support."""
    if conflict.new.status == "current":
        return _("it was said last, and clearly")
    if conflict.entity and conflict.entity.protected:
        return _("the old one is pinned: nothing replaces it without you")
    support = {"old": f"{conflict.old.support:g}", "new": f"{conflict.new.support:g}"}
    return _("support %(old)s for the old, %(new)s for the new") % support
