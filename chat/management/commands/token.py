"""Print a new API token."""

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from chat.models import ApiToken


class Command(BaseCommand):
    help = "Print a new API token of a user, and nothing else."
    requires_system_checks: list = []  # they import the whole site, and some of its libraries print when imported

    def add_arguments(self, parser) -> None:
        parser.add_argument("user", help="user name")
        parser.add_argument("--create", action="store_true", help="make the user if there is none of that name")

    def handle(self, *, user: str, create: bool, **_options) -> None:
        found = User.objects.filter(username=user).first()
        if found is None and not create:
            raise CommandError(f"There is no user {user!r}; --create makes one.")
        owner = found or _make(user)
        if not owner.is_active:
            raise CommandError(f"The user {user!r} is not active.")
        _token, secret = ApiToken.objects.issue(owner, name="manage.py token")
        self.stdout.write(secret)


def _make(name: str) -> User:
    try:
        User(username=name).full_clean(exclude=["password"])
    except ValidationError as error:
        raise CommandError(f"{name!r} can't be a user name. {' '.join(error.messages)}") from None
    return User.objects.create_user(name)
