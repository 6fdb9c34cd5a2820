"""What is wrong with a product's wiki settings, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from devrag.products.wiki_settings import LANGUAGES, TEXTS, languages_of

_LONGEST = 4_000


def wiki_setting_problems(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence per setting that is unknown or of the wrong shape."""
    for key, value in settings.items():
        if key == "glossary":
            if not isinstance(value, dict):
                yield gettext(
                    "The wiki setting 'glossary' must map terms to their spelling."
                )
        elif key not in TEXTS:
            known = ", ".join([*TEXTS, "glossary"])
            yield gettext(
                "Unknown wiki setting '%(key)s'. Available settings: %(known)s."
            ) % {"key": key[:60], "known": known}
        elif not isinstance(value, str) or len(value) > _LONGEST:
            yield gettext(
                "The wiki setting '%(key)s' must be a text of at most %(most)s "
                "characters."
            ) % {"key": key, "most": f"{_LONGEST:,}"}
        elif key == "language" and not _are_known(languages_of(settings)):
            known = ", ".join([*LANGUAGES, "en,ja"])
            yield gettext(
                "Unknown wiki language '%(value)s'. Use one of: %(known)s."
            ) % {
                "known": known,
                "value": value[:20],
            }


def _are_known(languages: Sequence[str]) -> bool:
    is_known = all(language in LANGUAGES for language in languages)
    return is_known and len(set(languages)) == len(languages)
