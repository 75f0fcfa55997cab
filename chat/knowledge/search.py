"""Finding passages for a question: by meaning and by words, old spellings and old words included, with the parts of the score."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.db import connection, transaction

from chat.knowledge.asking import Asked, read
from chat.llm.embeddings import embed_query, registered_space
from chat.llm.errors import LLMError
from chat.llm.spaces import Space
from chat.memory.bm25 import rarity, share
from chat.memory.lexemes import KNOWLEDGE, query
from chat.memory.text import fold, words
from chat.models import Passage

FLOOR = 0.22  # of the score; below it a passage has nothing to do with the question
CANDIDATES = 60  # of each route
ABSENT_SHARE = 0.5  # what a word that no passage has counts, against one that a single passage has
IMAGINED = 200  # passages without the word, so that rarity means something in a small knowledge base too
MEAN_LENGTH = 300.0  # search words of a passage
# The score is their sum: each signal is 0–1. Without vectors the others fill its place.
SHARES = {"vector": 0.45, "words": 0.30, "heading": 0.05, "title": 0.20}
OTHER_LANGUAGE = 0.8  # what a passage in another language than the question's keeps of its score


@dataclass(frozen=True)
class Found:
    """A passage and why it was found. `parts` add up to `score`, 0–1. `document` is its title, `source` its name."""

    passage_id: int
    document: str
    heading: str
    text: str
    score: float
    parts: dict[str, float] = field(default_factory=dict)
    source: str = ""
    number: int = 0


@dataclass(frozen=True)
class _Sight:
    """All that is known of one question: its words with their weight, and the cosine of every passage it was compared with."""

    asked: Asked
    weights: dict[str, float]
    cosines: dict[int, float]
    space: Space

    @property
    def own_weight(self) -> float:
        return sum(self.weights.get(word, 0.0) for word in self.asked.own)


def search(question: str, *, limit: int = 5, without: Collection[str] = ()) -> list[Found]:
    """The passages that have something to say on the question, best first; [] when none reaches the floor.

    without: names of signals to leave out (vector, words, heading, title, synonyms). When the embedder can't be reached
    the words are left.
    """
    asked = read(question, synonyms="synonyms" not in without)
    rarities = _rarities(asked)
    weights = {word: share * rarities[word] for word, share in asked.shares.items() if word in rarities}
    nearest = {} if "vector" in without else _nearest(question)
    passages = _passages({*nearest, *_holding(weights)})
    cosines = _cosines(question, list(passages)) if nearest else {}
    sight = _Sight(asked, weights, cosines, registered_space())
    shares = _shares(without, bool(cosines))
    found = [_found(passage, _signals(passage, sight), shares, asked) for passage in passages.values()]
    found = sorted((one for one in found if one.score >= FLOOR), key=lambda one: (-one.score, one.passage_id))
    return found[:limit]


def _passages(ids: Collection[int]) -> dict[int, Passage]:
    rows = Passage.objects.filter(pk__in=ids).select_related("document").defer("embedding", "code", "search")
    return {row.pk: row for row in rows}


def _found(passage: Passage, signals: Mapping[str, float], shares: Mapping[str, float], asked: Asked) -> Found:
    keeps = 1.0 if passage.document.language == asked.language else OTHER_LANGUAGE
    parts = {name: keeps * share * signals[name] for name, share in shares.items()}
    return Found(
        passage_id=passage.pk,
        document=passage.document.title,
        heading=passage.heading,
        text=passage.text,
        score=sum(parts.values()),
        parts=parts,
        source=passage.document.source,
        number=passage.number,
    )


def _signals(passage: Passage, sight: _Sight) -> dict[str, float]:
    """Each signal of one passage, 0–1. What the related words add can make up for own words that are missing."""
    weights, own = sight.weights, sight.own_weight
    counts = Counter(term for term in passage.terms.split() if term in weights)
    got = share(weights, counts, passage.terms.count(" ") + 1, MEAN_LENGTH) * sum(weights.values())
    heading = set(words(f"{passage.heading} {passage.keywords}"))
    title = fold(passage.document.title)
    return {
        "vector": sight.space.relevance(sight.cosines[passage.pk]) if passage.pk in sight.cosines else 0.0,
        "words": min(1.0, got / own) if own else 0.0,
        "heading": min(1.0, sum(w for word, w in weights.items() if word in heading) / own) if own else 0.0,
        "title": float(any(name in title for name in sight.asked.titles)),
    }


def _shares(without: Collection[str], vectors: bool) -> dict[str, float]:
    """The shares of the signals that take part, scaled to add up to 1."""
    names = [name for name in SHARES if name not in without and (vectors or name != "vector")]
    total = sum(SHARES[name] for name in names)
    return {name: SHARES[name] / total for name in names}


def _nearest(question: str) -> dict[int, float]:
    """Cosines of the passages nearest to the question, {} without an embedder."""
    try:
        vector = _literal(embed_query(question))
    except LLMError:
        return {}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('hnsw.ef_search', %s, true)", [str(2 * CANDIDATES)])
        cursor.execute(
            "SELECT id, 1 - (embedding <=> %s::halfvec) FROM chat_passage WHERE space_id = %s "
            "ORDER BY embedding <=> %s::halfvec LIMIT %s",
            [vector, registered_space().row, vector, CANDIDATES],
        )
        return dict(cursor.fetchall())


def _cosines(question: str, ids: list[int]) -> dict[int, float]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, 1 - (embedding <=> %s::halfvec) FROM chat_passage WHERE id = ANY(%s) AND space_id = %s",
            [_literal(embed_query(question)), ids, registered_space().row],
        )
        return dict(cursor.fetchall())


def _rarities(asked: Asked) -> dict[str, float]:
    """Inverse document frequency of each word; one that never occurs speaks against every passage, if not as loudly."""
    sought = list(asked.shares)
    if not sought:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT word, (SELECT count(*) FROM chat_passage WHERE search @@ lexeme::tsquery), "
            "(SELECT count(*) FROM chat_passage) FROM unnest(%s::text[], %s::text[]) AS t (word, lexeme)",
            [sought, [query(KNOWLEDGE, word) for word in sought]],
        )
        found = cursor.fetchall()
    return {word: rarity(total + IMAGINED, holding) * (1.0 if holding else ABSENT_SHARE) for word, holding, total in found}


def _holding(weights: Mapping[str, float]) -> list[int]:
    """Ids of the passages that hold most of the words, rare ones counting more."""
    if not weights:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.id FROM unnest(%s::text[], %s::float[]) AS t (lexeme, weight) "
            "JOIN chat_passage p ON p.search @@ t.lexeme::tsquery GROUP BY p.id ORDER BY sum(t.weight) DESC, p.id LIMIT %s",
            [[query(KNOWLEDGE, word) for word in weights], list(weights.values()), CANDIDATES],
        )
        return [pk for (pk,) in cursor.fetchall()]


def _literal(vector) -> str:
    return "[" + ",".join(f"{number:.5g}" for number in vector) + "]"
