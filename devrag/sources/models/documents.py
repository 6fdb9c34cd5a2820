"""What is known of a page or ticket, beside the text of its file."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from devrag.sources.models.content import File


class Document(models.Model):
    """A file version that is a page or ticket of a wiki or tracker.

    Made when the file is parsed, from the head of its text.

    kind: what it is there.
    place: what it lies in, outermost first.
    status: in the source's own words, '' for pages.
    is_closed: it is a ticket that nobody works on any more.
    author: who wrote it, as the source shows the name.
    labels: in the source's own words.
    created_at: when it was written there.
    changed_at: when it was changed last there.
    url: the original.
    version: in the source's own words.
    terms: what filters find it by; see `document_terms.py`.
    """

    class Kind(models.TextChoices):
        PAGE = "page"
        TICKET = "ticket"
        ATTACHMENT = "attachment"

    file = models.OneToOneField(
        File, models.CASCADE, primary_key=True, related_name="document"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    place = ArrayField(models.TextField(), default=list)
    status = models.TextField(blank=True)
    is_closed = models.BooleanField(default=False)
    author = models.TextField(blank=True)
    labels = ArrayField(models.TextField(), default=list)
    created_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField(null=True)
    url = models.TextField(blank=True)
    version = models.TextField(blank=True)
    terms = ArrayField(models.TextField(), default=list)

    class Meta:
        indexes = [
            models.Index(fields=["changed_at"], name="documents_by_change"),
            GinIndex(fields=["terms"], name="documents_by_term"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.file_id}"
