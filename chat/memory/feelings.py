"""How someone has been feeling: the seven days before a moment, in numbers and words, and what happened in them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User

from chat.memory import emotions
from chat.memory.emotions import Trend
from chat.models import Account, Memory, Turn

DAYS = 7
_WORDS = {
    "zh": {"happy": "开心", "sad": "难过", "anxious": "焦虑", "angry": "生气", "calm": "平静", "better": "在好转", "worse": "在变差", "steady": "平稳"},
    "en": {"happy": "happy", "sad": "sad", "anxious": "anxious", "angry": "angry", "calm": "calm", "better": "getting better", "worse": "getting worse", "steady": "steady"},
}  # fmt: skip


@dataclass(frozen=True)
class Felt:
    """One point of the timeline: a moment, its feeling, the fragment that tells of it (None where there is none)."""

    at: datetime
    emotion: str
    memory_id: int | None


def week(user: User, at: datetime) -> Trend:
    """The trend of the seven days before `at`. Read anew each time; it is never stored as a trait."""
    zone = ZoneInfo(Account.objects.of(user).zone_name)
    turns = Turn.objects.owned_by(user).filter(at__gte=at - timedelta(days=DAYS), at__lt=at, observed_at__isnull=False)
    felt = turns.order_by("at").values_list("at", "emotion")
    return emotions.trend((moment.astimezone(zone).toordinal(), name) for moment, name in felt)


def in_words(trend: Trend, language: str) -> str:
    """The trend in a few words, "" when nothing was felt."""
    if not trend.main:
        return ""
    words = _WORDS["en" if language == "en" else "zh"]
    return f"{words[trend.main]}, {words[trend.direction]}" if language == "en" else f"{words[trend.main]}，{words[trend.direction]}"


def timeline(user: User, since: datetime, until: datetime) -> list[Felt]:
    """The moments of that time which told a feeling, oldest first, each with its weightiest fragment."""
    turns = Turn.objects.owned_by(user).filter(at__gte=since, at__lt=until).exclude(emotion="neutral").order_by("at", "pk")
    rows = list(turns.values_list("pk", "at", "emotion"))
    source = Memory.turns.through.objects.filter(turn__in=[pk for pk, _at, _name in rows], memory__kind="fragment", memory__state="live")
    told = dict(source.order_by("memory__importance", "memory").values_list("turn_id", "memory_id"))
    return [Felt(moment, name, told.get(pk)) for pk, moment, name in rows]
