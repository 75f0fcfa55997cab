"""/ops/: how the site is doing, for staff. Tiles that say ok, warn or fail in words, charts, and what can be done."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from chat import health, jobs, operations, streams
from chat.llm import client
from chat.memory import causes
from chat.models import Job
from chat.views.charts import Chart, Series
from chat.views.downloads import as_csv

LATE_SECONDS = 60  # work that is overdue for so long says that no worker comes
RANGES = {"day": (timedelta(hours=1), 24), "week": (timedelta(hours=6), 28)}  # step, how many
CAUSES = {
    causes.NEVER_STORED: gettext_lazy("never stored"),
    causes.LOST: gettext_lazy("lost in compression"),
    causes.MERGED: gettext_lazy("wrongly merged"),
    causes.FADED: gettext_lazy("faded"),
    causes.NOT_RECALLED: gettext_lazy("not recalled"),
    causes.CUT: gettext_lazy("cut by the budget"),
    causes.WRONG_DECISION: gettext_lazy("wrong conflict decision"),
    causes.NOT_MEMORY: gettext_lazy("not the memory"),
}
CAUSE_DAYS = 7
RUN_AGAIN_MOST = 500


@dataclass(frozen=True)
class Tile:
    level: str  # ok, warn, fail
    title: str
    value: str
    advice: str = ""


def staff_only(view):
    @wraps(view)
    def guarded(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        if not request.user.is_staff:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return guarded


@staff_only
@never_cache
@require_GET
def ops(request: HttpRequest) -> HttpResponse:
    """Reads itself anew every 15 seconds unless `?paused=1`."""
    span = request.GET.get("span") if request.GET.get("span") in RANGES else "day"
    charts = draw_charts(span)
    wanted = next((chart for chart in charts if chart.name == request.GET.get("csv")), None)
    if wanted:
        return as_csv(wanted)
    since = timezone.now() - timedelta(days=CAUSE_DAYS)
    found = causes.counts(causes.cases(since, timezone.now()))
    context = {
        "tiles": tiles(),
        "queues": operations.queues(),
        "charts": charts,
        "span": span,
        "paused": request.GET.get("paused") == "1",
        "causes": sorted(((str(CAUSES.get(name, name)), n) for name, n in found.items()), key=lambda pair: -pair[1]),
        "irrelevant": operations.irrelevant_share(since),
        "now": timezone.now(),
    }
    return render(request, "ops/ops.html", context)


@staff_only
@require_POST
def run_again(request: HttpRequest) -> HttpResponse:
    if not request.user.has_perm("chat.change_job"):
        raise PermissionDenied
    dead = list(Job.objects.filter(status=Job.Status.DEAD)[:RUN_AGAIN_MOST])
    for job in dead:
        jobs.run_again(job)
    done = ngettext("%(count)d job runs again.", "%(count)d jobs run again.", len(dead)) % {"count": len(dead)}
    messages.success(request, done)
    return redirect("ops")


def tiles() -> list[Tile]:
    told = {"Tables": _("the tables are up to date")}  # versions need no translation
    found = [check() for check in health.VITAL]
    vital = [Tile(each.level, _("Servers"), told.get(each.what, each.what), str(each.advice)) for each in found]
    return [*vital, _model(), _work(), _dead(), _vectors(), _disk(), _maintenance(), _conflicts()]


def _model() -> Tile:
    if not client.configured():
        return Tile(health.WARN, _("Model"), _("the built-in answerer"), _("Set OPENAI_BASE_URL to connect a model."))
    since = timezone.now() - timedelta(hours=1)
    last = operations.answers(since, timedelta(hours=1)).get(since, operations.EMPTY)
    told = _("%(failed)d of %(answers)d answers failed in the last hour") % last
    level = health.FAIL if last["failed"] * 2 > last["answers"] else health.WARN if last["failed"] else health.OK
    return Tile(level, f"{_('Model')} {client.model_name()}", told)


def _work() -> Tile:
    queues = operations.queues()
    waiting, late = sum(queue.waiting for queue in queues), max(queue.oldest_seconds for queue in queues)
    level = health.WARN if late > LATE_SECONDS else health.OK
    told = ngettext("%(count)d job waits", "%(count)d jobs wait", waiting) % {"count": waiting}
    if late:
        told = _("%(told)s, the oldest %(seconds)d s overdue") % {"told": told, "seconds": late}
    return Tile(level, _("Work"), told, _("Are the workers running?") if level != health.OK else "")


def _dead() -> Tile:
    dead = sum(queue.dead for queue in operations.queues())
    told = ngettext("%(count)d job gave up", "%(count)d jobs gave up", dead) % {"count": dead}
    return Tile(health.WARN if dead else health.OK, _("Given up"), told)


def _vectors() -> Tile:
    missing, looked_at = operations.waiting_vectors()
    told = _("%(missing)d of the newest %(of)d memories wait for their vector") % {"missing": missing, "of": looked_at}
    return Tile(health.WARN if missing * 10 > looked_at else health.OK, _("Vectors"), told)


def _disk() -> Tile:
    found = health.disk()
    return Tile(found.level, _("Disk"), _("%(gb).1f GB free") % {"gb": health.free_gb()}, str(found.advice))


def _maintenance() -> Tile:
    last = operations.last_maintenance()
    told = date_format(timezone.localtime(last), "Y-m-d H:i") if last else _("not yet")
    late = last is not None and last < timezone.now() - timedelta(days=2)
    return Tile(health.WARN if late else health.OK, _("Last maintenance"), told, _("Is beat running?") if late else "")


def _conflicts() -> Tile:
    count = operations.open_conflicts()
    return Tile(health.OK, _("Conflicts"), ngettext("%(count)d is open", "%(count)d are open", count) % {"count": count})


def draw_charts(span: str) -> list[Chart]:
    step, count = RANGES[span]
    since = timezone.now() - step * count
    found = operations.answers(since, step)
    slots = [since + step * place for place in range(count)]
    rows = [found.get(slot, operations.EMPTY) for slot in slots]
    labels = [_label(slot + step, span) for slot in slots]
    counts = [
        Series(_("finished"), [row["answers"] - row["failed"] - row["stopped"] for row in rows], "of-calm"),
        Series(_("stopped"), [row["stopped"] for row in rows], "of-system"),
        Series(_("failed"), [row["failed"] for row in rows], "of-memories"),
    ]
    days = operations.memory_by_day(7)
    names = {"memories_written": _("written"), "forgotten": _("forgotten"), "restored": _("restored"), "conflicts_found": _("conflicts")}
    colours = ("of-calm", "of-system", "of-happy", "of-memories")
    kept = [Series(label, [each[name] for each in days.values()], css) for (name, label), css in zip(names.items(), colours, strict=True)]
    note = _("As nightly maintenance counts it, everybody together.")
    return [
        Chart("answers", _("Answers"), labels, counts, stacked=True),
        _times("first", _("Until the first words, ms"), labels, [row["first_ms"] for row in rows]),
        _times("whole", _("Whole answer, ms"), labels, [row["whole_ms"] for row in rows]),
        _times("recall", _("Recall, ms"), labels, [row["recall_ms"] for row in rows]),
        _times("speed", _("Tokens a second, about"), labels, [row["speed"] for row in rows], ("p50", "p05")),
        Chart("reconnects", _("Streams taken up again"), labels, [Series(_("taken up again"), streams.reconnects(slots, step), "of-calm")], stacked=True),
        Chart("memory", _("Memory by day"), [date_format(day, "MONTH_DAY_FORMAT") for day in days], kept, note=note),
    ]


def _label(at: datetime, span: str) -> str:
    return date_format(timezone.localtime(at), "H:i" if span == "day" else "m-d H:i")


def _times(name: str, title: str, labels: list[str], pairs: list, names: tuple[str, str] = ("p50", "p95")) -> Chart:
    """Half of the answers were as fast as p50, all but a twentieth as p95 (of a speed: p05)."""
    halves = [[pair[place] if pair else None for pair in pairs] for place in (0, 1)]
    series = [Series(label, half, css) for label, half, css in zip(names, halves, ("of-calm", "of-memories"), strict=True)]
    marks = [place for place, pair in enumerate(pairs) if pair]
    return Chart(name, title, labels, series, marks=marks)
