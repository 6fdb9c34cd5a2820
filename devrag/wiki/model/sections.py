"""The structural page as sections: facts for the model, and what stands without it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from devrag.wiki.blocks import (
    Block,
    join_blocks,
    links_in,
    plain,
    split_blocks,
    without_empty_headings,
)
from devrag.wiki.evidence import MARKER
from devrag.wiki.model.language import is_in_language

_KEY = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(")
_NUMBERED = re.compile(r"^\s*\d")


@dataclass(frozen=True, slots=True)
class FactSection:
    """One section of the structural page; the introduction has no title.

    more: facts for the model alone, never shown as they are.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]
    more: tuple[Block, ...] = ()

    @property
    def markdown(self) -> str:
        blocks = (*self.blocks, *self.more)
        return join_blocks(blocks) if blocks else ""

    @property
    def is_navigation(self) -> bool:
        """Say whether it only lists pages: nothing that a model could tell better."""
        pages = (b.kind == "item" and b.text.startswith("[") for b in self.blocks)
        return bool(self.blocks) and all(pages)

    @property
    def evidence(self) -> list[str]:
        """Return the ids that it cites, in order."""
        return list(dict.fromkeys(MARKER.findall(self.markdown)))


def split_sections(markdown: str) -> list[FactSection]:
    """Return introduction and sections of a page, its title left aside."""
    titles, bodies = [""], [list[Block]()]
    for block in split_blocks(markdown):
        if block.kind == "heading" and len(block.lead) == 1:
            continue
        if block.kind == "heading" and len(block.lead) == 2:
            titles.append(block.text)
            bodies.append([])
        else:
            bodies[-1].append(block)
    return [
        FactSection(f"S{number}", title, tuple(body))
        for number, (title, body) in enumerate(zip(titles, bodies, strict=True), 1)
    ]


def left_to_show(
    sections: Iterable[FactSection],
    written: str,
    language: str,
    summaries: Mapping[str, str],
) -> list[Block]:
    """Return what the index knows and the model did not tell: nothing is lost.

    Diagrams and code blocks, and list entries whose name the text does not mention.
    """
    kept: list[Block] = []
    for section in sections:
        kept += _left_of(section.blocks, written, language)
    shown = (in_language(b, language, summaries) if b.is_prose else b for b in kept)
    return without_empty_headings(list(shown))


def _left_of(blocks: tuple[Block, ...], written: str, language: str) -> list[Block]:
    steps = [b for b in blocks if b.kind == "item" and _NUMBERED.match(b.lead)]
    is_told = all(_is_named(step, written) for step in steps)
    kept: list[Block] = []
    for at, block in enumerate(blocks):
        if block.kind == "fence":
            kept += _with_caption(blocks, at, written, language)
        elif block.kind in {"heading", "table"}:
            kept.append(block)
        elif block.kind == "item":
            told = is_told if block in steps else _is_named(block, written)
            if not told:
                kept.append(block)
    return kept


def _is_named(item: Block, written: str) -> bool:
    found = _KEY.search(item.text)
    if found is None:
        return plain(item.text) in written
    key = next(group for group in found.groups() if group).strip("`*")
    bare = re.escape(key.removesuffix("()"))
    return re.search(rf"(?<![\w.]){bare}(?!\w)", written) is not None


def _with_caption(
    blocks: tuple[Block, ...], at: int, written: str, language: str
) -> list[Block]:
    """Return a fence unless it was written, with the sentence that explains it."""
    fence, before = blocks[at], blocks[at - 1] if at else None
    if fence.text.strip() in written:
        return []
    if before is None or before.kind != "paragraph":
        return [fence]
    caption = plain(before.text)
    is_wanted = fence.lead == "mermaid" and is_in_language(caption, language, fewest=1)
    return [before, fence] if is_wanted and caption not in written else [fence]


def in_language(item: Block, language: str, summaries: Mapping[str, str]) -> Block:
    """Return an entry; of one in another language its name, evidence and summary.

    summaries: what finished pages tell, by the link to them.
    """
    if is_in_language(item.text, language, fewest=1):
        return item
    found = _KEY.search(item.text)
    if found is None:
        return item
    link = links_in(item.text[found.start() :])[:1] if found.group(3) else []
    end = item.text.index(")", found.end()) + 1 if link else found.end()
    head = item.text[:end]
    head += "**" if head.count("**") % 2 else ""
    ids = [f"[[{key}]]" for key in MARKER.findall(item.text)]
    told = [f": {summaries[target]}" for _, target in link if target in summaries]
    return replace(item, text=" ".join(["".join([head, *told]), *ids]))
