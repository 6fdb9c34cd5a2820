"""What all remote embedders share: texts in bounded calls, a few at a time.

A call that was answered is not repeated here. Who asks again and when is the caller's:
the embedding job keeps its attempts and the provider's wish to wait in the database,
where they hold for all hosts; a question does not wait at all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed

import numpy as np
import structlog

from devrag.core.errors import ProviderError
from devrag.core.texts import gettext
from devrag.llm.embedder import EmbeddedBatch, Health, Matrix, Vector
from devrag.llm.errors import EmbeddingInternal, EmbeddingInvalidArgument
from devrag.llm.remote.embedding_adapters import Purpose, RawEmbeddings
from devrag.llm.remote.endpoint import Endpoint, RequestLimits
from devrag.llm.remote.failures import EMBEDDING, Asked, describe
from devrag.llm.remote.models import UNKNOWN_MAX_TOKENS, known_model
from devrag.llm.remote.tokens import cut_to_tokens, estimate_tokens, plan_calls

log = structlog.get_logger("devrag.embedding")


class BatchedEmbedder(ABC):
    """A model elsewhere. dimensions: what its vectors must have; 0 takes any."""

    def __init__(
        self,
        provider: str,
        model: str,
        *,
        title: str,
        dimensions: int,
        endpoint: Endpoint,
        limits: RequestLimits,
    ) -> None:
        self.provider, self.model, self.dimensions = provider, model, dimensions
        self._known = known_model(model)
        known_max = self._known.max_tokens if self._known else UNKNOWN_MAX_TOKENS
        self.max_tokens = limits.max_tokens or known_max
        self._endpoint, self._limits = endpoint, limits
        self._asked = Asked(describe(title, endpoint), model, endpoint, EMBEDDING)

    @abstractmethod
    def _ask(
        self, texts: Sequence[str], purpose: Purpose, seconds: float
    ) -> RawEmbeddings:
        """Return the raw vectors of one call; ProviderError when there are none."""

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return one row a text, in the order given."""
        parts = sorted(self.embed_parts(texts), key=lambda part: part.first)
        if not parts:
            return np.empty((0, self.dimensions), np.float32)
        return np.concatenate([part.vectors for part in parts])

    def embed_parts(self, texts: Sequence[str]) -> Iterator[EmbeddedBatch]:
        """Yield the vectors call by call; the first failure comes last."""
        calls = self._plan(texts)
        failure: ProviderError | None = None
        with ThreadPoolExecutor(self._limits.concurrency, "embed") as pool:
            waiting = {pool.submit(self._embed, texts, call) for call in calls}
            for done in as_completed(waiting):
                if done.cancelled():
                    continue
                try:
                    yield done.result()
                except ProviderError as error:
                    failure = failure or error
                    _call_off(waiting)
        if failure is not None:
            raise failure

    def embed_query(self, text: str) -> Vector:
        """Return the vector to compare with those of documents; gives up soon."""
        seconds = self._limits.query_timeout_seconds
        answer = self._ask([self.fit(text)], "query", seconds)
        vector: Vector = self._matrix(answer, 1)[0]
        return vector

    def count_tokens(self, text: str) -> int:
        """Return about how many tokens the text has."""
        return estimate_tokens(text)

    def count_calls(self, texts: Sequence[str]) -> int:
        """Return how many requests the texts take."""
        return len(self._plan(texts))

    def fit(self, text: str) -> str:
        """Return the text's beginning, as far as the model reads."""
        return cut_to_tokens(text, self.max_tokens)

    def health(self) -> Health:
        """Return whether the model answers."""
        try:
            self.embed_query("health")
        except ProviderError as error:
            return Health(False, f"Error: {error.message}")
        return Health(True, "Server is healthy")

    def _plan(self, texts: Sequence[str]) -> list[range]:
        tokens = [estimate_tokens(text) for text in texts]
        if max(tokens, default=0) > self.max_tokens:
            raise EmbeddingInvalidArgument(
                gettext(
                    "A text of about %(size)s tokens is too long for %(model)s "
                    "(%(most)s). Send less of it."
                )
                % {"size": max(tokens), "model": self.model, "most": self.max_tokens}
            )
        return plan_calls(
            tokens,
            most_texts=self._limits.batch_texts,
            most_tokens=self._limits.batch_tokens,
        )

    def _embed(self, texts: Sequence[str], call: range) -> EmbeddedBatch:
        chosen = [texts[position] for position in call]
        answer = self._ask(chosen, "document", self._limits.timeout_seconds)
        tokens = answer.tokens or sum(map(estimate_tokens, chosen))
        return EmbeddedBatch(call.start, self._matrix(answer, len(chosen)), tokens)

    def _matrix(self, answer: RawEmbeddings, count: int) -> Matrix:
        """Return the rows L2-normed, once their number and sizes are right."""
        rows = answer.vectors
        if len(rows) != count:
            raise self._odd(f"{len(rows)} vectors for {count} texts")
        sizes = {len(row) for row in rows}
        if len(sizes) != 1 or (self.dimensions and sizes != {self.dimensions}):
            raise self._mismatch(max(sizes))
        try:
            matrix = np.asarray(rows, np.float32)
        except (TypeError, ValueError):
            raise self._odd("vectors that are not numbers") from None
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not (np.isfinite(norms).all() and norms.all()):
            raise self._odd("vectors without direction")
        return np.asarray(matrix / norms, np.float32)

    def _mismatch(self, size: int) -> EmbeddingInternal:
        return EmbeddingInternal(
            gettext(
                "%(who)s returned %(size)s dimensions for “%(model)s”, which is set up "
                "with %(expected)s. Set it up again: devrag embeddings use "
                "%(provider)s/%(model)s --dimensions %(size)s"
            )
            % {
                "who": self._asked.who,
                "size": size,
                "model": self.model,
                "expected": self.dimensions,
                "provider": self.provider,
            },
            permanent=True,
        )

    def _odd(self, what: str) -> EmbeddingInternal:
        log.warning("odd answer", provider=self.provider, model=self.model, got=what)
        return EmbeddingInternal(
            gettext(
                "%(who)s returned an invalid response (%(what)s). Check that it is an "
                "embedding API: %(setting)s."
            )
            % {
                "who": self._asked.who,
                "what": what,
                "setting": self._endpoint.url_setting,
            }
        )


def _call_off(waiting: set[Future[EmbeddedBatch]]) -> None:
    """Let no further call start; those at work go on to their end."""
    for future in waiting:
        future.cancel()
