"""The versions of a source that are indexed, as a menu of a file or folder."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.core.page_urls import file_url
from devrag.products.models import Product
from devrag.sources.models import GitRef, Source
from devrag.sources.selectors import CURRENT_VERSION

_MOST = 200


@dataclass(frozen=True, slots=True)
class VersionLink:
    """A branch, tag or commit that is indexed. url: of the same path there."""

    name: str
    kind: str
    commit: str
    url: str
    is_current: bool
    is_chosen: bool


def list_versions(
    product: Product, source: Source, version: str, path: str
) -> tuple[VersionLink, ...]:
    """Return the indexed versions, the current one first. Queries: 1."""
    rows = source.refs.filter(snapshot__is_indexed=True).select_related("snapshot")
    ordered = rows.order_by("-is_current", "kind", "name")[:_MOST]
    return tuple(_to_link(product, source, version, path, ref) for ref in ordered)


def _to_link(
    product: Product, source: Source, version: str, path: str, ref: GitRef
) -> VersionLink:
    commit = ref.snapshot.version_identifier if ref.snapshot else ""
    if ref.is_current:
        name = CURRENT_VERSION
    else:
        name = commit if ref.kind == GitRef.Kind.COMMIT else ref.name
    return VersionLink(
        name=ref.name,
        kind=ref.kind,
        commit=commit,
        url=file_url(product.name, source.name, name, path),
        is_current=ref.is_current,
        is_chosen=version == name,
    )
