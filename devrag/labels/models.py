"""The vocabulary of a product, and which files and wiki pages have which label."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from devrag.products.models import Product
from devrag.sources.models import File, Source


class Vocabulary(models.Model):
    """Counts the changes of a product's labels that files have to be looked at for."""

    product = models.OneToOneField(
        Product, models.CASCADE, primary_key=True, related_name="vocabulary"
    )
    revision = models.IntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.product_id}: revision {self.revision}"


class Label(models.Model):
    """A word of a product's vocabulary.

    name: as in `label:auth`. kind: key of the built-in kind, empty for a topic of the
    product. description: what its files are about, compared with their vectors.
    paths: patterns of paths whose files always have it. is_removed: a built-in kind
    that the product does not want.
    """

    product = models.ForeignKey(
        Product, models.CASCADE, related_name="labels", db_index=False
    )
    name = models.CharField(max_length=40)
    kind = models.CharField(max_length=20, blank=True)
    description = models.TextField(blank=True)
    paths = ArrayField(models.TextField(), default=list, blank=True)
    is_removed = models.BooleanField(default=False)

    class Meta:
        verbose_name = gettext_lazy("label")
        verbose_name_plural = gettext_lazy("labels")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["product", "name"],
                condition=Q(is_removed=False),
                name="one_label_per_name",
            ),
            models.UniqueConstraint(
                fields=["product", "kind"],
                condition=~Q(kind=""),
                name="one_label_per_kind",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class FileLabel(models.Model):
    """A label of a file version, and of its chunks.

    origin: what gave it. score: of an embedding its margin, else 1. reason: the rule
    that matched.
    """

    class Origin(models.TextChoices):
        RULE = "rule"
        EMBEDDING = "embedding"
        HAND = "hand"

    file = models.ForeignKey(
        File, models.CASCADE, related_name="file_labels", db_index=False
    )
    label = models.ForeignKey(Label, models.CASCADE, related_name="file_labels")
    origin = models.CharField(max_length=9, choices=Origin)
    score = models.FloatField(default=1.0)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["file", "label"], name="one_file_label_per_label"
            )
        ]
        indexes = [models.Index(fields=["label", "file"], name="files_by_label")]

    def __str__(self) -> str:
        return f"{self.label_id} of {self.file_id}"


class LabelledFile(models.Model):
    """How far a file version is labelled, so that an unchanged one is not again.

    rules_mark, vectors_mark: version and vocabulary that its labels by rules and by
    embeddings come from, empty for none. change: of its source's LabelChanges when its
    labels last changed after they were first given.
    """

    file = models.OneToOneField(
        File, models.CASCADE, primary_key=True, related_name="labelled"
    )
    source = models.ForeignKey(Source, models.CASCADE, db_index=False)
    rules_mark = models.CharField(max_length=40, blank=True)
    vectors_mark = models.CharField(max_length=40, blank=True)
    change = models.IntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(
                fields=["source", "change"],
                condition=Q(change__gt=0),
                name="labels_by_change",
            )
        ]

    def __str__(self) -> str:
        return f"{self.file_id}: {self.rules_mark}"


class LabelChanges(models.Model):
    """Counts changes of labels in a source, for the word index to follow."""

    source = models.OneToOneField(
        Source, models.CASCADE, primary_key=True, related_name="label_changes"
    )
    number = models.IntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.source_id}: {self.number}"


class LabelCorrection(models.Model):
    """What somebody said about a label of a file; it outlives versions of the file.

    content_hash: of the newest version it was applied to, by which a renamed file is
    known again. is_assigned: the file has the label, or has it not. author: null once
    the account is gone; author_name stays.
    """

    source = models.ForeignKey(
        Source, models.CASCADE, related_name="label_corrections", db_index=False
    )
    path = models.TextField()
    content_hash = models.CharField(max_length=64)
    label = models.ForeignKey(Label, models.CASCADE, related_name="corrections")
    is_assigned = models.BooleanField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    author_name = models.CharField(max_length=150)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = gettext_lazy("label correction")
        verbose_name_plural = gettext_lazy("label corrections")
        ordering = ["-updated_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["source", "path", "label"], name="one_correction_per_label"
            )
        ]
        indexes = [
            models.Index(fields=["source", "content_hash"], name="corrections_by_hash")
        ]

    def __str__(self) -> str:
        return f"{self.label_id} of {self.path}"


class PageLabel(models.Model):
    """A label of a wiki page, from the files that it cites.

    share: how many of the cited files have it, 0 to 1.
    """

    product = models.ForeignKey(
        Product, models.CASCADE, related_name="page_labels", db_index=False
    )
    language = models.CharField(max_length=8)
    page_path = models.CharField(max_length=255)
    label = models.ForeignKey(Label, models.CASCADE, related_name="page_labels")
    share = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product", "language", "page_path", "label"],
                name="one_page_label_per_label",
            )
        ]

    def __str__(self) -> str:
        return f"{self.label_id} of {self.page_path}"
