"""English inflections: plurals, -ed and -ing; nothing that changes the sense.

A stem need not be a word: `charges`, `charged` and `charging` share `charg`. Only what
is inflected carries its stem in the index; a question asks for the plain forms as well.
"""

from __future__ import annotations

import re
from functools import lru_cache

# No token begins so: a stem is never taken for a word, nor part of a phrase.
STEM_MARK = "~"
_MIN_CHARS = 4
_LAST_OF_INFLECTED = frozenset("sdg")
_VOWELS = re.compile(r"[aeiouy]+")
_OFTEN_DOUBLE = "lsz"
_INFLECTED = re.compile(r"(?P<base>.{2,}[^e])(?:ing|ed)")
_PLURAL = re.compile(r"(?P<base>.+?(?:(?<=ss|ch|sh|zz|.x)e(?=s)|[^sui](?=s)))s")


def stem(word: str) -> str:
    """Return what the inflections of a lower-case word share.

    >>> [stem(word) for word in ("queries", "query", "mapped", "string", "class")]
    ['queri', 'queri', 'map', 'string', 'class']
    """
    if len(word) < _MIN_CHARS or not (word.isascii() and word.isalpha()):
        return word
    if word.endswith(("ies", "ied")) and len(word) > _MIN_CHARS:
        return word[:-2]
    plural = _PLURAL.fullmatch(word)
    base = plural["base"] if plural else word
    inflected = _INFLECTED.fullmatch(base)
    if inflected and _VOWELS.search(inflected["base"]):
        base = inflected["base"]
    return _without_ending(base)


def _without_ending(base: str) -> str:
    """Turn y to i, drop a final e and one of two consonants: cache, mapp, cancell."""
    if base[-1] == "y" and base[-2] not in "aeou":
        return base[:-1] + "i"
    base = base.removesuffix("e")
    if len(base) < _MIN_CHARS or base[-1] != base[-2] or base[-1] in "aeiou":
        return base
    # call, miss, buzz keep theirs: `calling` is not of `cal`.
    return base[:-1] if base[-1] not in _OFTEN_DOUBLE or _is_long(base) else base


def _is_long(base: str) -> bool:
    return len(_VOWELS.findall(base)) > 1


def plain_forms(stemmed: str) -> tuple[str, ...]:
    """Return the words without an inflection that may have this stem."""
    last = stemmed[-1]
    if last == "i":
        return (stemmed, stemmed + "e", stemmed[:-1] + "y")
    doubled = last in _OFTEN_DOUBLE and _is_long(stemmed)
    return (stemmed, stemmed + "e", *([stemmed + last] if doubled else []))


@lru_cache(maxsize=1 << 14)
def index_form(word: str) -> str:
    """Return the word; of an inflected one its marked stem as well."""
    # Said at once of most words: this runs for each one that is indexed.
    if word[-1:] not in _LAST_OF_INFLECTED:
        return word
    stemmed = stem(word)
    if stemmed == word or word in plain_forms(stemmed):
        return word
    return f"{word} {STEM_MARK}{stemmed}"


@lru_cache(maxsize=1 << 14)
def other_forms(word: str) -> tuple[str, ...]:
    """Return what a question for the word may match beside it, in the index's terms."""
    if not (word.isascii() and word.isalpha()):
        return ()
    stemmed = stem(word)
    stems = {STEM_MARK + stemmed, STEM_MARK + word}
    return tuple(sorted(stems | set(plain_forms(stemmed)) - {word}))
