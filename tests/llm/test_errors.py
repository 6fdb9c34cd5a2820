from __future__ import annotations

import pytest

from devrag.core.errors import ProviderError
from devrag.llm import errors


@pytest.mark.parametrize(
    ("kind", "status", "is_permanent"),
    [
        (errors.EmbeddingUnavailable, 503, False),
        (errors.EmbeddingInvalidArgument, 400, True),
        (errors.EmbeddingResourceExhausted, 429, False),
        (errors.EmbeddingModelNotFound, 404, True),
        (errors.EmbeddingInternal, 500, False),
        (errors.ChatUnavailable, 503, False),
        (errors.ChatInvalidArgument, 400, True),
        (errors.ChatResourceExhausted, 429, False),
        (errors.ChatModelNotFound, 404, True),
        (errors.ChatRefused, 422, True),
        (errors.ChatInternal, 500, False),
    ],
)
def test_each_failure_has_its_status(
    kind: type[ProviderError], status: int, *, is_permanent: bool
) -> None:
    error = kind("reason")
    assert (error.http_status, error.permanent) == (status, is_permanent)
