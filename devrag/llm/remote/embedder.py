"""An Embedder behind HTTP, through the official client of OpenAI."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property

from openai import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    DefaultHttpxClient,
    Omit,
    OpenAI,
    OpenAIError,
)

from devrag.llm.remote.batched import BatchedEmbedder
from devrag.llm.remote.embedding_adapters import (
    EmbeddingAdapter,
    Purpose,
    RawEmbeddings,
)
from devrag.llm.remote.endpoint import Endpoint, RequestLimits
from devrag.llm.remote.failures import check_key, of_connection, of_status, of_timeout


class RemoteEmbedder(BatchedEmbedder):
    """A model of an API that is posted to."""

    def __init__(
        self,
        provider: str,
        model: str,
        *,
        dimensions: int,
        adapter: EmbeddingAdapter,
        endpoint: Endpoint,
        limits: RequestLimits,
    ) -> None:
        super().__init__(
            provider,
            model,
            title=adapter.title,
            dimensions=dimensions,
            endpoint=endpoint,
            limits=limits,
        )
        self._adapter = adapter
        self._base_url = (endpoint.base_url or adapter.base_url).rstrip("/")
        self._lock = threading.Lock()

    def _ask(
        self, texts: Sequence[str], purpose: Purpose, seconds: float
    ) -> RawEmbeddings:
        check_key(self._asked)
        is_cuttable = self._known is not None and self._known.is_cuttable
        wanted = self.dimensions if is_cuttable and self.dimensions else None
        try:
            data = self._client.post(
                self._adapter.path(self.model),
                cast_to=object,
                body=self._adapter.body(self.model, texts, purpose, wanted),
                options={
                    "timeout": seconds,
                    "headers": {
                        "Authorization": Omit(),
                        **self._adapter.headers(self._endpoint.key),
                    },
                },
            )
            return self._adapter.read(data)
        except APITimeoutError:
            raise of_timeout(self._asked, seconds) from None
        except APIConnectionError as error:
            raise of_connection(self._asked, error) from None
        except APIStatusError as error:
            raise of_status(self._asked, error) from None
        except (AttributeError, KeyError, TypeError, ValueError, OpenAIError):
            raise self._odd("something that is no list of vectors") from None

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
