"""Embeddings side by side by spec, and what was asked."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy
from pgvector.django import VectorField

from devrag.products.models import Product
from devrag.sources.models import Chunk, Source

LOCAL_PROVIDER = "local"


class EmbeddingSpec(models.Model):
    """A model with its dimensions and the recipe of the embedded text.

    In the database, never per host: every worker and query uses the active one.
    is_next: it is being prepared beside the active one and takes its place when whole.
    """

    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=120)
    dimensions = models.PositiveIntegerField()
    recipe_version = models.PositiveIntegerField(default=1)
    is_active = models.BooleanField(default=False)
    is_next = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = gettext_lazy("embedding model")
        verbose_name_plural = gettext_lazy("embedding models")
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
            models.UniqueConstraint(
                fields=["is_next"], condition=Q(is_next=True), name="one_next_spec"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.dimensions})"

    @property
    def name(self) -> str:
        """The model as commands take it."""
        return f"{self.provider}/{self.model}"

    @property
    def is_external(self) -> bool:
        """Whether texts leave for it: even a server on this host may pass them on."""
        return self.provider != LOCAL_PROVIDER


class Embedding(models.Model):
    """A chunk's vector under one spec; the table is partitioned by spec.

    is_live: the chunk's file is in its source's current manifest, and gets vectors.
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


class VectorCoverage(models.Model):
    """How much of a source's current manifest has vectors of a spec, kept as it grows.

    chunks: those to embed; embedded: those of them with a vector. ref, sequence: the
    activation up to which nothing is missing; a job looks only at files since then.
    is_marked: False while a job has yet to make is_live right, after a big move.
    """

    spec = models.ForeignKey(EmbeddingSpec, models.CASCADE)
    source = models.ForeignKey(Source, models.CASCADE, related_name="coverage")
    chunks = models.IntegerField(default=0)
    embedded = models.IntegerField(default=0)
    # Only compared, never followed: no foreign key.
    ref = models.BigIntegerField(null=True)
    sequence = models.IntegerField(default=0)
    is_marked = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["spec", "source"], name="one_coverage_per_source"
            )
        ]

    def __str__(self) -> str:
        return f"{self.embedded} of {self.chunks} in {self.source_id}"


class VectorGraph(models.Model):
    """An index over the vectors of some sources alone, beside that over all.

    source_ids: sorted. is_ready: False while it is built, and after a crash meanwhile.
    """

    spec = models.ForeignKey(EmbeddingSpec, models.CASCADE)
    source_ids = ArrayField(models.BigIntegerField())
    is_ready = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.spec_id}: {self.source_ids}"


class PendingText(models.Model):
    """A text that waits for its vector, the lowest rank first.

    chunk: one that holds the text; it may be gone by then, so no foreign key. batch:
    the one that has taken the text.
    """

    spec = models.ForeignKey(EmbeddingSpec, models.CASCADE, db_index=False)
    source = models.ForeignKey(Source, models.CASCADE, related_name="pending_texts")
    rank = models.IntegerField()
    chunk = models.BigIntegerField()
    batch = models.BigIntegerField(null=True, db_index=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["spec", "source", "rank"],
                condition=Q(batch=None),
                name="waiting_texts",
            )
        ]

    def __str__(self) -> str:
        return f"{self.rank}: chunk {self.chunk}"


class EmbeddingPause(models.Model):
    """Keeps batches of a product from starting; without product, all of them."""

    product = models.ForeignKey(Product, models.CASCADE, null=True, blank=True)
    paused_by = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product"], nulls_distinct=False, name="one_pause_per_product"
            )
        ]

    def __str__(self) -> str:
        return f"{self.product or 'everything'} by {self.paused_by}"


class ProviderPace(models.Model):
    """When a provider may be asked again, so that its limits hold over all hosts."""

    provider = models.CharField(max_length=40, primary_key=True)
    texts_free_at = models.DateTimeField()
    requests_free_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.provider


class QueryRewrite(models.Model):
    """A rewritten query, so that the same question asks the model once."""

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


class WikiSection(models.Model):
    """A section of a published wiki page, as `kind:wiki` finds it; never evidence.

    version: key of the wiki version that readers see. level: of the heading, 0 before
    the first.
    """

    product = models.ForeignKey(
        Product, models.CASCADE, related_name="wiki_sections", db_index=False
    )
    language = models.CharField(max_length=8)
    # The wiki is a package above this one: no foreign key.
    version = models.BigIntegerField()
    number = models.PositiveIntegerField()
    page_path = models.CharField(max_length=255)
    page_title = models.CharField(max_length=200)
    ordinal = models.PositiveIntegerField()
    level = models.PositiveSmallIntegerField()
    heading = models.TextField(blank=True)
    anchor = models.TextField(blank=True)
    start_line = models.IntegerField()
    end_line = models.IntegerField()
    text = models.TextField()
    tokens = SearchVectorField()
    analyser_version = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product", "language", "ordinal"],
                name="one_section_per_ordinal",
            )
        ]
        indexes = [GinIndex(fields=["tokens"], name="wiki_section_tokens")]

    def __str__(self) -> str:
        return f"{self.page_path}#{self.anchor}"


class SearchLog(models.Model):
    """A query with its latency and, when known, the rank that was opened.

    product: what it was limited to; without one it was asked everywhere. words: the
    query in lower case, to count what is asked often.
    """

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    query = models.TextField()
    words = models.TextField(blank=True)
    product = models.ForeignKey(
        Product, models.CASCADE, null=True, related_name="searches"
    )
    mode = models.CharField(max_length=10)
    hit_count = models.IntegerField()
    confidence = models.CharField(max_length=4, default="high")
    latency_ms = models.FloatField()
    clicked_rank = models.IntegerField(null=True)
    principal = models.CharField(max_length=150, blank=True)

    class Meta:
        verbose_name = gettext_lazy("recorded search")
        verbose_name_plural = gettext_lazy("recorded searches")

    def __str__(self) -> str:
        return self.query
