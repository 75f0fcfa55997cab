"""What the memory costs and how it lives, drawn: tokens by day, what the last prompts were made of, moods by week."""

from datetime import date, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from chat.memory import usage as spent
from chat.models import Memory, Recall, Turn
from chat.views.charts import Chart, Series
from chat.views.downloads import as_csv
from chat.views.drawing import SECTION_LABELS, draw_budget

DAYS, WEEKS = 30, 12
PROMPTS, COSTLY = 5, 8
UNUSED_DAYS = 90
PARTS = ("system", "entities", "knowledge", "memories", "working", "conflicts", "question")
MOODS = ("happy", "calm", "sad", "anxious", "angry")


@require_GET
def usage(request: HttpRequest) -> HttpResponse:
    wanted = request.GET.get("csv")
    charts = list(_charts(request, wanted))
    if wanted:
        return as_csv(_named(charts, wanted))
    unused = _unused(request)
    return render(request, "memory/usage.html", {
        "charts": charts,
        "prompts": [(recall, draw_budget(recall.sections)) for recall in _last_prompts(request)],
        "costly": spent.most_costly(request.user, DAYS, COSTLY),
        "unused": unused.count(),
        "unused_link": reverse("memories", query={"unused": "on", "dated": "learned", "until": _long_ago().isoformat()}),
        "tab": "usage",
    })  # fmt: skip


def _charts(request: HttpRequest, wanted: str | None) -> list[Chart]:
    makers = {"tokens": _tokens, "cut": _cut, "moods": _moods}
    days = spent.days(request.user, DAYS) if wanted != "moods" else {}
    return [make(request, days) for name, make in makers.items() if wanted in {None, "", name}]


def _named(charts: list[Chart], name: str) -> Chart:
    if not charts:
        raise Http404(name)
    return charts[0]


def _tokens(request: HttpRequest, days: dict[date, spent.Day]) -> Chart:
    series = [
        Series(str(SECTION_LABELS[name]), [day.tokens.get(name, 0) if day.answers else None for day in days.values()], f"of-{name}")
        for name in PARTS
    ]
    note = _("What one answer's prompt holds on average, in tokens. Empty days had no answers.")
    return Chart("tokens", _("Tokens per answer, last 30 days"), _days(days), series, stacked=True, note=note)


def _cut(request: HttpRequest, days: dict[date, spent.Day]) -> Chart:
    series = [
        Series(_("answers"), [day.answers for day in days.values()], "of-entities"),
        Series(_("memories left out for want of room"), [day.cut for day in days.values()], "of-memories"),
    ]
    return Chart("cut", _("Answers, and what the budget cut"), _days(days), series)


def _moods(request: HttpRequest, _days_: dict) -> Chart:
    weeks = spent.moods(request.user, WEEKS)
    labels = dict(Turn.Emotion.choices)
    series = [Series(str(labels[name]), [counts.get(name) for counts in weeks.values()], f"of-{name}") for name in MOODS]
    note = _("Messages that told a feeling, by week. It is read from your words anew and never stored as a trait.")
    return Chart("moods", _("Moods over the weeks"), _days(weeks), series, stacked=True, note=note)


def _days(days: dict[date, object]) -> list[str]:
    return [date_format(day, "MONTH_DAY_FORMAT") for day in days]


def _last_prompts(request: HttpRequest) -> list[Recall]:
    return list(Recall.objects.owned_by(request.user).listed().select_related("turn").defer("prompt").order_by("-created_at")[:PROMPTS])


def _long_ago() -> date:
    return timezone.localdate() - timedelta(days=UNUSED_DAYS)


def _unused(request: HttpRequest):
    """Live, learned long ago, in no answer since."""
    old = timezone.now() - timedelta(days=UNUSED_DAYS)
    return Memory.objects.owned_by(request.user).live().filter(use_count=0, recorded_at__lt=old)
