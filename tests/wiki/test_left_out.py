"""What a page does not quote of a document: named, with its first rule."""

from __future__ import annotations

import re

import pytest

from devrag.wiki.analysis.documents import read_sections
from tests.wiki.written import write

_LONG = "\n".join(f"step_{n}()" for n in range(40))
PREAMBLE = """\
# Guidelines

These guidelines tell how the services of the shop are written and reviewed.

# Why guidelines matter

Reading takes longer than writing, so that code should be written for its readers.
{filler}

## Samples

Samples show one thing at a time. Never copy a sample that you do not understand.

# Names

## Packages

Names of packages must be in lower case.

## Classes

- Names of classes begin with a capital letter
- Names of records are nouns

# Errors

## Retries

Retries should wait longer each time.

```python
{long}
```

## Ports

| Port | Address |
| - | - |
| 80 | https://shop.example/80 |
| 81 | https://shop.example/81 |

## References

- https://shop.example/guide
"""
FILLER = "They agree on what is usual, so that a review is about what matters. " * 30
CHAPTER = "# Chapter {0}\n\nEvery service must log what it does in case {0}. {1}\n\n"
DETAIL = "What is logged is kept for a month and read by those on duty. " * 16


def _document() -> str:
    text = PREAMBLE.format(filler=FILLER, long=_LONG)
    return text + "".join(CHAPTER.format(n, DETAIL) for n in range(30))


def _pages(text: str) -> str:
    tree = {"README.md": "# Rules\n\nThe rules of the shop.\n", "guide.md": text}
    for name in ("stock", "orders", "bills"):
        tree[f"{name}/{name}.md"] = f"# {name}\n\nHow {name} are kept in the shop.\n"
    drafts = write(tree).values()
    assert [draft.findings for draft in drafts if draft.findings] == []
    text = "\n".join(draft.markdown for draft in drafts)
    return re.sub(r"\s?\[[^\]]*\]\(cite:\d+\)", "", text)


@pytest.fixture(scope="module")
def page() -> str:
    return _pages(_document())


def test_every_heading_is_quoted_or_named(page: str) -> None:
    titles = {section.title for section in read_sections(_document()) if section.title}
    named = set(re.findall(r"^ *(?:#+|-) (?:\*\*)?([^*:\n]+)", page, re.MULTILINE))
    further = re.search(r"Further chapters: (.*)\.", page)
    named |= set(re.split(", | and ", further[1])) if further else set()
    assert titles - named == set()


def test_a_chapter_that_is_not_quoted_shows_its_rule(page: str) -> None:
    rule = "Reading takes longer than writing, so that code should be written for"
    assert f"- **Why guidelines matter**: {rule} its readers." in page


def test_what_is_left_out_of_a_section_is_counted(page: str) -> None:
    retries = page.partition("# Retries\n")[2].partition("\n#")[0]
    assert "Left out here: 1 code sample." in retries


def test_the_preamble_of_a_long_document_is_short(page: str) -> None:
    assert "so that a review is about what matters" not in page


def test_a_document_that_fits_has_no_list_of_what_is_left_out() -> None:
    page = _pages("# Guidelines\n\n## Names\n\nNames of packages are in lower case.\n")
    assert "not quoted" not in page
