"""The contract of everything that turns text into vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]  # (dimensions,) float32, L2-normed
Matrix = NDArray[np.float32]  # (n, dimensions) float32, each row L2-normed


@dataclass(frozen=True, slots=True)
class Health:
    """Whether a model answers: "Server is healthy" or "Error: <text>"."""

    is_healthy: bool
    message: str


@dataclass(frozen=True, slots=True)
class EmbeddedBatch:
    """What one call made: the vectors of the texts from `first` on.

    tokens: what the provider counted, for its bill; 0 where there is none.
    """

    first: int
    vectors: Matrix
    tokens: int = 0


class Embedder(Protocol):
    """Turn texts into L2-normed vectors; failures are ProviderErrors (llm.errors).

    max_tokens: what the model reads in one go. Longer documents are embedded in
    windows or refused, as the provider says; longer queries are cut.
    """

    provider: str
    model: str
    dimensions: int
    max_tokens: int

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return one row a text, in the order given."""
        ...

    def embed_parts(self, texts: Sequence[str]) -> Iterator[EmbeddedBatch]:
        """Yield the vectors call by call, as each ends, in any order.

        When a call fails the others at work are yielded before the error is raised:
        what was paid for is not lost.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """Return the vector to compare with those of documents."""
        ...

    def count_tokens(self, text: str) -> int:
        """Return how many tokens the text fills as a document, all included."""
        ...

    def count_calls(self, texts: Sequence[str]) -> int:
        """Return how many requests the texts take."""
        ...

    def fit(self, text: str) -> str:
        """Return the text as far as the model can take it, whole if it can."""
        ...

    def health(self) -> Health:
        """Return whether the model answers; never raises a ProviderError."""
        ...
