"""Headings by which a newcomer can ask."""

from __future__ import annotations

from devrag.ask.telling_headings import telling_headings

TEXT = """# Introduction

- one
- two
- three

## Environments

| Name | Use |
|---|---|
| prod | live |
| stg | test |

## Naming

- Use kebab-case.
- No numbers.
- No dates.

## Prose

Only words.

## {code}

- a
- b
- c
"""


def test_what_has_rules_or_values_is_asked_for_rules_first() -> None:
    assert telling_headings(TEXT) == [("Naming", "rules"), ("Environments", "values")]


def test_other_documents_have_none() -> None:
    assert telling_headings("Only words.") == []
