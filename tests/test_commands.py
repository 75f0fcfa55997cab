"""Commands of the operator: what they print, and what they say when something is missing."""

import io

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from chat.models import ApiToken
from tests.llm_server import Reply


def said(*command: str) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out, no_color=True)
    return out.getvalue()


def examined() -> tuple[dict[str, str], int]:
    """The doctor's findings, first word of each -> level, and the exit code."""
    out, code = io.StringIO(), 0
    try:
        call_command("doctor", stdout=out, no_color=True)
    except SystemExit as end:
        code = end.code
    lines = [line.split() for line in out.getvalue().splitlines() if not line.startswith(" ")]
    return {words[1].strip(":,"): words[0] for words in lines}, code


def test_token_prints_the_secret_and_nothing_else(alice):
    secret = said("token", "alice")
    assert secret.endswith("\n") and len(secret.split()) == 1
    assert ApiToken.objects.matching(secret.strip()).user == alice
    assert said("token", "alice") != secret


def test_token_makes_a_user_only_when_told_to(db):
    with pytest.raises(CommandError, match="--create"):
        said("token", "newcomer")
    assert not User.objects.exists()
    said("token", "newcomer", "--create")
    newcomer = User.objects.get(username="newcomer")
    assert not newcomer.has_usable_password() and not newcomer.is_staff


@pytest.mark.parametrize("name", ["a b", "", "x" * 200])
def test_token_refuses_names_that_are_none(db, name):
    with pytest.raises(CommandError):
        said("token", name, "--create")
    assert not User.objects.exists()


def test_token_refuses_a_user_who_may_not_sign_in(alice):
    User.objects.update(is_active=False)
    with pytest.raises(CommandError, match="not active"):
        said("token", "alice")


def test_the_doctor_finds_all_well_but_for_the_model(db):
    found, code = examined()
    assert code == 0
    assert {name for name, level in found.items() if level != "ok"} == {"Model"}
    assert {"Python", "PostgreSQL", "Valkey", "Embedder", "Tokens", "Tables"} <= set(found)


def test_the_doctor_asks_the_model(db, llm):
    assert examined()[0]["Model"] == "ok"
    llm.enqueue(Reply(status=401))
    found, code = examined()
    assert (found["Model"], code) == ("fail", 1)


def test_the_doctor_notices_a_valkey_that_is_away(db, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    found, code = examined()
    assert (found["Valkey"], found["PostgreSQL"], code) == ("fail", "ok", 1)


def test_the_doctor_notices_vectors_of_another_embedder(db, settings, llm):
    settings.EMBEDDING_MODEL, settings.EMBEDDING_BASE_URL = "other", "http://127.0.0.1:1/v1"
    found, code = examined()
    assert (found["Embedder"], code) == ("fail", 1)


def test_prepare_makes_one_owner_and_a_link_each_time(db, monkeypatch):
    monkeypatch.setattr("chat.management.commands.prepare.embed_missing", lambda: 0)  # a minute of computing
    first, second = said("prepare").split(), said("prepare").split()
    assert [link.startswith("/sign-in/") for link in first + second] == [True, True]
    assert first != second
    owner = User.objects.get()
    assert owner.is_superuser and not owner.has_usable_password()
