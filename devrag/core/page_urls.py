"""Addresses of pages, for selectors that hand them to templates."""

from __future__ import annotations

from uuid import UUID

from django.urls import reverse


def product_url(product: str) -> str:
    return reverse("web:product", args=[product])


def source_url(product: str, source: str) -> str:
    return reverse("web:source", args=[product, source])


def file_url(
    product: str, source: str, version: str, path: str, start: int = 0, end: int = 0
) -> str:
    """Return the address of a file at a version, of a line range when given."""
    if not path:
        return reverse("web:folder", args=[product, source, version])
    url = reverse("web:file", args=[product, source, version, path])
    if not start:
        return url
    return f"{url}#L{start}" if end <= start else f"{url}#L{start}-L{end}"


def raw_url(product: str, source: str, version: str, path: str) -> str:
    return reverse("web:raw", args=[product, source, version, path])


def symbol_url(product: str, source: str, version: str, uuid: UUID) -> str:
    return reverse("web:symbol", args=[product, source, version, uuid])


def wiki_url(product: str, path: str = "index.md") -> str:
    """Return a wiki page's address for readers: no `.md`, the index at the root."""
    if path == "index.md":
        return reverse("web:wiki_index", args=[product])
    return reverse("web:wiki", args=[product, path.removesuffix(".md")])


def old_wiki_url(product: str, number: int, language: str, path: str) -> str:
    """Return the address of a page as a kept version has it."""
    page = path.removesuffix(".md")
    url = reverse("web:wiki_version_page", args=[product, number, page])
    return f"{url}?language={language}"


def draft_wiki_url(product: str, language: str, path: str) -> str:
    """Return the address of a page in the version that is being written."""
    return reverse("web:wiki_draft", args=[product, language, path.removesuffix(".md")])


def wiki_markdown_url(product: str, path: str) -> str:
    return reverse("web:wiki", args=[product, path])


def job_url(job_id: object) -> str:
    return reverse("web:job", args=[job_id])
