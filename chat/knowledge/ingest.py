"""Texts into the knowledge base: read, split, and only what changed is replaced."""

import hashlib
import logging
import re
from pathlib import Path

from django.db import transaction
from django.utils.translation import gettext as _

from chat.errors import BadInput
from chat.knowledge.reading import text_of
from chat.knowledge.split import Split, split
from chat.llm import tokens
from chat.llm.embeddings import registered_space
from chat.llm.errors import LLMError
from chat.memory.indexing import embed_passages_of, index_passage_words
from chat.memory.text import language
from chat.models import Document, Passage

log = logging.getLogger(__name__)

GUIDES = Path(__file__).parent / "guides"
AT_ONCE = 500  # passages that one task embeds
SPLITTER = "2"  # part of the file hash: a change of the rules of splitting or indexing has every text ingested anew
# Catalogue numbers that libraries put before a title: DZ_…, KR6d0143_…, 01-…
_CATALOGUE = re.compile(r"^(?:[A-Z]{1,4}\d*[a-z]?\d*_|\d{1,4}[-_. ]+)")
# And the dynasty and author behind it: 坐忘論-唐-司馬承禎.
_AUTHOR = re.compile(
    r"[-_](?:[先秦西东東两兩汉漢魏晋晉宋齐齊梁陈陳隋唐金元明清]{1,3}"
    r"|[五北南]\w{1,2})[-_][\u3400-\u9fff]{2,5}$"
)
_LANGUAGE_ENDING = re.compile(r"\.(zh|en)$")


def ingest(source: Path | bytes, name: str, *, builtin: bool = False, embed: bool = True) -> Document:
    """Store a text under `name`, which is its identity: the same name again replaces only the passages that changed.

    Raises BadInput (see chat.knowledge.reading; no_passages). With `embed=False`, or when the embedder can't be reached,
    the passages are found by their words until `embed_missing` runs.
    """
    data = source if isinstance(source, bytes) else _bytes_of(source)
    digest = hashlib.sha256(data + SPLITTER.encode()).hexdigest()
    document = Document.objects.filter(source=name[:400]).first()
    if document is None or document.file_hash != digest:
        document = _store(split(text_of(data, name)), name, digest, builtin)
    if embed:
        _embed(document)
    return document


def load_guides(*, embed: bool = True) -> int:
    """Bring the built-in guides up to date; how many there are. Safe to run at every start. `embed`: see ingest."""
    names = []
    for path in sorted(GUIDES.glob("*.md")):
        name = f"guides/{path.name}"
        ingest(path, name, builtin=True, embed=embed)
        names.append(name)
    Document.objects.filter(builtin=True).exclude(source__in=names).delete()
    return len(names)


def embed_missing(limit: int = AT_ONCE) -> int:
    """Embed passages that have no vector of the current embedder yet. Raises LLMError."""
    missing = Passage.objects.unembedded(registered_space().row).order_by("pk").values_list("pk", flat=True)
    return embed_passages_of(list(missing[:limit]))


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise BadInput("unreadable_file", _("The file can't be opened.")) from None


def _store(found: Split, name: str, digest: str, builtin: bool) -> Document:
    if not found.pieces:
        raise BadInput("empty_file", _("There is no text in this file."))
    title = _AUTHOR.sub("", found.title or _title_of(name))
    sample = " ".join(piece.text for piece in found.pieces[:5])
    with transaction.atomic():
        document, _made = Document.objects.update_or_create(
            source=name[:400],
            defaults={"title": title, "language": language(sample), "builtin": builtin, "file_hash": digest},
        )
        index_passage_words(_replace_passages(document, found))
    return document


def _title_of(name: str) -> str:
    stem = _LANGUAGE_ENDING.sub("", Path(name).stem)
    return (_CATALOGUE.sub("", stem) or stem)[:200]


def _replace_passages(document: Document, found: Split) -> list[int]:
    """Make the stored passages those of `found`; equal ones keep their row, vector and all. Returns ids of the new ones."""
    keywords = f"{document.title} {found.keywords}".strip()[:400]
    kept: dict[tuple[str, str, str], list[Passage]] = {}
    for passage in document.passages.order_by("number"):
        kept.setdefault((passage.heading, passage.keywords, passage.text), []).append(passage)
    moved, new = [], []
    for number, piece in enumerate(found.pieces, 1):
        same = kept.get((piece.heading, keywords, piece.text))
        if same:
            passage = same.pop(0)
            passage.number = number
            moved.append(passage)
        else:
            new.append(_passage(document, number, keywords, piece))
    document.passages.exclude(pk__in=[passage.pk for passage in moved]).delete()
    Passage.objects.bulk_update(moved, ["number"], batch_size=500)
    return [passage.pk for passage in Passage.objects.bulk_create(new, batch_size=500)]


def _passage(document: Document, number: int, keywords: str, piece) -> Passage:
    return Passage(
        document=document,
        number=number,
        heading=piece.heading,
        keywords=keywords,
        text=piece.text,
        tokens=tokens.count(piece.text),
    )


def _embed(document: Document) -> None:
    try:
        embed_passages_of(document.passages.values_list("pk", flat=True))
    except LLMError as error:
        log.warning("document %s waits for its vectors: the embedder failed with %s", document.pk, error.code)
