"""What can't be undone asks for one's name, typed."""

from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.errors import BadInput


def require_name(request: HttpRequest) -> None:
    """Raises BadInput unless the reader typed their user name as `confirm`."""
    if request.POST.get("confirm", "").strip() != request.user.get_username():
        raise BadInput("not_confirmed", _("Type your user name to confirm. Nothing was erased."))
