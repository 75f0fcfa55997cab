"""/api/conflicts"""

from typing import Literal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from ninja import Query, Router

from chat.api.schemas.state import ConflictOut, ResolveIn
from chat.errors import BadInput
from chat.memory import arbitration
from chat.memory.actors import Actor
from chat.models import Conflict

router = Router(tags=["conflicts"])
Kind = Literal["entity", "query_vs_history", "summary_vs_entity", "knowledge_vs_memory"]


def own_conflict(request: HttpRequest, conflict_id: int) -> Conflict:
    return get_object_or_404(Conflict.objects.owned_by(request.user).for_review(), pk=conflict_id)


@router.get("", response=list[ConflictOut], summary="Conflicts, newest first")
def listing(
    request: HttpRequest,
    response: HttpResponse,
    status: Literal["open", "resolved", "dismissed"] | None = None,
    kind: Kind | None = None,
    limit: int = Query(200, ge=1, le=1000),
    offset: int = Query(0, ge=0, le=1_000_000),
):
    """`X-Total-Count` holds how many there are."""
    wanted = {name: value for name, value in {"status": status, "kind": kind}.items() if value}
    found = Conflict.objects.owned_by(request.user).filter(**wanted)
    response["X-Total-Count"] = str(found.count())
    return found.for_review()[offset : offset + limit]


@router.get("/{int:conflict_id}", response=ConflictOut, summary="One conflict")
def show(request: HttpRequest, conflict_id: int):
    return own_conflict(request, conflict_id)


@router.post("/{int:conflict_id}/resolve", response=ConflictOut, summary="Decide it")
def resolve(request: HttpRequest, conflict_id: int, body: ResolveIn):
    """Decided by a person already: 409 with that decision. What rule or support decided can be overruled."""
    conflict = own_conflict(request, conflict_id)
    if conflict.decisions and body.decision not in conflict.decisions:
        raise BadInput("decision_not_possible", _("This conflict can't be decided like that."), possible=conflict.decisions)
    arbitration.resolve(conflict, body.decision, Actor.person(request.user), text=body.text, reason=body.reason)
    return own_conflict(request, conflict_id)


@router.post("/{int:conflict_id}/undo", response=ConflictOut, summary="Take the decision back")
def undo(request: HttpRequest, conflict_id: int):
    arbitration.undo(own_conflict(request, conflict_id), Actor.person(request.user))
    return own_conflict(request, conflict_id)
