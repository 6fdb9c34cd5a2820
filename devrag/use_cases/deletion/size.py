"""How much a deletion takes away, for the question that is asked first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext, ngettext_lazy

from devrag.products.models import Product
from devrag.search.models import Embedding
from devrag.sources.api import folder_bytes, mirror_of, upload_folder
from devrag.sources.models import Chunk, File, Source
from devrag.wiki.models import Page, Version

_SOURCES = ngettext_lazy("%(number)s source", "%(number)s sources", "n")
_FILES = ngettext_lazy("%(number)s file version", "%(number)s file versions", "n")
_CHUNKS = ngettext_lazy("%(number)s chunk", "%(number)s chunks", "n")
_VECTORS = ngettext_lazy("%(number)s vector", "%(number)s vectors", "n")
_WIKI_VERSIONS = ngettext_lazy(
    "%(number)s wiki version", "%(number)s wiki versions", "n"
)
_WIKI_PAGES = ngettext_lazy("%(number)s wiki page", "%(number)s wiki pages", "n")


@dataclass(frozen=True, slots=True)
class DeletionSize:
    """Counts of everything that goes. files: versions of files over all refs."""

    sources: int
    files: int
    chunks: int
    vectors: int
    mirror_bytes: int
    upload_bytes: int = 0
    wiki_versions: int = 0
    wiki_pages: int = 0

    def lines(self) -> list[str]:
        """Return what goes, a phrase each; nothing is said of what is not there."""
        counted = (
            (_SOURCES, self.sources),
            (_FILES, self.files),
            (_CHUNKS, self.chunks),
            (_VECTORS, self.vectors),
            (_WIKI_VERSIONS, self.wiki_versions),
            (_WIKI_PAGES, self.wiki_pages),
        )
        said = [
            noun % {"n": count, "number": f"{count:,}"}
            for noun, count in counted
            if count
        ]
        if self.mirror_bytes:
            size = filesizeformat(self.mirror_bytes)
            said.append(gettext("%(size)s of Git mirrors") % {"size": size})
        if self.upload_bytes:
            size = filesizeformat(self.upload_bytes)
            said.append(gettext("%(size)s of uploaded files") % {"size": size})
        return said


def measure_source(source: Source) -> DeletionSize:
    """Return what deleting a source takes away. Queries: 4."""
    return _measure([source])


def measure_product(product: Product) -> DeletionSize:
    """Return what deleting a product takes away. Queries: 7."""
    versions = Version.objects.filter(wiki__product=product).count()
    pages = Page.objects.filter(version__wiki__product=product).count()
    sources = list(Source.objects.filter(product=product))
    return _measure(sources, wiki_versions=versions, wiki_pages=pages)


def _measure(sources: Collection[Source], **wiki: int) -> DeletionSize:
    return DeletionSize(
        sources=len(sources),
        files=File.objects.filter(source__in=sources).count(),
        chunks=Chunk.objects.filter(file__source__in=sources).count(),
        vectors=Embedding.objects.filter(source__in=sources).count(),
        mirror_bytes=_mirror_bytes(sources),
        upload_bytes=folder_bytes(filter(None, map(_upload_of, sources))),
        **wiki,
    )


def _mirror_bytes(sources: Collection[Source]) -> int:
    """Return the bytes of mirrors on this host that no other source shares."""
    repos = settings.GIT_CLONE_DIR
    others = Source.objects.exclude(pk__in=[source.pk for source in sources])
    shared = {mirror_of(source, repos) for source in others}
    own = {mirror_of(source, repos) for source in sources} - shared
    return folder_bytes(path for path in own if path)


def _upload_of(source: Source) -> Path | None:
    if source.source_type != Source.Type.UPLOAD:
        return None
    return upload_folder(settings.UPLOADS_DIR, str(source.metadata["upload"]))
