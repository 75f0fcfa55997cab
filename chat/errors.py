"""Errors that a person is told about. Everything else is a bug and becomes a 500."""

from django.utils.functional import Promise


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
