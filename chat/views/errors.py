"""What a person sees when something can't be done: the reason in their language, and what they typed."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from chat.errors import BadInput, NotHere

SECRETS = {"password", "password1", "password2", "csrfmiddlewaretoken"}


def tell_bad_input(get_response: Callable[[HttpRequest], HttpResponse]):
    """Middleware: BadInput raised anywhere under a page becomes its message, never a 500."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_exception(request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, NotHere):
            return not_found(request, error)
        return explain(request, error) if isinstance(error, BadInput) else None

    middleware.process_exception = process_exception
    return middleware


def explain(request: HttpRequest, error: BadInput) -> HttpResponse:
    """With htmx: the message alone, for the page's alert region; the form stays as it is. Without: a page that can be sent again."""
    context = {"error": error, "details": error.details}
    if request.htmx:
        response = render(request, "alert.html", context, status=error.status)
        response["HX-Retarget"] = "#alert"
        response["HX-Reswap"] = "innerHTML show:none"
        response["HX-Reselect"] = ".alert"
        return response
    context["typed"] = [
        (name, value) for name, values in request.POST.lists() if name not in SECRETS for value in values
    ]
    return render(request, "explain.html", context, status=error.status)


def _page(request: HttpRequest, status: int, title: str, text: str) -> HttpResponse:
    return render(request, "error.html", {"status": status, "title": title, "text": text}, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 400, _("This request can't be read"), _("Something in it is damaged. Go back and try again."))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 403, _("Not allowed"), _("You may not do this with your account."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    text = _("This page was open for too long, or cookies are off. Go back, reload the page and send it again.")
    return _page(request, 403, _("Please try once more"), text)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 404, _("Nothing here"), _("There is no such page, or it belongs to somebody else."))


def server_error(request: HttpRequest) -> HttpResponse:
    text = _("Something went wrong on our side. What you wrote before is kept; please try again in a moment.")
    return render(request, "500.html", {"status": 500, "title": _("Our mistake"), "text": text}, status=500)
