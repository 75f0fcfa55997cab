"""The one family of errors that a model call can end with."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MESSAGES: dict[str, Promise] = {
    "unreachable": _("The model can't be reached. Its address may be wrong, or its server is not running."),
    "timeout": _("The model took too long."),
    "rate_limited": _("The model has too many requests at the moment. Please try again in a minute."),
    "refused": _("The model's server refused the request. Its key, its name or the settings may be wrong."),
    "server_error": _("The model's server had an error of its own."),
    "broken_stream": _("The answer broke off on the way. What had arrived is kept; you can try again."),
    "bad_reply": _("The model sent something that is not an answer."),
}


class LLMError(Exception):
    """A model call that failed. `code` is a key of MESSAGES; `message` is for the person, in their language.

    Neither holds anything that the user or the model wrote, so both may be logged. `status`: HTTP status, 0 without one.
    """

    def __init__(self, code: str, status: int = 0):
        super().__init__(f"{code} ({status})" if status else code)
        self.code = code
        self.message = MESSAGES[code]
        self.status = status
