"""File versions and their chunks."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import Func, Q, Value
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy

from devrag.sources.chunk_keys import chunk_key
from devrag.sources.models.source import Source


class File(models.Model):
    """One version of a path; shared by every ref and snapshot that holds it.

    digest: the source's own cheap one (git blob id) for the diff. content_hash:
    SHA-256 of the bytes. text: Unicode with `\\n` line ends, NUL-free, secrets masked
    (docs/decisions/0017-secrets-are-masked-when-stored.md). is_generated: written by a
    tool or vendored, so that search leaves it out unless asked. module: what its
    top-level symbols are in, as its language imports it.
    """

    class Kind(models.TextChoices):
        CODE = "code"
        DOC = "doc"
        CONFIG = "config"
        DATA = "data"
        WIKI = "wiki"

    class State(models.TextChoices):
        STORED = "stored"
        PARSED = "parsed"

    source = models.ForeignKey(Source, models.CASCADE, related_name="files")
    path = models.TextField()
    digest = models.CharField(max_length=64)
    content_hash = models.CharField(max_length=64)
    facts_version = models.IntegerField()
    size = models.BigIntegerField()
    lines = models.IntegerField(default=0)
    chunk_count = models.IntegerField(default=0)
    language = models.CharField(max_length=40, blank=True)
    mime = models.CharField(max_length=100, blank=True)
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.CODE)
    encoding = models.CharField(max_length=40, default="utf-8")
    title = models.TextField(blank=True)
    module = models.TextField(blank=True)
    is_generated = models.BooleanField(default=False)
    text = models.TextField()
    state = models.CharField(max_length=8, choices=State, default=State.STORED)
    warnings = ArrayField(models.TextField(), default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = gettext_lazy("file version")
        verbose_name_plural = gettext_lazy("file versions")
        constraints = [
            models.UniqueConstraint(
                fields=["source", "path", "content_hash", "facts_version"],
                name="one_file_version",
            )
        ]
        indexes = [
            models.Index(
                fields=["source", "id"],
                condition=Q(state="stored"),
                name="unparsed_files",
            ),
            models.Index(
                fields=["source", "path"],
                opclasses=["int8_ops", "text_pattern_ops"],
                name="files_by_path",
            ),
            models.Index(
                fields=["source", "language", "kind", "mime"], name="files_by_type"
            ),
            GinIndex(
                fields=["path"], opclasses=["gin_trgm_ops"], name="files_by_words"
            ),
            models.Index(
                OpClass(
                    Lower(Func("path", Value("/"), Value(-1), function="split_part")),
                    name="text_pattern_ops",
                ),
                name="files_by_name",
            ),
        ]

    def __str__(self) -> str:
        return self.path


class Chunk(models.Model):
    """A searchable piece of a file; its `chunk_key` is `{path}::chunk_{ordinal}`.

    symbol_ordinal, symbol_kind: of the definition whose body it is, or a piece of it;
    of the module whose first lines outside of definitions it has. A function that is
    the class of what it makes has the kind `constructor`.
    """

    class Kind(models.TextChoices):
        SYMBOL = "symbol"
        SECTION = "section"
        WINDOW = "window"
        ENTRY = "entry"

    file = models.ForeignKey(
        File, models.CASCADE, related_name="chunks", db_index=False
    )
    ordinal = models.IntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    start_line = models.IntegerField()
    end_line = models.IntegerField()
    text = models.TextField()
    content_hash = models.CharField(max_length=64)
    embedded_hash = models.CharField(max_length=64, db_index=True)
    tokens = models.IntegerField()
    header = models.TextField(blank=True)
    heading = models.TextField(blank=True)
    title = models.TextField(blank=True)
    depth = models.SmallIntegerField(null=True)
    parent_ordinal = models.IntegerField(null=True)
    symbol_ordinal = models.IntegerField(null=True)
    symbol_kind = models.CharField(max_length=16, default="")
    date = models.DateField(null=True)
    tags = ArrayField(models.TextField(), default=list)
    language = models.CharField(max_length=8, default="code")
    is_dirty = models.BooleanField(default=False)

    class Meta:
        verbose_name = gettext_lazy("chunk")
        verbose_name_plural = gettext_lazy("chunks")
        constraints = [
            models.UniqueConstraint(
                fields=["file", "ordinal"], name="one_chunk_per_ordinal"
            )
        ]
        indexes = [
            # Serves the foreign key, too.
            models.Index(fields=["file", "symbol_ordinal"], name="chunks_by_symbol"),
            models.Index(
                fields=["file"], condition=Q(is_dirty=True), name="dirty_chunks"
            ),
            # Most chunks are bodies of symbols, which have indexes of their own.
            models.Index(
                fields=["kind"], condition=~Q(kind="symbol"), name="chunks_by_kind"
            ),
            models.Index(
                fields=["symbol_kind"],
                condition=~Q(symbol_kind__in=["", "function", "method"]),
                name="chunks_by_symbol_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file_id}::chunk_{self.ordinal}"

    @property
    def chunk_key(self) -> str:
        """Return its id within the source."""
        return chunk_key(self.file.path, self.ordinal)
