"""What a product's settings tell the writer: the only instructions besides prompts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.llm.chat import Message
from devrag.products.wiki_settings import LANGUAGES, languages_of
from devrag.wiki.writing.prompts import fill

_AUDIENCE = "a developer who is new to this code"


@dataclass(frozen=True, slots=True)
class Brief:
    """Language, reader and wishes. glossary: term → how it is written in the wiki."""

    product: str
    language: str = "en"
    audience: str = _AUDIENCE
    notes: str = ""
    glossary: Mapping[str, str] = field(default_factory=dict)

    @property
    def language_name(self) -> str:
        return LANGUAGES[self.language]

    def message(self) -> Message:
        """Return the system prompt; the same for every call of a run."""
        return Message("system", self._system(), is_repeated=True)

    def _system(self) -> str:
        terms = "; ".join(f"{a} → {b}" for a, b in sorted(self.glossary.items()))
        return fill(
            "system",
            product=self.product,
            audience=self.audience,
            language=self.language_name,
            glossary=f"Use these terms: {terms}.\n" if terms else "",
            notes=f"\nWishes of the product's team:\n{self.notes}"
            if self.notes
            else "",
        )


def wiki_languages(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the languages that a product's wiki is written in, the main one first."""
    languages = languages_of(settings)
    for language in languages:
        if language not in LANGUAGES:
            raise InvalidInput(
                gettext(
                    "A wiki cannot be written in “%(language)s”; choose one of "
                    "%(languages)s in the product's wiki settings."
                )
                % {"language": language[:20], "languages": ", ".join(LANGUAGES)}
            )
    return tuple(dict.fromkeys(languages))


def read_brief(
    title: str, settings: Mapping[str, Any], language: str | None = None
) -> Brief:
    """Return what a product's settings say to the writer. language: else the main."""
    terms = settings.get("glossary")
    pairs = terms.items() if isinstance(terms, Mapping) else ()
    return Brief(
        product=title,
        language=language or wiki_languages(settings)[0],
        audience=str(settings.get("audience") or _AUDIENCE),
        notes=str(settings.get("notes") or ""),
        glossary={str(a): str(b) for a, b in pairs},
    )
