"""A source: its versions, what is in it, what was left out, and how its runs went."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from urllib.parse import urlsplit

from django.db import connection
from django.db.models import Count, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.jobs.models import Job
from devrag.operations.model_keys import MissingKey
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.sources.api import (
    CHUNK_LIMITS,
    ConnectionForm,
    UploadLimits,
    connection_forms,
    default_sizes,
)
from devrag.sources.models import File, GitRef, Snapshot, Source, Symbol
from devrag.sources.selectors import CURRENT_VERSION
from devrag.use_cases.api import has_token, takes_token
from devrag.web.pages.allowed_locations import get_allowed_upload
from devrag.web.pages.folder import Entries, list_entries
from devrag.web.pages.jobs import JobRow, list_poll_seconds, to_lines
from devrag.web.pages.languages import LanguageShare, share_languages
from devrag.web.pages.source_members import SourceMembers, get_source_members
from devrag.web.pages.vectors import missing_embedding_key

_REFS, _SNAPSHOTS, _JOBS, _REASONS, _EXAMPLES, _ENTRIES = 50, 10, 6, 20, 3, 20
# Where a host shows a commit; of others it is not known.
_COMMITS = {
    "github.com": "/commit/",
    "codeberg.org": "/commit/",
    "gitlab.com": "/-/commit/",
    "bitbucket.org": "/commits/",
}


@dataclass(frozen=True, slots=True)
class IndexedVersion:
    """A snapshot that was indexed. url: where its host shows it, or empty."""

    snapshot: Snapshot
    url: str
    refs: tuple[GitRef, ...]


@dataclass(frozen=True, slots=True)
class SkippedFiles:
    """Why files were left out, how many, and some of them."""

    reason: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChunkSize:
    """A size of the source's chunks. own: what is set, None for the default."""

    key: str
    label: str | Promise
    own: int | None
    default: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class TokenPanel:
    """Whether a token is kept for a source, and what another one is asked for with."""

    is_kept: bool
    asked: ConnectionForm


@dataclass(frozen=True, slots=True)
class SourcePage:
    """versions: those that refs point at, then older ones. files: what is on top."""

    source: Source
    current: GitRef | None
    versions: tuple[IndexedVersion, ...]
    languages: tuple[LanguageShare, ...]
    symbols: tuple[tuple[str, int], ...]
    left_out: tuple[SkippedFiles, ...]
    files: Entries | None
    jobs: tuple[JobRow, ...]
    may_maintain: bool
    chunk_sizes: tuple[ChunkSize, ...]
    missing_key: MissingKey | None
    members: SourceMembers
    token: TokenPanel | None = None
    upload: UploadLimits | None = None

    @property
    def left_out_count(self) -> int:
        return sum(each.count for each in self.left_out)

    @property
    def poll_seconds(self) -> int:
        return list_poll_seconds(self.jobs)


def get_source_page(
    principal: Principal, product: Product, source: Source
) -> SourcePage:
    """Return the page of a source. Queries: 8 to 13."""
    refs = list(source.refs.select_related("snapshot").order_by("name")[:_REFS])
    current = next((ref for ref in refs if ref.is_current), None)
    jobs = Job.objects.filter(product=product, source_name=source.name)
    return SourcePage(
        source=source,
        current=current,
        versions=_versions(source, refs),
        languages=share_languages(dict(_lines(current.pk, current.sequence)))
        if current
        else (),
        symbols=_symbols(current.pk, current.sequence) if current else (),
        left_out=_left_out(current) if current else (),
        files=_top(
            current.pk,
            current.sequence,
            product.name,
            source.name,
            source.has_documents,
        )
        if current
        else None,
        jobs=to_lines(jobs.select_related("product")[:_JOBS]),
        may_maintain=may_maintain(principal, product),
        chunk_sizes=_chunk_sizes(source),
        missing_key=missing_embedding_key(product),
        members=get_source_members(product, source),
        token=_token(source) if may_maintain(principal, product) else None,
        upload=get_allowed_upload() if source.source_type == "upload" else None,
    )


def _token(source: Source) -> TokenPanel | None:
    if not takes_token(source):
        return None
    asked = connection_forms().get(source.source_type, ConnectionForm())
    return TokenPanel(has_token(source), asked)


def _chunk_sizes(source: Source) -> tuple[ChunkSize, ...]:
    return tuple(
        ChunkSize(
            key, _CHUNK_LABELS[key], source.metadata.get(key), default, least, most
        )
        for (key, (least, most)), default in zip(
            CHUNK_LIMITS.items(), default_sizes(source), strict=True
        )
    )


_CHUNK_LABELS = {
    "chunk_tokens": gettext_lazy("Size in tokens"),
    "chunk_overlap_tokens": gettext_lazy("Overlap in tokens"),
    "chunk_max_chars": gettext_lazy("Characters kept in one chunk"),
}


def _versions(source: Source, refs: list[GitRef]) -> tuple[IndexedVersion, ...]:
    indexed = source.snapshots.filter(is_indexed=True).order_by("-indexed_at")
    snapshots = {each.pk: each for each in indexed[:_SNAPSHOTS]}
    pointed = {ref.snapshot.pk: ref.snapshot for ref in refs if ref.snapshot}
    current = {ref.snapshot_id for ref in refs if ref.is_current}
    return tuple(
        IndexedVersion(
            snapshot,
            _commit_url(source, snapshot.version_identifier),
            tuple(ref for ref in refs if ref.snapshot_id == pk),
        )
        for pk, snapshot in sorted(
            (pointed | snapshots).items(),
            key=lambda item: (item[0] not in current, item[0] not in pointed),
        )
    )


def _commit_url(source: Source, commit: str) -> str:
    """Return where people see a commit on its host, empty where that is not known."""
    address = urlsplit(source.location)
    way = _COMMITS.get(address.hostname or "")
    if address.scheme != "https" or way is None:
        return ""
    path = address.path.strip("/").removesuffix(".git")
    return f"https://{address.hostname}/{path}{way}{commit}"


# A manifest never changes within a sequence: what was counted holds until the next.
@lru_cache(maxsize=256)
def _lines(ref: int, sequence: int) -> tuple[tuple[str, int], ...]:
    files = File.objects.filter(manifests__ref=ref, manifests__until=None).order_by()
    return tuple(files.values_list("language").annotate(total=Sum("lines")))


@lru_cache(maxsize=256)
def _symbols(ref: int, sequence: int) -> tuple[tuple[str, int], ...]:
    """Return how many definitions of each kind there are, the most first."""
    rows = Symbol.objects.filter(file__manifests__ref=ref, file__manifests__until=None)
    kinds = rows.exclude(kind="module").order_by().values_list("kind")
    return tuple(kinds.annotate(total=Count("pk")).order_by("-total"))


@lru_cache(maxsize=256)
def _top(
    ref: int, sequence: int, product: str, source: str, has_documents: bool
) -> Entries:
    to_url = partial(file_url, product, source, CURRENT_VERSION)
    return list_entries(ref, "", to_url, most=_ENTRIES, has_documents=has_documents)


def _left_out(ref: GitRef) -> tuple[SkippedFiles, ...]:
    with connection.cursor() as cursor:
        cursor.execute(
            _SKIPS, {"ref": ref.pk, "reasons": _REASONS, "examples": _EXAMPLES}
        )
        return tuple(
            SkippedFiles(reason, count, tuple(examples))
            for reason, count, examples in cursor.fetchall()
        )


# Behind a reason stands the case of one file: `too large (3.6 MB > 2.0 MB)`.
_SKIPS = """
SELECT split_part(reason, ' (', 1) AS why, count(*) AS total,
       (array_agg(path))[1:%(examples)s]
FROM sources_skip WHERE ref_id = %(ref)s
GROUP BY why ORDER BY total DESC, why LIMIT %(reasons)s
"""
