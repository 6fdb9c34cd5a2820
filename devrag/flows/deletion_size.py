"""How much a deletion takes away, for the question that is asked first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings

from devrag.products.models import Product
from devrag.search.models import Embedding
from devrag.sources.mirrors import folder_bytes, mirror_of
from devrag.sources.models import Chunk, File, Source
from devrag.wiki.models import Page, Version


@dataclass(frozen=True, slots=True)
class DeletionSize:
    """Counts of everything that goes. files: versions of files over all refs."""

    sources: int
    files: int
    chunks: int
    vectors: int
    mirror_bytes: int
    wiki_versions: int = 0
    wiki_pages: int = 0

    def lines(self) -> list[str]:
        """Return what goes, a phrase each; nothing is said of what is not there."""
        counted = {
            "source": self.sources,
            "file version": self.files,
            "chunk": self.chunks,
            "vector": self.vectors,
            "wiki version": self.wiki_versions,
            "wiki page": self.wiki_pages,
        }
        said = [
            f"{count:,} {noun}{'s' * (count != 1)}"
            for noun, count in counted.items()
            if count
        ]
        if self.mirror_bytes:
            said.append(f"{self.mirror_bytes / 1e6:,.1f} MB of git mirrors")
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
        **wiki,
    )


def _mirror_bytes(sources: Collection[Source]) -> int:
    """Return the bytes of mirrors on this host that no other source shares."""
    repos = settings.GIT_CLONE_DIR
    others = Source.objects.exclude(pk__in=[source.pk for source in sources])
    shared = {mirror_of(source, repos) for source in others}
    own = {mirror_of(source, repos) for source in sources} - shared
    return folder_bytes(path for path in own if path)
