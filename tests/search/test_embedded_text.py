"""What is embedded of a chunk, and by what its vector is found again."""

from __future__ import annotations

from typing import Any

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
    assert text == "tea.md Tea > Steeping\nThree minutes."


def test_of_code_the_beginning_is_embedded_of_documents_all() -> None:
    long = {"text": "x" * 2000}
    assert len(embedded_text(**CHUNK | long)) == 500 + len("till.py ")
    assert len(embedded_text(**CHUNK | long | {"kind": "section"})) > 2000


def test_a_name_that_is_a_hash_says_nothing() -> None:
    text = embedded_text(**CHUNK | {"header": f"notes/{'0a1b' * 8}.txt"})
    assert text == CHUNK["text"]


def test_a_renamed_file_keeps_its_vectors() -> None:
    renamed = CHUNK | {"header": "money/cash.py > Till > def pay(self)"}
    assert embedded_hash(**renamed) == embedded_hash(**CHUNK)


def test_another_class_does_not_share_a_vector() -> None:
    other = CHUNK | {"header": "shop/till.py > Safe > def pay(self)"}
    assert embedded_hash(**other) != embedded_hash(**CHUNK)
