"""When a page need not be written again: fingerprints, and what a page was made of.

Two writers, two moments. What a model will write is unknown, so `given_fingerprint` is
taken from what it is given, before it is asked: an equal one costs no call. What the
structural writer tells may come from any file (whether a name exists, who uses
it), so no cheap list of its inputs would be whole. It writes, which takes
milliseconds, and `reading_fingerprint` says whether a reader would find anything new.

Ranks are no part of a fingerprint: one file more moves some file across a border of
deciles in every commit. They stand in `inputs` and count from two deciles on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby

from devrag.core.hashing import sha256_hex
from devrag.wiki.analysis import Analysis
from devrag.wiki.blocks import Block, split_blocks
from devrag.wiki.citations import CITATION, ClaimDraft, after_punctuation
from devrag.wiki.evidence import EvidenceItem
from devrag.wiki.location import normalised
from devrag.wiki.plan import PlannedPage

# `source/path` → (content hash, decile of its rank)
Inputs = Mapping[str, tuple[str, int]]

_LINES = re.compile(r"(?<![A-Za-z_\d,])(\d[\d,]*)(?: lines?\b|行)")
_MOST_DECILES = 1
_MOST_LINES_OFF = 0.05


def given_fingerprint(page: PlannedPage, given: str) -> str:
    """Fingerprint a page before it is written. given: digest of all its writer gets."""
    return _hash([*_entry(page), given])


def reading_fingerprint(
    page: PlannedPage,
    markdown: str,
    claims: Iterable[ClaimDraft],
    *,
    writer: str,
    writer_version: int,
    language: str = "en",
) -> str:
    """Fingerprint a written page by what it tells a reader, from which evidence."""
    made_by = (writer, str(writer_version), language)
    return _hash([*_entry(page), *made_by, telling_digest(markdown, claims)])


def telling_digest(markdown: str, claims: Iterable[ClaimDraft]) -> str:
    """Return a digest of what a text tells from which evidence.

    Neither the order of a list or table counts (ranks shift) nor counts of lines.
    """
    hashes = {str(claim.ordinal): evidence_digest(claim) for claim in claims}

    def name_evidence(match: re.Match[str]) -> str:
        return f" <{hashes.get(match[1], '')}>"

    text = CITATION.sub(name_evidence, after_punctuation(markdown))
    return _hash(_in_any_order(split_blocks(_LINES.sub("lines", text))))


def inputs_of(
    analysis: Analysis, page: PlannedPage, cited: Iterable[ClaimDraft | EvidenceItem]
) -> dict[str, tuple[str, int]]:
    """Return the files a page is about or cites, with content and rank."""
    places = {(item.source, item.path) for item in cited}
    files = [analysis.files[file] for file in page.files]
    files += [f for place in sorted(places) if (f := analysis.file_at.get(place))]
    return {
        f"{file.source}/{file.path}": (file.content_hash, analysis.deciles[file.id])
        for file in files
    }


def have_ranks_moved(before: Inputs, now: Inputs) -> bool:
    """Say whether a file of the page became clearly more or less important."""
    return any(
        abs(decile - before[path][1]) > _MOST_DECILES
        for path, (_, decile) in now.items()
        if path in before
    )


def have_sizes_moved(before: str, now: str) -> bool:
    """Say whether counts of lines that a page states are off by more than a little."""
    old, new = line_counts(before), line_counts(now)
    return len(old) != len(new) or not all(map(is_about, old, new))


def is_about(stated: int, now: int) -> bool:
    """Say whether a count of lines that was stated is still about right."""
    return abs(stated - now) <= _MOST_LINES_OFF * stated


def line_counts(markdown: str) -> list[int]:
    """Return the counts of lines that a text states, sorted."""
    return sorted(int(count.replace(",", "")) for count in _LINES.findall(markdown))


def _entry(page: PlannedPage) -> tuple[str, ...]:
    return page.path, page.kind, page.title, page.parent


def evidence_digest(item: EvidenceItem | ClaimDraft) -> str:
    """Return a digest of an item's words and file, wherever its lines stand."""
    return words_digest(f"{item.source}/{item.path}", normalised(item.excerpt))


def words_digest(place: str, lines: Iterable[str]) -> str:
    """Return the digest of a place's lines as `normalised` has them."""
    return _hash([place, *lines])


def _hash(parts: Iterable[str]) -> str:
    return sha256_hex("\x1f".join(parts))


def _in_any_order(blocks: Iterable[Block]) -> list[str]:
    """Return the blocks as text, the items of each list and table sorted."""
    found: list[str] = []
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        texts = [_as_text(block) for block in group]
        found += sorted(texts) if kind == "item" else texts
    return found


def _as_text(block: Block) -> str:
    if block.kind != "table":
        return f"{block.lead}{block.text}"
    head, *rows = block.text.split("\n")
    return "\n".join([head, *sorted(rows)])
