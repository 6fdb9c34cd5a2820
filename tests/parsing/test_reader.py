"""The program that reads Office documents, within its bounds."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.parsing.office import reader

from .office_files import word


def _guide() -> bytes:
    def build(document: Any) -> None:
        for _ in range(50):
            document.add_paragraph("Boil water. " * 10)

    return word(build)


_CUT = ["the rest is left out: the document is too long to read"]


def test_a_document_of_too_many_characters_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, "MAX_CHARACTERS", 1000)
    found = reader.read(_guide())
    assert 500 < len(found["text"]) < 1100
    assert found["warnings"] == _CUT


def test_a_document_that_takes_too_long_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, "SECONDS", -1.0)
    assert reader.read(_guide()) == {"text": "", "warnings": _CUT}


def test_memory_that_runs_out_is_the_document_s_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> Any:
        raise MemoryError

    monkeypatch.setattr(reader, "read_word", fail)
    assert reader.read(_guide()) == {
        "error": "broken Office document (too large when unpacked)"
    }


def test_what_a_reader_does_not_expect_is_the_document_s_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> Any:
        raise KeyError("odd")

    monkeypatch.setattr(reader, "read_word", fail)
    assert reader.read(_guide()) == {"error": "broken Office document ('odd')"}
