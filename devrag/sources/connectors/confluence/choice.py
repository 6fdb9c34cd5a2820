"""What of a space is read: settings that people choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from devrag.sources.connectors.confluence.survey import PAGES


@dataclass(frozen=True, slots=True)
class Choice:
    """What of a space is read. max_body: characters of a page's storage format."""

    restricted: bool = False
    comments: bool = False
    attachments: bool = True
    max_body: int = 10_000_000

    @property
    def kinds(self) -> str:
        """Return the types of content, as CQL lists them."""
        more = ("attachment",) * self.attachments + ("comment",) * self.comments
        return ", ".join((*PAGES, *more))


def read_choice(metadata: Mapping[str, Any], *, max_body: int = 0) -> Choice:
    """Return what a source's settings choose."""
    return Choice(
        restricted=metadata.get("read_restricted") is True,
        comments=metadata.get("read_comments") is True,
        attachments=metadata.get("read_attachments") is not False,
        max_body=max_body,
    )
