"""What a request for sections shows, and what of it may be cited."""

from __future__ import annotations

from devrag.wiki.evidence.blocks import MarkdownBlock
from devrag.wiki.evidence.page_evidence import MARKER, EvidenceBook
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.page_request import PageTask, sections_request
from devrag.wiki.writing.model.section_plan import SectionPlan
from tests.wiki.shop import analyse


def test_every_id_that_a_request_shows_may_be_cited() -> None:
    analysis = analyse(
        {"a.py": "def work():\n    return 1\n\n\ndef rest():\n    pass\n"}
    )
    book = EvidenceBook(analysis.files, analysis.texts)
    told, shown, hidden = book.hold(1, 1, 2), book.hold(1, 5, 6), book.hold(1, 5, 5)
    table = f"| Name | Does |\n| --- | --- |\n| `rest` [[{shown.id}]] | rests |"
    context = ModelPageContext(
        book, showable={"Surface": MarkdownBlock("table", table)}
    )
    task = PageTask("features/a.md", (), context, Brief("Shop"))
    plan = SectionPlan("Work", "How does it work?", evidence=(told.id,))
    request = sections_request(task, {1: plan})
    assert shown.id in MARKER.findall(request.messages[1].content)
    assert {item.id for item in request.items} == {told.id, shown.id}
    assert hidden.id not in {item.id for item in request.items}
