"""What forms offer of a wiki: whether it is generated, and in which language."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

WIKI_WANTED = (
    ("yes", gettext_lazy("Generate after indexing")),
    ("no", gettext_lazy("Do not generate")),
)
WIKI_LANGUAGES = (
    ("en", gettext_lazy("English")),
    ("ja", gettext_lazy("Japanese")),
    ("en,ja", gettext_lazy("English first, then Japanese")),
    ("ja,en", gettext_lazy("Japanese first, then English")),
)
# Of a new product; an existing one keeps its own.
WIKI_LANGUAGES_TO_ADD = (("", gettext_lazy("Automatic")), *WIKI_LANGUAGES)
