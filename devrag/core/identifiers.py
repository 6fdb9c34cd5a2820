"""The words that an identifier is written from."""

from __future__ import annotations

import re

# An abbreviation ends before the next word, and may have a plural: parse|URLs|From.
_WORDS = re.compile(
    r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+"
)


def words_of(identifier: str) -> list[str]:
    """Return the words of camelCase, snake_case and what else a text has, as written.

    >>> words_of("HTTPServer_new2"), words_of("findURLsOf"), words_of("税率taxRate")
    (['HTTP', 'Server', 'new', '2'], ['find', 'URLs', 'Of'], ['税率', 'tax', 'Rate'])
    """
    return _WORDS.findall(identifier)
