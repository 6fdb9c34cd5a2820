"""What of a project is read: settings that people choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Choice:
    """What of a project is read. max_text: characters of a ticket with its notes.

    restricted: confidential issues and internal notes too. notes: what was said.
    """

    restricted: bool = False
    notes: bool = True
    max_text: int = 10_000_000


def read_choice(metadata: Mapping[str, Any], *, max_text: int = 10_000_000) -> Choice:
    """Return what a source's settings choose."""
    return Choice(
        restricted=metadata.get("read_restricted") is True,
        notes=metadata.get("read_comments") is not False,
        max_text=max_text,
    )
