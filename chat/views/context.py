"""What every page knows: who reads it, in which theme, and what the rail beside it shows."""

from datetime import datetime, timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from chat.llm import client
from chat.memory.text import strip_controls
from chat.models import Account, Conflict, Conversation, EntityVersion, Memory, Notice
from chat.views.finding import show_where

RAIL_LENGTH = 60


def page(request: HttpRequest) -> dict:
    """Nothing here is queried before a template asks for it."""
    account = getattr(request, "account", None)
    return {
        "account": account,
        "theme": account.theme if account else read_theme(request),
        "languages": settings.LANGUAGES,
        "rail": SimpleLazyObject(lambda: rail(request)),
        "open_conflicts": SimpleLazyObject(lambda: Conflict.objects.owned_by(request.user).open().count()),
        "to_be_confirmed": SimpleLazyObject(lambda: EntityVersion.objects.owned_by(request.user).to_be_confirmed().count()),
        "how_many": SimpleLazyObject(lambda: Memory.objects.owned_by(request.user).by_state()),
        "first_kept": SimpleLazyObject(lambda: first_kept(account)),
        "no_model": not client.configured() and request.COOKIES.get("model_banner") != "off",
    }


def first_kept(account: Account | None) -> int | None:
    """The turn from which the first thing was remembered, until its reader has seen the hint beside it."""
    if account is None or account.welcomed_at:
        return None
    learned = Notice.objects.filter(turn__user=account.user_id, kind=Notice.Kind.REMEMBERED)
    return learned.order_by("pk").values_list("turn_id", flat=True).first()


def read_theme(request: HttpRequest) -> str:
    chosen = request.COOKIES.get("theme", "")
    return chosen if chosen in Account.Theme.values else Account.Theme.SYSTEM


def rail(request: HttpRequest) -> list[tuple[str, list[Conversation]]]:
    """The reader's newest conversations under the headings today, last seven days, earlier; with `?find=` those that say it."""
    words = strip_controls(request.GET.get("find", ""))[:200].strip()
    found = list(Conversation.objects.owned_by(request.user).listed().holding(words)[:RAIL_LENGTH])
    return group_by_age(show_where(found, words) if words else found, timezone.localtime())


def group_by_age(conversations, now: datetime) -> list[tuple[str, list[Conversation]]]:
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    groups = {_("Today"): [], _("Last seven days"): [], _("Earlier"): []}
    today, week, earlier = groups
    for conversation in conversations:
        at = conversation.last_turn_at
        groups[today if at >= midnight else week if at >= midnight - timedelta(days=6) else earlier].append(
            conversation
        )
    return [(heading, members) for heading, members in groups.items() if members]
