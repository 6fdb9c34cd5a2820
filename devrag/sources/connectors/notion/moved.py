"""What changes in a page's text when pages lie elsewhere: place and links. Pure.

So a page that is renamed takes along what lies below it without that being read again.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote

from devrag.sources.connectors.pages.markdown import in_link
from devrag.sources.documents import read_document, write_document

_ENDING = ".md"
_LINK = re.compile(r"\]\(([^()\s:]+\.md)\)")
# A link to a page, no picture, whose address ends as those of Notion do.
_ORIGINAL = re.compile(
    r"(?<!!)(\[[^\[\]\n]*)\]\((https?://[^()\s#]*[0-9a-f]{32}(?:\?[^()\s#]*)?)\)"
)
_HEAD_END = "\n---\n"


@dataclass(frozen=True, slots=True)
class Moves:
    """Paths of pages, without their endings.

    now: by what they were before this run. gone: addresses of the originals of those
    that are no longer read, by their paths. known: gives the path of a page by the
    address of its original, '' for one that is not read.
    """

    now: Mapping[str, str]
    gone: Mapping[str, str]
    known: Callable[[str], str]

    def link(self, target: str, before: str, after: str) -> str:
        """Return a link as it is now; before, after: where the page of it lies."""
        path = unquote(target.removesuffix(_ENDING))
        old = posixpath.normpath(posixpath.join(posixpath.dirname(before), path))
        if old in self.gone and old not in self.now:
            return self.gone[old]
        return _relative(self.now[old], after) if old in self.now else target

    def original(self, url: str, after: str) -> str:
        """Return a link to an original as it is now that more pages are known."""
        path = self.known(url)
        return _relative(path, after) if path else url


def moved_text(
    text: str, before: str, after: str, moves: Moves, place: tuple[str, ...]
) -> str:
    """Return a page's text as it is with pages where they lie now.

    before, after: the page's own path, without its ending. place: what it lies in now.
    """
    head, mark, body = text.partition(_HEAD_END)
    facts = read_document(text)
    if not mark or facts is None:
        return text
    body = _LINK.sub(lambda it: f"]({moves.link(it[1], before, after)})", body)
    body = _ORIGINAL.sub(lambda it: f"{it[1]}]({moves.original(it[2], after)})", body)
    old, new = (f"]({in_link(posixpath.basename(each))}/" for each in (before, after))
    body = body.replace(old, new) if old != new else body
    if before == after:
        return f"{head}{mark}{body}"
    return write_document(replace(facts, place=place), body)


def _relative(path: str, after: str) -> str:
    """Return the address of a page's file from a page that lies there."""
    here = posixpath.dirname(after) or "."
    return in_link(posixpath.relpath(path + _ENDING, here))
