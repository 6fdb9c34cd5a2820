"""Git LFS pointers are told from texts that only look like them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.sources.lfs import lfs_size

OID = b"oid sha256:" + b"4d7a" * 16 + b"\n"
VERSION = b"version https://git-lfs.github.com/spec/v1\n"


@pytest.mark.parametrize(
    "data",
    [
        VERSION + OID + b"size 12345\n",
        VERSION + b"ext-0-foo sha256:" + b"0" * 64 + b"\n" + OID + b"size 12345\n",
        (VERSION + OID + b"size 12345\n").replace(b"\n", b"\r\n"),
        VERSION.replace(b"git-lfs", b"hawser") + OID + b"size 12345\n",
    ],
)
def test_pointers_tell_their_size(data: bytes) -> None:
    assert lfs_size(data) == 12345


@pytest.mark.parametrize(
    "data",
    [
        b"",
        VERSION,
        VERSION + OID,
        VERSION + OID + b"size many\n",
        VERSION + OID + b"size 1\n\nThis is how a pointer looks.\n",
        b"A pointer:\n" + VERSION + OID + b"size 1\n",
        VERSION.replace(b"git-lfs", b"other") + OID + b"size 1\n",
        VERSION + b"x-pad " + b"a" * 1024 + b"\n" + OID + b"size 1\n",
    ],
)
def test_other_texts_are_no_pointers(data: bytes) -> None:
    assert lfs_size(data) is None


@given(st.binary(max_size=2000))
def test_any_bytes_have_an_answer(data: bytes) -> None:
    assert lfs_size(data) is None
    assert lfs_size(VERSION + data) is None or b"size " in data
