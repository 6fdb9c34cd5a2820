"""What filters find of a page or ticket, as one list of terms. Pure.

`status:open author:jane` asks for documents that have both terms. The table of
documents and the word index hold the same terms, so that both let the same through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# An index holds no key of more than about 2,700 bytes.
_MAX_CHARACTERS = 200
_WORD = re.compile(r"[^\s,;()<>\"]+")
OPEN, CLOSED = "open", "closed"
_TICKET = "ticket"


def document_terms(
    *,
    kind: str,
    status: str,
    is_closed: bool,
    author: str,
    labels: Iterable[str],
) -> list[str]:
    """Return the terms of a document, each once.

    A ticket is open or closed beside the name that its source has for its status. An
    author is found by the whole name and by each of its words.
    """
    found = [kind_term(kind)]
    if kind == _TICKET:
        found.append(status_term(CLOSED if is_closed else OPEN))
    if status.strip():
        found.append(status_term(status))
    found += [author_term(name) for name in _names(author)]
    found += [label_term(label) for label in labels if label.strip()]
    return list(dict.fromkeys(found))


def kind_term(kind: str) -> str:
    """Return what finds documents of a kind."""
    return f"kind:{kind}"


def status_term(status: str) -> str:
    """Return what finds documents of a status: open, closed, or the source's own."""
    return f"status:{_plain(status)}"


def author_term(name: str) -> str:
    """Return what finds documents by an author."""
    return f"author:{_plain(name)}"


def label_term(label: str) -> str:
    """Return what finds documents with a label of their source."""
    return f"label:{_plain(label)}"


def _names(author: str) -> Iterator[str]:
    if author.strip():
        yield author
        yield from _WORD.findall(author)


def _plain(value: str) -> str:
    return " ".join(value.casefold().split())[:_MAX_CHARACTERS]
