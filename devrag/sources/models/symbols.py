"""Definitions, uses of names, and facts, as the parser found them."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from devrag.sources.models.content import File
from devrag.sources.models.source import Source
from devrag.sources.symbol_names import NON_ASCII


def _names() -> ArrayField[Any, Any]:
    return ArrayField(models.TextField(), default=list)


class Symbol(models.Model):
    """A definition and what its source says of it.

    uuid: UUIDv5 of source, path, qualified name and ordinal among equals; stable across
    versions, so it is looked up within the current manifest. chunk_ordinal: of the
    chunk that defines it, the first of several. value_types: as in SymbolFacts, by
    name.
    """

    source = models.ForeignKey(
        Source, models.CASCADE, related_name="symbols", db_index=False
    )
    file = models.ForeignKey(File, models.CASCADE, related_name="symbols")
    uuid = models.UUIDField(db_index=True)
    ordinal = models.IntegerField()
    chunk_ordinal = models.IntegerField(null=True)
    parent_ordinal = models.IntegerField(null=True)
    kind = models.CharField(max_length=16)
    name = models.TextField()
    qualified_name = models.TextField()
    signature = models.TextField(blank=True)
    parameters = models.JSONField(default=list)
    return_type = models.TextField(blank=True)
    start_line = models.IntegerField()
    end_line = models.IntegerField()
    start_column = models.IntegerField(default=0)
    end_column = models.IntegerField(default=0)
    class_name = models.TextField(blank=True)
    class_hierarchy = _names()
    imports = _names()
    called_functions = _names()
    docstring = models.TextField(blank=True)
    comments = _names()
    scope = models.CharField(max_length=8, default="global")
    modifiers = _names()
    used_types = _names()
    complexity = models.IntegerField(null=True)
    loc = models.IntegerField(default=0)
    comment_lines = models.IntegerField(default=0)
    decorators = _names()
    annotations = _names()
    attributes = _names()
    value_types = models.JSONField(default=dict)
    search_name = models.TextField(default="")
    search_order = models.SmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["file", "ordinal"], name="one_symbol_per_ordinal"
            )
        ]
        indexes = [
            models.Index(fields=["name"], name="symbols_by_name"),
            models.Index(
                fields=["file", "chunk_ordinal"],
                condition=Q(chunk_ordinal__isnull=False),
                name="bodies_by_chunk",
            ),
            models.Index(
                fields=["kind", "complexity"],
                condition=Q(chunk_ordinal__isnull=False),
                name="bodies_by_kind",
            ),
            # The included columns order the names without a look at the rows.
            models.Index(
                fields=["source", "search_name"],
                opclasses=["int8_ops", "text_pattern_ops"],
                include=["search_order", "id"],
                name="symbols_by_prefix",
            ),
            GinIndex(
                fields=["search_name"],
                opclasses=["gin_trgm_ops"],
                name="symbols_by_part",
            ),
            # The trigrams of PostgreSQL's C locale are those of ASCII.
            models.Index(
                fields=["source", "search_name"],
                opclasses=["int8_ops", "text_pattern_ops"],
                include=["search_order", "id"],
                condition=Q(search_name__regex=NON_ASCII),
                name="symbols_not_ascii",
            ),
        ]

    def __str__(self) -> str:
        return self.qualified_name


class Reference(models.Model):
    """A use of a name, and what it stands for as far as its file alone can tell.

    target, via: as in ReferenceFacts; target is empty when it is the name itself.
    last_name: the last part of what is meant, by which definitions and uses find each
    other. Which symbol it is gets decided when somebody asks (decision 9).
    """

    source = models.ForeignKey(Source, models.CASCADE, related_name="references")
    file = models.ForeignKey(File, models.CASCADE, related_name="references")
    symbol_ordinal = models.IntegerField(null=True)
    kind = models.CharField(max_length=16)
    name = models.TextField()
    line = models.IntegerField()
    target = models.TextField(blank=True)
    via = models.CharField(max_length=8, blank=True)
    last_name = models.TextField(default="")

    class Meta:
        indexes = [
            models.Index(fields=["source", "last_name"], name="references_by_last")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class Fact(models.Model):
    """What the wiki's survey reads: entry points, routes, settings, dependencies…"""

    file = models.ForeignKey(File, models.CASCADE, related_name="facts")
    kind = models.CharField(max_length=24)
    name = models.TextField()
    start_line = models.IntegerField()
    end_line = models.IntegerField()
    data = models.JSONField(default=dict)
    detector_version = models.IntegerField(default=1)

    class Meta:
        indexes = [models.Index(fields=["kind", "file"], name="facts_by_kind")]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"
