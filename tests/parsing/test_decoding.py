from __future__ import annotations

import codecs

import pytest

from devrag.parsing.api import decode

JAPANESE = "# 設定を読み込む\ndef load():\n    return 1\n"


@pytest.mark.parametrize(
    ("data", "is_binary"),
    [
        (b"a" * 1023 + b"\x00", True),  # T18
        (b"a" * 1024 + b"\x00", False),
        (b"\x00", True),
        (b"", False),
    ],
)
def test_a_nul_in_the_first_kilobyte_means_binary(data: bytes, is_binary: bool) -> None:
    assert (decode(data) is None) == is_binary


@pytest.mark.parametrize(
    "encoding", ["utf-8", "cp932", "euc_jp", "iso2022_jp", "utf-16"]
)
def test_japanese_is_read_in_its_encoding(encoding: str) -> None:
    decoded = decode(JAPANESE.encode(encoding))
    assert decoded is not None
    assert (decoded.text, decoded.warnings) == (JAPANESE, ())


def test_latin_1_is_read() -> None:
    text = "für Größe und Straße, café\n"
    decoded = decode(text.encode("latin_1"))
    assert decoded is not None
    assert decoded.text == text


def test_a_byte_order_mark_is_dropped() -> None:
    decoded = decode(codecs.BOM_UTF8 + b"x\n")
    assert decoded is not None
    assert decoded.text == "x\n"


def test_damaged_utf_8_is_kept_with_a_warning() -> None:
    decoded = decode(JAPANESE.encode() + b"\xff tail\n")
    assert decoded is not None
    assert decoded.text == JAPANESE + "\ufffd tail\n"
    assert decoded.warnings == (
        "1 undecodable bytes were replaced while reading as utf-8",
    )


def test_line_ends_and_nuls_are_cleaned() -> None:
    decoded = decode(b"a\r\nb\rc" + b" " * 1024 + b"\x00")
    assert decoded is not None
    assert decoded.text == "a\nb\nc" + " " * 1024 + "\ufffd"
