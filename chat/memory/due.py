"""What one night has to do for a user, asked in one query, so that a night with nothing to do costs next to nothing."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Exists, Q, Value

from chat.llm import client
from chat.memory import fading, pyramid, themes
from chat.models import Account, AuditEvent, Conversation, Memory, Turn


def steps(account: Account, now: datetime) -> set[str]:
    """Names of the maintenance steps that something waits for, as things stand before the first of them."""
    user_id = account.user_id
    memories = Memory.objects.owned_by_id(user_id)
    waiting = {
        "summaries": Q(Exists(unsummarised(user_id))) | Q(Exists(Turn.objects.unheld(user_id))),
        "rewritten": Exists(pyramid.stale_rows(user_id)),
        "digests": Q(Exists(pyramid.orphans(account, pyramid.DAY, now))) | Q(Exists(pyramid.orphans(account, pyramid.MONTH, now))),
        "retold": Exists(pyramid.untold(user_id)) if client.configured() else Value(False),
        "themes": ~Exists(themes.renewed(account, now)),
        "embedded": Exists(memories.live().filter(space=None)),
        "merged": Exists(memories.uncompared()),
        "settled": Exists(fading.settling(user_id, now)),
        "faded": Exists(memories.perhaps_faded(now)),
        "unconfirmed": Exists(fading.unconfirmed(user_id, now)),
        "purged": Exists(fading.over(user_id, now)),
        "measured": _something_happened(account, now),
    }
    row = Account.objects.filter(pk=account.pk).values(**waiting).get()
    return {name for name, waits in row.items() if waits} | ({"linked"} if row["themes"] else set())


def unsummarised(user_id: int):
    """Conversations with turns that no summary holds yet."""
    rows = Conversation.objects.filter(user_id=user_id, memory=Conversation.MemoryMode.READ_WRITE, turns__summarised_at=None)
    return rows.filter(turns__observed_at__isnull=False)


def _something_happened(account: Account, now: datetime) -> Q:
    """Since yesterday's beginning, so that there is something to measure."""
    yesterday = now.astimezone(ZoneInfo(account.zone_name)).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    recent = {"user_id": account.user_id, "at__gte": yesterday, "at__lte": now}
    return Q(Exists(Turn.objects.filter(**recent))) | Q(Exists(AuditEvent.objects.filter(**recent)))
