"""Documents whose code changed after they were written."""

from __future__ import annotations

from django.db import models

from devrag.products.models import Product
from devrag.sources.models import Source


class OutdatedDocument(models.Model):
    """A document that may be outdated, as the last job found it.

    title: of a page, '' for files. written_at: when the page or file was changed last;
    is_older: the file is older than the history that was read, which begins then.
    lines: of code that changed since. changed_at: the newest of these changes.
    checked_change: the last of them that a maintainer had seen when they said that the
    document is still right; 0: nobody did.
    """

    class State(models.TextChoices):
        OPEN = "open"
        CHECKED = "checked"  # still right, until the code changes again

    product = models.ForeignKey(
        Product, models.CASCADE, related_name="outdated_documents", db_index=False
    )
    source = models.ForeignKey(Source, models.CASCADE, related_name="+")
    path = models.TextField()
    title = models.TextField(blank=True)
    state = models.CharField(max_length=7, choices=State, default=State.OPEN)
    written_at = models.DateTimeField()
    is_older = models.BooleanField(default=False)
    lines = models.IntegerField()
    changed_at = models.DateTimeField()
    newest_change = models.BigIntegerField()
    found_at = models.DateTimeField()
    checked_change = models.BigIntegerField(default=0)
    checked_by = models.CharField(max_length=150, blank=True)
    checked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "path"], name="one_outdated_row_per_document"
            )
        ]
        indexes = [
            models.Index(
                fields=["product", "state", "-lines"], name="outdated_by_lines"
            )
        ]

    def __str__(self) -> str:
        return self.path


class OutdatedCitation(models.Model):
    """Code that such a document names and that changed since.

    line: of the document, where it is named. symbol: qualified name, '' for the file.
    lines, changes: of how many commits. commit: the newest of them, at changed_at.
    """

    document = models.ForeignKey(
        OutdatedDocument, models.CASCADE, related_name="citations"
    )
    line = models.IntegerField()
    source = models.ForeignKey(Source, models.CASCADE, related_name="+")
    path = models.TextField()
    symbol = models.TextField(blank=True)
    lines = models.IntegerField()
    changes = models.IntegerField()
    commit = models.CharField(max_length=64)
    changed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.symbol or self.path} in {self.document_id}"
