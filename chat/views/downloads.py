"""Tables as files that spreadsheets open with the right characters: of a chart, and of memories."""

import csv
from collections.abc import Iterable, Sequence

from django.http import HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.models import Memory
from chat.templatetags.page import percent, weight_now
from chat.views.charts import Chart

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes what begins so for something to compute


def as_csv(chart: Chart) -> HttpResponse:
    """The numbers behind a chart."""
    rows = ([step, *numbers] for step, numbers in reversed(chart.rows))
    return _file(chart.name, ["", *(series.label for series in chart.series)], rows)


def as_table(memories: Iterable[Memory]) -> HttpResponse:
    """Memories for reading elsewhere, a line each. The export of everything is what can be brought in again."""
    head = [_("Text"), _("Kind"), _("Happened"), _("Learned"), _("Last used"), _("Used"), _("Weight"), _("Confidence"), _("Pinned")]
    return _file("memories", head, map(_line, memories))


def _line(memory: Memory) -> list:
    sure = percent(memory.version.confidence) if memory.version else ""
    text = f"'{memory.text}" if memory.text.startswith(FORMULA) else memory.text
    return [
        *(text, memory.get_kind_display(), _day(memory.occurred_at), _day(memory.recorded_at), _day(memory.last_used_at)),
        *(memory.use_count, percent(weight_now(memory)), sure, _("yes") if memory.pinned else ""),
    ]


def _day(moment) -> str:
    return date_format(timezone.localtime(moment), "Y-m-d H:i") if moment else ""


def _file(name: str, head: Sequence, rows: Iterable[Sequence]) -> HttpResponse:
    response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="xinji-{name}.csv"'
    response["Cache-Control"] = "no-store"
    write = csv.writer(response).writerow
    write(head)
    for row in rows:
        write(row)
    return response
