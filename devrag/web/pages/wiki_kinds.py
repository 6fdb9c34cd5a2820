"""Kinds of sources on a wiki page: which blocks stand on which, and hiding them.

A section that cites one kind of source alone is of that kind, with all that is in it;
elsewhere a block is. A diagram without citations was drawn from the code. A reader
hides a kind with `?hide=tickets`.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext, gettext_lazy, ngettext

from devrag.core.markdown import RenderedBlock, RenderedPage
from devrag.wiki.api import CODE, SOURCE_KINDS

KIND_LABELS = {
    "code": gettext_lazy("Code"),
    "documents": gettext_lazy("Documents"),
    "tickets": gettext_lazy("Tickets"),
}
KIND_ICONS = {"code": "code", "documents": "book", "tickets": "ticket"}
_CITED = re.compile(r"\]\(cite:(\d+)\)")
_TITLE = 1  # level of the page's own heading


@dataclass(frozen=True, slots=True)
class KindToggle:
    """A kind that a page cites. url: the page with it hidden, or shown again."""

    kind: str
    count: int
    is_hidden: bool
    url: str

    @property
    def label(self) -> str:
        return str(KIND_LABELS[self.kind])

    @property
    def icon(self) -> str:
        return KIND_ICONS[self.kind]

    @property
    def said(self) -> str:
        """Return how many places are cited."""
        text = ngettext("%(n)s citation", "%(n)s citations", self.count)
        return text % {"n": self.count}

    @property
    def hide(self) -> str:
        return gettext("Hide %(kind)s") % {"kind": self.label}

    @property
    def show(self) -> str:
        return gettext("Show %(kind)s") % {"kind": self.label}


def hidden_kinds(wanted: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds that are to be hidden, in their order; others are ignored."""
    asked = set(wanted)
    return tuple(kind for kind in SOURCE_KINDS if kind in asked)


def kind_toggles(
    kinds: Mapping[int, str], hidden: Collection[str]
) -> tuple[KindToggle, ...]:
    """Return a toggle for each kind that a page cites, () for a single one.

    kinds: number of a citation → kind.
    """
    counts = Counter(kind for kind in kinds.values() if kind)
    if len(counts) < 2:
        return ()
    return tuple(
        KindToggle(kind, counts[kind], kind in hidden, _url(kind, hidden))
        for kind in SOURCE_KINDS
        if kind in counts
    )


def _url(kind: str, hidden: Collection[str]) -> str:
    wanted = {kind} ^ set(hidden)
    kept = [("hide", each) for each in SOURCE_KINDS if each in wanted]
    return f"?{urlencode(kept)}"


def kinds_of_blocks(page: RenderedPage, kinds: Mapping[int, str]) -> list[str]:
    """Return the kind of each block, '' where it is of several or cites nothing."""
    blocks = page.blocks
    levels = {entry.anchor: entry.level for entry in page.toc}
    cited = [set(_cited(block, kinds)) for block in blocks]
    found = [_only(own) for own in cited]
    open_sections: list[tuple[int, str]] = []
    for place, block in enumerate(blocks):
        level = levels.get(block.anchor, 0) if block.anchor else 0
        if level > _TITLE:
            open_sections = [each for each in open_sections if each[0] < level]
            end = _end_of_section(blocks, levels, place)
            kind = _only(set().union(*cited[place + 1 : end]))
            is_drawn = not any(cited[place + 1 : end]) and any(
                block.kind == "fence" for block in blocks[place + 1 : end]
            )
            kind = CODE if is_drawn and kinds else kind
            open_sections.append((level, kind))
            found[place] = open_sections[-1][1]
        elif not cited[place] and open_sections:
            found[place] = open_sections[-1][1]
    return found


def _end_of_section(
    blocks: Sequence[RenderedBlock], levels: Mapping[str, int], start: int
) -> int:
    level = levels[blocks[start].anchor]
    for place in range(start + 1, len(blocks)):
        if blocks[place].anchor and levels[blocks[place].anchor] <= level:
            return place
    return len(blocks)


def _cited(block: RenderedBlock, kinds: Mapping[int, str]) -> Iterator[str]:
    for number in _CITED.findall(block.source):
        yield kinds.get(int(number), "")


def _only(kinds: Collection[str]) -> str:
    return next(iter(kinds)) if len(kinds) == 1 else ""


def runs_of(kinds: Sequence[str]) -> list[tuple[str, range]]:
    """Return blocks that stand behind each other and are of one kind, with it."""
    found = []
    places = enumerate(kinds)
    for kind, group in itertools.groupby(places, key=lambda each: each[1]):
        numbers = [place for place, _ in group]
        found.append((kind, range(numbers[0], numbers[-1] + 1)))
    return found
