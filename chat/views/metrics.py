"""For machines: /healthz, /readyz, and /metrics in the words of Prometheus. Labels are names of ours, never a person's text or id."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from chat import health, operations

KEPT_SECONDS = 10  # two scrapers don't ask the database twice
HOUR = timedelta(hours=1)
BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
SECONDS = Histogram(
    "xinji_http_seconds", "Until the response began, in this web process", ["method", "route", "status"], buckets=BUCKETS
)
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def measured(get_response: Callable[[HttpRequest], HttpResponse]):
    """Middleware: how long each route takes. Addresses that lead nowhere count as one."""

    def middleware(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        response = get_response(request)
        match = request.resolver_match
        method = request.method if request.method in METHODS else "other"
        labels = (method, match.route if match else "none", str(response.status_code))
        SECONDS.labels(*labels).observe(time.perf_counter() - begun)
        return response

    return middleware


class Site(Collector):
    """What all web processes and workers share, read from the database."""

    def __init__(self) -> None:
        self._read_at, self._families = float("-inf"), []

    def describe(self) -> list:
        return []  # so that registering it asks the database nothing

    def collect(self) -> Iterator[GaugeMetricFamily]:
        if time.monotonic() - self._read_at > KEPT_SECONDS:
            self._families = list(_families())
            self._read_at = time.monotonic()
        yield from self._families


def _families() -> Iterator[GaugeMetricFamily]:
    jobs = GaugeMetricFamily("xinji_jobs", "Background work", labels=["kind", "status"])
    late = GaugeMetricFamily("xinji_job_overdue_seconds", "How long the oldest waiting job is overdue", labels=["kind"])
    for queue in operations.queues():
        for status in ("waiting", "running", "dead"):
            jobs.add_metric([queue.kind, status], getattr(queue, status))
        late.add_metric([queue.kind], queue.oldest_seconds)
    yield jobs
    yield late
    since = timezone.now() - HOUR
    last = operations.answers(since, HOUR).get(since, operations.EMPTY)
    answers = GaugeMetricFamily("xinji_answers_last_hour", "Answers begun in the last hour", labels=["what"])
    for what in ("answers", "failed", "stopped", "liked", "disliked"):
        answers.add_metric([what], last[what])
    yield answers
    seconds = GaugeMetricFamily("xinji_answer_seconds", "Of the last hour", labels=["step", "quantile"])
    for step in ("first_ms", "whole_ms", "recall_ms"):
        for quantile, number in zip(("0.5", "0.95"), last[step] or (), strict=False):
            if number is not None:
                seconds.add_metric([step.removesuffix("_ms"), quantile], number / 1000)
    yield seconds
    missing, _looked_at = operations.waiting_vectors()
    yield GaugeMetricFamily("xinji_vectors_missing", "Of the newest memories", value=missing)
    yield GaugeMetricFamily("xinji_conflicts_open", "Conflicts that wait for a decision", value=operations.open_conflicts())


REGISTRY.register(Site())


@login_not_required
@never_cache
@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    by_token = settings.METRICS_TOKEN and constant_time_compare(given, settings.METRICS_TOKEN)
    if not (by_token or request.user.is_staff):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


@login_not_required
@never_cache
@require_GET
def healthz(request: HttpRequest) -> HttpResponse:
    """This process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@login_not_required
@never_cache
@require_GET
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether this process can do its work: the servers are there and the tables are up to date; else 503."""
    findings = {check.__name__: check().level for check in health.VITAL}
    ready = health.FAIL not in findings.values()
    return JsonResponse({"ready": ready, "checks": findings}, status=200 if ready else 503)
