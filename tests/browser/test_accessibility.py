"""axe on every page: nothing critical or serious, in both languages and both themes."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from chat.models import Account, Conflict
from tests.browser.test_every_page import places  # noqa: F401 - a fixture

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(
    ("language", "theme"), [("zh-hans", "light"), ("zh-hans", "dark"), ("en", "light"), ("en", "dark")]
)
def test_axe_finds_nothing_serious(page, places, alice, language, theme):  # noqa: F811
    Account.objects.filter(user=alice).update(language=language, theme=theme)
    axe = Axe()
    found = []
    if (language, theme) == ("zh-hans", "light"):  # Django's own pages know neither choice; what we added to them is looked at once
        conflict = Conflict.objects.open().get()
        places = [*places, "/admin/chat/conflict/", f"/admin/chat/conflict/{conflict.pk}/change/", "/admin/chat/job/"]
    for place in places:
        page.goto(place)
        if "/c/" in place and page.locator(".why").count():
            page.locator(".why").first.click()
            page.locator("#panel h2").wait_for()
        for fault in axe.run(page).response["violations"]:
            if fault["impact"] in {"critical", "serious"}:
                found += [
                    (place, fault["id"], node["html"][:160], node.get("failureSummary", "")[:300])
                    for node in fault["nodes"]
                ]
    assert not found, found
