"""What a product's team tells whoever writes its wiki: the only instructions there are.

language: `en`, `ja` or both (`en,ja`), the first the main one; audience: for whom;
notes: wishes; glossary: word → how it is written in the wiki.

A command reads them on a laptop, too, without Django: services say what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from devrag.core.errors import InvalidInput

TEXTS = ("language", "audience", "notes")
# Code → how a prompt names it.
LANGUAGES = {"en": "English", "ja": "Japanese"}


def read_wiki_setting(written: str) -> tuple[str, Any]:
    """Return key and value of `language=ja`; InvalidInput when it is no setting."""
    key, equals, text = written.partition("=")
    if not equals or key not in (*TEXTS, "glossary"):
        raise InvalidInput(
            f"Invalid wiki setting '{written[:80]}'. Use KEY=VALUE with one of: "
            f"{', '.join([*TEXTS, 'glossary'])}."
        )
    return key, read_glossary(text.split(";")) if key == "glossary" else text


def read_glossary(entries: Iterable[str]) -> dict[str, str]:
    """Read `cart: Basket` and `order: 注文`."""
    found = {}
    for pair in filter(None, map(str.strip, entries)):
        word, colon, form = (piece.strip() for piece in pair.partition(":"))
        if not (word and colon and form):
            raise InvalidInput(
                f"Invalid glossary entry '{pair[:60]}'. Use WORD: FORM, separated by "
                "';'."
            )
        found[word] = form
    return found


def languages_of(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the languages that were asked for, the main one first."""
    written = str(settings.get("language") or "en")
    return tuple(language.strip() for language in written.split(","))


def readable_languages(
    settings: Mapping[str, Any], written: Iterable[str]
) -> tuple[str, ...]:
    """Return which of the languages a wiki is written in are read, the main one first.

    written: the newest first. The main one is what the settings put first, else
    English, else the newest; of the others only those that the settings name.
    """
    wanted = languages_of(settings)
    # Stable: what is neither keeps its order.
    found = sorted(written, key=lambda each: (each != wanted[0], each != "en"))
    return tuple(each for n, each in enumerate(found) if n == 0 or each in wanted)
