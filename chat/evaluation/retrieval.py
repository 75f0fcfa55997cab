"""Recall measured on labelled histories: fill a passing user's store, ask, count how much of the evidence comes back."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.test.utils import override_settings

from chat.memory import indexing
from chat.memory.recall import Recalled, recall
from chat.models import Conversation, Memory

CONTEXT_TURNS = 2
PATIENCE = 30.0  # seconds a recall may take here: quality is measured, not the speed of this machine


@dataclass(frozen=True)
class Entry:
    """One thing that the store holds. `talk` names the conversation it belongs to, "" for none."""

    key: str
    text: str
    at: datetime
    talk: str = ""
    labels: tuple[str, ...] = ()
    context: str = ""  # when it is not the entries before it


@dataclass(frozen=True)
class Query:
    text: str
    gold: frozenset[str]
    at: datetime
    group: str = ""


@dataclass
class Tally:
    """Recall at several depths, by group."""

    depths: tuple[int, ...] = (5, 10)
    shares: dict[str, list[dict[int, float]]] = field(default_factory=dict)

    def add(self, query: Query, keys: Sequence[str]) -> None:
        got = {k: len(query.gold & set(keys[:k])) / len(query.gold) for k in self.depths}
        self.shares.setdefault(query.group, []).append(got)

    @property
    def cases(self) -> int:
        return sum(map(len, self.shares.values()))

    def by_group(self) -> dict[str, Mapping[str, float]]:
        return {group: self._mean(rows) for group, rows in sorted(self.shares.items())}

    def over_questions(self) -> Mapping[str, float]:
        return self._mean([row for rows in self.shares.values() for row in rows])

    def over_groups(self) -> Mapping[str, float]:
        groups = list(self.by_group().values())
        return {name: sum(group[name] for group in groups) / len(groups) for name in groups[0]} if groups else {}

    def _mean(self, rows: list[dict[int, float]]) -> Mapping[str, float]:
        return {f"recall@{k}": sum(row[k] for row in rows) / len(rows) for k in self.depths} if rows else {}


def fill(user: User, entries: Sequence[Entry]) -> dict[int, str]:
    """Store the entries as fragments, found by the same functions as any other; the key of each memory id."""
    names = dict.fromkeys(entry.talk for entry in entries if entry.talk)
    talks = {name: Conversation.objects.create(user=user, title=name[:120]) for name in names}
    rows = Memory.objects.bulk_create(
        Memory(
            user=user,
            conversation=talks.get(entry.talk),
            kind=Memory.Kind.FRAGMENT,
            text=entry.text,
            context=entry.context or _context(entries, place),
            labels=list(entry.labels),
            occurred_at=entry.at + timedelta(milliseconds=place),
            recorded_at=entry.at,
            clock_at=entry.at,
        )
        for place, entry in enumerate(entries)
    )
    ids = [row.pk for row in rows]
    indexing.index_words(ids)
    indexing.embed(ids)
    return dict(zip(ids, (entry.key for entry in entries), strict=True))


def _context(entries: Sequence[Entry], place: int) -> str:
    """The two entries before it in its conversation, and itself."""
    entry = entries[place]
    before = [other.text for other in entries[max(0, place - CONTEXT_TURNS) : place] if entry.talk and other.talk == entry.talk]
    return "\n".join([*before, entry.text]) if before else ""


def ask(user: User, query: Query, keys: Mapping[int, str], without: Collection[str] = (), limit: int = 10) -> list[str]:
    """The keys of the best candidates in order of score, whether the floor lets them pass or not."""
    found = probe(user, query, without, limit)
    ranked = sorted([*found.items, *found.cut], key=lambda item: -item.score)
    return [keys[item.memory_id] for item in ranked[:limit]]


def probe(user: User, query: Query, without: Collection[str] = (), limit: int = 10) -> Recalled:
    with override_settings(RECALL_DEADLINE_SECONDS=PATIENCE):
        return recall(user, query.text, at=query.at, limit=limit, budget=100_000, without=frozenset(without))


def ask_all(user: User, queries: Iterable[Query], keys: Mapping[int, str], tally: Tally, without: Collection[str]) -> None:
    for query in queries:
        tally.add(query, ask(user, query, keys, without))


def every(items: Sequence, options: Mapping) -> Sequence:
    """Every n-th item, n = `--every`."""
    return items[:: options.get("every") or 1]


def seconds_since(start: float) -> float:
    return time.monotonic() - start
