"""Conversations: questions with their answers, and the lines that bear these."""

from __future__ import annotations

from uuid import uuid4

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from devrag.ask.types import MODES
from devrag.products.models import Product
from devrag.sources.api import DocumentFacts


class Conversation(models.Model):
    """Questions that follow each other, with one scope.

    owner_key: who owns it where no user does: a browser session or a token, hashed.
    products: names, empty for all that the owner may see; product: the one, where it
    is one.
    share_key: part of the link by which others read it, None while it is not shared.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        related_name="conversations",
    )
    owner_key = models.CharField(max_length=80, blank=True)
    title = models.CharField(max_length=200)
    product = models.ForeignKey(
        Product, models.CASCADE, null=True, related_name="conversations"
    )
    products = ArrayField(models.CharField(max_length=100), default=list)
    source = models.CharField(max_length=200, blank=True)
    path = models.TextField(blank=True)
    share_key = models.CharField(max_length=43, null=True, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [
            models.Index(fields=["owner", "-updated_at"], name="own_conversations"),
            models.Index(
                fields=["owner_key", "-updated_at"], name="keyed_conversations"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Turn(models.Model):
    """A question of a conversation and its answer.

    markdown: with `[2](cite:2)` for the second citation. removed: sentences that
    failed a check, each with its reason. model: '' where none wrote it. seen_at: when
    the process that answers was last heard of, None while the question waits for one.
    resolved_at: when a maintainer was done with what the reader wrote.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        STOPPED = "stopped"
        FAILED = "failed"

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="turns")
    ordinal = models.PositiveIntegerField()
    question = models.TextField()
    mode = models.CharField(max_length=10, choices=[(mode, mode) for mode in MODES])
    start_line = models.PositiveIntegerField(null=True)
    end_line = models.PositiveIntegerField(null=True)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    markdown = models.TextField(blank=True)
    diagram = models.TextField(blank=True)
    outcome = models.CharField(max_length=12, blank=True)
    error = models.TextField(blank=True)
    notes = models.JSONField(default=list)
    removed = models.JSONField(default=list)
    model = models.CharField(max_length=120, blank=True)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    rating = models.SmallIntegerField(default=0)
    remark = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    language = models.CharField(max_length=8, blank=True)
    seen_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    resolved_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "ordinal"], name="one_turn_per_ordinal"
            )
        ]
        indexes = [
            models.Index(
                fields=["state"],
                name="unfinished_turns",
                condition=models.Q(state__in=["waiting", "running"]),
            )
        ]

    def __str__(self) -> str:
        return self.question[:80]


class Citation(models.Model):
    """Lines that bear a sentence of an answer, kept as they were.

    number: as cited in the answer, 0 for evidence that it read without citing it;
    ordinal: of the passage. The source is known by its name: when it is deleted, the
    citation stays, and its lines are shown as deleted. source_id: its id at that time,
    no foreign key: what was limited to some members stays so, under whatever name.
    document: of a page or ticket, what was known of it then, as its facts in JSON.
    """

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="citations")
    ordinal = models.PositiveIntegerField()
    number = models.PositiveIntegerField(default=0)
    product = models.ForeignKey(Product, models.CASCADE, related_name="+")
    source_name = models.CharField(max_length=200)
    source_id = models.BigIntegerField(null=True)
    path = models.TextField()
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    version_identifier = models.CharField(max_length=128)
    content_hash = models.CharField(max_length=64)
    kind = models.CharField(max_length=16)
    language = models.CharField(max_length=40, blank=True)
    title = models.TextField(blank=True)
    why = models.TextField(blank=True)
    symbol_uuid = models.UUIDField(null=True)
    excerpt = models.TextField()
    document = models.JSONField(null=True)

    class Meta:
        ordering = ["ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["turn", "ordinal"], name="one_citation_per_ordinal"
            )
        ]

    def __str__(self) -> str:
        return f"{self.path}:{self.start_line}"

    @property
    def facts(self) -> DocumentFacts | None:
        """Return what was known of the page or ticket; None of other files."""
        return DocumentFacts.from_json(self.document) if self.document else None
