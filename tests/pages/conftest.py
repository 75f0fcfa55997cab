"""The pages without a browser: what they show, to whom, and that they work without scripts."""

import pytest

from chat.models import Account


@pytest.fixture
def page(client, alice):
    """Alice's browser, with scripts off."""
    client.force_login(alice)
    Account.objects.of(alice)
    return client
