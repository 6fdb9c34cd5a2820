"""What of search's answers becomes evidence of a page."""

from __future__ import annotations

from dataclasses import fields

from devrag.search.types import Hit
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.writing.model.page_context import build_page_context
from devrag.wiki.writing.model.queries import PseudoQuery
from tests.wiki.shop import analyse

CODE = "import a\n\n\ndef brew():\n    return a.pour()\n"


def _hit(file: SurveyFile, start_line: int, end_line: int) -> Hit:
    values = dict.fromkeys((each.name for each in fields(Hit)), "")
    place = {"path": file.path, "source_name": file.source, "file_kind": file.kind}
    lines = {"start_line": start_line, "end_line": end_line}
    version = {"version_identifier": file.version_identifier}
    return Hit(**{**values, **place, **lines, **version})  # type: ignore[arg-type]


def test_what_states_nothing_is_no_evidence() -> None:
    analysis = analyse({"tea.py": CODE})
    (file,) = analysis.survey.files
    hits = [_hit(file, 1, 2), _hit(file, 4, 5)]
    book = EvidenceBook(analysis.files, analysis.texts)

    found = build_page_context(
        analysis, book, [PseudoQuery("tea")], lambda _query: hits
    ).found

    assert [(item.start_line, item.end_line) for item in found] == [(4, 5)]
