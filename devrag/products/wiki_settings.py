"""What a product's team tells whoever writes its wiki: the only instructions there are.

language: `en`, `ja` or both (`en,ja`), the first the main one; audience: for whom;
notes: wishes; glossary: word → how it is written in the wiki.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput

TEXTS = ("language", "audience", "notes")
# Code → how a prompt names it.
LANGUAGES = {"en": "English", "ja": "Japanese"}
_LONGEST = 4_000


def read_wiki_setting(written: str) -> tuple[str, Any]:
    """Return key and value of `language=ja`; InvalidInput when it is no setting."""
    key, equals, text = written.partition("=")
    if not equals or key not in (*TEXTS, "glossary"):
        raise InvalidInput(
            gettext(
                "'%(written)s' is no wiki setting: write KEY=VALUE with one of "
                "%(known)s."
            )
            % {"written": written[:80], "known": ", ".join([*TEXTS, "glossary"])}
        )
    value = _glossary(text) if key == "glossary" else text
    for problem in wiki_setting_problems({key: value}):
        raise InvalidInput(problem)
    return key, value


def _glossary(text: str) -> dict[str, str]:
    """Read `cart: Basket; order: 注文`."""
    found = {}
    for pair in filter(None, map(str.strip, text.split(";"))):
        word, colon, form = (piece.strip() for piece in pair.partition(":"))
        if not (word and colon and form):
            raise InvalidInput(
                gettext(
                    "'%(pair)s' is no entry of a glossary: write WORD: FORM, several "
                    "with ';' between them."
                )
                % {"pair": pair[:60]}
            )
        found[word] = form
    return found


def wiki_setting_problems(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence per setting that is unknown or of the wrong shape."""
    for key, value in settings.items():
        if key == "glossary":
            if not isinstance(value, dict):
                yield gettext(
                    "The wiki setting 'glossary' should be words and their writing."
                )
        elif key not in TEXTS:
            known = ", ".join([*TEXTS, "glossary"])
            yield gettext(
                "There is no wiki setting '%(key)s'; known are %(known)s."
            ) % {"key": key[:60], "known": known}
        elif not isinstance(value, str) or len(value) > _LONGEST:
            yield gettext(
                "The wiki setting '%(key)s' should be a text of at most %(most)s."
            ) % {"key": key, "most": f"{_LONGEST:,}"}
        elif key == "language" and not _are_known(languages_of(settings)):
            known = ", ".join([*LANGUAGES, "en,ja"])
            yield gettext("A wiki's language is one of %(known)s, not '%(value)s'.") % {
                "known": known,
                "value": value[:20],
            }


def languages_of(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the languages that were asked for, the main one first."""
    written = str(settings.get("language") or "en")
    return tuple(language.strip() for language in written.split(","))


def _are_known(languages: Sequence[str]) -> bool:
    is_known = all(language in LANGUAGES for language in languages)
    return is_known and len(set(languages)) == len(languages)
