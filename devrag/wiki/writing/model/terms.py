"""The product's words as it writes them: other forms of them are faults.

Settings give a form for a word (`cart` → `Basket`). A term of a source's own glossary
counts where its letters alone tell it, as in `GitHub`: another case is another form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from devrag.wiki.analysis.steering.types import Term
from devrag.wiki.evidence.blocks import plain

# Code and links: what stands there is called so elsewhere.
_NAMES = re.compile(r"(`++).+?(?<!`)\1(?!`)|\[(?:[^\]\\]|\\.)*\]\([^)\s]*\)")
_LONGEST = 40


def spellings_of(terms: Iterable[Term]) -> dict[str, str]:
    """Return the terms that have one spelling: capitals inside, no markup."""
    return {
        term.term: term.term
        for term in terms
        if term.term.isascii()
        and term.term.isalnum()
        and any(c.isupper() for c in term.term[1:])
        and len(term.term) <= _LONGEST
    }


def other_form(text: str, glossary: Mapping[str, str]) -> tuple[str, str] | None:
    """Return a word as the prose has it and as the glossary has it, None if none."""
    prose = plain(_NAMES.sub("`", text))
    for word, wanted in glossary.items():
        if found := _used(prose, word.strip(), wanted.strip()):
            return found, wanted
    return None


def _used(prose: str, word: str, wanted: str) -> str:
    if not word or not wanted:
        return ""
    if word.casefold() == wanted.casefold():
        return next((m for m in _matches(prose, word) if not m.startswith(wanted)), "")
    if word.casefold() in wanted.casefold():
        prose = _pattern(wanted).sub("", prose)
    return next(iter(_matches(prose, word)), "")


def _matches(prose: str, word: str) -> list[str]:
    return [match.group() for match in _pattern(word).finditer(prose)]


def _pattern(word: str) -> re.Pattern[str]:
    """Match a word, its simple plural too; Japanese has no blanks between words."""
    bare = re.escape(word)
    if not word.isascii():
        return re.compile(bare, re.IGNORECASE)
    return re.compile(
        rf"(?<![A-Za-z0-9_./-]){bare}(?:e?s)?(?![A-Za-z0-9_/-]|\.[A-Za-z0-9_])", re.I
    )
