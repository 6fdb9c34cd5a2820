"""Digests of what a text says and from which evidence, wherever its lines stand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from devrag.core.hashing import sha256_hex
from devrag.wiki.evidence.blocks import MarkdownBlock, split_blocks
from devrag.wiki.evidence.citations import CITATION, ClaimDraft, after_punctuation
from devrag.wiki.evidence.location import normalised
from devrag.wiki.evidence.page_evidence import EvidenceItem

# A count of lines that a text states; it asks for no new text while it moves a little.
STATED_LINES = re.compile(r"(?<![A-Za-z_\d,])(\d[\d,]*)(?: lines?\b| ?行)")


def telling_digest(markdown: str, claims: Iterable[ClaimDraft]) -> str:
    """Return a digest of what a text tells from which evidence.

    Neither the order of a list or table counts (ranks shift) nor counts of lines.
    """
    hashes = {str(claim.ordinal): evidence_digest(claim) for claim in claims}

    def name_evidence(match: re.Match[str]) -> str:
        return f" <{hashes.get(match[1], '')}>"

    text = CITATION.sub(name_evidence, after_punctuation(markdown))
    return hash_parts(_in_any_order(split_blocks(STATED_LINES.sub("lines", text))))


def evidence_digest(item: EvidenceItem | ClaimDraft) -> str:
    """Return a digest of an item's words and file, wherever its lines stand."""
    return words_digest(f"{item.source}/{item.path}", normalised(item.excerpt))


def words_digest(place: str, lines: Iterable[str]) -> str:
    """Return the digest of a place's lines as `normalised` has them."""
    return hash_parts([place, *lines])


def hash_parts(parts: Iterable[str]) -> str:
    """Return one digest of several texts."""
    return sha256_hex("\x1f".join(parts))


def _in_any_order(blocks: Iterable[MarkdownBlock]) -> list[str]:
    """Return the blocks as text, the items of each list and table sorted."""
    found: list[str] = []
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        texts = [_as_text(block) for block in group]
        found += sorted(texts) if kind == "item" else texts
    return found


def _as_text(block: MarkdownBlock) -> str:
    if block.kind != "table":
        return f"{block.lead}{block.text}"
    head, *rows = block.text.split("\n")
    return "\n".join([head, *sorted(rows)])
