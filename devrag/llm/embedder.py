"""The contract of everything that turns text into vectors."""

from __future__ import annotations

from collections.abc import Sequence
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

    def embed_query(self, text: str) -> Vector:
        """Return the vector to compare with those of documents."""
        ...

    def count_tokens(self, text: str) -> int:
        """Return how many tokens the text fills as a document, all included."""
        ...

    def health(self) -> Health:
        """Say whether the model answers; never raises a ProviderError."""
        ...
