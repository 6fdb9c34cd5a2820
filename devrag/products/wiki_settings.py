"""What a product's team tells whoever writes its wiki: the only instructions there are.

language: `en`, `ja` or both (`en,ja`), the first the main one; audience: for whom;
notes: wishes; glossary: word → how it is written in the wiki.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from devrag.core.errors import InvalidInput

TEXTS = ("language", "audience", "notes")
# Code → how a prompt names it.
LANGUAGES = {"en": "English", "ja": "Japanese"}
_LONGEST = 4_000


def read_wiki_setting(written: str) -> tuple[str, str]:
    """Return key and value of `language=ja`; InvalidInput when it is no setting."""
    key, equals, value = written.partition("=")
    if not equals or key not in TEXTS:
        raise InvalidInput(
            f"'{written[:80]}' is no wiki setting: write KEY=VALUE with one of "
            f"{', '.join(TEXTS)}."
        )
    for problem in wiki_setting_problems({key: value}):
        raise InvalidInput(problem)
    return key, value


def wiki_setting_problems(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence per setting that is unknown or of the wrong shape."""
    for key, value in settings.items():
        if key == "glossary":
            if not isinstance(value, dict):
                yield "The wiki setting 'glossary' should be words and their writing."
        elif key not in TEXTS:
            known = ", ".join([*TEXTS, "glossary"])
            yield f"There is no wiki setting '{key[:60]}'; known are {known}."
        elif not isinstance(value, str) or len(value) > _LONGEST:
            yield f"The wiki setting '{key}' should be a text of at most {_LONGEST:,}."
        elif key == "language" and not _are_known(languages_of(settings)):
            known = " or ".join([*LANGUAGES, "both (en,ja)"])
            yield f"A wiki's language is {known}, not '{value[:20]}'."


def languages_of(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the languages that were asked for, the main one first."""
    written = str(settings.get("language") or "en")
    return tuple(language.strip() for language in written.split(","))


def _are_known(languages: Sequence[str]) -> bool:
    is_known = all(language in LANGUAGES for language in languages)
    return is_known and len(set(languages)) == len(languages)
