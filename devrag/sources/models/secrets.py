"""What was masked in files, and what people dismissed of it. Never a secret itself."""

from __future__ import annotations

from django.db import models

from devrag.sources.models.content import File
from devrag.sources.models.source import Source


class SecretFinding(models.Model):
    """A line of a file version in which something was masked.

    rule: one of `core.masking.rules.RULES`.
    line: from 1; of a private key the first one.
    key: see `secret_key`; equal for the same finding in other versions of the file.
    first_seen_at: when devrag first read it, in whatever version of the file.
    first_version: of the source then; git: the commit that was indexed.
    """

    file = models.ForeignKey(
        File, models.CASCADE, related_name="secrets", db_index=False
    )
    rule = models.CharField(max_length=60)
    line = models.IntegerField()
    key = models.CharField(max_length=64, db_index=True)
    first_seen_at = models.DateTimeField()
    first_version = models.CharField(max_length=128, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["file", "line", "rule"], name="one_finding_per_line_and_rule"
            )
        ]

    def __str__(self) -> str:
        return f"{self.rule} in {self.file_id}:{self.line}"


class SecretDismissal(models.Model):
    """That somebody called a finding a false positive. It stays masked.

    key: of the finding, in every version of its file.
    """

    source = models.ForeignKey(
        Source, models.CASCADE, related_name="secret_dismissals", db_index=False
    )
    key = models.CharField(max_length=64)
    reason = models.CharField(max_length=500)
    dismissed_by = models.CharField(max_length=150)
    dismissed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "key"], name="one_dismissal_per_finding"
            )
        ]

    def __str__(self) -> str:
        return f"{self.key[:12]} of {self.source_id}"
