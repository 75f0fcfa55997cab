"""Why this answer: what the page of a recall shows."""

import pytest
from django.urls import reverse

from tests.factories import make_conversation, make_memory, make_recall, make_turn

pytestmark = pytest.mark.django_db

def test_the_recall_adds_up_and_says_what_was_cut(page, alice):
    turn = make_turn(make_conversation(alice))
    used, cut = make_memory(alice, "数息有用"), make_memory(alice, "膝盖疼")
    found = make_recall(turn, (used, cut), degraded=["vector"], sections={"memories": {"tokens": 12, "ceiling": 1500}})
    found.items.filter(memory=used).update(parts={"semantic": 0.414, "entity": 0.184, "recency": 0.066}, score=0.664)
    found.items.filter(memory=cut).update(decision="below_floor")
    text = page.get(reverse("recall", args=[turn.pk])).text
    assert "0.41 + 0.18 + 0.07 = 0.66" in text
    assert "低于阈值" in text and "vector" in text and "1500" in text
    assert (
        '为什么这样答 <span class="count">1</span>'
        in page.get(reverse("conversation", args=[turn.conversation_id])).text
    )
