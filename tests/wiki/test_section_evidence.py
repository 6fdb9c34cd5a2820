"""What search finds for a section: whole, of use, from anywhere in the product."""

from __future__ import annotations

from dataclasses import fields

from devrag.search.types import Hit
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.writing.model.section_evidence import SectionEvidence
from devrag.wiki.writing.model.section_plan import SectionPlan
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import COMMIT, SHOP, analyse

LICENCE = "Copyright 2020. Licensed under the Apache License, without warranty.\n" * 4
TREE = {**SHOP, "NOTICE.md": LICENCE}
LEAD = SectionPlan("", "How do orders come about?")
SECTION = SectionPlan("Placing an order", "How is an order placed?")


def hit(path: str, line: int = 1, version: str = COMMIT, text: str = "") -> Hit:
    empty = dict.fromkeys((each.name for each in fields(Hit)), "")
    found = {"source_name": "shop", "path": path, "start_line": line, "end_line": line}
    return Hit(**{**empty, **found, "version_identifier": version, "text": text})  # type: ignore[arg-type]


def found_by(*hits: Hit) -> tuple[Analysis, list[tuple[str, str]]]:
    """Return path and name of what a section is offered, the best first."""
    analysis = analyse(TREE)
    page = plan_wiki(analysis).page("features/orders.md")
    assert page is not None
    finder = SectionEvidence(
        *(analysis, page, [LEAD, SECTION]), lambda query: hits * (query.kind == "code")
    )
    places = finder.places(1)
    return analysis, [(analysis.files[p.file].path, p.name) for p in places]


def test_a_line_leads_to_the_definition_around_it() -> None:
    _, places = found_by(hit("shop/stock/counting.py", 6))
    assert ("shop/stock/counting.py", "reserve") in places


def test_what_states_nothing_is_no_evidence() -> None:
    imports = hit("shop/orders/models.py", 3)
    _, places = found_by(imports, hit("NOTICE.md"))
    assert ("shop/orders/models.py", "") not in places
    assert "NOTICE.md" not in {path for path, _ in places}


def test_the_files_of_the_page_count_more_but_others_count() -> None:
    stock, own = hit("shop/stock/counting.py", 6), hit("shop/orders/service.py", 9)
    _, places = found_by(stock, own)
    paths = [path for path, _ in places]
    assert paths.index("shop/orders/service.py") < paths.index("shop/stock/counting.py")


def test_tests_of_another_page_are_no_evidence() -> None:
    _, places = found_by(hit("tests/test_orders.py", 5))
    assert "tests/test_orders.py" not in {path for path, _ in places}


def test_lines_that_another_commit_changed_are_no_evidence() -> None:
    other = hit("shop/stock/counting.py", 6, "b" * 40, "return something else")
    _, places = found_by(other)
    assert "shop/stock/counting.py" not in {path for path, _ in places}


def test_an_introduction_leans_on_the_code_of_its_own_page() -> None:
    analysis = analyse(TREE)
    page = plan_wiki(analysis).page("features/orders.md")
    assert page is not None
    hits = [hit("shop/stock/counting.py", 6)]
    finder = SectionEvidence(analysis, page, [LEAD, SECTION], lambda _: hits)
    paths = {analysis.files[place.file].path for place in finder.places(0)}
    assert "shop/orders/models.py" in paths
    assert "shop/stock/counting.py" not in paths
