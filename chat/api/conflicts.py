"""/api/conflicts"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from ninja import Query, Router

from chat.api.schemas.common import window_of
from chat.api.schemas.state import ConflictFilter, ConflictOut, ResolveIn
from chat.errors import BadInput
from chat.memory import arbitration
from chat.memory.actors import Actor
from chat.models import Conflict

router = Router(tags=["conflicts"])


def own_conflict(request: HttpRequest, conflict_id: int) -> Conflict:
    return get_object_or_404(Conflict.objects.owned_by(request.user).for_review(), pk=conflict_id)


@router.get("", response=list[ConflictOut], summary="Conflicts, newest first")
def listing(request: HttpRequest, response: HttpResponse, wanted: Query[ConflictFilter]):
    """`X-Total-Count` holds how many there are."""
    found = Conflict.objects.owned_by(request.user).filter(**wanted.fields())
    return window_of(found.for_review(), wanted, response)


@router.get("/{int:conflict_id}", response=ConflictOut, summary="One conflict")
def show(request: HttpRequest, conflict_id: int):
    return own_conflict(request, conflict_id)


@router.post("/{int:conflict_id}/resolve", response=ConflictOut, summary="Decide it")
def resolve(request: HttpRequest, conflict_id: int, body: ResolveIn):
    """Decided by a person already: 409 with that decision. What rule or support decided can be overruled."""
    conflict = own_conflict(request, conflict_id)
    if conflict.decisions and body.decision not in conflict.decisions:
        raise BadInput(
            "decision_not_possible", _("This conflict can't be decided like that."), possible=conflict.decisions
        )
    arbitration.resolve(conflict, body.decision, Actor.person(request.user), text=body.text, reason=body.reason)
    return own_conflict(request, conflict_id)


@router.post("/{int:conflict_id}/undo", response=ConflictOut, summary="Take the decision back")
def undo(request: HttpRequest, conflict_id: int):
    arbitration.undo(own_conflict(request, conflict_id), Actor.person(request.user))
    return own_conflict(request, conflict_id)
