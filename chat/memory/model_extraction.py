"""State by a language model, in the background: it proposes, and every proposal passes the gate that the rules pass.

A proposal must name a slot, quote the user's own words of this very turn literally, stand in a clause that states
something of the user, and be a value of its slot. What the rules have read in the same turn is left to the rules.
"""

import re
from dataclasses import replace
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction

from chat.db import lock_user, release_connection
from chat.llm import client, prompts
from chat.llm.errors import LLMError
from chat.memory import clauses, extraction, ontology, rules, values
from chat.memory.actors import MODEL
from chat.memory.clauses import Clause
from chat.memory.model_reply import SCHEMA, Fact, Unreadable, read
from chat.memory.notices import write_learned
from chat.memory.observing import observe
from chat.memory.ontology import Attribute
from chat.memory.rules import Proposal
from chat.memory.rules.sayings import item_of
from chat.memory.text import align, fold
from chat.memory.values import Relation, Value
from chat.memory.versions import CERTAIN
from chat.models import Account, Turn

SECONDS = 45
MOST_TOKENS = 1200
EXPLICIT_CAP = 0.85  # below what the rules give the user's plain words
INFERRED_CAP = 0.7
HEDGED_CAP = CERTAIN - 0.05
SHOWN_OF_A_BAD_REPLY = 2000  # characters that go back to the model with the request to mend them
_FREE_NAME = re.compile(r"[a-z][a-z0-9_]{2,39}")
_CATEGORIES = set(ontology.CATEGORIES) - {"last_query"}


def extract(turn: Turn, account: Account) -> None:
    """Let the model read the turn, and write what passes the gate. Does nothing where no model is set up or wanted.

    Raises LLMError when the model fails, or twice sends nothing that can be read (code bad_reply); nothing is written
    then. Safe to run again: a repeated reading of the same turn changes nothing.
    """
    if not (settings.LLM_EXTRACTION and client.configured() and extraction.may_write(turn, account)):
        return
    language = "en" if turn.language == "en" else "zh"
    facts = _ask(turn.text, language)
    zone = account.zone_name
    proposals = [p for fact in facts if (p := admit(fact, turn, zone)) is not None]
    if proposals:
        version = prompts.load("extract", language).version
        _write(turn, proposals, f"{client.model_name()[:25]} {version}"[:40], zone)


def _ask(text: str, language: str) -> list[Fact]:
    messages = _messages(text, language)
    release_connection()
    reply = _complete(messages)
    try:
        return read(reply)
    except Unreadable:
        again = prompts.load("extract_repair", language).text
        messages += [{"role": "assistant", "content": reply[:SHOWN_OF_A_BAD_REPLY]}, {"role": "user", "content": again}]
    try:
        return read(_complete(messages))
    except Unreadable:
        raise LLMError("bad_reply") from None


def _complete(messages: list[dict]) -> str:
    """The reply, "" where the model sent nothing: that too gets its second chance."""
    try:
        return client.complete(messages, schema=SCHEMA, max_tokens=MOST_TOKENS, deadline=SECONDS)
    except LLMError as error:
        if error.code != "bad_reply":
            raise
        return ""


def _messages(text: str, language: str) -> list[dict[str, str]]:
    system = prompts.load("extract", language).filled(slots=_slots(language))
    fenced = text.replace("<message>", "").replace("</message>", "")
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": f"<message>\n{fenced[: clauses.LONGEST]}\n</message>"},
    ]


def _slots(language: str) -> str:
    """The ontology as the model needs it: one line a slot, with its listed values."""
    lines = []
    for attribute in ontology.load().attributes.values():
        if attribute.category in _CATEGORIES:
            listed = " | ".join(choice.label(language) for choice in attribute.choices[:14])
            lines.append(f"{attribute.slot} ({attribute.label(language)})" + (f": {listed}" if listed else ""))
    return "\n".join(lines)


# The gate.


def admit(fact: Fact, turn: Turn, zone: str) -> Proposal | None:
    """The fact as a proposal, or None where it fails the gate."""
    slot = _slot(fact)
    quote = _literal(fact.quote, turn.text)
    clause = _stated(quote, turn, zone) if slot and quote else None
    if clause is None:
        return None
    attribute = ontology.load().attribute(slot)
    if clause.subject != "self" and not (attribute and attribute.any_subject and clause.subject == "other"):
        return None
    value = values.normalise(attribute, fact.value, turn.at, zone)
    if value is None or not _grounded(attribute, value, fact.value, quote, turn, zone):
        return None
    category, _dot, name = slot.partition(".")
    explicit = fact.basis == "explicit" and _literal(fact.value, quote) != ""
    cap = HEDGED_CAP if clause.hedged else EXPLICIT_CAP if explicit else INFERRED_CAP
    return Proposal(
        category,
        name,
        item=item_of(attribute, value.normalized),
        value=value.shown,
        normalized=value.normalized,
        key=value.key,
        quote=quote,
        confidence=min(fact.confidence, cap),
        source="explicit" if explicit else "inferred",
        scope=clause.scope,
        operation=fact.operation,
        past=clause.past,
        valid_from=clause.when.start if clause.when and clause.since else None,
    )


def _slot(fact: Fact) -> str:
    """The known slot that the model means, or a free one with a decent name; "" for neither."""
    category, name = fact.category.strip().lower(), fact.attribute.strip()
    if "." in name:  # the whole slot where only the attribute was asked for
        category, _dot, name = name.partition(".")
    if category not in _CATEGORIES:
        return ""
    slot = ontology.load().canonical(category, name)
    known = ontology.load().attribute(slot) is not None
    return slot if known or _FREE_NAME.fullmatch(slot.partition(".")[2]) else ""


def _literal(words: str, text: str) -> str:
    """The stretch of `text` that the words are, in its own spelling; "" if they don't stand in it."""
    if words in text:
        return words
    folded, sought = align(text), fold(words).strip()
    start = folded.text.find(sought) if sought else -1
    return folded.quote(start, start + len(sought)) if start >= 0 else ""


def _stated(quote: str, turn: Turn, zone: str) -> Clause | None:
    """The clause of the user's own voice that the quote begins in, if it states something and all it touches do."""
    folded = align(turn.text[: clauses.LONGEST])
    sought = fold(quote).strip()
    start = folded.text.find(sought)
    touched = [
        clause
        for clause in clauses.split_folded(folded, turn.at, zone)
        if clause.start < start + len(sought) and start < clause.end
    ]
    if start < 0 or not touched or any(clause.mood != "statement" or clause.retraction for clause in touched):
        return None
    hedged = any(clause.hedged for clause in touched)
    scope = "conversation" if any(clause.scope == "conversation" for clause in touched) else "lasting"
    return replace(touched[0], hedged=hedged, scope=scope, subject=_whose(touched))


def _whose(touched: list[Clause]) -> str:
    return next((clause.subject for clause in touched if clause.subject != "self"), "self")


def _grounded(attribute: Attribute | None, value: Value, words: str, quote: str, turn: Turn, zone: str) -> bool:
    """Free words must stand in the quote; a typed value must not say other than the quote does."""
    if value.normalized["type"] in ("text", "name", "contact"):
        return _literal(words, quote) != ""
    there = values.normalise(attribute, quote, turn.at, zone)
    if there is None or there.normalized["type"] != value.normalized["type"]:
        return value.normalized["type"] == "enum"
    return values.compare(attribute, there.normalized, value.normalized) is not Relation.CONTRADICTS


# The writing.


def _write(turn: Turn, proposals: list[Proposal], extractor: str, zone: str) -> None:
    """All or nothing, after the call: the turn, the switches and the state are read anew under the user's lock."""
    said = rules.propose(turn.text, turn.at, zone)
    with transaction.atomic():
        lock_user(turn.user_id)
        fresh = Turn.objects.select_related("conversation", "user").filter(pk=turn.pk).first()
        account = Account.objects.of(fresh.user) if fresh else None
        if account is None or not extraction.may_write(fresh, account):
            return
        own = [extraction.as_wished(p, account) for p in proposals if not _read_by_rules(p, said)]
        observations = observe(fresh, own, actor=MODEL, extractor=extractor)
        write_learned(fresh, observations, ZoneInfo(zone))


def _read_by_rules(proposal: Proposal, said: list[Proposal]) -> bool:
    """Explicit wins, never both: of a slot (and item) that the rules have read in this turn the model has no say."""
    return any(p.slot == proposal.slot and p.item == proposal.item for p in said if p.slot != ".")


