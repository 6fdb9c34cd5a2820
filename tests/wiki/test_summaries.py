"""A topic of documents alone is told by their headings, if nothing opens its page."""

from __future__ import annotations

import re
from dataclasses import replace

from devrag.wiki.analysis.topics.types import DocumentSection
from devrag.wiki.evidence.page_evidence import MARKER, EvidenceBook
from devrag.wiki.planning.plan import make_plan
from devrag.wiki.writing.page_kinds import PAGE_KINDS
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.summaries import summarise_topic
from tests.wiki.shop import SHOP, analyse

GUIDE = """# Quickstart

## Examples

If a customer asks for it, run the first of them again.

## Echoing

When a customer leaves, print what the till has kept.
"""


def test_the_headings_of_documents_are_what_a_topic_covers() -> None:
    analysis = analyse({**SHOP, "docs/quickstart.md": GUIDE})
    plan = make_plan(analysis, PAGE_KINDS, "en")
    book = EvidenceBook(analysis.files, analysis.texts)
    ctx = PageContext(analysis, plan, plan.pages[0], book, PAGE_KINDS)
    file = next(f for f in analysis.files.values() if f.stem == "quickstart")
    last = len(analysis.sections(file)) - 1
    whole = DocumentSection(file.id, 0, last, "Quickstart", (), 1, 9, 20)
    topic = replace(analysis.topics[0], title="Quickstart", files=(), sections=(whole,))
    analysis.topics.append(topic)
    said = summarise_topic(ctx, len(analysis.topics) - 1)
    bare = re.sub(rf"\s*{MARKER.pattern}", "", said)
    assert bare == "It covers Examples and Echoing."
