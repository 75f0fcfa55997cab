"""Errors as RFC 9457 problem details, in the caller's language."""

from collections.abc import Callable

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.responses import NinjaJSONEncoder
from psycopg_pool import PoolTimeout

from chat.errors import BadInput

PROBLEM_JSON = "application/problem+json"

TITLES = {
    400: _("The request can't be read"),
    401: _("Sign-in needed"),
    403: _("Not allowed"),
    404: _("Not found"),
    405: _("Method not allowed"),
    409: _("Changed in the meantime"),
    413: _("Too much data"),
    422: _("The request can't be done like this"),
    429: _("Too many requests"),
    500: _("Error on the server"),
    503: _("Not available just now"),
}
DETAILS = {
    400: ("bad_request", _("The body must be JSON in UTF-8.")),
    401: ("not_signed_in", _("Send a valid token in the header “Authorization: Bearer …”, or sign in.")),
    403: ("forbidden", _("The request lacks a valid CSRF token, or you may not do this.")),
    404: ("not_found", _("There is nothing here, or it isn't yours.")),
    405: ("method_not_allowed", _("This address doesn't know that method.")),
    413: ("too_large", _("The body is larger than the server accepts.")),
    429: ("too_many_requests", _("Wait a moment and try again.")),
    500: ("server_error", _("Something went wrong here. Nothing you sent before is lost.")),
    503: ("unavailable", _("The database can't be reached. Try again in a moment.")),
}
UNKNOWN = ("http_error", _("The request failed."))

# Kinds of invalid fields, by the name of pydantic's error type or the start of it.
FIELD_MESSAGES = {
    "missing": _("This field is needed."),
    "extra_forbidden": _("This field is not known."),
    "string_unicode": _("This text is not valid Unicode."),
    "string_too_short": _("At least %(min_length)s characters."),
    "string_too_long": _("At most %(max_length)s characters."),
    "string": _("This must be text."),
    "int": _("This must be a whole number."),
    "float": _("This must be a number."),
    "bool": _("This must be true or false."),
    "finite_number": _("This must be a number."),
    "timezone": _("A date and time needs its time zone, such as +08:00 or Z."),
    "datetime": _("This must be a date and time in ISO 8601, such as 2026-08-20T09:30:00+08:00."),
    "literal_error": _("Must be one of: %(expected)s."),
    "enum": _("Must be one of: %(expected)s."),
    "greater_than_equal": _("At least %(ge)s."),
    "greater_than": _("More than %(gt)s."),
    "less_than_equal": _("At most %(le)s."),
    "less_than": _("Less than %(lt)s."),
    "too_short": _("At least %(min_length)s items."),
    "too_long": _("At most %(max_length)s items."),
    "list": _("This must be a list."),
    "dict": _("This must be an object."),
    "model": _("This must be an object."),
}
UNKNOWN_FIELD_MESSAGE = _("This value is not valid.")


def problem(status: int, code: str = "", detail: "str | Promise" = "", **members) -> HttpResponse:
    """A problem+json response. `code` is stable, for programs; `detail` is for people; `members` are RFC 9457 extensions."""
    usual_code, usual_detail = DETAILS.get(status, UNKNOWN)
    code = code or usual_code
    body = {
        "type": f"urn:xinji:problem:{code}",
        "title": str(TITLES.get(status, TITLES[422 if status < 500 else 500])),
        "status": status,
        "detail": str(detail or usual_detail),
        "code": code,
        **{name: member for name, member in members.items() if member},
    }
    response = JsonResponse(
        body,
        status=status,
        content_type=PROBLEM_JSON,
        encoder=NinjaJSONEncoder,
        json_dumps_params={"ensure_ascii": False},
    )
    response["Cache-Control"] = "no-store"
    return response


def field_errors(error: ValidationError) -> list[dict]:
    """[{field, code, message}] in the caller's language. What was sent is not repeated."""
    return [
        {"field": _field_name(item["loc"]), "code": item["type"], "message": _field_message(item)}
        for item in error.errors
    ]


def _field_name(place: tuple) -> str:
    """`turns.3.at` for ("body", "data", "turns", 3, "at"): the body's own name in our code says nothing to a caller."""
    parts = [str(part) for part in place]
    return ".".join(parts[2:] if parts[0] == "body" and len(parts) > 2 else parts[1:]) or "body"


def _field_message(item: dict) -> str:
    kind = item["type"]
    if kind.startswith("xinji_"):
        return str(item["msg"])
    message = FIELD_MESSAGES.get(kind) or FIELD_MESSAGES.get(kind.partition("_")[0], UNKNOWN_FIELD_MESSAGE)
    return str(message) % item.get("ctx", {})


PROBLEM_SCHEMA = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "description": "urn:xinji:problem:<code>"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "For people, in the caller's language."},
        "code": {"type": "string", "description": "For programs; never changes."},
        "details": {"type": "object", "description": "What is there now, after a 409; limits and the like."},
        "errors": {
            "type": "array",
            "description": "The fields at fault.",
            "items": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in ("field", "code", "message")},
            },
        },
    },
}


class ProblemAPI(NinjaAPI):
    """A NinjaAPI whose description says how its errors look."""

    def get_openapi_schema(self, **kwargs) -> dict:
        schema = super().get_openapi_schema(**kwargs)
        schema["components"]["schemas"]["Problem"] = PROBLEM_SCHEMA
        answer = {"$ref": "#/components/schemas/Problem"}
        for path in schema["paths"].values():
            for operation in path.values():
                operation["responses"]["default"] = {
                    "description": "A problem (RFC 9457)",
                    "content": {PROBLEM_JSON: {"schema": answer}},
                }
        return schema


def install(api: NinjaAPI) -> None:
    """Make `api` answer every error as a problem."""
    api.add_exception_handler(BadInput, lambda request, e: problem(e.status, e.code, e.message, details=e.details))
    api.add_exception_handler(ValidationError, _invalid)
    api.add_exception_handler(Http404, lambda request, e: problem(404))
    api.add_exception_handler(HttpError, _http_error)
    api.add_exception_handler(RequestDataTooBig, lambda request, e: problem(413))
    api.add_exception_handler(SuspiciousOperation, lambda request, e: problem(400))
    api.add_exception_handler(PermissionDenied, lambda request, e: problem(403))
    api.add_exception_handler(OperationalError, lambda request, e: problem(503))
    api.add_exception_handler(PoolTimeout, lambda request, e: problem(503))
    api.add_exception_handler(Exception, _unexpected)


def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    return problem(422, "invalid", _("Some fields are not valid."), errors=field_errors(error))


def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """ninja's own: 401, CSRF, an unreadable body."""
    if isinstance(error.__cause__, RequestDataTooBig):
        return problem(413)
    response = problem(error.status_code)
    if error.status_code == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


def _unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    raise error  # a bug: Django logs it, and `answer_in_problems` says so to the caller


def answer_in_problems(get_response: Callable[[HttpRequest], HttpResponse]):
    """Middleware: errors under /api/ that never reached the API (no such address, wrong method, a crash) as problems too."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not request.path.startswith("/api/") or response.status_code < 400:
            return response
        if "json" in response.get("Content-Type", ""):
            return response
        with translation.override(translation.get_language_from_request(request)):
            answer = problem(response.status_code)
        if "Allow" in response:
            answer["Allow"] = response["Allow"]
        return answer

    return middleware
