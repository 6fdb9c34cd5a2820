"""What documents say of code, where code has those names, and where both disagree."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from devrag.products.models import Product
from devrag.sources.models import File, Source


class ConflictReading(models.Model):
    """A file version that was read for statements and searched for names.

    version: of the rules that read its statements, 0 for code that has none.
    """

    file = models.OneToOneField(
        File, models.CASCADE, primary_key=True, related_name="conflict_reading"
    )
    version = models.IntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.file_id}: {self.version}"


class DocumentStatement(models.Model):
    """Something that a file version says of code; see `conflicts.types.Statement`.

    own: line and value of what a docstring speaks of, null for other statements.
    """

    file = models.ForeignKey(File, models.CASCADE, related_name="statements")
    kind = models.CharField(max_length=12)
    subject = models.TextField()
    value = models.TextField(blank=True)
    start_line = models.IntegerField()
    end_line = models.IntegerField()
    text = models.TextField()
    names = ArrayField(models.TextField(), default=list)
    own = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class SearchedName(models.Model):
    """A name that the code of a product was searched for.

    is_done: all code that is current was; else a job is at it.
    """

    product = models.ForeignKey(
        Product, models.CASCADE, related_name="searched_names", db_index=False
    )
    name = models.TextField()
    is_done = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product", "name"], name="one_searched_name_per_product"
            )
        ]

    def __str__(self) -> str:
        return self.name


class CodeName(models.Model):
    """A line of a file version that has such a name; see `NamePlace`."""

    file = models.ForeignKey(File, models.CASCADE, related_name="code_names")
    name = models.TextField()
    line = models.IntegerField()
    value = models.TextField(blank=True)
    is_computed = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.name} in {self.file_id}"


class DocumentConflict(models.Model):
    """A statement of a document and what the code has instead, both as they were read.

    key: kind, document, subject and both values, by which a decision is known again.
    actual: what the code has, '' for nothing. code_source: null where the code has
    nothing. dates: when the document or commit was changed, as its source says.
    is_by_model: a language model found it; reason: why, in its words.
    owner: who wrote the page or ticket, or owns the file by CODEOWNERS. decided_by:
    the name of who chose the state.
    """

    class State(models.TextChoices):
        OPEN = "open"
        OUTDATED = "outdated"  # the documentation is
        DISMISSED = "dismissed"  # it is none, for good
        RESOLVED = "resolved"  # both sides agree again, or one is gone

    product = models.ForeignKey(
        Product, models.CASCADE, related_name="conflicts", db_index=False
    )
    key = models.CharField(max_length=64)
    kind = models.CharField(max_length=12)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    subject = models.TextField()
    value = models.TextField(blank=True)
    actual = models.TextField(blank=True)
    is_by_model = models.BooleanField(default=False)
    reason = models.TextField(blank=True)
    owner = models.TextField(blank=True)
    document_source = models.ForeignKey(Source, models.CASCADE, related_name="+")
    document_path = models.TextField()
    document_start = models.IntegerField()
    document_end = models.IntegerField()
    document_excerpt = models.TextField()
    document_hash = models.CharField(max_length=64)
    document_commit = models.CharField(max_length=128, blank=True)
    document_date = models.DateTimeField(null=True)
    code_source = models.ForeignKey(Source, models.CASCADE, null=True, related_name="+")
    code_path = models.TextField(blank=True)
    code_start = models.IntegerField(default=0)
    code_end = models.IntegerField(default=0)
    code_excerpt = models.TextField(blank=True)
    code_hash = models.CharField(max_length=64, blank=True)
    code_commit = models.CharField(max_length=128, blank=True)
    code_date = models.DateTimeField(null=True)
    found_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.CharField(max_length=150, blank=True)
    decided_at = models.DateTimeField(null=True)
    resolved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product", "key"], name="one_conflict_per_key"
            )
        ]
        indexes = [
            models.Index(
                fields=["product", "state", "kind"], name="conflicts_by_state"
            ),
            models.Index(
                fields=["document_source", "document_path"],
                name="conflicts_by_document",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject} in {self.document_path}"


class DocumentPassage(models.Model):
    """Lines of a file version that a model may compare with code.

    about: the headings around them. text_hash: of both. weight: how much of it code
    could contradict; the heaviest are compared first.
    """

    file = models.ForeignKey(File, models.CASCADE, related_name="passages")
    start_line = models.IntegerField()
    end_line = models.IntegerField()
    about = models.TextField(blank=True)
    text_hash = models.CharField(max_length=64)
    weight = models.IntegerField()

    class Meta:
        indexes = [models.Index(fields=["text_hash"], name="passages_by_hash")]

    def __str__(self) -> str:
        return f"{self.file_id}:{self.start_line}"


class PassageComparison(models.Model):
    """A passage and lines of code that a model compared, by their hashes.

    What was compared is not asked about again while both sides are as they were.
    code_hash: '' for a passage that no code was found for. code_file: the id of the
    file version that has the lines, 0 for none; it may be gone by now. verdicts: what
    contradicts; see `by_model.py`.
    """

    product = models.ForeignKey(
        Product, models.CASCADE, related_name="+", db_index=False
    )
    passage_hash = models.CharField(max_length=64)
    code_hash = models.CharField(max_length=64, blank=True)
    code_file = models.BigIntegerField(default=0)
    code_start = models.IntegerField(default=0)
    verdicts = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product", "passage_hash", "code_hash"],
                name="one_comparison_per_pair",
            )
        ]

    def __str__(self) -> str:
        return f"{self.passage_hash[:12]} {self.code_hash[:12]}"
