"""What is embedded of a chunk, and by what its vector is found again."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.search.semantic.embedded_text import embedded_hash, embedded_text

CHUNK: dict[str, Any] = {
    "kind": "symbol",
    "header": "shop/till.py > Till > def pay(self)",
    "heading": "",
    "text": "def pay(self):\n    return self.total",
}


def test_the_name_of_the_file_and_the_class_lead() -> None:
    assert embedded_text(**CHUNK) == (
        "till.py Till > def pay(self)\ndef pay(self):\n    return self.total"
    )


def test_a_section_leads_with_its_heading() -> None:
    section = {"kind": "section", "header": "docs/tea.md", "heading": "Tea > Steeping"}
    text = embedded_text(**section, text="Three minutes.")
    assert text == "Tea > Steeping\nThree minutes."


@pytest.mark.parametrize(("kind", "name"), [("symbol", "till.py "), ("section", "")])
def test_the_beginning_is_embedded(kind: str, name: str) -> None:
    text = embedded_text(**CHUNK | {"text": "x" * 2000, "kind": kind})
    assert text == f"{name}Till > def pay(self)\n{'x' * 2000}"[: 500 + len(name)]


def test_a_name_that_is_a_hash_says_nothing() -> None:
    text = embedded_text(**CHUNK | {"header": f"notes/{'0a1b' * 8}.txt"})
    assert text == CHUNK["text"]


def hashed(chunk: dict[str, Any]) -> dict[str, str]:
    return {name: chunk[name] for name in ("header", "heading", "text")}


def test_a_renamed_file_keeps_its_vectors() -> None:
    renamed = CHUNK | {"header": "money/cash.py > Till > def pay(self)"}
    assert embedded_hash(**hashed(renamed)) == embedded_hash(**hashed(CHUNK))


def test_another_class_does_not_share_a_vector() -> None:
    other = CHUNK | {"header": "shop/till.py > Safe > def pay(self)"}
    assert embedded_hash(**hashed(other)) != embedded_hash(**hashed(CHUNK))
