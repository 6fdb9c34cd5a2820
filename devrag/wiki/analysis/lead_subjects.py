"""Whether a sentence is about what a title names, told from its words alone."""

from __future__ import annotations

import re
from collections.abc import Collection

from devrag.wiki.analysis.centrality import subject_of_definition
from devrag.wiki.analysis.topics.assignment import words_of

_LATIN_WORD = re.compile(r"[A-Za-z]\w*")


def names_head(title: str, sentence: str) -> bool:
    """Return whether a sentence has the word that says what the title's thing is.

    `Flags change how a command works.` is not about `Flag groups`.
    """
    words = _LATIN_WORD.findall(title)
    is_latin = words and title.isascii()
    return not is_latin or words[-1].lower().rstrip("s") in sentence.lower()


def tells_of_product(
    product: Collection[str], title: Collection[str], sentence: str
) -> bool:
    """Return whether a sentence says what the product has of a topic.

    `Click provides tab completion support for Bash, Zsh and Fish.` product, title:
    their words.
    """
    subject = words_of(subject_of_definition(sentence)).keys()
    own = set(title) - set(product)
    said = words_of(sentence).keys() & own
    is_of_product = bool(subject) and subject <= set(product)
    return is_of_product and bool(own) and 2 * len(said) >= len(own)
