"""The interface of rerankers: models that score texts against a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from devrag.llm.remote.endpoint import Endpoint


@dataclass(frozen=True, slots=True)
class RerankScores:
    """A score for each text, higher is better. tokens: counted, or else estimated."""

    scores: tuple[float, ...]
    tokens: int


class Reranker(Protocol):
    """A model that reads a question and a text together.

    name: of the model, or the server's address where it has only one.
    """

    name: str

    def fit(self, text: str) -> str:
        """Return the text's beginning, as far as the model reads."""
        ...

    def rerank(self, query: str, texts: Sequence[str], seconds: float) -> RerankScores:
        """Return the scores of texts that fit, in their order; RerankerError if none.

        seconds: how long to wait for each answer.
        """
        ...


def build_reranker(model: str, endpoint: Endpoint) -> Reranker:
    """Return the reranker at an address. model: '' for a server of one model."""
    # The client takes most of a second and 40 MB: only who uses it pays.
    from devrag.llm.remote.reranker import RemoteReranker  # noqa: PLC0415

    return RemoteReranker(model, endpoint)
