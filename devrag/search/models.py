"""Embeddings side by side by spec, and what was asked."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from pgvector.django import VectorField

from devrag.sources.models import Chunk, Source


class EmbeddingSpec(models.Model):
    """A model with its dimensions and the recipe of the embedded text.

    In the database, never per host: every worker and query uses the active one.
    """

    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=120)
    dimensions = models.PositiveIntegerField()
    recipe_version = models.PositiveIntegerField(default=1)
    is_active = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "model", "dimensions", "recipe_version"],
                name="one_spec_per_model",
            ),
            models.UniqueConstraint(
                fields=["is_active"],
                condition=Q(is_active=True),
                name="one_active_spec",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider}/{self.model} ({self.dimensions})"


class Embedding(models.Model):
    """A chunk's vector under one spec; the table is partitioned by spec.

    is_live: the chunk's file is in its source's current manifest.
    """

    pk = models.CompositePrimaryKey("spec_id", "chunk_id")
    spec = models.ForeignKey(EmbeddingSpec, models.CASCADE)
    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="embeddings")
    source = models.ForeignKey(Source, models.CASCADE, related_name="embeddings")
    text_hash = models.CharField(max_length=64)
    is_live = models.BooleanField(default=False)
    vector = VectorField()

    class Meta:
        # PARTITION BY LIST is not Django's to say: the migration creates the table.
        db_table = "search_embedding"
        indexes = [
            models.Index(fields=["spec", "text_hash"], name="embeddings_by_text")
        ]

    def __str__(self) -> str:
        return f"{self.spec_id}:{self.chunk_id}"


class QueryRewrite(models.Model):
    """A rewritten query, so that the same question asks the model once (T13)."""

    model = models.CharField(max_length=120)
    query_hash = models.CharField(max_length=64)
    query = models.TextField()
    rewritten = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["model", "query_hash"], name="one_rewrite_per_query"
            )
        ]

    def __str__(self) -> str:
        return self.query


class SearchLog(models.Model):
    """A query with its latency and, when known, the rank that was opened."""

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    query = models.TextField()
    mode = models.CharField(max_length=10)
    hit_count = models.IntegerField()
    latency_ms = models.FloatField()
    clicked_rank = models.IntegerField(null=True)
    principal = models.CharField(max_length=150, blank=True)

    def __str__(self) -> str:
        return self.query
