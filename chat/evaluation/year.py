"""Suite `year`: a simulated year of daily talk. Is the store small at its end, and is everything that lasts still found?

One passing user talks for `days` days, `turns` a day; 50 facts for life are told on the way, once each. Every night's care
runs in simulated time. `live_share`: live long-term rows per turn; `lifelong_recalled`: share of the facts found among the ten best.
Our own sentences; no model is asked.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from statistics import quantiles
from time import monotonic
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings as site
from django.contrib.auth.models import User
from django.db import connection

from chat import remember
from chat.conversations import Exchange, add_history
from chat.evaluation.frame import Result, passing_user
from chat.evaluation.retention import ZONE, no_model
from chat.maintenance import maintain
from chat.memory.recall import recall
from chat.models import Account, Conversation, Memory, Turn

START = datetime(2025, 1, 1, 8, tzinfo=ZoneInfo(ZONE))
MONTH = 30  # days that the user lives who is asked beside the one of a year
DAYS, TURNS, NIGHTS = 365, 12, 7  # one night in a week is simulated: every step catches up on all days before it
PROBES = 40
SAID = json.loads((Path(__file__).parent / "cases" / "year" / "talk.json").read_text(encoding="utf-8"))


class Fact(NamedTuple):
    """Told once; `answer`: words that a memory which answers the question holds."""

    told: str
    asked: str
    answer: str


FACTS = tuple(Fact(*fact) for fact in SAID["facts"])


def run(data_dir: Path, options: Mapping) -> Result:
    began = monotonic()
    days = int(options.get("days") or DAYS)
    with no_model(), unhurried(), passing_user(ZONE) as user, passing_user(ZONE) as young:
        live_through(young, min(MONTH, days))
        live_through(user, days)
        end = START + timedelta(days=days)
        early, late = timings([(young, START + timedelta(days=min(MONTH, days))), (user, end)])
        lost = [fact for fact in FACTS if not found(user, fact, end)]
        turns = Turn.objects.owned_by(user).count()
        live = Memory.objects.owned_by(user).live()
        metrics = {
            "live_share": round(live.filter(tier=Memory.Tier.LONG_TERM).count() / turns, 4),
            "live_share_all": round(live.count() / turns, 4),
            "lifelong_recalled": round(1 - len(lost) / len(FACTS), 4),
            "p95_ms_month": round(quantiles(early, n=20)[-1], 1),
            "p95_ms_year": round(quantiles(late, n=20)[-1], 1),
        }
    settings = {"days": days, "turns": turns}
    return Result("year", turns, monotonic() - began, metrics, settings=settings, failures=tuple(f"not recalled: {f.told}" for f in lost))


def live_through(user: User, days: int) -> None:
    """Talk for so many days, with every seventh night's care and the last one's."""
    for day in range(days):
        talk(user, day, days)
        if day % NIGHTS == NIGHTS - 1 or day == days - 1:
            renew_statistics()
            maintain(user.pk, START + timedelta(days=day, hours=19))


@contextmanager
def unhurried() -> Iterator[None]:
    """Recall without its deadline: a busy machine must not look like a forgetful one. The times are reported."""
    before, site.RECALL_DEADLINE_SECONDS = site.RECALL_DEADLINE_SECONDS, 30.0
    try:
        yield
    finally:
        site.RECALL_DEADLINE_SECONDS = before


def talk(user: User, day: int, days: int) -> None:
    """One conversation with twelve turns; facts for life fall on evenly spread days."""
    at = START + timedelta(days=day)
    conversation = Conversation.objects.create(user=user, created_at=at, last_turn_at=at)
    account = Account.objects.of(user)
    said = list(_of_day(day, days))
    exchanges = [Exchange(text, answer, at + timedelta(minutes=4 * place)) for place, (text, answer) in enumerate(said)]
    for turn in add_history(conversation, exchanges).turns:
        remember.read_closely(Turn.objects.select_related("conversation", "user").get(pk=turn.pk), account)


def _of_day(day: int, days: int) -> Iterator[tuple[str, str]]:
    random = Random(day)  # noqa: S311 (the same year every time)
    told = [fact for place, fact in enumerate(FACTS) if place * days // len(FACTS) == day]
    yield from ((fact.told, "好的，记下了。") for fact in told)
    for _number in range(TURNS - len(told)):
        yield _exchange(random)


def _exchange(random: Random) -> tuple[str, str]:
    """One turn of everyday talk."""
    kind = random.random()
    if kind < 0.25:
        return random.choice(SAID["small"]), "不客气，有需要随时说。"
    if kind < 0.5:
        return random.choice(SAID["asked"]), random.choice(SAID["answers"])
    told = random.choice(SAID["when"]) + random.choice(SAID["what"]).format(n=random.randint(2, 60))
    return told, random.choice(SAID["answers"])


def found(user: User, fact: Fact, at: datetime) -> bool:
    recalled = recall(user, fact.asked, at=at, limit=10)
    return any(fact.answer in item.text for item in recalled.items)


def renew_statistics() -> None:
    """What autovacuum does for committed rows: a year in one transaction would be planned for as if the tables were empty."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def timings(users: list[tuple[User, datetime]]) -> list[list[float]]:
    """Milliseconds of recalls of mixed questions for each user at their moment: in turn, so that all meet the same machine."""
    renew_statistics()
    taken: list[list[float]] = [[] for _user in users]
    for fact in (*FACTS, *FACTS)[:PROBES]:
        for (user, at), times in zip(users, taken, strict=True):
            began = monotonic()
            recall(user, fact.asked, at=at, limit=8)
            times.append(1000 * (monotonic() - began))
    return taken
