"""What is indexed of a source: snapshots, refs, files, and lines of a file."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, ClassVar

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router

from devrag.api.document_out import DocumentOut
from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import NO_NUL, caller
from devrag.api.paging import Page, cut_page
from devrag.api.sample_values import COMMIT, LINES, TIME
from devrag.api.sources import find_source
from devrag.core.errors import InvalidInput, NotFound
from devrag.labels.api import labels_by_file, labels_of_file
from devrag.labels.types import LabelView
from devrag.mentions.api import Mentioned, find_mentions
from devrag.sources.api import clean_path, document_of, get_current_file
from devrag.sources.models import File, GitRef, Snapshot, Source
from devrag.sources.selectors import CURRENT_VERSION
from devrag.use_cases.api import find_file, find_ref

router = Router(tags=["sources"], by_alias=True)
_LINE = 2**31 - 1


class SnapshotOut(JsonSchema):
    """A version of a source. commitHash: the version identifier for non-git sources."""

    commit_hash: str
    committed_at: datetime | None
    is_indexed: bool
    indexed_at: datetime | None
    file_count: int
    line_count: int
    chunk_count: int

    EXAMPLE: ClassVar = {
        "commitHash": COMMIT,
        "committedAt": TIME,
        "isIndexed": True,
        "indexedAt": TIME,
        "fileCount": 120,
        "lineCount": 14000,
        "chunkCount": 900,
    }


class RefOut(JsonSchema):
    """An indexed branch or tag. isCurrent: used by search and wiki."""

    ref: str
    kind: str
    commit_hash: str | None
    is_current: bool

    EXAMPLE: ClassVar = {
        "ref": "main",
        "kind": "branch",
        "commitHash": COMMIT,
        "isCurrent": True,
    }


class FileOut(JsonSchema):
    path: str
    kind: str
    language: str
    mime: str
    size: int
    line_count: int
    content_hash: str = Field(description="SHA-256 hash of its content.")
    is_generated: bool
    labels: list[str] = Field(description="Labels, such as `auth` or `test`.")

    EXAMPLE: ClassVar = {
        "path": "shop/cart.py",
        "kind": "code",
        "language": "python",
        "mime": "text/x-python",
        "size": 640,
        "lineCount": 22,
        "contentHash": "b" * 64,
        "isGenerated": False,
        "labels": ["storage"],
    }


class FileTextOut(FileOut):
    """Lines of a file at a version."""

    source_name: str
    commit_hash: str
    start_line: int
    end_line: int
    text: str
    document: DocumentOut | None = Field(description="Only for pages and tickets.")

    EXAMPLE: ClassVar = {
        **FileOut.EXAMPLE,
        "sourceName": "backend-api",
        "commitHash": COMMIT,
        **LINES,
        "text": "    def checkout(self) -> int:\n        …",
        "document": None,
    }


class MentionOut(JsonSchema):
    """A file, page or ticket that mentions the file, or that the file mentions.

    line: of the mention, in this one if `mentionsFile`, else in the file. text: the
    mention as written: `#12`, an address, a path or a name.
    """

    source_name: str
    path: str
    line: int
    text: str
    mentions_file: bool
    document: DocumentOut | None = Field(description="Only for pages and tickets.")

    EXAMPLE: ClassVar = {
        "sourceName": "tracker",
        "path": "issues/7.md",
        "line": 12,
        "text": "#7",
        "mentionsFile": False,
        "document": DocumentOut.EXAMPLE,
    }


class MentionsOut(JsonSchema):
    """At most 20 of each; open tickets come first."""

    tickets: list[MentionOut]
    documents: list[MentionOut]
    code: list[MentionOut]

    EXAMPLE: ClassVar = {
        "tickets": [MentionOut.EXAMPLE],
        "documents": [],
        "code": [],
    }


class At(JsonSchema):
    """Which version of a source."""

    version: str = Field(
        CURRENT_VERSION,
        max_length=128,
        pattern=NO_NUL,
        description="A commitHash of GET …/snapshots, the name of a ref, or `current`.",
    )


class Below(At):
    path_prefix: str = Field("", max_length=1000, pattern=NO_NUL)


class Range(At):
    start_line: int = Field(1, ge=1, le=_LINE)
    end_line: int | None = Field(
        None, ge=1, le=_LINE, description="Default: the last line."
    )


@router.get(
    "/{int:sourceID}/snapshots",
    response={200: list[SnapshotOut], **describe_errors(404)},
)
def list_snapshots(
    request: HttpRequest, sourceID: int, response: HttpResponse, page: Page
) -> list[dict[str, Any]]:
    """List the indexed versions of a source, newest first."""
    source = find_source(caller(request), sourceID)
    rows = Snapshot.objects.filter(source=source)
    return [
        {
            "commitHash": row.version_identifier,
            "committedAt": row.committed_at,
            "isIndexed": row.is_indexed,
            "indexedAt": row.indexed_at,
            "fileCount": row.file_count,
            "lineCount": row.line_count,
            "chunkCount": row.chunk_count,
        }
        for row in cut_page(request, response, rows, page, by=["-pk"])
    ]


@router.get(
    "/{int:sourceID}/refs", response={200: list[RefOut], **describe_errors(404)}
)
def list_refs(
    request: HttpRequest, sourceID: int, response: HttpResponse, page: Page
) -> list[dict[str, Any]]:
    """List the indexed branches and tags of a source."""
    source = find_source(caller(request), sourceID)
    rows = GitRef.objects.filter(source=source).select_related("snapshot")
    return [
        {
            "ref": row.name,
            "kind": row.kind,
            "commitHash": row.snapshot and row.snapshot.version_identifier,
            "isCurrent": row.is_current,
        }
        for row in cut_page(request, response, rows, page, by=["name"])
    ]


@router.get(
    "/{int:sourceID}/files", response={200: list[FileOut], **describe_errors(404)}
)
def list_files(
    request: HttpRequest,
    sourceID: int,
    response: HttpResponse,
    page: Page,
    below: Annotated[Below, Query(...)],
) -> list[dict[str, Any]]:
    """List the files of an indexed ref's version, by path."""
    ref = _ref_at(find_source(caller(request), sourceID), below.version)
    rows = File.objects.filter(manifests__ref=ref, manifests__until=None)
    if below.path_prefix:
        rows = rows.filter(path__startswith=below.path_prefix)
    found = cut_page(request, response, rows.defer("text"), page, by=["path"])
    labels = labels_by_file([file.pk for file in found])
    return [_describe(file, labels.get(file.pk, ())) for file in found]


@router.get(
    "/{int:sourceID}/files/{path:path}",
    response={200: FileTextOut, **describe_errors(404)},
)
def get_file(
    request: HttpRequest,
    sourceID: int,
    path: str,
    lines: Annotated[Range, Query(...)],
) -> dict[str, Any]:
    """Return a file, or some of its lines, at an indexed or cited version."""
    source = find_source(caller(request), sourceID)
    ref = find_ref(source, lines.version)
    file = find_file(source, ref, lines.version, clean_path(path))
    snapshot = ref.snapshot if ref else None
    return {
        **_describe(file, labels_of_file(file.pk)),
        **_cut(file, lines),
        "document": _document(source, file),
        "sourceName": source.name,
        "commitHash": snapshot.version_identifier if snapshot else lines.version,
    }


@router.get(
    "/{int:sourceID}/mentions/{path:path}",
    response={200: MentionsOut, **describe_errors(404)},
)
def list_mentions(request: HttpRequest, sourceID: int, path: str) -> dict[str, Any]:
    """List what mentions a file, page or ticket, and what it mentions:
    tickets by number or URL, documents by name, and code.
    """
    principal = caller(request)
    source = find_source(principal, sourceID)
    file = get_current_file(source, clean_path(path))
    found = find_mentions(principal, source.product, file)
    return {
        "tickets": list(map(_mention, found.tickets)),
        "documents": list(map(_mention, found.pages)),
        "code": list(map(_mention, found.code)),
    }


def _mention(each: Mentioned) -> dict[str, Any]:
    return {
        "sourceName": each.file.source.name,
        "path": each.file.path,
        "line": each.line,
        "text": each.written,
        "mentionsFile": each.is_by,
        "document": _document(each.file.source, each.file),
    }


def _ref_at(source: Source, version: str) -> GitRef:
    ref = find_ref(source, version)
    if ref is None:
        raise NotFound(
            f"No indexed ref of '{source.name}' points to '{version[:40]}'. GET "
            f"/api/v1/sources/{source.pk}/refs lists all refs."
        )
    return ref


def _document(source: Source, file: File) -> dict[str, Any] | None:
    facts = document_of(file) if source.has_documents else None
    return facts.to_json() if facts else None


def _describe(file: File, labels: Iterable[LabelView]) -> dict[str, Any]:
    return {
        "path": file.path,
        "kind": file.kind,
        "language": file.language,
        "mime": file.mime,
        "size": file.size,
        "lineCount": file.lines,
        "contentHash": file.content_hash,
        "isGenerated": file.is_generated,
        "labels": [label.name for label in labels],
    }


def _cut(file: File, wanted: Range) -> dict[str, Any]:
    lines = file.text.split("\n")
    total = len(lines) - (lines[-1] == "")
    last = min(wanted.end_line or total, total)
    if wanted.start_line > max(1, last):
        raise InvalidInput(
            f"Lines {wanted.start_line} to {wanted.end_line or total} do not exist: "
            f"{file.path} has {total} lines."
        )
    is_whole = wanted.start_line == 1 and last == total
    text = file.text if is_whole else "\n".join(lines[wanted.start_line - 1 : last])
    return {"startLine": wanted.start_line, "endLine": last, "text": text}
