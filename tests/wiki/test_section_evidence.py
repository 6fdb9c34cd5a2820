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


LONG = "class Till:\n    slots = 1\n\n" + "".join(
    f"    def {name}(self):\n" + f"        self.{name}_total += 1\n" * 25 + "\n"
    for name in ("open", "count_coins", "print_bill", "close", "lock")
)


def places_for(question: str, tree: dict[str, str]) -> list[str]:
    analysis = analyse(tree)
    page = next(p for p in plan_wiki(analysis).pages if p.topic is not None)
    plans = [LEAD, SectionPlan("Work", question)]
    return [
        p.name for p in SectionEvidence(analysis, page, plans, lambda _: ()).places(1)
    ]


def test_of_a_long_type_the_methods_that_the_question_is_about_come_with_it() -> None:
    names = places_for("How does Till print the bill?", {"shop/till.py": LONG})
    assert set(names[:2]) == {"Till", "Till.print_bill"}


def test_what_a_named_function_calls_is_evidence() -> None:
    code = (
        "def run_batch():\n    return _weigh(1)\n\n\n"
        "def _weigh(n):\n    return n * 2\n\n\ndef _zip(n):\n    return n * 3\n"
    )
    names = places_for("How does run_batch do it?", {"shop/batch.py": code})
    assert "_weigh" in names
    assert "_zip" not in names


def test_sample_data_is_no_evidence() -> None:
    story = "# Night\n\n" + "The agents went down into the cold base at night. " * 40
    analysis = analyse({**TREE, "docs/data/story.md": story})
    page = plan_wiki(analysis).page("features/orders.md")
    assert page is not None
    hits = [hit("docs/data/story.md")]
    finder = SectionEvidence(analysis, page, [LEAD, SECTION], lambda _: hits)
    paths = {analysis.files[place.file].path for place in finder.places(1)}
    assert "docs/data/story.md" not in paths


def test_upgrade_guides_are_evidence_only_where_a_section_asks_for_them() -> None:
    guide = "# Upgrading\n\nAn order is now placed by `place_order` alone.\n"
    analysis = analyse({**TREE, "docs/upgrading-to-2.md": guide})
    page = plan_wiki(analysis).page("features/orders.md")
    assert page is not None
    asked = SectionPlan("Upgrades", "What changes when one upgrades?")
    hits = [hit("docs/upgrading-to-2.md")]
    plans = [LEAD, SECTION, asked]
    finder = SectionEvidence(analysis, page, plans, lambda _: hits)
    files = [{analysis.files[p.file].path for p in finder.places(n)} for n in (1, 2)]
    assert "docs/upgrading-to-2.md" not in files[0]
    assert "docs/upgrading-to-2.md" in files[1]


def test_of_overloads_the_longest_is_whole_and_others_are_signatures() -> None:
    body = "\t\ttotal += 1;\n" * 6
    code = (
        "public class Till {\n"
        "\tpublic void Count(int coins) {\n\t\tCount(coins, 1);\n\t}\n\n"
        f"\tpublic void Count(int coins, int factor) {{\n{body}\t}}\n"
        "}\n"
    ) + "\n// end\n" * 3
    analysis = analyse({"src/Till.cs": code})
    page = next(p for p in plan_wiki(analysis).pages if p.topic is not None)
    plans = [LEAD, SectionPlan("Counting", "How does Count add up the coins?")]
    finder = SectionEvidence(analysis, page, plans, lambda _: ())
    found = {(p.start_line, p.end_line) for p in finder.places(1) if "Count" in p.name}
    assert found == {(2, 2), (6, 13)}
