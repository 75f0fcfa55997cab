"""What it costs to write what a message states: the same number of statements however many new facts it holds."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.memory.extraction import observe_turn
from chat.models import Account, AuditEvent, EntityVersion, Memory
from tests.factories import make_conversation, make_turn

pytestmark = pytest.mark.django_db

TWO = "我每天六点起床，在成都教书"
FIVE = "我每天六点起床，在成都教书，每次打坐二十分钟，养了一只猫，有高血压"


def observed(user, words: str) -> tuple[int, int]:
    """How many facts a first message states, and by how many statements they are written."""
    account, turn = Account.objects.of(user), make_turn(make_conversation(user), words, "")
    with CaptureQueriesContext(connection) as asked:
        found = observe_turn(turn, account)
    assert {observation.outcome for observation in found} == {"added"}
    return len(found), len(asked)


def test_new_facts_cost_the_same_however_many(alice, bob):
    (few, cheap), (many, dear) = observed(alice, TWO), observed(bob, FIVE)
    assert many >= few + 3
    assert dear == cheap <= 14


def test_each_new_fact_has_its_memory_its_source_and_its_audit_row(bob):
    facts, _statements = observed(bob, FIVE)
    versions = EntityVersion.objects.owned_by(bob).current()
    assert versions.count() == facts
    assert Memory.objects.owned_by(bob).live().filter(version__in=versions, sources__turn__isnull=False).count() == facts
    acts = AuditEvent.objects.filter(user=bob, object_type="entityversion", object_id__in=versions, action="entity.current")
    assert acts.count() == facts
