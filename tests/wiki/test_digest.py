"""What a model reads of a product before it designs the pages."""

from __future__ import annotations

import re

import pytest

from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import Survey, SurveyFile
from devrag.wiki.analysis.topics.outline import outline_of
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.writing.outline.digest import digest_of
from tests.tiers import mostly_slow
from tests.wiki.shop import SHOP, DictTexts, analyse

STEERING = "pages:\n  - title: Taking orders\n    paths: [shop/orders/]\n"
STEERED = {**SHOP, ".devrag/wiki.yaml": STEERING}


def test_code_is_numbered_with_names_and_sizes() -> None:
    digest = digest_of(analyse(SHOP), 128_000)
    lines = digest.text.split("\n")
    number = next(
        n for n, e in enumerate(digest.entries, 1) if e.files[0].path.endswith("cli.py")
    )
    assert any(re.match(rf"  {number} shop/cli.py \(\d+\): main$", x) for x in lines)
    assert "README begins:\nShop sells books over the web." in digest.text
    assert "Entry points, with their file: entry point shop" in digest.text


def test_documentation_is_numbered_with_its_headings() -> None:
    digest = digest_of(analyse(SHOP), 128_000)
    for number, section in enumerate(digest.documents, 1):
        assert re.search(rf"D{number} \S+: .*{section.title}, ", digest.text)


def test_what_people_named_is_marked() -> None:
    digest = digest_of(analyse(STEERED), 128_000)
    assert re.search("“Taking orders” .*FIXED", digest.text)


@pytest.mark.parametrize("window", mostly_slow([32_768, 128_000]))
def test_a_large_product_is_told_in_bounds_and_no_file_is_lost(window: int) -> None:
    tree = {
        f"app/area{n % 40}/part{n}.py": f"from app.area0.part0 import work_0\n\n\n"
        f"def work_{n}():\n    return {n}\n"
        for n in range(1200)
    }
    analysis = analyse(tree)
    digest = digest_of(analysis, window)
    assert estimate_tokens(digest.text) <= min(24_000, 0.45 * window)
    assert len(digest.entries) <= 500
    assert sum(len(entry.files) for entry in digest.entries) == 1200


@pytest.mark.slow
def test_many_directories_are_told_by_what_they_are_below() -> None:
    files = [
        SurveyFile(n, "s", f"packages/a{n // 2}/module/f{n}.py", "python", "code", 80)
        for n in range(20_000)
    ]
    topics = [Topic(f"T{n}", tuple(files[n::28])) for n in range(28)]
    survey = Survey("s", "S", tuple(files), (), (), ())
    outline = outline_of(topics, {file.id: file for file in files}, "")
    analysis = Analysis(survey, DictTexts(), outline)
    digest = digest_of(analysis, 128_000)
    assert estimate_tokens(digest.text) <= 24_000
    assert "packages/ (" in digest.text
    assert {f for e in digest.entries for f in e.files} == set(files)


@pytest.mark.parametrize("window", [8_192, 12_000, 128_000])
def test_the_documents_are_those_that_the_text_numbers(window: int) -> None:
    prose = "Each order is told of here, from the basket to the bill. " * 3
    guide = "".join(f"## Chapter {n} of the guide\n\n{prose}\n\n" for n in range(200))
    digest = digest_of(
        analyse({**SHOP, "docs/guide.md": f"# Guide\n\n{guide}"}), window
    )
    assert len(digest.documents) >= 20
    numbered = re.findall(r"^  D(\d+) .*: (.*), \d+ words", digest.text, re.MULTILINE)
    assert [title.rpartition(" > ")[2] for _, title in numbered] == [
        section.title for section in digest.documents
    ]
