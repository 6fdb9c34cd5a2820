from __future__ import annotations

import pytest

from devrag.core.errors import ConfigurationError
from devrag.llm.errors import EmbeddingInternal, EmbeddingResourceExhausted
from devrag.llm.local.device import choose_device, has_cuda
from devrag.llm.local.runtime import describe_failure


@pytest.mark.parametrize(
    ("wanted", "is_there", "expected"),
    [
        ("auto", True, "cuda"),
        ("auto", False, "cpu"),
        ("cuda", True, "cuda"),
        ("cpu", True, "cpu"),
        ("tpu", True, "cpu"),
    ],
)
def test_where_it_computes(wanted: str, is_there: bool, expected: str) -> None:
    assert choose_device(wanted, has_cuda=is_there) == expected


def test_a_card_that_is_not_there_is_said_with_the_way_out() -> None:
    with pytest.raises(ConfigurationError, match=r"CUDA is not available.*device: cpu"):
        choose_device("cuda", has_cuda=False)


def test_the_pinned_onnxruntime_knows_no_card() -> None:
    assert not has_cuda()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (MemoryError(), EmbeddingResourceExhausted),
        (
            RuntimeError("BFCArena: Failed to allocate memory for requested buffer"),
            EmbeddingResourceExhausted,
        ),
        (RuntimeError("bad shape"), EmbeddingInternal),
    ],
)
def test_memory_of_a_card_that_ran_out_is_told_apart(
    error: Exception, kind: type[Exception]
) -> None:
    assert type(describe_failure(error, 9)) is kind
