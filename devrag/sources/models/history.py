"""What git's history tells of the current files: kept, so that it is read once."""

from __future__ import annotations

from django.db import models

from devrag.sources.models.source import Source


class ReadHistory(models.Model):
    """How far the history of a source was read.

    commit: the newest that was read. oldest_at: date of the oldest one; is_complete:
    there is none before it. version: of the rules that count lines.
    """

    source = models.OneToOneField(
        Source, models.CASCADE, primary_key=True, related_name="read_history"
    )
    commit = models.CharField(max_length=64)
    oldest_at = models.DateTimeField(null=True)
    is_complete = models.BooleanField(default=False)
    version = models.IntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.source_id} up to {self.commit[:12]}"


class FileChange(models.Model):
    """A commit that changed what a file of today says or does.

    path: the file's name of today. lines: removed and added ones, without blank lines,
    comments and imports. names: definition → its lines, '' for lines outside of any.
    Ids grow with each reading: a change that was not known before has a higher one.
    """

    source = models.ForeignKey(
        Source, models.CASCADE, related_name="file_changes", db_index=False
    )
    path = models.TextField()
    commit = models.CharField(max_length=64)
    committed_at = models.DateTimeField()
    lines = models.IntegerField()
    names = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "path", "commit"], name="one_change_per_commit"
            )
        ]

    def __str__(self) -> str:
        return f"{self.path} in {self.commit[:12]}"
