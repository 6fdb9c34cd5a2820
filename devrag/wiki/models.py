"""Wiki, its versions and pages, the claims they make, and what people add."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from devrag.products.models import Product
from devrag.wiki.conflict_models import (
    CodeName,
    ConflictReading,
    DocumentConflict,
    DocumentPassage,
    DocumentStatement,
    PassageComparison,
    SearchedName,
)
from devrag.wiki.outdated_models import OutdatedCitation, OutdatedDocument

__all__ = [
    "Claim",
    "ClaimQuerySet",
    "CodeName",
    "ConflictReading",
    "DocumentConflict",
    "DocumentPassage",
    "DocumentStatement",
    "Feedback",
    "Note",
    "OutdatedCitation",
    "OutdatedDocument",
    "Page",
    "PageDraft",
    "PageQuerySet",
    "PassageComparison",
    "SavedAnswer",
    "SearchedName",
    "Version",
    "Wiki",
]


class Wiki(models.Model):
    """A product's wiki in one language; `current` is what readers see."""

    product = models.ForeignKey(Product, models.CASCADE, related_name="wikis")
    language = models.CharField(max_length=8, default="en")
    current = models.ForeignKey(
        "Version", models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = gettext_lazy("wiki")
        verbose_name_plural = gettext_lazy("wikis")
        constraints = [
            models.UniqueConstraint(
                fields=["product", "language"], name="one_wiki_per_language"
            )
        ]

    def __str__(self) -> str:
        return f"{self.product} ({self.language})"


class Version(models.Model):
    """One publication: the sources' commits, the writer, its cost, what gates said."""

    wiki = models.ForeignKey(Wiki, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    sources = models.JSONField(default=dict)  # source name → {ref, commit}
    writer = models.CharField(max_length=120)
    prompt_version = models.PositiveIntegerField(default=1)
    input_tokens = models.BigIntegerField(default=0)
    output_tokens = models.BigIntegerField(default=0)
    cost = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    duration_seconds = models.FloatField(default=0)
    cause = models.TextField(blank=True)
    report = models.JSONField(default=dict)
    coverage = models.JSONField(default=dict)
    is_pinned = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = gettext_lazy("wiki version")
        verbose_name_plural = gettext_lazy("wiki versions")
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["wiki", "number"], name="one_version_per_number"
            )
        ]

    def __str__(self) -> str:
        return f"{self.wiki} v{self.number}"


class PageQuerySet(models.QuerySet["Page"]):
    """Pages of a version, or of many."""

    def written(self) -> PageQuerySet:
        """Leave out answers that people saved: no run writes, counts or drops them."""
        return self.exclude(kind=Page.NOTE)

    def with_first_file(self) -> PageQuerySet:
        """Load with each page the first path that it covers, None without any."""
        # The attribute below declares what this adds.
        return self.annotate(first_file=models.F("files__0"))  # type: ignore[no-redef]


class Page(models.Model):
    """A published page, such as `index.md` or `features/search.md`.

    A later run with the same fingerprint takes the page over as it is. A page of the
    kind NOTE is a saved answer: it belongs to whichever version readers see.
    """

    NOTE = "note"
    first_file: str | None  # of with_first_file()

    version = models.ForeignKey(Version, models.CASCADE, related_name="pages")
    path = models.CharField(max_length=255)
    parent_path = models.CharField(max_length=255, blank=True)
    ordinal = models.IntegerField()
    kind = models.CharField(max_length=24)
    title = models.CharField(max_length=200)
    summary = models.TextField(blank=True)
    markdown = models.TextField()
    fingerprint = models.CharField(max_length=64)
    files = models.JSONField(default=list)  # the file paths this page covers
    sections = models.JSONField(default=list)  # of documentation: source/path#Heading
    inputs = models.JSONField(default=dict)  # file path → [content hash, rank decile]
    record = models.JSONField(default=dict)  # a model's sections: wiki/model/record.py

    objects = PageQuerySet.as_manager()

    class Meta:
        ordering = ["ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["version", "path"], name="one_page_per_path"
            )
        ]

    def __str__(self) -> str:
        return self.path


class ClaimQuerySet(models.QuerySet["Claim"]):
    """Claims, of one page or of many."""

    def with_page(self) -> ClaimQuerySet:
        """Load with each claim where its page stands, not the page's text."""
        texts = ("summary", "markdown", "files", "inputs", "record")
        return self.select_related("page").defer(*(f"page__{each}" for each in texts))


class Claim(models.Model):
    """A cited sentence with its evidence; it keeps its own excerpt."""

    page = models.ForeignKey(Page, models.CASCADE, related_name="claims")
    ordinal = models.PositiveIntegerField()
    sentence = models.TextField()
    source_name = models.CharField(max_length=200)
    path = models.TextField()
    start_line = models.IntegerField()
    end_line = models.IntegerField()
    version_identifier = models.CharField(max_length=128)
    content_hash = models.CharField(max_length=64)
    excerpt = models.TextField()
    context = models.TextField(blank=True)  # lines around an excerpt with twins

    objects = ClaimQuerySet.as_manager()

    class Meta:
        ordering = ["ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["page", "ordinal"], name="one_claim_per_ordinal"
            )
        ]

    def __str__(self) -> str:
        return f"{self.path}:{self.start_line}-{self.end_line}"


class SavedAnswer(models.Model):
    """Where a page of kind note comes from: an answer of Ask that a person saved.

    conversation: identifies that of the answer, which may be deleted since: no
    reference.
    turn: position of the answer in its conversation, from 1.
    model: what wrote it; empty: no model.
    """

    page = models.OneToOneField(Page, models.CASCADE, related_name="saved_answer")
    question = models.TextField()
    conversation = models.UUIDField()
    turn = models.PositiveIntegerField()
    model = models.CharField(max_length=120, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True
    )
    saved_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "turn"], name="one_page_per_answer"
            )
        ]

    def __str__(self) -> str:
        return self.question[:80]


class PageDraft(models.Model):
    """A page of a run that is not published yet; a crash costs at most one page."""

    run = models.UUIDField()
    path = models.CharField(max_length=255)
    language = models.CharField(max_length=8, default="en")
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "path", "language"], name="one_draft_per_page"
            )
        ]

    def __str__(self) -> str:
        return self.path


class Note(models.Model):
    """What a person wrote beside a page; kept across versions."""

    wiki = models.ForeignKey(Wiki, models.CASCADE, related_name="notes")
    page_path = models.CharField(max_length=255)
    anchor = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = gettext_lazy("note")
        verbose_name_plural = gettext_lazy("notes")
        indexes = [models.Index(fields=["wiki", "page_path"], name="notes_of_page")]

    def __str__(self) -> str:
        return f"note on {self.page_path}"


class Feedback(models.Model):
    """ "This is wrong": a reader's remark on a paragraph, for the next generation."""

    wiki = models.ForeignKey(Wiki, models.CASCADE, related_name="feedback")
    version = models.PositiveIntegerField(default=0)  # the number of what was read
    page_path = models.CharField(max_length=255)
    paragraph = models.TextField()
    remark = models.TextField(blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = gettext_lazy("reported problem")
        verbose_name_plural = gettext_lazy("reported problems")
        indexes = [
            models.Index(
                fields=["wiki", "created_at"],
                condition=Q(resolved_at=None),
                name="open_feedback",
            )
        ]

    def __str__(self) -> str:
        return f"feedback on {self.page_path}"
