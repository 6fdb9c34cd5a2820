"""What differs between two editions of a document."""

from __future__ import annotations

from devrag.ask.comparing.chapters import compare_chapters, read_chapters

OLD = """# Rules

## Names

Use short names.  Never use numbers.

## Dates

Use `Date`.

```java
new Date();
```

## Gone

Not any more.
"""
NEW = """# Rules

## Names

USE short  names. Never use numbers.

## Dates

Use `LocalDate`.

```java
LocalDate.now();
```

## New

From now on.
"""


def test_chapters_are_compared_by_their_headings() -> None:
    found = compare_chapters(read_chapters(OLD), read_chapters(NEW))
    assert [each.title for each in found.only_one] == ["Gone"]
    assert [each.title for each in found.only_other] == ["New"]
    (dates,) = found.changed
    assert dates.one.title == "Dates"
    assert [(e.line, e.text, e.is_code) for e in dates.only_one] == [
        (9, "Use Date.", False),
        (12, "new Date();", True),
    ]
    assert dates.only_other[0].text == "Use LocalDate."
    assert [each.one.title for each in found.same] == ["Rules", "Names"]
    assert found.are_editions


def test_documents_about_different_things_are_no_editions() -> None:
    found = compare_chapters(
        read_chapters("# A\n\nOne.\n\n## B\n\nTwo.\n"),
        read_chapters("# C\n\nOne.\n\n## D\n\nTwo.\n"),
    )
    assert not found.are_editions


def test_a_text_without_headings_has_no_chapters() -> None:
    assert read_chapters("Only words.\n") == []
    assert not compare_chapters([], []).changed


def test_chapters_of_one_name_are_told_apart_by_the_heading_above() -> None:
    text = "# A\n\n### Parameters\n\nNone.\n\n# B\n\n### Parameters\n\nSize is a {}.\n"
    new = "# New\n\n### Parameters\n\nMany.\n\n"
    found = compare_chapters(
        read_chapters(text.format("number")), read_chapters(new + text.format("text"))
    )
    assert [each.title for each in found.only_other] == ["New", "Parameters"]
    (changed,) = found.changed
    assert changed.only_one[0].text == "Size is a number."
    assert changed.only_other[0].text == "Size is a text."
