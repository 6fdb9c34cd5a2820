"""What lists of documents say of each: `[Guide](guide.md): how to begin`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.document_links import DocumentPaths

_DESCRIBED = re.compile(
    r"^\W*?\[[^\]]*\]\((?P<target>[^)\s]+)[^)]*\)[\s*_]*(?:\.{2,}|…|[-–—:：])\s*"
    r"(?P<said>[^\s.…].{5,200})$"
)


@dataclass(frozen=True, slots=True)
class LinkDescription:
    """What stands beside a link to a document, with the lines that have it."""

    text: str
    file: int
    start_line: int
    end_line: int


@cached_by_analysis
def link_descriptions(analysis: Analysis) -> dict[int, LinkDescription]:
    """Return document → what another one says of it where it lists it."""
    files = [*analysis.overview_documents, *analysis.topic_documents]
    paths = DocumentPaths(files)
    found: dict[int, LinkDescription] = {}
    for file in files:
        for section in analysis.sections(file):
            for block in section.blocks:
                match = _DESCRIBED.match(block.text) if block.kind == "item" else None
                target = paths.target(file, match["target"]) if match else None
                if match and target is not None and target != file.id:
                    lines = (file.id, block.start_line, block.end_line)
                    found.setdefault(target, LinkDescription(match["said"], *lines))
    return found
