"""Sign a person in without walking through the form."""

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client


def sign_in(browser, site, user: User) -> None:
    """Give the browser profile the session cookie of `user`."""
    client = Client()
    client.force_login(user)
    browser.add_cookies(
        [
            {
                "name": settings.SESSION_COOKIE_NAME,
                "value": client.cookies[settings.SESSION_COOKIE_NAME].value,
                "url": site.url,
            }
        ]
    )
