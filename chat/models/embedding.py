"""Embedding spaces, and the columns of anything that recall finds by meaning and by words."""

from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from pgvector.django import BitField, HalfVectorField

DIMENSIONS = 384


class EmbeddingSpace(models.Model):
    """One embedder and what was measured of it. Vectors of different spaces are never compared.

    `means`: by language `dimensions` floats, subtracted before a vector is normalised and stored.
    `calibration`: {"low", "high"}, the ends of the map from cosine to a relevance of 0–1 (see chat.llm.spaces).
    """

    name = models.CharField(max_length=120)
    version = models.CharField(max_length=40)
    dimensions = models.PositiveSmallIntegerField()
    means = models.JSONField(default=dict)
    calibration = models.JSONField(default=dict)
    active = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="embedding_space_named_once"),
            models.UniqueConstraint(fields=["active"], condition=Q(active=True), name="embedding_space_one_active"),
            models.CheckConstraint(condition=Q(dimensions__gt=0), name="embedding_space_has_dimensions"),
        ]

    def __str__(self) -> str:
        return f"{self.name}/{self.version}"


class Findable(models.Model):
    """Columns that the vector and the lexical route search. Projections: they can be made again from the text."""

    space = models.ForeignKey(EmbeddingSpace, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    embedding = HalfVectorField(dimensions=DIMENSIONS, null=True, blank=True)
    code = BitField(length=DIMENSIONS, null=True, blank=True)  # signs of the centred vector
    content_hash = models.CharField(max_length=64, blank=True, default="")  # of the text that was embedded
    terms = models.TextField(blank=True, default="")  # search words of the text, separated by spaces
    search = SearchVectorField(null=True, blank=True)

    class Meta:
        abstract = True
