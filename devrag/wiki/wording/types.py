"""What a language of the wiki can say; English says what stands in the code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.prose import counted, join_names, lower_first


class Wording:
    """English, and the base of the others."""

    language: ClassVar[str] = "en"
    name: ClassVar[str] = "English"

    def __init__(self, phrases: Mapping[str, str] | None = None) -> None:
        """phrases: English template → translation."""
        self._phrases: Mapping[str, str] = phrases or {}

    def extend(self, phrases: Mapping[str, str]) -> Self:
        """Return a wording that has these phrases, too."""
        return type(self)({**self._phrases, **phrases})

    def say(self, english: str, **places: object) -> str:
        """Return the sentence or title with its places filled."""
        return english.format(**places)

    def counted(self, number: int, noun: str) -> str:
        """Return `1 file`, `2 files`."""
        return counted(number, noun)

    def listed(self, names: Sequence[str], more: int = 0, noun: str = "") -> str:
        """Join phrases: `a`, `a and b`, `a, b and 3 more`, `a and 3 other files`."""
        if not more:
            return join_names(list(names))
        rest = self.counted(more, noun) if noun else f"{more} more"
        return join_names([*names, rest])

    def listed_open(self, names: Sequence[str]) -> str:
        """Join the first of many: `a, b and others`."""
        return f"{', '.join(names)} and others"

    def aside(self, quoted: str) -> str:
        """Return what the sources say as an aside, '' in another language.

        Within a sentence two languages are hard to read.
        """
        return "" if count_cjk(quoted) else self.bracketed(quoted)

    def bracketed(self, quoted: str) -> str:
        """Return what the sources say in parentheses behind a name of a list."""
        return f" ({self.continued(quoted)})"

    def title_of_topic(self, title: str) -> str:
        """Return the title that was found for a topic as this language has it."""
        return self.listed(self.terms_of_title(title))

    def heading(self, title: str) -> str:
        """Return the heading of a document as this language has it, if it can."""
        return title

    def terms_of_title(self, title: str) -> list[str]:
        """Return the terms that a title lists, as this language has them."""
        terms = re.split(r", | and ", title) if " and " in title else [title]
        return [self._phrases.get(term, term) for term in terms]

    def finish(self, block: str) -> str:
        """Return a block of a page as the language writes its marks."""
        return block

    def finish_page(self, markdown: str) -> str:
        """Return a page with what it says of the words of its sources."""
        return markdown

    def continued(self, sentence: str) -> str:
        """Return a sentence as it stands behind a colon."""
        return lower_first(sentence)
