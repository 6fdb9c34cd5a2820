"""Who writes a product's pages: a model as the settings say, else the facts alone."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.products.models import Product
from devrag.spending.language_model import is_model_set, model_name, model_provider
from devrag.wiki.writing.model.brief import wiki_languages
from devrag.wiki.writing.prompts import prompt_version

WRITER = "structural"
WRITER_VERSION = 6


@dataclass(frozen=True, slots=True)
class Author:
    """Who writes a product's wiki now, by name and version, and in which languages.

    language: the main one, which is written first. others: in which it is told again.
    """

    name: str
    version: int
    language: str
    others: tuple[str, ...] = ()

    @property
    def is_model(self) -> bool:
        return self.name != WRITER


def author_of(product: Product) -> Author:
    """Return who writes; a product may forbid that its text goes to a model."""
    languages = wiki_languages(product.wiki_settings)
    if not is_model_set() or not product.is_external_models_allowed:
        return Author(WRITER, WRITER_VERSION, languages[0], languages[1:])
    name = f"{model_provider()}/{model_name()}"
    return Author(name, prompt_version(), languages[0], languages[1:])
