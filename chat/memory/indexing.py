"""Make rows findable: their words at once, inside the writer's transaction; their vectors later, outside of any.

Both are projections of the text. Running either twice changes nothing; a text that changed meanwhile keeps its old vector
until the next run.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import connection
from django.db.models import Func, Q, TextField, Value

from chat.llm.embeddings import embed_passages, registered_space
from chat.llm.spaces import Space, code
from chat.memory.fingerprints import of_text
from chat.memory.glosses import glosses
from chat.memory.lexemes import KNOWLEDGE, joined, lexemes
from chat.memory.text import words
from chat.models import Memory, Passage

ROWS_AT_ONCE = 64


def index_words(memory_ids: Iterable[int]) -> None:
    """Write the search words of these memories: of the text and its labels, and of the turns around it."""
    rows = Memory.objects.filter(pk__in=list(memory_ids)).values_list("pk", "user_id", "text", "labels", "context")
    entries = []
    for pk, user_id, text, labels, context in rows:
        own, around = words(keyed(text, labels), index=True), words(context, index=True) if context else []
        entries.append((pk, joined(own), joined(around), lexemes(user_id, [*own, *around])))
    _write(
        "UPDATE chat_memory SET terms = %s, context_terms = %s, search = array_to_tsvector(%s::text[]) WHERE id = %s",
        [(terms, around, found, pk) for pk, terms, around, found in entries],
    )


def word_fields(user_id: int, text: str, labels: Sequence[str]) -> dict:
    """The same of a row that is about to be inserted, as values of its fields."""
    own = words(keyed(text, labels), index=True)
    vector = Func(Value(lexemes(user_id, own), ArrayField(TextField())), function="array_to_tsvector")
    return {"terms": joined(own), "search": vector}


def index_passage_words(passage_ids: Iterable[int]) -> None:
    """Write the search words of these passages: heading, keywords and text."""
    rows = Passage.objects.filter(pk__in=list(passage_ids)).values_list("pk", "heading", "keywords", "text")
    entries = []
    for pk, *texts in rows:
        tokens = words("\n".join(texts), index=True)
        entries.append((joined(tokens), lexemes(KNOWLEDGE, tokens), pk))
    _write("UPDATE chat_passage SET terms = %s, search = array_to_tsvector(%s::text[]) WHERE id = %s", entries)


@dataclass(frozen=True)
class Vector:
    """What a memory's vector was made of, and the vector: another one that says just the same may have it."""

    said: str
    space_id: int
    embedding: Any
    code: Any

    @classmethod
    def of(cls, memory: Memory) -> "Vector | None":
        """None where its vector is missing or of an older text."""
        if memory.space_id is None or memory.content_hash != _hash(memory):
            return None
        return cls(keyed(memory.text, memory.labels), memory.space_id, memory.embedding, memory.code)

    def lend(self, memory: Memory) -> bool:
        """Set the vector of a memory that says just the same; False for any other. The caller saves it."""
        if memory.context or keyed(memory.text, memory.labels) != self.said:
            return False
        memory.space_id, memory.embedding, memory.code, memory.content_hash = self.space_id, self.embedding, self.code, _hash(memory)
        return True


def embed(memory_ids: Iterable[int]) -> int:
    """Embed those of these memories whose vector is missing, of another space or of an older text; how many there were.

    Call it outside of a transaction. Raises LLMError when the embedder can't be reached; what was done before stays.
    """
    space, done, ids = registered_space(), 0, list(memory_ids)
    for start in range(0, len(ids), ROWS_AT_ONCE):
        rows = Memory.objects.filter(pk__in=ids[start : start + ROWS_AT_ONCE]).exclude(state=Memory.State.MERGED)
        due = [row for row in rows.only("text", "labels", "context", "content_hash", "space_id") if _is_due(row, space)]
        _embed_memories(due, space)
        done += len(due)
    return done


def embed_passages_of(passage_ids: Iterable[int]) -> int:
    """`embed` for passages of the knowledge base."""
    space, ids = registered_space(), list(passage_ids)
    rows = list(Passage.objects.filter(pk__in=ids).only("heading", "text", "content_hash", "space_id"))
    due = [(row, f"{row.heading}\n{row.text}".strip()) for row in rows]
    due = [(row, text) for row, text in due if row.space_id != space.row or row.content_hash != of_text(text)]
    for start in range(0, len(due), ROWS_AT_ONCE):
        batch = due[start : start + ROWS_AT_ONCE]
        vectors = embed_passages([text for _row, text in batch])
        _write(
            "UPDATE chat_passage SET space_id = %s, embedding = %s::halfvec, code = %s::bit(384), content_hash = "
            "%s WHERE id = %s",
            [
                (space.row, _literal(vector), code(vector), of_text(text), row.pk)
                for (row, text), vector in zip(batch, vectors, strict=True)
            ],
        )
    return len(due)


def unembedded(space: Space) -> list[int]:
    """Ids of live memories that have no vector of this space yet, newest first."""
    missing = Memory.objects.live().filter(~Q(space_id=space.row) | Q(space=None))
    return list(missing.order_by("-pk").values_list("pk", flat=True))


def keyed(text: str, labels: Sequence[str]) -> str:
    """What a memory is found by: its text, and the labels it carries and what its words tell that the text does not say."""
    extra = [more for more in (*labels, *glosses(text)) if more and more not in text]
    return "\n".join([text, " ".join(extra)]) if extra else text


def _is_due(row: Memory, space: Space) -> bool:
    return row.space_id != space.row or row.content_hash != _hash(row)


def _hash(row: Memory) -> str:
    return hash_of(row.text, row.labels, row.context)


def hash_of(text: str, labels: Sequence[str] = (), context: str = "") -> str:
    """Of what a memory's vectors are made of."""
    return of_text("\x1f".join([keyed(text, labels), context]))


def _embed_memories(rows: list[Memory], space: Space) -> None:
    around = [row for row in rows if row.context]
    vectors = embed_passages([keyed(row.text, row.labels) for row in rows] + [row.context for row in around])
    own, contexts = vectors[: len(rows)], dict(zip((row.pk for row in around), vectors[len(rows) :], strict=True))
    _write(
        """UPDATE chat_memory SET space_id = %s, embedding = %s::halfvec, code = %s::bit(384), content_hash = %s,
           context_embedding = %s::halfvec, context_code = %s::bit(384) WHERE id = %s AND text = %s""",
        [
            (space.row, _literal(vector), code(vector), _hash(row), *_optional(contexts.get(row.pk)), row.pk, row.text)
            for row, vector in zip(rows, own, strict=True)
        ],
    )


def _optional(vector) -> tuple[str | None, str | None]:
    return (None, None) if vector is None else (_literal(vector), code(vector))


def _literal(vector) -> str:
    return "[" + ",".join(f"{number:.5g}" for number in vector) + "]"


def _write(statement: str, rows: list[tuple]) -> None:
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(statement, rows)
