"""A person of the staff at the browser."""

from django.contrib.auth.models import Permission
from django.test import Client

from tests.factories import make_user


def staff(*permissions: str) -> Client:
    """Signed in, in English, with these permissions (codenames) and no other."""
    person = make_user("reviewer", is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    return client
