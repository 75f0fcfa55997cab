"""What every suite shares: the shape of a result, and a user who exists for the length of a measurement only."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction

from chat.models import Account

Metrics = Mapping[str, float]


@dataclass(frozen=True)
class Result:
    """What one suite measured. `metrics` and `by` hold numbers; a metric that had nothing to measure is left out."""

    suite: str
    cases: int
    seconds: float
    metrics: Metrics
    by: Mapping[str, Metrics] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    failures: tuple[str, ...] = ()  # for people: each failing case and why; not part of the JSON

    def as_json(self) -> dict:
        return {
            "suite": self.suite,
            "cases": self.cases,
            "seconds": round(self.seconds, 2),
            "metrics": dict(self.metrics),
            "by": {group: dict(metrics) for group, metrics in self.by.items()},
            "settings": dict(self.settings),
        }


@contextmanager
def passing_user(zone: str = "Asia/Shanghai") -> Iterator[User]:
    """A new user in a transaction that is rolled back at the end: nothing that is written in the block stays."""
    with transaction.atomic():
        user = User.objects.create_user(f"evaluation-{uuid4().hex}")
        Account.objects.update_or_create(user=user, defaults={"time_zone": zone})
        yield user
        transaction.set_rollback(True)
