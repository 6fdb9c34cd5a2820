"""Snapshots, refs and manifests: which file version belongs to which ref, and when."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from devrag.sources.models.content import File
from devrag.sources.models.source import Source


class Snapshot(models.Model):
    """A source at one version; git: the 40-hex commit."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="snapshots")
    version_identifier = models.CharField(max_length=128)
    committed_at = models.DateTimeField(null=True)
    is_indexed = models.BooleanField(default=False, db_column="indexed")
    indexed_at = models.DateTimeField(null=True)
    file_count = models.IntegerField(default=0)
    chunk_count = models.IntegerField(default=0)
    line_count = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = gettext_lazy("snapshot")
        verbose_name_plural = gettext_lazy("snapshots")
        db_table = "source_snapshots"
        constraints = [
            models.UniqueConstraint(
                fields=["source", "version_identifier"], name="one_snapshot_per_version"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source_id}@{self.version_identifier[:12]}"


class GitRef(models.Model):
    """A branch, tag or `current`, pointing at a snapshot.

    sequence: counts activations of this ref; manifests are intervals over it.
    is_current: the one ref of a source that search and wiki see.
    ignore_files: path → text, and selection_mark: the rules that chose its files; while
    both hold, a commit is compared by what it changed.
    pruned_sequence: intervals that ended up to it are gone. marked_sequence: the
    sequence at marked_at, so that pruning knows how long ago an interval ended.
    """

    class Kind(models.TextChoices):
        BRANCH = "branch"
        TAG = "tag"
        COMMIT = "commit"
        CURRENT = "current"

    source = models.ForeignKey(Source, models.CASCADE, related_name="refs")
    name = models.CharField(max_length=255)
    kind = models.CharField(max_length=8, choices=Kind)
    snapshot = models.ForeignKey(Snapshot, models.RESTRICT, null=True)
    sequence = models.IntegerField(default=0)
    facts_version = models.IntegerField(default=0)
    ignore_files = models.JSONField(default=dict)
    selection_mark = models.CharField(max_length=64, blank=True)
    pruned_sequence = models.IntegerField(default=0)
    marked_sequence = models.IntegerField(default=0)
    marked_at = models.DateTimeField(null=True)
    is_current = models.BooleanField(default=False)

    class Meta:
        verbose_name = gettext_lazy("branch or tag")
        verbose_name_plural = gettext_lazy("branches and tags")
        db_table = "git_refs"
        constraints = [
            models.UniqueConstraint(fields=["source", "name"], name="one_ref_per_name"),
            models.UniqueConstraint(
                fields=["source"],
                condition=Q(is_current=True),
                name="one_current_ref_per_source",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class RefFile(models.Model):
    """One file version in a ref's manifest, for sequences since ≤ s < until."""

    ref = models.ForeignKey(GitRef, models.CASCADE, related_name="manifest")
    file = models.ForeignKey(File, models.CASCADE, related_name="manifests")
    since = models.IntegerField()
    until = models.IntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["ref", "file"],
                condition=Q(until=None),
                name="one_open_interval_per_file",
            )
        ]
        indexes = [
            models.Index(
                fields=["ref"],
                include=["file"],
                condition=Q(until=None),
                name="current_manifest",
            ),
            models.Index(fields=["ref", "since"], name="manifest_since"),
            models.Index(
                fields=["ref", "until"],
                condition=Q(until__isnull=False),
                name="manifest_until",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file_id} in {self.ref_id} [{self.since}, {self.until})"


class Skip(models.Model):
    """A path of a ref that was left out, and why; replaced at each activation.

    digest: the source's own, so that an unchanged file is not read again.
    """

    ref = models.ForeignKey(GitRef, models.CASCADE, related_name="skips")
    path = models.TextField()
    reason = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, blank=True)
    size = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ref", "path"], name="one_skip_per_path")
        ]
        indexes = [models.Index(fields=["ref", "reason"], name="skips_by_reason")]

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class StagedChange(models.Model):
    """What a running index job will do to a manifest at activation.

    Kept in the database, so that a killed job goes on where it was. `run` is the job's
    id without a foreign key. file: the version that enters, None until it is stored.
    """

    class Kind(models.TextChoices):
        ENTER = "enter"
        LEAVE = "leave"
        SKIP = "skip"

    run = models.UUIDField()
    kind = models.CharField(max_length=5, choices=Kind)
    path = models.TextField()
    file = models.ForeignKey(File, models.CASCADE, null=True)
    reason = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    size = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "path"], name="one_change_per_path")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.path}"
