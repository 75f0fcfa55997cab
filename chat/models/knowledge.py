"""The shared knowledge base: documents and their passages."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from pgvector.django import HnswIndex

from chat.models.embedding import Findable


class DocumentQuerySet(models.QuerySet):
    def counted(self) -> "DocumentQuerySet":
        """Each with `.passage_count`, and how many of them have their vector as `.embedded_count`."""
        embedded = models.Count("passages", filter=models.Q(passages__space__isnull=False))
        return self.annotate(passage_count=models.Count("passages"), embedded_count=embedded)


class Document(models.Model):
    """One ingested text. `source` names it for good: ingesting it again replaces only what changed."""

    title = models.CharField(_("title"), max_length=200)
    source = models.CharField(_("source"), max_length=400, unique=True)
    language = models.CharField(_("language"), max_length=8, default="zh")
    builtin = models.BooleanField(_("built in"), default=False)
    file_hash = models.CharField(_("hash"), max_length=64)
    created_at = models.DateTimeField(_("made"), db_default=Now())
    updated_at = models.DateTimeField(_("changed"), auto_now=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")

    def __str__(self) -> str:
        return self.title


class PassageQuerySet(models.QuerySet):
    def unembedded(self, space_id: int) -> "PassageQuerySet":
        return self.exclude(space_id=space_id)


class Passage(Findable):
    """A piece of a document that can be quoted on its own."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="passages")
    number = models.PositiveIntegerField(_("number"))  # order in the document, from 1
    heading = models.CharField(_("heading"), max_length=200, blank=True, default="")
    keywords = models.CharField(max_length=400, blank=True, default="")
    text = models.TextField(_("text"))
    tokens = models.PositiveIntegerField(_("tokens"), default=0)

    objects = PassageQuerySet.as_manager()

    class Meta:
        verbose_name = _("passage")
        verbose_name_plural = _("passages")
        constraints = [
            models.UniqueConstraint(
                fields=["document", "number"], deferrable=models.Deferrable.DEFERRED, name="passage_numbered_once"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="passage_has_text"),
        ]
        indexes = [
            # Lexical search of the knowledge base.
            GinIndex(fields=["search"], name="passage_words"),
            # Nearest passages to a question, over all documents.
            HnswIndex(fields=["embedding"], opclasses=["halfvec_cosine_ops"], name="passage_vectors"),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}#{self.number}"
