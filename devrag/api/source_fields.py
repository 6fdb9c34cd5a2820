"""A source as the interface tells it: where it is, what is indexed, when next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from ninja import Field

from devrag.api.json_schema import JsonSchema
from devrag.api.operations import NO_NUL, Request
from devrag.api.sample_values import COMMIT, TIME
from devrag.core.json_names import json_name
from devrag.parsing.chunking import MAX_CHARS, MAX_TOKENS, MIN_CHARS, MIN_TOKENS
from devrag.products.limits import members_by_source
from devrag.search.api import VectorCount, count_by_source
from devrag.sources.addresses import mask_login
from devrag.sources.models import GitRef, Source

Text = Annotated[str, Field(max_length=1000, pattern=NO_NUL)]
WikiLanguage = Literal["en", "ja", "en,ja", "ja,en"]
WIKI_LANGUAGE: Any = Field(
    None,
    description="Language of a new product's wiki; default: en. An existing one has "
    "its own in wikiSettings.",
)


class SourceSettings(Request):
    """What of a source is indexed; what is not set has its default."""

    default_branch: Text | None = Field(
        None, description="Branch to follow; '' for main."
    )
    include: list[Text] | None = Field(None, description="Patterns such as `src/**`.")
    exclude: list[Text] | None = None
    exclude_exts: list[Text] | None = None
    max_file_bytes: int | None = Field(None, ge=1, le=2**31 - 1)
    read_restricted: bool | None = Field(
        None,
        description="Wikis and trackers: include pages, issues and notes with "
        "restricted visibility.",
    )
    read_comments: bool | None = Field(
        None,
        description="Wikis: include comments on pages. Trackers: include issue notes; "
        "default: true.",
    )
    read_attachments: bool | None = Field(
        None, description="Wikis and trackers: include attachments; default: true."
    )
    read_news: bool | None = Field(None, description="Redmine projects: include news.")
    chunk_tokens: int | None = Field(
        None,
        ge=MIN_TOKENS,
        le=MAX_TOKENS,
        description="Chunk size. After a change of this or the next two fields, the "
        "next index run splits all files again.",
    )
    chunk_overlap_tokens: int | None = Field(
        None,
        ge=0,
        le=MAX_TOKENS // 2,
        description="Tokens repeated from the previous chunk, at most half a chunk.",
    )
    chunk_max_chars: int | None = Field(
        None,
        ge=MIN_CHARS,
        le=MAX_CHARS,
        description="Text of up to this many characters stays one chunk.",
    )


class SourceOut(JsonSchema):
    """ref, commitHash and the counts are those of the version used by search."""

    source_id: int
    source_name: str
    source_type: str
    source_url: str = Field(description="Git URL, or a path on the server.")
    product_id: int
    product_name: str
    ref: str | None
    commit_hash: str | None
    indexed_at: datetime | None
    file_count: int
    line_count: int
    chunk_count: int
    vector_count: int = Field(
        description="Chunks with a vector, found by semantic search."
    )
    missing_vector_count: int = Field(description="Chunks without a vector.")
    index_every_minutes: int | None = Field(description="null: only on request.")
    is_wiki_scheduled: bool = Field(
        alias="generateWiki",
        description="Whether scheduled runs and pushes also generate the wiki.",
    )
    next_index_at: datetime | None
    index_failures: int = Field(description="Consecutive failed runs.")
    index_error: str
    has_credentials: bool = Field(description="Stored encrypted, never returned.")
    settings: SourceSettings
    members: list[str] | None = Field(
        description="Users who can see it; null: everyone who can read its product."
    )

    EXAMPLE: ClassVar = {
        "sourceID": 7,
        "sourceName": "backend-api",
        "sourceType": "git",
        "sourceURL": "https://git.example/shop/backend-api.git",
        "productID": 2,
        "productName": "shop",
        "ref": "main",
        "commitHash": COMMIT,
        "indexedAt": TIME,
        "fileCount": 120,
        "lineCount": 14000,
        "chunkCount": 900,
        "vectorCount": 880,
        "missingVectorCount": 20,
        "indexEveryMinutes": 30,
        "generateWiki": False,
        "nextIndexAt": TIME,
        "indexFailures": 0,
        "indexError": "",
        "hasCredentials": False,
        "settings": {"exclude": ["vendor/**"]},
        "members": None,
    }


def describe_sources(sources: Sequence[Source]) -> list[dict[str, Any]]:
    """Return the fields of sources that come with their products. Queries: 4, 5."""
    refs = GitRef.objects.filter(source__in=sources, is_current=True)
    current = {ref.source_id: ref for ref in refs.select_related("snapshot")}
    counts = count_by_source([row.pk for row in sources])
    members = members_by_source([row.pk for row in sources])
    return [
        {
            **_describe(row, current.get(row.pk), counts.get(row.pk, VectorCount())),
            "members": members.get(row.pk),
        }
        for row in sources
    ]


def describe_source(source: Source) -> dict[str, Any]:
    """Return the fields of one source."""
    return describe_sources([source])[0]


def _describe(source: Source, ref: GitRef | None, count: VectorCount) -> dict[str, Any]:
    snapshot = ref.snapshot if ref else None
    return {
        "sourceID": source.pk,
        "sourceName": source.name,
        "sourceType": source.source_type,
        "sourceURL": mask_login(source.location),
        "productID": source.product_id,
        "productName": source.product.name,
        "ref": ref.name if ref else None,
        "commitHash": snapshot.version_identifier if snapshot else None,
        "indexedAt": snapshot.indexed_at if snapshot else None,
        "fileCount": snapshot.file_count if snapshot else 0,
        "lineCount": snapshot.line_count if snapshot else 0,
        "chunkCount": snapshot.chunk_count if snapshot else 0,
        "vectorCount": count.embedded,
        "missingVectorCount": count.missing,
        "indexEveryMinutes": source.index_every_minutes,
        "generateWiki": source.is_wiki_scheduled,
        "nextIndexAt": source.next_index_at,
        "indexFailures": source.index_failures,
        "indexError": source.index_error,
        "hasCredentials": bool(source.credentials),
        "settings": {
            json_name(key): source.metadata[key]
            for key in SourceSettings.model_fields
            if key in source.metadata
        },
    }
