"""Sections share a page's tokens: no line twice, nothing left while places wait."""

from __future__ import annotations

from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.writing.model.budget import EvidenceBudget
from devrag.wiki.writing.model.chosen_evidence import EvidenceDealer, choose_evidence
from devrag.wiki.writing.model.page_context import ModelPageContext, SurveyLines
from devrag.wiki.writing.model.section_plan import SectionPlan
from tests.wiki.shop import analyse, file_named

LINE = "x" * 34 + "\n"  # ten tokens
ANALYSIS = analyse({"code.py": LINE * 200})
FILE = file_named(ANALYSIS, "code.py").id
PLAN = SectionPlan("Section", "?")


def dealer(evidence: int, sections: int) -> tuple[EvidenceDealer, ModelPageContext]:
    book = EvidenceBook(ANALYSIS.files, ANALYSIS.texts)
    context = ModelPageContext(book, budget=EvidenceBudget(evidence=evidence))
    return EvidenceDealer(context, sections), context


def lines(context: ModelPageContext, plan: SectionPlan) -> list[tuple[int, int]]:
    items = {item.id: item for item in context.book.items}
    return [(items[i].start_line, items[i].end_line) for i in plan.evidence]


def place(start: int, end: int) -> SurveyLines:
    return SurveyLines(FILE, start, end)


def test_of_a_place_around_lines_that_are_taken_both_ends_are_given() -> None:
    deal, context = dealer(2_000, 2)
    deal.give(0, PLAN, (), [place(50, 60)])
    second = deal.give(1, PLAN, (), [place(40, 70)])
    assert lines(context, second) == [(40, 49), (61, 70)]


def test_the_best_place_of_a_section_may_take_more_than_its_share() -> None:
    deal, context = dealer(4_000, 4)
    plan = deal.give(0, PLAN, (), [place(1, 140), place(150, 190)])
    assert lines(context, plan) == [(1, 140)]


def test_what_sections_leave_goes_to_places_that_had_no_room() -> None:
    deal, context = dealer(1_000, 2)
    first = deal.give(0, PLAN, (), [place(1, 40), place(50, 90)])
    deal.give(1, PLAN, (), [])
    assert lines(context, deal.give_rest({0: first})[0]) == [(1, 40), (50, 90)]
    assert context.cut == []


def test_what_never_had_room_is_reported() -> None:
    deal, context = dealer(500, 1)
    plan = deal.give(0, PLAN, (), [place(1, 40), place(50, 90)])
    deal.give_rest({0: plan})
    assert context.cut == ["code.py:50-90"]


def test_what_a_section_was_given_before_stays() -> None:
    deal, context = dealer(500, 2)
    plan = deal.give(0, PLAN, [place(1, 30), place(50, 70)], [place(90, 95)])
    assert lines(context, plan) == [(1, 30), (50, 70)]


def test_pieces_of_one_definition_are_one_place_again() -> None:
    class Finder:
        def best_places(self, number: int) -> list[SurveyLines]:
            method = SurveyLines(FILE, 50, 60, "Till.count")
            return [method, SurveyLines(FILE, 40, 70, "Till"), place(71, 75)][
                : 3 * number
            ]

    _, context = dealer(2_000, 2)
    plans = [SectionPlan("", "?"), PLAN]
    chosen = choose_evidence(plans, Finder(), context)  # type: ignore[arg-type]
    assert sorted(lines(context, chosen[1])) == [(40, 70), (71, 75)]
