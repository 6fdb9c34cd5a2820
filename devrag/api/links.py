"""Addresses of the lines that an answer cites, for readers elsewhere."""

from __future__ import annotations

from django.http import HttpRequest

from devrag.ask.documents import Link
from devrag.ask.types import Passage
from devrag.core.page_urls import file_url


def page_links(request: HttpRequest) -> Link:
    """Return what gives each passage the address of its lines on this server."""
    server = request.build_absolute_uri("/").rstrip("/")

    def link(passage: Passage) -> str:
        path = file_url(
            passage.product,
            passage.source,
            passage.version_identifier,
            passage.path,
            passage.start_line,
            passage.end_line,
        )
        return f"{server}{path}"

    return link
