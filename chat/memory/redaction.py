"""Take erased words out of everything that was made from them: notices, recalls, prompts, summaries, contexts, reasons."""

import json
from collections.abc import Iterable

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from chat.memory import indexing
from chat.models import AuditEvent, Memory, MemoryRevision, Notice, Recall, RecallItem

TELLING = 6  # characters: a shorter value ("静音") is looked for only where it is known to be asserted


def redact(
    user_id: int,
    words: Iterable[str],
    *,
    values: Iterable[str] = (),
    version_ids: Iterable[int] = (),
    memory_ids: Iterable[int] = (),
) -> None:
    """Remove `words` (and telling `values`) of this user wherever they stand, and what is known to carry these ids.

    Summaries lose the lines that carry them at once, and are marked for rewriting.
    """
    values = {value for value in values if value.strip()}
    texts = {w.strip() for w in words if w.strip()} | {v for v in values if len(v) >= TELLING}
    asserting = Memory.objects.filter(kind=Memory.Kind.SUMMARY, asserts__in=list(version_ids))
    _cut_lines(asserting.distinct(), texts | values)
    if texts:
        _cut_lines(Memory.objects.filter(_any("text", texts), user_id=user_id, kind=Memory.Kind.SUMMARY), texts)
        Notice.objects.filter(_any("text", texts), turn__user_id=user_id).delete()
        MemoryRevision.objects.filter(_any("text", texts), memory__user_id=user_id).delete()
        carrying = Memory.objects.filter(_any("context", texts), user_id=user_id)
        carrying.update(context="", context_embedding=None, context_code=None)
    _empty_recalls(user_id, texts, list(version_ids), list(memory_ids))
    given = AuditEvent.objects.filter(user_id=user_id).exclude(reason="")
    given.filter(Q(object_type="memory", object_id__in=list(memory_ids)) | _any("reason", texts)).update(reason="")


def _any(column: str, texts: Iterable[str]) -> Q:
    found = Q()
    for text in texts:
        found |= Q(**{f"{column}__contains": text})
    return found


def _cut_lines(summaries, texts: set[str]) -> None:
    """Drop every line that carries one of the texts; a summary with nothing left goes."""
    for memory in summaries:
        kept = [line for line in memory.text.splitlines() if not any(text in line for text in texts)]
        if not any(line.strip() for line in kept):
            memory.delete()
            continue
        memory.text = "\n".join(kept)
        memory.data, memory.stale = {}, True
        memory.space, memory.embedding, memory.code, memory.content_hash = None, None, None, ""
        memory.save(update_fields=["text", "data", "stale", "space", "embedding", "code", "content_hash"])
        indexing.index_words([memory.pk])


def _empty_recalls(user_id: int, texts: set[str], version_ids: list[int], memory_ids: list[int]) -> None:
    """Recalls keep their numbers; the texts, and the prompts that carried them, go."""
    items = RecallItem.objects.filter(recall__user_id=user_id)
    known = Q(memory__in=memory_ids) | Q(version_id_then__in=version_ids) | Q(memory__version__in=version_ids)
    items.filter(known | _any("text", texts) if texts else known).update(text="")
    recalls = Recall.objects.filter(user_id=user_id)
    recalls.filter(items__in=items.filter(known)).update(prompt=[])
    if texts:
        sent = recalls.annotate(sent=Cast("prompt", TextField()))
        sent.filter(_any("sent", {_as_json(text) for text in texts})).update(prompt=[])
        recalls.filter(_any("query", texts)).update(query="")


def _as_json(text: str) -> str:
    """The text as it stands inside a JSON string of PostgreSQL."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
