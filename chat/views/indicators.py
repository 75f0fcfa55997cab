"""/ops/indicators: how well the memory of everybody together does, a row for each indicator, a column for each day; for staff."""

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from chat.memory import measures
from chat.views.ops import CAUSES, staff_only

DAYS = 7
LABELS = {
    "turns": _("messages"),
    "answers": _("answers that looked into memory"),
    "hit_rate": _("share of answers with a memory used or marked"),
    "prompt_tokens": _("tokens of a prompt"),
    "memories_written": _("memories written"),
    "memories_used": _("memories used"),
    "used_of_written": _("used ÷ written"),
    "marked_useful": _("memories marked useful"),
    "marked_irrelevant": _("memories marked not relevant"),
    "conflicts_found": _("conflicts found"),
    "conflicts_confirmed": _("decided by a person for the new"),
    "conflicts_overruled": _("decided by a person for the old"),
    "conflicts_automatic": _("decided without a person"),
    "forgotten": _("forgotten"),
    "restored": _("restored"),
    "retention": _("share of values and details that a day's summary keeps"),
    "compression": _("tokens of talk for one of its summary"),
    "recall_ms_p50": _("recall, ms, p50"),
    "recall_ms_p95": _("recall, ms, p95"),
    "write_ms_p50": _("writing, ms, p50"),
    "write_ms_p95": _("writing, ms, p95"),
    "bad_answers": _("answers marked bad"),
    **{f"bad: {cause}": label for cause, label in CAUSES.items()},
}


@staff_only
@never_cache
@require_GET
def indicators(request: HttpRequest) -> HttpResponse:
    """The last seven days as far as nights have measured them, and all of them together."""
    found = measures.of_everyone(DAYS)
    days = found["days"]
    rows = [
        (label, [day.get(name) for day in days.values()], found["total"][name])
        for name, label in LABELS.items()
        if name in found["total"]
    ]
    return render(request, "ops/indicators.html", {"days": [date.fromisoformat(day) for day in days], "rows": rows})
