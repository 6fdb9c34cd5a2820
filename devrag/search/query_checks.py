"""What cannot be asked: no text, too much of it, unknown filters."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.parsing.language import LANGUAGES, find_language
from devrag.search.document_filters import check_documents
from devrag.search.ranges import check_ranges
from devrag.search.types import KINDS, MAX_QUERY_CHARS, MODE_NAMES, SearchQuery

_COMMON_LANGUAGES = ("go", "java", "javascript", "markdown", "python", "typescript")


def check_text(query: SearchQuery) -> None:
    """Raise InvalidInput for no text, and for too much."""
    if not query.text.strip():
        raise InvalidInput(
            gettext("The query is empty. Type a word, a name or a question.")
        )
    if len(query.text) > MAX_QUERY_CHARS:
        raise InvalidInput(
            gettext("The query has %(length)s characters; the limit is %(most)s.")
            % {"length": len(query.text), "most": MAX_QUERY_CHARS}
        )


def _like(language: str) -> Sequence[str]:
    """Return languages with a similar name, else some that are common."""
    return get_close_matches(language, LANGUAGES, n=3) or _COMMON_LANGUAGES


def check_query(query: SearchQuery) -> None:
    """Raise InvalidInput for what cannot be asked."""
    if query.mode not in MODE_NAMES:
        raise InvalidInput(
            gettext("Unknown mode '%(mode)s'. Use one of: %(modes)s.")
            % {"mode": query.mode, "modes": ", ".join(MODE_NAMES)}
        )
    if query.kind and query.kind not in KINDS:
        raise InvalidInput(
            gettext("Unknown kind '%(kind)s'. Use one of: %(known)s.")
            % {"kind": query.kind, "known": ", ".join(KINDS)}
        )
    if query.language and not find_language(query.language):
        raise InvalidInput(
            gettext(
                "Unknown language '%(language)s'. Use a name or a file extension, such "
                "as: %(known)s."
            )
            % {"language": query.language, "known": ", ".join(_like(query.language))}
        )
    check_ranges(query)
    check_documents(query)
