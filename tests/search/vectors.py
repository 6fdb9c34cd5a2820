"""Vectors in the tables, without a model: chunks in a hundred files."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from devrag.products.models import Product
from devrag.search.models import Embedding, EmbeddingSpec
from devrag.search.semantic.live_vectors import recount_vectors
from devrag.search.semantic.specs import ensure_partition
from devrag.sources.models import Chunk, File, GitRef, RefFile, Source

DIMENSIONS = 8
CHUNKS = 400
LANGUAGES = ("python",) * 95 + ("go",) * 4 + ("rust",)
Vector = NDArray[np.float32]


def draw_vectors(seed: int = 1, count: int = CHUNKS) -> Vector:
    """Return the vectors of a source, one a chunk. Shape: (count, DIMENSIONS)."""
    drawn = np.random.default_rng(seed).standard_normal((count, DIMENSIONS))
    unit = drawn.astype(np.float32)
    normed: Vector = unit / np.linalg.norm(unit, axis=1, keepdims=True)
    return normed


def make_spec() -> EmbeddingSpec:
    """Return a small active spec with its table."""
    spec = EmbeddingSpec.objects.create(
        provider="local", model="tiny", dimensions=DIMENSIONS, is_active=True
    )
    ensure_partition(spec)
    return spec


def make_source(product: Product, name: str) -> Source:
    return Source.objects.create(product=product, name=name, source_type="git")


def store_source(spec: EmbeddingSpec, source: Source, vectors: Vector) -> list[Chunk]:
    """Give a source a chunk for each vector, as many in each of its files."""
    chunks = _store_chunks(source, len(vectors))
    Embedding.objects.bulk_create(
        Embedding(
            spec=spec,
            chunk=chunk,
            source=source,
            text_hash=f"{chunk.pk:064}",
            is_live=True,
            vector=vector,
        )
        for chunk, vector in zip(chunks, vectors, strict=True)
    )
    recount_vectors(spec=spec, source_id=source.pk)
    return chunks


def _store_chunks(source: Source, count: int) -> list[Chunk]:
    ref = GitRef.objects.create(
        source=source, name="main", kind="branch", sequence=1, is_current=True
    )
    files = File.objects.bulk_create(
        File(
            source=source,
            path=f"{language}/{number}",
            digest="",
            content_hash=str(number),
            facts_version=1,
            size=1,
            language=language,
            text="",
        )
        for number, language in enumerate(LANGUAGES)
    )
    RefFile.objects.bulk_create(RefFile(ref=ref, file=file, since=1) for file in files)
    return Chunk.objects.bulk_create(
        Chunk(
            file=file,
            ordinal=ordinal,
            kind="symbol",
            start_line=1,
            end_line=1,
            text="",
            content_hash="",
            embedded_hash="",
            tokens=1,
        )
        for file in files
        for ordinal in range(count // len(files))
    )
