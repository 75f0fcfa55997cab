"""Errors that a person is told about. Everything else is a bug and becomes a 500."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.llm.errors import MESSAGES


class BadInput(Exception):
    """The request can't be done as it is. `code` is stable (for programs), `message` is for the person.

    status: the HTTP status that pages and API answer with.
    """

    status = 422

    def __init__(self, code: str, message: "str | Promise", **details):
        super().__init__(code)
        self.code = code
        self.message = message
        self.details = details


class NotHere(BadInput):
    """No such thing for this user: unknown, or somebody else's. The two are told apart to nobody."""

    status = 404


class Clash(BadInput):
    """Someone else was faster. `details` holds what is there now, so that nothing typed is lost (409)."""

    status = 409


ANSWER_FAILURES = {
    **MESSAGES,
    "question_too_long": _("Your question is longer than the model can take at once. Please shorten or split it."),
    "internal": _("Something went wrong on our side. Your message is kept; please try again."),
}


def message_for(code: str) -> "str | Promise":
    """What the person reads about an answer that failed with this code."""
    return ANSWER_FAILURES.get(code, ANSWER_FAILURES["internal"])
