"""An outline by a model covers all code once; what it misses is put right."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.outline.answer import read_design
from devrag.wiki.writing.outline.cover import Checked, check_outline, limits_of
from devrag.wiki.writing.outline.digest import digest_of
from tests.wiki.shop import SHOP, analyse

WINDOW = 128_000
FIXED = ("Shop", "Architecture", "Testing")
GUIDE = (
    "# Guide\n\nThis guide walks through a first order, from the basket to the bill, "
    "and says at each step which module does the work and what it keeps of it.\n"
)
BRIEF = Brief("Shop", glossary={"cart": "Basket"})


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse({**SHOP, "docs/guide.md": GUIDE})


def page(title: str, *code: str, **more: Any) -> dict[str, Any]:
    sections = [{"title": f"How {title} works", "question": "How?"}]
    return {
        "title": title,
        "question": "What?",
        "code": code,
        "sections": sections,
    } | more


def check(analysis: Analysis, *pages: Mapping[str, Any]) -> Checked:
    digest = digest_of(analysis, WINDOW)
    limits = limits_of(digest, FIXED, "Architecture")
    answered = read_design(json.dumps({"pages": pages}))
    return check_outline(answered, digest, analysis, limits, BRIEF)


def files_of(analysis: Analysis, checked: Checked) -> dict[str, set[str]]:
    return {
        page.title: {analysis.files[file].path for file in page.files}
        for page in checked.pages
    }


def numbers(analysis: Analysis, *paths: str) -> list[str]:
    entries = digest_of(analysis, WINDOW).entries
    found = {file.path: n for n, e in enumerate(entries, 1) for file in e.files}
    return [str(found[path]) for path in paths]


def every(analysis: Analysis) -> Sequence[str]:
    return [f"T{n}" for n in range(1, len(analysis.topics) + 1)]


@pytest.mark.slow
def test_thousands_of_files_that_the_model_forgot_are_placed_at_once() -> None:
    tree = {f"app/area{n % 50}/part{n}.py": f"A = {n}\nB = {n}\n" for n in range(4000)}
    many = analyse(tree)
    answer = page("Parts", "1-20"), page("Areas", "21-40")
    check(many, page("All", *every(many)))
    started = time.process_time()
    checked = check(many, *answer)
    assert time.process_time() - started < 2
    assert sum(len(page.files) for page in checked.pages) == 4000


def part(number: int, lines: int) -> str:
    """Return a module that uses the one before it."""
    last = max(0, number - 1)
    use = f"from app.part{last} import work{last}\n\n\n"
    return f"{use}def work{number}():\n    work{last}()\n" + "# filler\n" * lines


CLI, SETTINGS = "shop/cli.py", "shop/settings.py"
MODELS, SERVICE = "shop/orders/models.py", "shop/orders/service.py"


def test_numbers_count_before_the_group_that_they_are_of(analysis: Analysis) -> None:
    (models,) = numbers(analysis, MODELS)
    found = check(analysis, page("Everything", *every(analysis)), page("Data", models))
    assert found.faults == ()
    files = files_of(analysis, found)
    assert files["Data"] == {MODELS}
    assert MODELS not in files["Everything"]
    assert {CLI, SETTINGS, SERVICE} <= files["Everything"]


def test_code_that_no_page_has_goes_to_what_it_is_tied_to(analysis: Analysis) -> None:
    models, *rest = numbers(
        *(analysis, MODELS, CLI, SETTINGS, "shop/stock/counting.py"),
    )
    found = check(analysis, page("Data", models), page("Rest", *rest))
    files = files_of(analysis, found)
    assert SERVICE in files["Data"] | files["Rest"]
    assert sum(map(len, files.values())) == 6
    (fault,) = found.faults
    assert fault.startswith("code that is on no page: ")


def test_a_file_is_on_the_first_page_that_names_it(analysis: Analysis) -> None:
    (models,) = numbers(analysis, MODELS)
    found = check(
        *(analysis, page("One", models, *every(analysis)), page("Two", models, CLI)),
    )
    assert "Two" not in files_of(analysis, found)


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ([page("Everything")], "several pages have the title “Everything”"),
        ([page("Empty")], "“Empty” has neither code nor documents"),
        ([page("Testing", documents=["D1"])], "there is a page “Testing” already"),
        (
            [page("注文を受け付ける仕組みの全体", documents=["D1"])],
            "in another language",
        ),
        ([page("The cart", documents=["D1"])], "says “cart”, write “Basket”"),
        (
            [page("One", documents=["D1"]), page("Two", documents=["D1"])],
            "“One” and “Two” are about the same things",
        ),
    ],
)
def test_what_does_not_hold_is_a_fault(
    more: list[dict[str, Any]], fault: str, analysis: Analysis
) -> None:
    found = check(analysis, page("Everything", *every(analysis)), *more)
    assert any(fault in each for each in found.faults)
    titles = [page.title for page in found.pages]
    assert len(set(titles)) == len(titles)
    assert "Empty" not in titles
    assert "Testing" not in titles


def test_pages_stand_on_two_levels(analysis: Analysis) -> None:
    found = check(
        analysis,
        page("Top", *every(analysis)),
        page("Middle", documents=["D1"], parent="top"),
        page("Bottom", documents=["D1"], parent="Middle"),
        page("Self", documents=["D1"], parent="Self"),
    )
    assert [page.parent for page in found.pages] == [None, 0, None, None]


def test_the_architecture_is_designed_beside_the_topics(analysis: Analysis) -> None:
    whole = page("Everything", *every(analysis))
    found = check(
        analysis, whole, page("Guide", documents=["D1"]), page("Architecture")
    )
    assert found.faults == ()
    assert [page.title for page in found.pages] == ["Everything", "Guide"]
    assert found.architecture is not None
    assert found.architecture.sections[0].title == "How Architecture works"


def test_a_topic_that_people_named_keeps_its_title_and_files() -> None:
    steering = "pages:\n  - title: Taking orders\n    paths: [shop/orders/]\n"
    steered = analyse({**SHOP, ".devrag/wiki.yaml": steering})
    found = check(steered, page("Everything", *every(steered)), page("Orders", "T1"))
    given = [page for page in found.pages if page.is_given]
    assert [page.title for page in given] == ["Taking orders"]
    files = files_of(steered, found)
    assert {MODELS, SERVICE} <= files["Taking orders"]
    assert not files["Everything"] & files["Taking orders"]


def test_too_many_pages_are_joined_with_those_they_are_tied_to() -> None:
    tree = {f"app/part{n}.py": part(n, 5) for n in range(45)}
    many = analyse(tree)
    entries = digest_of(many, WINDOW).entries
    found = check(
        many, *(page(f"Part {n}", str(n)) for n in range(1, len(entries) + 1))
    )
    assert len(found.pages) == 40 - len(FIXED)
    assert sum(len(page.files) for page in found.pages) == 45
    assert any("pages are too many" in fault for fault in found.faults)


def test_pages_that_are_joined_stay_on_two_levels() -> None:
    tree = {f"app/part{n}.py": part(n, 50 * (n in {1, 2, 40})) for n in range(45)}
    many = analyse(tree)
    number = {n: numbers(many, f"app/part{n}.py")[0] for n in range(45)}
    parents = {1: "Part 40", 2: "Part 0"}  # and the small part 0 is used by part 1
    found = check(
        many,
        *(page(f"Part {n}", number[n], parent=parents.get(n)) for n in range(45)),
    )
    assert len(found.pages) == 40 - len(FIXED)
    above = [each.parent for each in found.pages]
    assert [p for p in above if p is not None and above[p] is not None] == []
    child = next(each for each in found.pages if each.title == "Part 2")
    assert child.parent is not None
    assert found.pages[child.parent].title == "Part 40"


@pytest.mark.slow
def test_a_page_with_most_of_the_code_is_to_be_split() -> None:
    tree = {f"app/part{n}.py": part(n, 1500) for n in range(6)}
    large = analyse(tree)
    found = check(large, page("All of it", *every(large)))
    assert any("“All of it” has" in fault for fault in found.faults)
