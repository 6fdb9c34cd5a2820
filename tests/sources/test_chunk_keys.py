from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.sources.chunk_keys import chunk_key, split_chunk_key


def test_a_key_is_path_and_index() -> None:
    assert chunk_key("notes/a.md", 0) == "notes/a.md::chunk_0"


@given(st.text(min_size=1), st.integers(0, 999_999_999))
def test_a_key_is_split_where_it_was_joined(path: str, ordinal: int) -> None:
    assert split_chunk_key(chunk_key(path, ordinal)) == (path, ordinal)


@pytest.mark.parametrize(
    "text", ["", "a.md", "a.md:3", "::chunk_1", "a::chunk_", "a::chunk_1x"]
)
def test_other_texts_are_no_keys(text: str) -> None:
    assert split_chunk_key(text) is None
