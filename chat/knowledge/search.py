"""Finding passages for a question: by meaning and by words, old spellings and old words included, with the parts of the score."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
from django.db import connection, transaction

from chat.knowledge.asking import Asked, read, says
from chat.knowledge.ranking import SHARES, Seen, rank
from chat.llm.embeddings import embed_query, registered_space
from chat.llm.errors import LLMError
from chat.memory.bm25 import rarity
from chat.memory.lexemes import KNOWLEDGE, query
from chat.memory.text import fold
from chat.models import Document, Passage

DOOR = 0.28  # of the best score: below it nothing here has to do with the question
FLOOR = 0.14  # of what comes along with the best
CANDIDATES = 60  # of each route
KEYWORD_SHARE = 0.1  # of the say of a named text, for a text one of whose keywords the question says
FEW = 2  # texts with the same keyword
OWN_PLACE = 3  # of the best passage of a text that was brought in, at the latest
OWN_LEAST = 0.6  # of the best score: what it needs for that
_BETWEEN = re.compile(r"[、,;\s]+")
NAMED = 40  # nearest passages of a text that the question names
ABSENT_SHARE = 0.5  # what a word that no passage has counts, against one that a single passage has
IMAGINED = 200  # passages without the word, so that rarity means something in a small knowledge base too


@dataclass(frozen=True)
class Found:
    """A passage and why it was found. `parts` add up to `score`, 0–1. `document` is its title, `source` its name.

    own: of a text that was brought in, in the language of the question; the built-in guides are nobody's own.
    """

    passage_id: int
    document: str
    heading: str
    text: str
    score: float
    parts: dict[str, float] = field(default_factory=dict)
    source: str = ""
    number: int = 0
    own: bool = False


def search(question: str, *, limit: int = 5, without: Collection[str] = ()) -> list[Found]:
    """The passages that have something to say on the question, best first; [] when none is good enough.

    Of the first three one is of a text that was brought in, where one fits nearly as well: see `_making_room`.

    without: names of signals to leave out (vector, words, sentence, title, synonyms). When the embedder can't be reached
    the words are left.
    """
    asked = read(question, synonyms="synonyms" not in without)
    if not asked.own:
        return []
    rarities = _rarities(asked)
    weights = {word: share * rarities[word] for word, share in asked.shares.items() if word in rarities}
    vector = None if "vector" in without else _vector(question, asked)
    named = _named(asked) if "title" not in without else []
    passages = _passages({*_nearest(vector), *_nearest(vector, named), *_holding(weights)})
    by_keyword = _said_keywords(asked, passages) if "title" not in without and not asked.titles else {}
    cosines = _cosines(vector, list(passages))
    space = registered_space()
    seen = [
        Seen(
            text=f"{passage.heading}\n{passage.text}",
            terms=passage.terms,
            language=passage.document.language,
            relevance=space.relevance(cosines[pk]) if pk in cosines else 0.0,
            cosine=cosines.get(pk, 0.0),
            named=1.0 if passage.document_id in named else by_keyword.get(passage.document_id, 0.0),
        )
        for pk, passage in passages.items()
    ]
    ranked = rank(seen, asked, weights, _shares(without, bool(cosines)))
    found = [_found(passage, parts, asked) for passage, parts in zip(passages.values(), ranked, strict=True)]
    found = sorted((one for one in found if one.score >= FLOOR), key=lambda one: (-one.score, one.passage_id))
    return _making_room(found)[:limit] if found and found[0].score >= DOOR else []


def _making_room(found: list[Found]) -> list[Found]:
    """The guides speak today's language and so come first on everyday questions; the old texts should be heard as well."""
    place = next((place for place, one in enumerate(found) if one.own), 0)
    if place < OWN_PLACE or found[place].score < OWN_LEAST * found[0].score:
        return found
    first = OWN_PLACE - 1
    return [*found[:first], found[place], *found[first:place], *found[place + 1 :]]


def _passages(ids: Collection[int]) -> dict[int, Passage]:
    rows = Passage.objects.filter(pk__in=ids).select_related("document").defer("embedding", "code", "search")
    return {row.pk: row for row in rows}


def _found(passage: Passage, parts: Mapping[str, float], asked: Asked) -> Found:
    return Found(
        passage_id=passage.pk,
        document=passage.document.title,
        heading=passage.heading,
        text=passage.text,
        score=min(1.0, sum(parts.values())),
        parts=dict(parts),
        source=passage.document.source,
        number=passage.number,
        own=not passage.document.builtin and passage.document.language == asked.language,
    )


def _shares(without: Collection[str], vectors: bool) -> dict[str, float]:
    """The shares of the signals that take part."""
    return {name: SHARES[name] for name in SHARES if name not in without and (vectors or name != "vector")}


def _named(asked: Asked) -> list[int]:
    """Ids of the documents that the question names."""
    if not asked.titles:
        return []
    titles = Document.objects.values_list("pk", "title")
    return [pk for pk, title in titles if any(name in fold(title) for name in asked.titles)]


def _said_keywords(asked: Asked, passages: Mapping[int, Passage]) -> dict[int, float]:
    """Ids of the documents with a keyword of their own, which few others have, that the question says."""
    keywords = {p.document_id: set(_BETWEEN.split(fold(p.keywords))) for p in passages.values()}
    holders = Counter(word for words in keywords.values() for word in words if len(word) > 1 and says(asked.matter, word))
    return {
        pk: KEYWORD_SHARE for pk, words in keywords.items() if any(holders[word] in range(1, FEW + 1) for word in words)
    }


def _vector(question: str, asked: Asked) -> str | None:
    """Of the question and of what it asks without naming a text, half each; None without an embedder."""
    try:
        whole = embed_query(question)
        matter = whole if not asked.titles else embed_query(asked.matter)
    except LLMError:
        return None
    both = whole + matter
    return _literal(both / max(float(np.linalg.norm(both)), 1e-9))


def _nearest(vector: str | None, documents: Collection[int] | None = None) -> list[int]:
    """Ids of the passages nearest to a vector, of all or of some documents."""
    if vector is None or documents == []:
        return []
    if documents is not None:
        sql = (
            "SELECT id FROM chat_passage WHERE space_id = %s AND document_id = ANY(%s) ORDER BY embedding <=> "
            "%s::halfvec LIMIT %s"
        )
        return _ids(sql, [registered_space().row, list(documents), vector, NAMED])
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('hnsw.ef_search', %s, true)", [str(2 * CANDIDATES)])
        sql = "SELECT id FROM chat_passage WHERE space_id = %s ORDER BY embedding <=> %s::halfvec LIMIT %s"
        return _ids(sql, [registered_space().row, vector, CANDIDATES])


def _ids(sql: str, parameters: list) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return [pk for (pk,) in cursor.fetchall()]


def _cosines(vector: str | None, ids: list[int]) -> dict[int, float]:
    if vector is None:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, 1 - (embedding <=> %s::halfvec) FROM chat_passage WHERE id = ANY(%s) AND space_id = %s",
            [vector, ids, registered_space().row],
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
    return _ids(
        "SELECT p.id FROM unnest(%s::text[], %s::float[]) AS t (lexeme, weight) "
        "JOIN chat_passage p ON p.search @@ t.lexeme::tsquery GROUP BY p.id ORDER BY sum(t.weight) DESC, p.id LIMIT %s",
        [[query(KNOWLEDGE, word) for word in weights], list(weights.values()), CANDIDATES],
    )


def _literal(vector) -> str:
    return "[" + ",".join(f"{number:.5g}" for number in vector) + "]"
