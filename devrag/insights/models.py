"""What is measured once a day, so that no page has to count it."""

from __future__ import annotations

from django.db import models

from devrag.products.models import Product
from devrag.sources.models import Source


class SourceSize(models.Model):
    """How big a source was on a day, after its last index run of that day.

    Of the ref that search sees. languages: name → [files, lines].
    """

    source = models.ForeignKey(
        Source, models.CASCADE, related_name="sizes", db_index=False
    )
    day = models.DateField()
    file_count = models.IntegerField()
    chunk_count = models.IntegerField()
    line_count = models.BigIntegerField()
    languages = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "day"], name="one_size_per_source_and_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source_id} on {self.day}: {self.file_count} files"


class WikiMeasure(models.Model):
    """What the wiki that readers see covers on a day, and how much of it still holds.

    key: of the version and the sources that were compared. citations: of all its
    sentences; stale: those whose lines changed or went. files: role → [cited, all].
    """

    product = models.ForeignKey(
        Product, models.CASCADE, related_name="wiki_measures", db_index=False
    )
    day = models.DateField()
    key = models.CharField(max_length=64)
    version = models.PositiveIntegerField()
    pages = models.IntegerField()
    citations = models.IntegerField()
    stale = models.IntegerField()
    files = models.JSONField(default=dict)
    definitions = models.IntegerField()
    cited_definitions = models.IntegerField()
    measured_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product", "day"], name="one_wiki_measure_per_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.product_id} on {self.day}: {self.stale} of {self.citations}"


class StorageSize(models.Model):
    """How many bytes a part of the instance took on a day.

    part: a group of tables as `database/vectors`, or a folder as `mirrors`. host: the
    machine whose folder it is, empty for the database.
    """

    day = models.DateField()
    host = models.CharField(max_length=200, blank=True)
    part = models.CharField(max_length=40)
    bytes = models.BigIntegerField()
    measured_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["day", "host", "part"], name="one_storage_size_per_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.part} on {self.day}: {self.bytes} bytes"
