"""A reranker behind HTTP, through the same client as remote embedders."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from urllib.parse import urlsplit

import structlog
from openai import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    DefaultHttpxClient,
    Omit,
    OpenAI,
    OpenAIError,
)

from devrag.core.texts import gettext
from devrag.llm.errors import RerankerError
from devrag.llm.remote.endpoint import Endpoint
from devrag.llm.remote.failures import (
    RERANK,
    Asked,
    describe,
    of_connection,
    of_status,
    of_timeout,
)
from devrag.llm.remote.rerank_formats import (
    COMMON,
    TEI,
    OddScores,
    RerankFormat,
    read_scores,
    read_tokens,
)
from devrag.llm.remote.tokens import cut_to_tokens, estimate_tokens
from devrag.llm.reranker import RerankScores

log = structlog.get_logger("devrag.reranking")
# What the usual models read, a question of usual length included.
_MAX_TOKENS = 480
_MAX_QUERY_TOKENS = 128
# A server that knows the other format alone misses a field in this one.
_OTHER_FORMAT = (400, 422)


class _FormatRefused(RerankerError):
    """The server refuses a request that another format may get through."""


class RemoteReranker:
    """A reranker at an address; which format it speaks shows at the first request."""

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        self._base_url = endpoint.base_url.rstrip("/").removesuffix("/rerank")
        self.name = model or urlsplit(self._base_url).netloc
        self._model, self._endpoint = model, endpoint
        self._asked = Asked(
            describe("The reranker", endpoint), self.name, endpoint, RERANK
        )
        self._format: RerankFormat | None = None
        self._lock = threading.Lock()

    def fit(self, text: str) -> str:
        """Return the text's beginning, as far as the model reads."""
        return cut_to_tokens(text, _MAX_TOKENS)

    def rerank(self, query: str, texts: Sequence[str], seconds: float) -> RerankScores:
        """Return the scores of texts that fit, in their order; RerankerError if none.

        seconds: how long to wait for each answer.
        """
        asked = cut_to_tokens(query, _MAX_QUERY_TOKENS)
        if self._format is not None:
            return self._ask(self._format, asked, texts, seconds)
        try:
            scores = self._ask(COMMON, asked, texts, seconds)
            self._format = COMMON
        except _FormatRefused as refused:
            try:
                scores = self._ask(TEI, asked, texts, seconds)
            except _FormatRefused:
                raise refused from None
            self._format = TEI
        return scores

    def _ask(
        self, chosen: RerankFormat, query: str, texts: Sequence[str], seconds: float
    ) -> RerankScores:
        scores: list[float] = []
        tokens = 0
        for part in _parts(texts, chosen.most_texts):
            data = self._post(chosen.body(self._model, query, part), seconds)
            try:
                scores += read_scores(data, len(part))
            except OddScores as error:
                raise self._odd(str(error)) from None
            tokens += read_tokens(data) or sum(map(estimate_tokens, (query, *part)))
        return RerankScores(tuple(scores), tokens)

    def _post(self, body: dict[str, object], seconds: float) -> object:
        key = self._endpoint.key
        login = {"Authorization": f"Bearer {key}" if key else Omit()}
        try:
            return self._client.post(
                "/rerank",
                cast_to=object,
                body=body,
                options={"timeout": seconds, "headers": login},
            )
        except APITimeoutError:
            raise of_timeout(self._asked, seconds) from None
        except APIConnectionError as error:
            raise of_connection(self._asked, error) from None
        except APIStatusError as error:
            raise self._refusal(error) from None
        except (ValueError, OpenAIError):
            raise self._odd("something that is no list of scores") from None

    def _refusal(self, error: APIStatusError) -> Exception:
        failure = of_status(self._asked, error)
        if error.status_code not in _OTHER_FORMAT:
            return failure
        self._format = None  # another server may have taken the address over
        return _FormatRefused(failure.message, permanent=failure.permanent)

    def _odd(self, what: str) -> RerankerError:
        log.warning("odd answer", model=self.name, got=what)
        return RerankerError(
            gettext(
                "%(who)s returned an invalid response (%(what)s). Check that it is a "
                "reranking API: %(setting)s."
            )
            % {
                "who": self._asked.who,
                "what": what,
                "setting": self._endpoint.url_setting,
            }
        )

    @property
    def _client(self) -> OpenAI:
        with self._lock:
            return self._one_client

    @cached_property
    def _one_client(self) -> OpenAI:
        # Redirects off: the key goes to the address that was set, nowhere else.
        return OpenAI(
            api_key="in the headers of each request",
            base_url=self._base_url,
            max_retries=0,
            http_client=DefaultHttpxClient(follow_redirects=False),
        )


def _parts(texts: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), most):
        yield texts[start : start + most]
