"""Cut a text's token ids into windows that fit the model."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from devrag.llm.embedder import Vector
from devrag.llm.local.tokens import Ids

MAX_WINDOWS = 4


class TextRole(StrEnum):
    """The model was trained with these words in front of each text."""

    QUERY = "query"
    PASSAGE = "passage"

    @property
    def prefix(self) -> str:
        return f"{self}: "


@dataclass(frozen=True, slots=True)
class TokenWindow:
    """A piece of text that fits the model: ids without prefix and special tokens."""

    kind: TextRole
    ids: Ids


class Engine(Protocol):
    """Computes the vector of one window; many threads may call it at a time."""

    def embed(self, window: TokenWindow) -> Vector:
        """Return the L2-normed vector."""
        ...


def cut_document(ids: Ids, capacity: int) -> list[TokenWindow]:
    """Return 1 to 4 windows of nearly equal length.

    Up to four times the capacity they cover the text without overlap; of a longer
    text they are its opening, its end and two stretches evenly between.
    """
    count = min(MAX_WINDOWS, -(-len(ids) // capacity)) or 1
    size = min(capacity, -(-len(ids) // count))
    gap = (len(ids) - size) / max(count - 1, 1)
    starts = [round(index * gap) for index in range(count)]
    return [
        TokenWindow(TextRole.PASSAGE, ids[start : start + size]) for start in starts
    ]


def cut_query(ids: Ids, capacity: int) -> TokenWindow:
    """Return the window of a query: its beginning."""
    return TokenWindow(TextRole.QUERY, ids[:capacity])
