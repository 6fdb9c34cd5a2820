"""Source: where text comes from."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy

from devrag.products.models import Product
from devrag.sources.querysets import DOCUMENT_TYPES, LiveSources, SourceQuerySet


class Source(models.Model):
    """A git repository, folder or other origin; belongs to one product.

    metadata: type-specific, `url`, `path` or `upload` with `file`, `default_branch`,
    limits. credentials:
    encrypted. host: the machine that can read a path source; empty for others.
    index_every_minutes: the schedule, None = only when asked; is_wiki_scheduled: its
    runs and those of push hooks write the wiki too. index_failures: runs of
    the current ref that failed in a row, index_error: why the last one did.
    is_deleting: a job removes it in portions; `objects` does not see it any more.
    """

    class Type(models.TextChoices):
        GIT = "git"
        LOCAL = "local"
        PDF = "pdf"
        UPLOAD = "upload"
        CONFLUENCE = "confluence"
        REDMINE = "redmine"
        NOTION = "notion"
        GITHUB = "github"
        GITLAB = "gitlab"

    product = models.ForeignKey(Product, models.CASCADE, related_name="sources")
    name = models.CharField(max_length=200, unique=True)
    source_type = models.CharField(max_length=16, choices=Type)
    metadata = models.JSONField(default=dict, blank=True)
    credentials = models.BinaryField(null=True, blank=True, editable=False)
    host = models.CharField(max_length=200, blank=True)
    index_every_minutes = models.PositiveIntegerField(null=True, blank=True)
    is_wiki_scheduled = models.BooleanField(default=False)
    next_index_at = models.DateTimeField(null=True, editable=False)
    index_failures = models.PositiveIntegerField(default=0, editable=False)
    index_error = models.TextField(blank=True, editable=False)
    is_deleting = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = LiveSources()
    everything = SourceQuerySet.as_manager()

    class Meta:
        verbose_name = gettext_lazy("source")
        verbose_name_plural = gettext_lazy("sources")
        db_table = "sources"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def has_documents(self) -> bool:
        """Whether its files are pages and tickets that say what is known of them."""
        return self.source_type in DOCUMENT_TYPES

    @property
    def location(self) -> str:
        """URL, path or name of the upload, as people gave it, without credentials."""
        metadata: dict[str, Any] = self.metadata
        return str(
            metadata.get("url") or metadata.get("path") or metadata.get("file") or ""
        )
