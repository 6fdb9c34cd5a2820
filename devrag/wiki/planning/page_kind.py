"""What a kind of wiki page declares: where it is, what it covers, what it is called.

The kinds themselves are in `devrag.wiki.writing.page_kinds`, beside their writers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.wording import WORDINGS, Wording

INDEX = "index.md"
ARCHITECTURE = "architecture.md"

Context = TypeVar("Context")
Places = Mapping[str, object]


def _no_places(_context: object) -> Places:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class PageKind(Generic[Context]):
    """A kind of page. Context: what its writer is given.

    path: empty for pages of parts, which are named after their part.
    title: English; empty for the product's own title, and for the name of a part.
    files: chooses the files that the page covers; None for pages of parts.
    is_required: planned even when it covers no file. is_on_code: not planned for a
        product of documents alone.
    host: the kind whose page tells this one where it would be short; '' for none.
    write: returns the page's Markdown blocks with evidence markers.
    summary: one English sentence for the table of contents; empty for pages of
        parts, which are summarised by what they document.
    summary_places: the values of the places in the summary.
    queries: what the index is asked for a model to read; the title when empty.
    wording: by language, the translations of the title, the summary and what else
        only this kind's writer says. A counted noun is translated as `{n} noun`.
    """

    name: str
    path: str = ""
    title: str = ""
    files: Callable[[Analysis], Sequence[SurveyFile]] | None = None
    is_required: bool = False
    is_on_code: bool = False
    host: str = ""
    write: Callable[[Context], list[str]]
    summary: str = ""
    summary_places: Callable[[Context], Places] = _no_places
    queries: tuple[str, ...] = ()
    wording: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def wording_of(kinds: Sequence[PageKind[Any]], language: str) -> Wording:
    """Return the wiki's words in a language, with those of the kinds."""
    own = {e: s for kind in kinds for e, s in kind.wording.get(language, {}).items()}
    return WORDINGS[language].extend(own)
