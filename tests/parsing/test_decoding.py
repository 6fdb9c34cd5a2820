from __future__ import annotations

import codecs
import random
import struct
import time

import pytest

from devrag.parsing.api import decode

JAPANESE = "# 設定を読み込む\ndef load():\n    return 1\n"


@pytest.mark.parametrize(
    ("data", "is_binary"),
    [
        (b"a" * 1023 + b"\x00", True),  # the first 1024 bytes count
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


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", [JAPANESE, "int main() { return 0; }\n", "größer\n" * 9]
)
def test_utf_16_is_known_without_a_mark(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded is not None
    assert (decoded.text, decoded.encoding) == (text, encoding)


@pytest.mark.parametrize("encoding", ["utf-32", "utf-16"])
def test_a_mark_tells_the_width(encoding: str) -> None:
    decoded = decode(JAPANESE.encode(encoding))
    assert decoded is not None
    assert decoded.text == JAPANESE


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<200i", *range(200)),
        struct.pack("<200h", *range(-100, 100)),
        struct.pack("<100d", *(n / 7 for n in range(100))),
        b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 4,
        b"PK\x03\x04\x14\x00\x00\x00\x08\x00" + bytes(range(255, -1, -1)) * 4,
        b"GIF89a\x10\x00\x10\x00" + random.Random(1).randbytes(1014),
    ],
)
def test_numbers_and_programs_are_not_taken_for_utf_16(data: bytes) -> None:
    assert decode(data) is None


@pytest.mark.parametrize("text", ["temperature 20°C", "£5 – “quoted”", "café"])
def test_signs_and_accents_are_not_taken_for_japanese(text: str) -> None:
    decoded = decode(f"// {text}\nint x = 1;\n".encode("cp1252"))
    assert decoded is not None
    assert decoded.text == f"// {text}\nint x = 1;\n"


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp"])
def test_japanese_far_into_one_long_line_is_read(encoding: str) -> None:
    text = "x" * 300_000 + "設定を読み込む" + "y" * 300_000
    decoded = decode(text.encode(encoding))
    assert decoded is not None
    assert decoded.text == text


@pytest.mark.slow
def test_a_long_line_of_any_kind_is_read_in_bounded_time() -> None:
    before = time.thread_time()
    for line in (b"a" * 10_000_000, "é".encode() * 5_000_000, b"\xe9" * 10_000_000):
        assert decode(line) is not None
    assert time.thread_time() - before < 20


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
