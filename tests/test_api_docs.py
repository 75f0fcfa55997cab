"""The description of the API: complete, reviewed in diffs, and readable under our own Content-Security-Policy."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client

SNAPSHOT = Path(__file__).parent / "snapshots" / "openapi.json"
ROUTES = """
GET /api/health
POST /api/conversations | GET /api/conversations
GET /api/conversations/{} | PATCH /api/conversations/{} | DELETE /api/conversations/{}
POST /api/conversations/{}/turns | POST /api/conversations/{}/import
GET /api/turns/{} | GET /api/turns/{}/recall | GET /api/turns/{}/stream | POST /api/turns/{}/stop | POST /api/turns/{}/retry
POST /api/recall
GET /api/memories | POST /api/memories | GET /api/memories/{} | PATCH /api/memories/{} | DELETE /api/memories/{}
POST /api/memories/{}/pin | POST /api/memories/{}/unpin | POST /api/memories/{}/authoritative | POST /api/memories/{}/wrong
POST /api/memories/{}/forget | POST /api/memories/{}/restore | POST /api/memories/{}/useful | POST /api/memories/{}/useless
POST /api/memories/merge
GET /api/entities | GET /api/entities/{}/versions | PUT /api/entities/{} | POST /api/entities/{}/rollback
GET /api/conflicts | POST /api/conflicts/{}/resolve | POST /api/conflicts/{}/undo
GET /api/export | POST /api/erase-all | GET /api/metrics/summary | GET /api/settings | PATCH /api/settings
"""


@pytest.fixture
def described():
    return Client().get("/api/openapi.json").json()


def test_the_description_is_as_reviewed(described):
    """After a wanted change, `python -m tests.test_api_docs` writes the snapshot anew; its diff is what to review."""
    assert described == json.loads(SNAPSHOT.read_text()), "the API changed; see the docstring"


def test_every_promised_route_is_there(described):
    have = {
        f"{method.upper()} {re.sub('{[^}]*}', '{}', path)}"
        for path, operations in described["paths"].items()
        for method in operations
    }
    promised = {route.strip() for line in ROUTES.strip().splitlines() for route in line.split("|")}
    assert promised <= have


def test_every_operation_says_what_it_does_and_how_it_fails(described):
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"] and operation["tags"], (method, path)
            assert "application/problem+json" in operation["responses"]["default"]["content"]


def test_operation_ids_are_unique(described):
    ids = [operation["operationId"] for path in described["paths"].values() for operation in path.values()]
    assert len(ids) == len(set(ids))


def test_only_health_is_open(described):
    unguarded = [
        path
        for path, operations in described["paths"].items()
        for each in operations.values()
        if not each.get("security")
    ]
    assert unguarded == ["/api/health"]


@pytest.mark.browser
def test_the_docs_page_works_under_our_policy(page):
    page.goto("/api/docs")
    page.get_by_text("Begin a conversation").wait_for()
    page.get_by_text("Begin a conversation").click()
    page.get_by_role("button", name="Try it out").wait_for()


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    django.setup()
    from memoryapp.api import api

    SNAPSHOT.parent.mkdir(exist_ok=True)
    schema = json.loads(json.dumps(api.get_openapi_schema(path_prefix="/api/")))
    SNAPSHOT.write_text(json.dumps(schema, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
