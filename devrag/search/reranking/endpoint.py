"""The reranker that settings name, asked in time and left alone while it fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from functools import lru_cache

from django.conf import settings
from django.utils.translation import gettext

from devrag.core.time_limit import remaining_seconds
from devrag.llm.errors import RerankerError
from devrag.llm.providers import Endpoint, Reranker, RerankScores, build_reranker
from devrag.search.semantic.providers import ProviderCheck

# Of what is left of a search; reading the results needs the rest.
_SHARE_OF_TIME = 0.6
# For commands and jobs, which have no limit.
_PATIENT_SECONDS = 30.0
# With less no reranker is in time: that is not its failure.
_LEAST_SECONDS = 0.1
_REST_SECONDS, _LONGEST_REST_SECONDS = 10.0, 300.0
_THREADS = 8
_WORDS = ("harbour", "mountain")


class Rest:
    """How long a failing reranker is left alone: longer after each failure in a row.

    So that not each question waits for a server that is down.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._failures, self._until, self._reason = 0, 0.0, ""

    def check(self) -> None:
        """Raise RerankerError with the last failure's reason while it lasts."""
        if self._clock() < self._until:
            raise RerankerError(self._reason)

    def note_failure(self, error: RerankerError) -> None:
        """Begin a rest, as long as the server asks if it does."""
        with self._lock:
            usual = _REST_SECONDS * 2.0 ** min(self._failures, 10)
            seconds = max(error.retry_after_seconds, usual)
            self._failures += 1
            self._until = self._clock() + min(seconds, _LONGEST_REST_SECONDS)
            self._reason = error.message

    def end(self) -> None:
        """Forget failures: it answered, or another one is asked."""
        with self._lock:
            self._failures, self._until = 0, 0.0


_rest = Rest()


def is_reranker_set() -> bool:
    """Return whether results are reranked at all."""
    return bool(settings.RERANK_BASE_URL)


def active_reranker() -> Reranker | None:
    """Return the reranker that settings name, None without one."""
    if not is_reranker_set():
        return None
    endpoint = Endpoint(
        base_url=settings.RERANK_BASE_URL,
        key=settings.RERANK_API_KEY,
        key_setting="RERANK_API_KEY",
        url_setting="RERANK_BASE_URL",
    )
    return _built(settings.RERANK_MODEL, endpoint)


@lru_cache(maxsize=1)
def _built(model: str, endpoint: Endpoint) -> Reranker:
    """Return a reranker; once a process, as it keeps its connections."""
    return build_reranker(model, endpoint)


def ask_in_time(reranker: Reranker, query: str, texts: Sequence[str]) -> RerankScores:
    """Return the scores, within a part of what is left of the search.

    Asked once. Raises RerankerError at once while it rests, or when it fails, or in
    time when it takes too long.
    """
    _rest.check()
    left = remaining_seconds()
    seconds = _PATIENT_SECONDS if left is None else left * _SHARE_OF_TIME
    if seconds < _LEAST_SECONDS:
        raise RerankerError(gettext("The time limit left no time for the reranker."))
    # In a thread: a server that sends a byte now and then must not hold the search.
    # The client's own limit comes later, so that a slow answer has one message.
    future = _threads().submit(reranker.rerank, query, texts, seconds + 1.0)
    try:
        scores = future.result(seconds)
    except (TimeoutError, CancelledError):
        future.cancel()
        late = _too_late()
        _rest.note_failure(late)
        raise late from None
    except RerankerError as error:
        _rest.note_failure(error)
        raise
    _rest.end()
    return scores


def check_reranker() -> ProviderCheck | None:
    """Ask for the scores of two words; RerankerError says why there are none.

    None where no reranker is set.
    """
    reranker = active_reranker()
    if reranker is None:
        return None
    began = time.perf_counter()
    reranker.rerank(_WORDS[0], _WORDS, _PATIENT_SECONDS)
    _rest.end()
    return ProviderCheck(round(1000 * (time.perf_counter() - began)), reranker.name)


def _too_late() -> RerankerError:
    address = settings.RERANK_BASE_URL.rstrip("/")
    return RerankerError(
        gettext("The reranker at %(address)s did not respond in time.")
        % {"address": address}
    )


@lru_cache(maxsize=1)
def _threads() -> ThreadPoolExecutor:
    """Return the threads; made by the first query, so that no fork inherits them."""
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="rerank")


def forget_failures() -> None:
    """Ask the reranker again at once."""
    _rest.end()
