"""Turns evidence markers into numbered citations and claims.

`[[E3]]` becomes `[1](cite:1)`, numbered per page in order of first use; one `Claim` per
number keeps the sentence that leans on it and the excerpt it leans on.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass

from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    cells_of,
    join_blocks,
    map_prose,
    plain,
    split_blocks,
)
from devrag.wiki.evidence.page_evidence import MARKER, EvidenceItem

CITATION = re.compile(r"\s*\[(\d+)\]\(cite:\1\)")
_BEHIND_MARK = re.compile(r"([.,;:!?。、！？])((?:\s*\[\d+\]\(cite:\d+\))+)")
_BEFORE_MARK = re.compile(r" *((?:\[\d+\]\(cite:\d+\) *)+)(?<! )([.,;:。](?!\w))")


@dataclass(frozen=True, slots=True)
class ClaimDraft:
    """A cited sentence with the place that bears it; ordinal is its number, from 1.

    context: the lines around an excerpt that its file has more than once.
    """

    ordinal: int
    sentence: str
    source: str
    path: str
    start_line: int
    end_line: int
    version_identifier: str
    content_hash: str
    excerpt: str
    context: str = ""


def render_citations(
    markdown: str, items: Iterable[EvidenceItem]
) -> tuple[str, list[ClaimDraft]]:
    """Return the page with numbered citations, and its claims in that order."""
    known = {item.id: item for item in items}
    numbers: dict[str, int] = {}
    bearing: dict[str, str] = {}
    blocks = split_blocks(markdown)
    for block in blocks:
        for sentence in block.sentences() if block.kind != "fence" else ():
            for evidence_id in MARKER.findall(sentence):
                if evidence_id in known:
                    numbers.setdefault(evidence_id, len(numbers) + 1)
                    bearing.setdefault(evidence_id, bare_sentence(sentence))

    def number(match: re.Match[str]) -> str:
        n = numbers.get(match.group(1))
        return f"[{n}](cite:{n})" if n else ""

    page = join_blocks(map_prose(blocks, lambda text: MARKER.sub(number, text)))
    claims = [_claim(n, bearing[key], known[key]) for key, n in numbers.items()]
    return page, claims


def bare_sentence(sentence: str) -> str:
    """Return a sentence, or the cells of a table's row, without markup."""
    text = plain(sentence)
    is_row = text.startswith("|") and text.endswith("|")
    cells = cells_of(MarkdownBlock("table", text))[0] if is_row else [text]
    return ": ".join(cell for cell in cells if cell)


def after_punctuation(markdown: str) -> str:
    """Move citations behind the mark that ends their clause, as books set them.

    Between the names of a Japanese list they stay: behind `、` they would seem to be
    those of the next name.
    """
    return _BEFORE_MARK.sub(r"\2\1", markdown)


def before_punctuation(markdown: str) -> str:
    """Move citations back into the clause that they bear, as a writer sets them."""
    return _BEHIND_MARK.sub(r"\2\1", markdown)


def _claim(ordinal: int, sentence: str, item: EvidenceItem) -> ClaimDraft:
    return ClaimDraft(
        ordinal=ordinal,
        sentence=sentence,
        source=item.source,
        path=item.path,
        start_line=item.start_line,
        end_line=item.end_line,
        version_identifier=item.version_identifier,
        content_hash=item.content_hash,
        excerpt=item.excerpt,
    )


def as_footnotes(markdown: str, claims: Iterable[ClaimDraft]) -> str:
    """Return the page for any Markdown viewer: footnotes naming `path:lines`."""
    used = list(claims)
    body = CITATION.sub(r"[^\1]", markdown).rstrip()
    if not used:
        return body + "\n"
    notes = [f"[^{c.ordinal}]: {c.source} `{place(c)}`{_version(c)}" for c in used]
    return body + "\n\n" + "\n".join(notes) + "\n"


def place(claim: ClaimDraft) -> str:
    """Return `path:12` or `path:12-20`."""
    path = posixpath.normpath(claim.path)
    if claim.start_line == claim.end_line:
        return f"{path}:{claim.start_line}"
    return f"{path}:{claim.start_line}-{claim.end_line}"


def stated_place(claim: ClaimDraft) -> str:
    """Return source, path, lines and commit for a reader."""
    return f"{claim.source} {place(claim)}{_version(claim)}"


def _version(claim: ClaimDraft) -> str:
    return f" at {claim.version_identifier[:12]}" if claim.version_identifier else ""
