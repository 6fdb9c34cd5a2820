"""What of Notion is read: settings that people choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Choice:
    """What is read beside the text of pages. max_text: characters of a page's text."""

    comments: bool = False
    attachments: bool = True
    max_text: int = 10_000_000


def read_choice(metadata: Mapping[str, Any], *, max_text: int = 10_000_000) -> Choice:
    """Return what a source's settings choose."""
    return Choice(
        comments=metadata.get("read_comments") is True,
        attachments=metadata.get("read_attachments") is not False,
        max_text=max_text,
    )
