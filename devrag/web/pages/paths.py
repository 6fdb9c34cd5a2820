"""Relative links in Markdown, resolved within a repository or a wiki."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection
from urllib.parse import unquote, urldefrag

from devrag.core.page_urls import file_url

Resolver = Callable[[str], str | None]
ToUrl = Callable[[str], str]


def join_path(base: str, href: str) -> str | None:
    """Return the path that `href` in the file `base` means; None when it leads out."""
    path = unquote(href)
    joined = (
        path.lstrip("/")
        if path.startswith("/")
        else posixpath.join(posixpath.dirname(base), path)
    )
    clean = posixpath.normpath(joined)
    return None if clean in {".", ""} or clean.startswith("..") else clean


def resolve_repository_link(
    product: str, source: str, version: str, base: str
) -> Resolver:
    """Lead relative links of a repository's document to its files."""

    def resolve(href: str) -> str | None:
        target, fragment = urldefrag(href)
        path = join_path(base, target)
        if path is None:
            return None
        url = file_url(product, source, version, path)
        return f"{url}#{fragment}" if fragment else url

    return resolve


def resolve_wiki_link(to_url: ToUrl, base: str, pages: Collection[str]) -> Resolver:
    """Lead links between wiki pages; those to pages that do not exist are removed."""

    def resolve(href: str) -> str | None:
        target, fragment = urldefrag(href)
        path = join_path(base, target)
        if path is None or path not in pages:
            return None
        url = to_url(path)
        return f"{url}#{fragment}" if fragment else url

    return resolve
