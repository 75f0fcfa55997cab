"""/ops/bad-answers: answers that their readers marked bad, week by week, each with its likely cause; ids only, for staff."""

from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from chat.admin.pseudonyms import pseudonym
from chat.memory import causes
from chat.memory.causes import Case
from chat.views.ops import CAUSES, staff_only

WEEKS = 8


@staff_only
@never_cache
@require_GET
def bad_answers(request: HttpRequest) -> HttpResponse:
    """Eight weeks, up to the one of `?until=` (an ISO day) or to this one."""
    until = _day(request.GET.get("until", "")) or timezone.localdate()
    weeks = causes.by_week(until, WEEKS)
    context = {
        "weeks": [(monday, _counted(found), [_shown(case) for case in found]) for monday, found in weeks.items()],
        "earlier": min(weeks) - timedelta(days=1),
        "whole": any(weeks.values()),
    }
    return render(request, "ops/bad_answers.html", context)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _counted(found: list[Case]) -> list[tuple[str, int]]:
    named = causes.counts(found)
    return sorted(((str(CAUSES[cause]), count) for cause, count in named.items()), key=lambda pair: -pair[1])


def _shown(case: Case) -> dict[str, object]:
    return {"case": case, "cause": CAUSES[case.cause], "who": pseudonym(case.user_id)}
