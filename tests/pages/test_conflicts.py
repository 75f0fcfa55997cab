"""The queue of conflicts."""

import pytest
from django.urls import reverse

from tests.factories import make_conflict

pytestmark = pytest.mark.django_db


def test_the_queue_says_why_it_suggests_what_and_undoes(page, alice):
    conflict = make_conflict(alice, "每天早上六点打坐", "每天早上七点打坐", suggested="keep_new")
    text = page.get(reverse("conflicts")).text
    assert "<del>六</del>" in text and "<ins>七</ins>" in text and "因为它是最近说的" in text and "1 / 1" in text
    page.post(reverse("resolve", args=[conflict.pk]), {"decision": "keep_old"})
    shown = page.get(reverse("conflicts")).text
    assert "已决定" in shown and reverse("undo", args=[conflict.pk]) in shown
