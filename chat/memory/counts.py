"""How one user's memory stands now: counts and milliseconds, never text. What happened day by day: chat.memory.measures."""

from collections.abc import Mapping
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Avg, Count, F, Q, QuerySet
from django.utils import timezone

from chat.models import Conflict, Conversation, Entity, EntityVersion, Memory, Recall, RecallItem, Turn

RECENT_DAYS = 7
RECENT_RECALLS = 200  # averages are taken over the newest ones


def row_counts(user: User) -> dict[str, int]:
    """How many rows of each noun the user has."""
    nouns = {
        "conversations": Conversation,
        "turns": Turn,
        "memories": Memory,
        "entities": Entity,
        "conflicts": Conflict,
    }
    return {name: model.objects.owned_by(user).count() for name, model in nouns.items()}


def standing(user: User) -> dict:
    """Counts by state, and averages over the newest answers."""
    turns = Turn.objects.owned_by(user)
    memories = Memory.objects.owned_by(user)
    conflicts = Conflict.objects.owned_by(user)
    since = timezone.now() - timedelta(days=RECENT_DAYS)
    return {
        "turns": {**_by(turns, "status"), "total": turns.count(), "last_7_days": turns.filter(at__gte=since).count()},
        "memories": {
            "total": memories.count(),
            "by_kind": _by(memories.live(), "kind"),
            "by_tier": _by(memories.live(), "tier"),
            "by_state": _by(memories, "state"),
            "pinned": memories.live().filter(pinned=True).count(),
        },
        "entities": _by(EntityVersion.objects.owned_by(user), "status"),
        "conflicts": {
            "by_status": _by(conflicts, "status"),
            "by_kind": _by(conflicts, "kind"),
            "by_decider": _by(conflicts.exclude(decider=""), "decider"),
        },
        **_answers(user),
    }


def _by(rows: QuerySet, field: str) -> dict[str, int]:
    return dict(rows.order_by().values_list(field).annotate(Count("pk")))


def _answers(user: User) -> dict:
    newest = list(
        Recall.objects.owned_by(user).order_by("-created_at")[:RECENT_RECALLS].values("pk", "sections", "timings")
    )
    items = RecallItem.objects.filter(recall__in=[row["pk"] for row in newest])
    counted = items.aggregate(
        used=Count("pk", Q(decision="used")), liked=Count("pk", Q(feedback=1)), disliked=Count("pk", Q(feedback=-1))
    )
    seconds = (
        Turn.objects.owned_by(user)
        .filter(status=Turn.Status.DONE, started_at__isnull=False, finished_at__isnull=False)
        .order_by("-at")[:RECENT_RECALLS]
        .aggregate(mean=Avg(F("finished_at") - F("started_at")), count=Count("pk"))
    )
    return {
        "recall": {
            "answers": len(newest),
            "used_per_answer": counted["used"] / len(newest) if newest else None,
            "took_ms": _mean([row["timings"].get("total") for row in newest]),
            "useful": counted["liked"],
            "not_relevant": counted["disliked"],
        },
        "answers": {"count": seconds["count"], "seconds": seconds["mean"].total_seconds() if seconds["mean"] else None},
        "tokens": _section_means([row["sections"] for row in newest]),
    }


def _section_means(sections: list[Mapping]) -> dict[str, float]:
    names = sorted({name for each in sections for name in each})
    return {name: _mean([each.get(name, {}).get("tokens") for each in sections]) or 0.0 for name in names}


def _mean(numbers: list[float | None]) -> float | None:
    given = [number for number in numbers if number is not None]
    return round(sum(given) / len(given), 1) if given else None
