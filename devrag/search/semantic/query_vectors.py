"""Vectors of queries: made in threads of their own, kept, and waited for only so long.

A model may be loading, busy or far away. Who asks again finds the vector that came too
late for the first answer.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import lru_cache

from django.utils.translation import gettext

from devrag.llm.embedder import Embedder, Vector
from devrag.llm.errors import EmbeddingUnavailable

_KEPT, _THREADS = 2048, 4
Key = tuple[int, str]


class EmbeddingLate(EmbeddingUnavailable):
    """The model did not answer in time; it may be at work still."""


class QueryVectors:
    """The vectors that this process knows, by spec and text."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._futures: OrderedDict[Key, Future[Vector]] = OrderedDict()
        self._late: set[Future[Vector]] = set()

    def get(self, key: Key, embedder: Embedder, seconds: float | None) -> Vector:
        """Return the vector of key's text; EmbeddingLate when it takes longer.

        A failure of the model is raised as it is, and not kept.
        """
        future = self._find(key, embedder)
        try:
            return future.result(seconds)
        except TimeoutError as error:
            if future.done():  # the model's own, or it ended in this very moment
                return future.result()
            self._give_up(key, future)
            raise _too_late(seconds or 0.0) from error
        except CancelledError as error:
            raise _too_late(seconds or 0.0) from error

    def clear(self) -> int:
        """Forget all; return how many there were."""
        with self._lock:
            count = len(self._futures)
            self._futures.clear()
        return count

    def _find(self, key: Key, embedder: Embedder) -> Future[Vector]:
        with self._lock:
            future = self._futures.get(key)
            if future is None:
                if len(self._late) >= _THREADS:
                    raise _too_late(0.0)  # all threads wait for the model already
                future = _threads().submit(self._embed, key, embedder)
                self._futures[key] = future
            self._futures.move_to_end(key)
            if len(self._futures) > _KEPT:
                self._futures.popitem(last=False)
            return future

    def _embed(self, key: Key, embedder: Embedder) -> Vector:
        """Ask the model; forget its failure, also one that nobody waits for."""
        try:
            return embedder.embed_query(key[1])
        except BaseException:
            self._forget(key)
            raise

    def _give_up(self, key: Key, future: Future[Vector]) -> None:
        """Let a call that has not begun be; note one that is at work."""
        if future.cancel():
            self._forget(key)
            return
        with self._lock:
            self._late.add(future)
        future.add_done_callback(self._note_end)

    def _note_end(self, future: Future[Vector]) -> None:
        with self._lock:
            self._late.discard(future)

    def _forget(self, key: Key) -> None:
        with self._lock:
            self._futures.pop(key, None)


@lru_cache(maxsize=1)
def _threads() -> ThreadPoolExecutor:
    """Return the threads; made by the first query, so that no fork inherits them."""
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="query-vector")


def _too_late(seconds: float) -> EmbeddingLate:
    return EmbeddingLate(
        gettext(
            "The embedding model is busy and did not respond within %(seconds)s s. "
            "Try again in a few seconds."
        )
        % {"seconds": f"{seconds:.1f}"},
        retry_after_seconds=5.0,
    )
