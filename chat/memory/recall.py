"""Recall: the few memories that matter to a question, each with the reason; and those that were considered and cut.

It reads like the list of DESIGN §4: read the question, ask every route, look at what they found, score, choose.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import monotonic

import numpy as np
from django.conf import settings
from django.contrib.auth.models import User
from django.db import OperationalError, connection, transaction

from chat.llm import embeddings, tokens
from chat.llm.spaces import Space
from chat.memory import asked as asking
from chat.memory import bm25, hopping, routes
from chat.memory.asked import Asked
from chat.memory.candidates import Candidate
from chat.memory.choosing import Limits, choose
from chat.memory.found import Found, look_up, with_sources
from chat.memory.judging import judge, linked, weigh
from chat.memory.scoring import Evidence, Weights, relevance
from chat.memory.text import strip_controls
from chat.models import Account, Conversation, Turn

log = logging.getLogger(__name__)

CUT_SHOWN = 40
EARLIER_TURNS = 2
LEADING = 24  # candidates whose neighbours are looked at
# The embedder runs beside the statements of the other routes; it needs no connection of its own.
_embedding = ThreadPoolExecutor(max_workers=4, thread_name_prefix="embed")


@dataclass(frozen=True)
class Recalled:
    """items: used, best first. cut: the best of the others, each with its decision. considered: all candidates.

    store_size: live memories of the user. timings_ms: by step. degraded: routes that were left out, such as ("vector",).
    """

    items: tuple[Candidate, ...] = ()
    cut: tuple[Candidate, ...] = ()
    considered: int = 0
    store_size: int = 0
    timings_ms: dict[str, float] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()


def nothing_recalled() -> Recalled:
    """For a conversation that reads no memory."""
    return Recalled()


def recall(
    user: User,
    query: str,
    *,
    at: datetime,
    conversation: Conversation | None = None,
    limit: int = 8,
    budget: int = 1500,
    without: Collection[str] = frozenset(),
    weights: Mapping[str, float] | None = None,
    also: Sequence[str] = (),
) -> Recalled:
    """What of the user's memory matters to `query` at the moment `at`. Changes nothing.

    limit, budget: items and tokens at most. without: names of signals to switch off (chat.memory.scoring.SIGNALS).
    weights: the user's own shares, {"semantic": 0.6, …}. also: other wordings of the query. Never raises for a route that
    fails or is late: it is left out and named in `degraded`.
    """
    run = _Run(user, at, frozenset(without))
    if "vector" not in run.without:
        with run.step("load"):
            embeddings.load()  # once in the life of a process; not what the deadline is for
        text = strip_controls(query)
        run.embed(text if "time" in run.without else asking.subject(text))
    with run.step("read"):
        zone = Account.objects.zone_of(user)
        asked = asking.read(query, at, zone, _earlier(conversation, query, at), without, also)
    run.start()
    with run.bounded():
        found = _recall(run, asked, Weights.of(weights), Limits(limit, budget))
    return replace(found, items=tuple(with_sources(found.items)))  # a route that was late must not cost what was found


def _recall(run: "_Run", asked: Asked, shares: Weights, limits: Limits) -> Recalled:
    at, found = run.at, _search(run, asked)
    with run.step("score"):
        evidence = weigh(found, asked, at, run.without, found.rows)
    _widen(run, found, evidence, asked)
    with run.step("score"):
        evidence |= weigh(found, asked, at, run.without, found.rows.keys() - evidence.keys())
        ranked = judge(found, linked(found, evidence, run.without), asked, shares, run.without)
    with run.step("choose"):
        used, cut = choose(ranked, limits, tokens.count)
    return Recalled(
        items=tuple(used),
        cut=tuple(cut[:CUT_SHOWN]),
        considered=len(evidence),
        store_size=found.store_size,
        timings_ms=run.timings,
        degraded=tuple(run.degraded),
    )


class _Run:
    """One recall on its way: its deadline, what each step took, what was left out."""

    def __init__(self, user: User, at: datetime, without: frozenset[str]):
        self.user, self.at, self.without = user, at, without
        self.deadline = 0.0
        self.limit: float | None = None  # seconds that PostgreSQL gives a statement, once it was told
        self.timings: dict[str, float] = {}
        self.degraded: list[str] = []
        self._coming: list[Future] = []

    def embed(self, *texts: str) -> None:
        """Have the vectors of these texts made meanwhile."""
        if texts and "vector" not in self.without:
            self._coming.append(_embedding.submit(embeddings.embed_queries, texts))

    def vectors(self) -> list[np.ndarray]:
        """Those of all texts that were given to `embed`, in their order. Raises TimeoutError at the deadline."""
        return [vector for coming in self._coming for vector in coming.result(timeout=self.left)]

    def start(self) -> None:
        """The question is read: from now on the routes have their time."""
        self.deadline = monotonic() + settings.RECALL_DEADLINE_SECONDS

    @property
    def left(self) -> float:
        """Seconds until the deadline, never less than a moment to fail in."""
        return max(0.001, self.deadline - monotonic())

    @contextmanager
    def step(self, name: str):
        start = monotonic()
        try:
            yield
        finally:
            self.timings[name] = round(self.timings.get(name, 0.0) + (monotonic() - start) * 1000, 2)

    def route(self, name: str, search, *arguments, otherwise):
        """The route's result within the deadline; `otherwise` when it is switched off, late or failed."""
        if name in self.without:
            return otherwise
        with self.step(name):
            try:
                if search is _vectors:
                    return search(*arguments)
                self._shorten()
                with transaction.atomic() if connection.in_atomic_block else nullcontext():
                    return search(*arguments)
            except (OperationalError, embeddings.LLMError, TimeoutError, embeddings.SpaceMismatch) as error:
                log.warning("recall goes on without %s: %s", name, type(error).__name__)
                self.degraded.append(name)
                return otherwise

    @contextmanager
    def bounded(self):
        """PostgreSQL ends the statements of the block at the deadline; a transaction around it goes on."""
        try:
            yield
        finally:
            if self.limit is not None:
                with connection.cursor() as cursor:
                    cursor.execute("SET statement_timeout = DEFAULT")

    def _shorten(self) -> None:
        """Tell PostgreSQL what is left, when that is less than half of what it knows: each telling is a trip."""
        left = self.left
        if self.limit is None or left < self.limit / 2:
            with connection.cursor() as cursor:
                cursor.execute("SET statement_timeout = %s", [max(1, int(left * 1000))])
            self.limit = left


def _search(run: _Run, asked: Asked) -> Found:
    """Ask every route, the vector route last, since its vectors are made meanwhile."""
    user_id, found = run.user.pk, Found()
    run.embed(*[clause.text for clause in asked.clauses[1:]])  # the first one, the whole message, is on its way
    found.store_size = run.route("store", routes.store_size, user_id, otherwise=0)
    found.add("pinned", run.route("pinned", routes.pinned, user_id, otherwise=[]))
    found.add("entity", run.route("entity", routes.of_slots, user_id, asked.slots, otherwise=[]))
    found.add("time", run.route("time", routes.at_times, user_id, asked.spans, otherwise=[]))
    if asked.patterns:
        found.add("theme", run.route("theme", routes.themes, user_id, otherwise=[]))
    posted = run.route("lexical", routes.postings, user_id, asked.words, found.store_size, otherwise=routes.Postings())
    found.rarities = {word: bm25.rarity(found.store_size, n, word, pair=word in asked.pairs) for word, n in posted.holding.items()}
    found.add("lexical", routes.best_worded(posted, found.rarities))
    space, vectors = run.route("vector", _vectors, run, otherwise=(None, []))
    found.space, found.vectors = space, vectors
    if vectors:
        near = run.route("vector", routes.nearest, user_id, vectors, space, found.store_size, otherwise=[])
        found.add("vector", near)
    found.rows = run.route("look_up", look_up, user_id, list(found.routes), vectors, space, otherwise={})
    return found


def _widen(run: _Run, found: Found, evidence: dict[int, Evidence], asked: Asked) -> None:
    """From the best candidates to what lies beside them in their conversation, and to what they name; look up the new ones."""
    alone = {pk: relevance(item, run.without) for pk, item in evidence.items()}
    best = sorted(alone, key=lambda pk: -alone[pk])[:LEADING]
    found.neighbours = run.route("neighbours", routes.neighbours, best, otherwise={})
    new = {pk for others in found.neighbours.values() for pk in others} - found.rows.keys()
    found.add("neighbours", list(new))
    if "hop" not in run.without:
        new |= _hop(run, found, {pk: max(alone[pk], evidence[pk].entity) for pk in alone}, asked)
    found.rows |= run.route("look_up", look_up, run.user.pk, list(new), found.vectors, found.space, otherwise={})


def _hop(run: _Run, found: Found, fits: dict[int, float], asked: Asked) -> set[int]:
    """Follow what the best candidates name; which memories that brings."""
    trails = hopping.trails({pk: fit for pk, fit in fits.items() if not found.rows[pk].unfit}, found.rows, asked.words)
    if not trails:
        return set()
    words = list(dict.fromkeys(word for trail in trails for word in trail.gains))
    most = hopping.most_held(found.store_size)
    posted = run.route("hop", routes.postings, run.user.pk, words, found.store_size, most, otherwise=routes.Postings())
    followed = hopping.follow(trails, posted.ids, found.store_size)
    found.hops = {pk: strength for pk, (strength, _head) in followed.items()}
    found.heads = {pk: head for pk, (_strength, head) in followed.items()}
    new = hopping.best(found.hops, found.rows)
    found.add("hop", new)
    return set(new)


def _vectors(run: _Run) -> tuple[Space, list[np.ndarray]]:
    return embeddings.active_space(), run.vectors()


def _earlier(conversation: Conversation | None, query: str, at: datetime) -> Sequence[str]:
    """The user's last messages in this conversation before the one that is asked, oldest first.

    The message itself may be stored already: then it is the newest one, with the same text and moment.
    """
    if conversation is None:
        return ()
    rows = Turn.objects.on_line(conversation.leaf_id).filter(at__lte=at).values_list("text", "at")
    rows = list(rows[: EARLIER_TURNS + 1])
    if rows and rows[0] == (query, at):
        rows = rows[1:]
    return tuple(text for text, _at in reversed(rows[:EARLIER_TURNS]))
