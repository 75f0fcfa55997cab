"""What templates need beyond Django: icons, Markdown, times as people say them, names of slots."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext

from chat.llm import tokens
from chat.llm.errors import MESSAGES
from chat.markdown import render as render_markdown
from chat.memory import gathering, ontology
from chat.memory.retention import weight
from chat.models import Conflict, Job, Notice, RecallItem
from chat.views.drawing import CATEGORIES

register = template.Library()
MOST_TOPICS = 4

# Drawn on a 20×20 grid with a 1.5 stroke.
ICONS = {
    "menu": "M3 5.5h14M3 10h14M3 14.5h9",
    "close": "M5 5l10 10M15 5L5 15",
    "plus": "M10 4v12M4 10h12",
    "dots": "M5 10h.01M10 10h.01M15 10h.01",
    "ghost": "M4.5 17V9a5.5 5.5 0 0 1 11 0v8l-2-1.5-1.750 1.5-1.750-1.500L8.250 17 6.5 15.500zM8 8.500h.01M12 8.500h.01",
    "leaf": "M4 16c0-7 4-11.5 12.5-12C17 12 13 16 7.5 15.500M4 16c1.5-3.5 4-6 7-7.5",
    "gear": "M3.5 6h7M14.5 6h2M3.5 14h2M9.5 14h7M12.5 4v4M7.5 12v4",
    "pulse": "M3 11h3l2-6 4 10 2-4h3",
    "shield": "M10 3l6 2v4.500c0 3.5-2.5 6-6 7.5-3.5-1.5-6-4-6-7.500V5z",
    "out": "M8 4H4.500v12H8M8.5 10H17M14 7l3 3-3 3",
    "moon": "M16 12.500A6.5 6.5 0 1 1 8 4a5.5 5.5 0 0 0 8 8.500z",
    "sun": "M10 6.500a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2.500v1M10 16.500v1M2.5 10h1M16.5 10h1M4.7 4.700l.7.7M14.6 14.600l.7.7M15.3 4.700l-.7.7M5.4 14.600l-.7.7",
    "half": "M10 3.500a6.5 6.5 0 1 0 0 13zM10 3.500a6.5 6.5 0 0 1 0 13",
    "send": "M10 16V4.500M5 9.500l5-5 5 5",
    "stop": "M6 6h8v8H6z",
    "copy": "M7.5 7.500h8.500v9H7.500zM4.5 12.500v-9h8",
    "retry": "M15.5 8A6 6 0 1 0 16 11.500M16 4v4h-4",
    "up": "M7 9l3-5.500c1.5 0 2 1 1.7 2.300L11.2 8h4.300c.8 0 1.3.8 1.1 1.600l-1.2 5c-.2.6-.7 1-1.3 1H7M4 9h3v6.600H4z",
    "down": "M13 11l-3 5.500c-1.5 0-2-1-1.7-2.300l.5-2.200H4.500c-.8 0-1.3-.8-1.1-1.600l1.2-5c.2-.600.7-1 1.3-1H13M16 11h-3V4.400h3z",
    "why": "M10 3.500a4.8 4.8 0 0 0-2.6 8.800c.4.3.600.7.6 1.200h4c0-.5.2-.9.6-1.200A4.8 4.8 0 0 0 10 3.500zM8.3 16.500h3.4",
    "pin": "M7 3.500h6l-.7 5.5 2.7 2.500H5L7.7 9zM10 11.500V17",
    "note": "M10 3l1.7 5.300L17 10l-5.3 1.700L10 17l-1.7-5.300L3 10l5.3-1.700z",
    "arrow": "M10 4v11.500M5 10.500l5 5 5-5",
    "left": "M12 5l-5 5 5 5",
    "right": "M8 5l5 5-5 5",
    "help": "M7.5 7.800a2.5 2.5 0 1 1 3.600 2.200c-.7.4-1.1.9-1.1 1.700M10 14.500h.01",
    "check": "M4 10.500l4 4 8-9",
    "edit": "M4 16l.8-3.3 8.5-8.5 2.5 2.5-8.5 8.500z",
    "search": "M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM12.7 12.700L16.5 16.5",
}


def short_language() -> str:
    """The reader's language as the engine names it: "zh" or "en"."""
    return "zh" if (get_language() or "").startswith("zh") else "en"


@register.simple_tag
def icon(name: str) -> SafeString:
    return format_html(
        '<svg class="i" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="{}"/></svg>', ICONS[name]
    )


@dataclass(frozen=True)
class Steps:
    """Where one stands in a row, and what is on both sides."""

    place: int
    count: int
    before: int | None
    after: int | None


@register.simple_tag
def steps(row: list[int], here: int) -> Steps | None:
    """None when there is nowhere to step to."""
    if not row or len(row) < 2 or here not in row:
        return None
    place = row.index(here)
    return Steps(place + 1, len(row), row[place - 1] if place else None, row[place + 1] if place + 1 < len(row) else None)


@register.filter
def learned(turn) -> list[Notice]:
    """Of the notices of a turn those that only stand beside it: what was remembered or updated."""
    return [notice for notice in turn.notices.all() if not notice.closes_answer]


@register.filter
def markdown(text: str) -> SafeString:
    """With a button on every code block; its label is drawn by CSS, so that it is in no copy of the text."""
    button = format_html('<div class="code"><button type="button" class="link copy-code" data-copy="code" aria-label="{}"></button>', gettext("Copy the code"))
    html = render_markdown(text or "")  # clean, and what looks like a tag in it is one
    return mark_safe(html.replace("<pre", f"{button}<pre").replace("</pre>", "</pre></div>"))  # noqa: S308


@register.filter
def ago(moment: datetime | None) -> str:
    """How long ago, in the largest unit that fits; a date from a week on."""
    if moment is None:
        return ""
    seconds = (timezone.now() - moment).total_seconds()
    if seconds < -60:
        return date_format(timezone.localtime(moment), "DATETIME_FORMAT")
    if seconds < 60:
        return gettext("just now")
    minutes, hours, days = int(seconds // 60), int(seconds // 3600), int(seconds // 86400)
    if hours < 1:
        return ngettext("%(n)d minute ago", "%(n)d minutes ago", minutes) % {"n": minutes}
    if days < 1:
        return ngettext("%(n)d hour ago", "%(n)d hours ago", hours) % {"n": hours}
    if days < 7:
        return ngettext("%(n)d day ago", "%(n)d days ago", days) % {"n": days}
    local = timezone.localtime(moment)
    return date_format(local, "MONTH_DAY_FORMAT" if local.year == timezone.localtime().year else "DATE_FORMAT")


@register.simple_tag
def when(moment: datetime | None) -> SafeString | str:
    """A <time> that reads as `ago` and tells the full local time with its zone."""
    if moment is None:
        return "–"
    local = timezone.localtime(moment)
    full = f"{date_format(local, 'Y-m-d H:i')} ({local.tzname()})"
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(), full, ago(moment))


@register.filter
def erased_in(moment: datetime) -> str:
    """When the bin lets go of it."""
    days = (timezone.localdate(moment) - timezone.localdate()).days
    if days < 1:
        return gettext("erased for good today")
    return ngettext("erased for good in %(n)d day", "erased for good in %(n)d days", days) % {"n": days}


DATED = {
    "happened": (gettext_lazy("happened %(when)s"), gettext_lazy("to come %(when)s")),
    "learned": gettext_lazy("learned %(when)s"),
    "used": gettext_lazy("last used %(when)s"),
    "made": gettext_lazy("made %(when)s"),
    "since": (gettext_lazy("true since %(when)s"), gettext_lazy("true from %(when)s")),
}


@register.simple_tag
def dated(what: str, moment: datetime | None) -> SafeString:
    """What `when` says, after what it is the time of. What lies ahead is told as such."""
    pattern = DATED[what]
    if isinstance(pattern, tuple):
        pattern = pattern[moment is not None and moment > timezone.now()]
    before, _hole, after = str(pattern).partition("%(when)s")
    gap = " " if ago(moment)[:1].isascii() else ""  # between Chinese and a number, none between Chinese and Chinese
    return format_html("{}{}{}{}", before, gap, when(moment), after)


@register.filter
def percent(share: float) -> str:
    return f"{round((share or 0) * 100)}%"


@register.filter
def token_count(text: str) -> int:
    return tokens.count(text)


@register.filter
def weight_now(memory) -> float:
    return weight(memory, timezone.now())


@register.filter
def svg_width(share: float) -> str:
    """A share of 0–1 as a length in a drawing 100 units wide; never in the reader's number format."""
    return f"{min(1.0, max(0.0, share or 0)) * 100:.1f}"


@register.filter
def moment(iso: str | datetime) -> str:
    """A moment that came as ISO 8601 text, as `ago` says it."""
    return ago(datetime.fromisoformat(iso) if isinstance(iso, str) else iso)


@register.filter
def decision_name(decision: str) -> str:
    return str(dict(Conflict.Decision.choices).get(decision, decision))


@register.filter
def job_kind(kind: str) -> str:
    return str(dict(Job.Kind.choices).get(kind, kind))


@register.filter
def decision_text(item) -> str:
    """Why a recall used or left out an item."""
    return str(dict(RecallItem.Decision.choices).get(item.decision, item.decision))


@register.filter
def error_text(turn) -> str:
    return str(MESSAGES.get(turn.error) or gettext("The answer could not be finished."))


@register.filter
def category_label(category: str) -> str:
    return str(CATEGORIES.get(category, category))


@register.filter
def slot_label(entity) -> str:
    """What the reader calls this slot, in their language; with the item of a multi-valued one."""
    attribute = ontology.load().attribute(entity.slot)
    if attribute is None:
        return entity.attribute.replace("_", " ")
    return attribute.label(short_language())


@register.filter
def topics(memory) -> list[str]:
    """What a memory is about, as its labels say; a belief says so itself."""
    return [] if memory.kind == memory.Kind.ENTITY else distinct(memory.labels)[:MOST_TOPICS]


def distinct(labels: Iterable[str]) -> list[str]:
    """Each label once, whatever its case."""
    return list({label.casefold(): label for label in reversed(list(labels)) if label}.values())[::-1]


@register.filter
def shown_value(version) -> str:
    """The value as it reads today: a counter is today's number, a choice is in the reader's language."""
    return gathering.shown(version, short_language(), timezone.localdate())
