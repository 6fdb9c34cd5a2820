"""Which document each side of a comparison means: by its name, versions exactly.

OpenAPI 2.0  →  OpenAPI_Specification_2.0.md
3.0.3        →  OpenAPI_Specification_3.0.3.md, with the words of the other side
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import F
from django.db.models.functions import Left

from devrag.ask.asking_words import asks_only
from devrag.parsing.path_roles import is_changelog, name_words
from devrag.search.api import counterparts, read_question
from devrag.sources.models import File, RefFile

_NUMBERS = re.compile(r"\d+(?:\.\d+)*")
_HEAD_CHARACTERS, _MOST_DOCUMENTS = 500, 2_000
_ENTRANCE = re.compile(r"^(?:index|readme|_index)\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document by its name. head: its first characters, for a title in them."""

    file: int
    source: str
    path: str
    head: str

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


def choose_documents(
    sides: tuple[str, str], source_ids: Collection[int]
) -> tuple[NamedDocument, NamedDocument] | None:
    """Return the document that each side names, None unless both do. Queries: 1."""
    rows = RefFile.objects.filter(
        until=None,
        ref__is_current=True,
        file__source__in=source_ids,
        file__kind=File.Kind.DOC,
    )
    found = rows.annotate(head=Left("file__text", _HEAD_CHARACTERS)).values_list(
        "file", F("file__source__name"), F("file__path"), "head"
    )
    documents = [
        NamedDocument(*row) for row in found.order_by("file__path")[:_MOST_DOCUMENTS]
    ]
    own = [
        e for e in documents if not (_ENTRANCE.match(e.name) or is_changelog(e.path))
    ]
    one, other = (_words(side) for side in sides)
    first = _best(sides[0], one or other, own)
    second = _best(sides[1], other or one, own)
    if first is None or second is None or first.file == second.file:
        return None
    return first, second


def _words(side: str) -> frozenset[str]:
    """Return the words of a side without its numbers."""
    words = read_question(_NUMBERS.sub(" ", side)).words
    return frozenset(word for word in words if not asks_only(word))


def _best(
    side: str, words: Collection[str], documents: Sequence[NamedDocument]
) -> NamedDocument | None:
    """Return the document whose name has all words and numbers of a side."""
    numbers = set(_NUMBERS.findall(side))
    fits = [
        (rank, len(each.name), each)
        for each in documents
        if (rank := _rank(each, words, numbers)) is not None
    ]
    best = min(fits, key=lambda fit: fit[:2], default=None)
    return best[2] if best else None


def _rank(
    document: NamedDocument, words: Collection[str], numbers: set[str]
) -> int | None:
    """Return how exactly a document is named, 0 first; None for another document."""
    own = set(_NUMBERS.findall(document.name))
    is_own = bool(numbers) and numbers <= own
    in_head = not own and numbers <= set(_NUMBERS.findall(document.head))
    if (numbers and not (is_own or in_head)) or not (numbers or words):
        return None
    name = " ".join([document.name, *name_words(document.name)])
    there = read_question(name).stems
    if not all(word in name.lower() or _is_in(word, there) for word in words):
        return None
    return 0 if is_own or not (numbers or own) else 1


def _is_in(word: str, stems: frozenset[str]) -> bool:
    forms = (word, *counterparts(word))
    return any(read_question(form).stems <= stems for form in forms)
