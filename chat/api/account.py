"""/api/settings, /api/export, /api/erase-all, /api/metrics: what belongs to the caller as a whole."""

from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from ninja import Query, Router

from chat.api.schemas.account import EraseAllIn, SettingsOut, SettingsPatch, SummaryOut
from chat.errors import BadInput
from chat.memory import counts, erase, measures
from chat.memory.actors import Actor
from chat.models import Account
from chat.transfer.download import download

router = Router(tags=["account"])


@router.get("/settings", response=SettingsOut, summary="Settings")
def settings(request: HttpRequest):
    return Account.objects.of(request.user)


@router.patch("/settings", response=SettingsOut, summary="Change some settings")
def change_settings(request: HttpRequest, body: SettingsPatch):
    """Fields that are not sent stay as they are."""
    account = Account.objects.of(request.user)
    changed = body.dict(exclude_unset=True)
    if "weights" in changed:
        changed["weights"] = body.weights.dict() if body.weights else {}
    for name, value in changed.items():
        setattr(account, name, value)
    account.save(update_fields=list(changed))
    return account


@router.get("/export", response={200: None}, summary="Everything of yours, as one file",
            openapi_extra={"responses": {200: {"content": {"application/json": {}, "text/markdown": {}}}}})  # fmt: skip
def export(request: HttpRequest, format: Literal["json", "markdown"] = "json"):
    """JSON can be imported again. What lies in the bin is not in it, and what was erased is nowhere."""
    return download(request.user, format)


@router.post("/erase-all", response={200: dict[str, int]}, summary="Erase everything that is remembered, for good")
def erase_all(request: HttpRequest, body: EraseAllIn):
    """Conversations, memories, state, recalls. The account itself stays. `confirm`: true, or the caller's user name."""
    if body.confirm is not True and body.confirm != request.user.get_username():
        raise BadInput("confirm_needed", _("Confirm with true, or with your user name: this can't be undone."))
    before = counts.row_counts(request.user)
    erase.erase_all(request.user, Actor.person(request.user))
    return before


@router.get("/metrics/summary", response=SummaryOut, summary="Numbers of your memory")
def metrics(request: HttpRequest, days: Annotated[int, Query(ge=1, le=366)] = 30):
    """How it stands now, and what was measured on each of the last `days` days, today's so far included."""
    return {**counts.standing(request.user), "daily": measures.by_day(request.user, days)}
