"""Two editions of a document are compared chapter by chapter."""

from __future__ import annotations

from devrag.wiki.analysis.documents import Section, read_sections
from devrag.wiki.analysis.edition_differences import Comparison, compare_editions

ONE = """\
# Words

## Reserved words

Write reserved words in capitals. Do not shorten them.

## Layout

Begin each clause in a line of its own.

```sql
SELECT A
FROM B
```

## Rows

| Size | Time |
| - | - |
| 10 | 1 |

## Merging

Use MERGE for both cases.

## Licence

Free to use in 2001.
"""
OTHER = """\
# Words

## Layout

Begin each clause  in a line
of its own.

```sql
select a
from b
```

## Reserved words

Write reserved words in lower case. Do not shorten them.

## Limits

Use limit with an order.

# Results

## Rows

| Size | Time |
| - | - |
| 10 | 1 |

## Licence

Free to use in 2002.
"""


def _compared(one: str = ONE, other: str = OTHER) -> Comparison:
    return compare_editions(read_sections(one), read_sections(other))


def _titles(sections: tuple[Section, ...]) -> list[str]:
    return [section.title for section in sections]


def test_the_sentences_that_only_one_edition_has_are_found() -> None:
    (chapter,) = _compared().like("different")
    assert chapter.one.title == "Reserved words"
    assert [u.text for u in chapter.only_one] == ["Write reserved words in capitals."]
    (unit,) = chapter.only_other
    assert (unit.text, unit.start_line) == ("Write reserved words in lower case.", 15)


def test_capital_letters_alone_are_told_apart_from_other_differences() -> None:
    (chapter,) = _compared().like("letters")
    assert chapter.other.title == "Layout"
    assert (chapter.only_one, chapter.only_other) == ((), ())


def test_a_chapter_that_moved_is_the_same() -> None:
    (chapter,) = _compared().like("same")
    assert chapter.one.title == "Rows"


def test_chapters_of_one_edition_alone_are_named_and_licences_are_not() -> None:
    compared = _compared()
    assert _titles(compared.only_one) == ["Merging"]
    assert _titles(compared.only_other) == ["Limits"]


def test_a_line_of_code_is_found_at_its_own_line() -> None:
    other = ONE.replace("FROM B", "FROM C")
    (chapter,) = _compared(other=other).like("different")
    assert [(u.text, u.start_line) for u in chapter.only_one] == [("FROM B", 13)]


def test_a_document_is_the_same_as_itself() -> None:
    compared = _compared(other=ONE)
    assert len(compared.like("same")) == len(compared.chapters) == 4
    assert compared.only_one == compared.only_other == ()


def test_two_chapters_of_one_name_are_compared_in_their_order() -> None:
    text = "# A\n\n## B\n\nThe first one.\n\n## B\n\nThe second one.\n"
    assert len(_compared(text, text).like("same")) == 2
