"""A commit rewrites what it changes: real commits, through the jobs."""

from __future__ import annotations

import pytest

from devrag.core.principal import SYSTEM
from devrag.sources.models import File
from devrag.use_cases.wiki import roll_back
from devrag.wiki.evidence.page_evidence import excerpt_of
from devrag.wiki.models import Claim, Page, Version
from tests.tiers import mostly_slow
from tests.wiki.gitshop import GitShop
from tests.wiki.shop import GUIDE, SHOP

SERVICE = "shop/orders/service.py"
COUNTING = "shop/stock/counting.py"


def indented(text: str) -> str:
    return text.replace("    ", "  ").replace("\n\n\n", "\n\n\n\n\n")


QUIET = {
    "an empty commit": {},
    "blank lines": {SERVICE: "\n\n" + SHOP[SERVICE].replace("\n\n\n", "\n\n\n\n\n")},
    "another indentation": {SERVICE: indented(SHOP[SERVICE])},
    "line ends": {GUIDE: SHOP[GUIDE].replace("\n", "\r\n")},
    "a file that no page tells of": {"vendor/jquery.min.js": "!function(){1}();\n"},
    "a comment that nothing cites": {COUNTING: SHOP[COUNTING] + "# one more\n"},
}


@pytest.mark.parametrize(
    "files", mostly_slow(QUIET.values(), quick=2), ids=QUIET.keys()
)
def test_a_commit_without_news_rewrites_nothing(
    git_shop: GitShop, files: dict[str, str | bytes | None]
) -> None:
    pages = git_shop.first["pages"]
    report = git_shop.write(files)
    assert (report["rewritten"], report["why"]) == ([], {})
    assert len(report["reused"]) == pages
    assert report["added"] == report["removed"] == []


def test_citations_of_reused_pages_lead_to_the_present_lines(git_shop: GitShop) -> None:
    git_shop.write({SERVICE: "# moved\n\n" + SHOP[SERVICE]})
    version = Version.objects.get(number=2)
    claims = Claim.objects.filter(page__version=version)
    assert claims.filter(path=SERVICE).exists()
    for claim in claims:
        file = File.objects.get(path=claim.path, content_hash=claim.content_hash)
        lines = file.text.split("\n")
        assert excerpt_of(lines, claim.start_line, claim.end_line) == claim.excerpt
        assert claim.version_identifier == version.sources["shop"]["commit"]


@pytest.mark.slow
def test_text_of_reused_pages_stays_to_the_letter(git_shop: GitShop) -> None:
    git_shop.write({SERVICE: "\n\n" + SHOP[SERVICE]})
    first, second = (
        dict(Page.objects.filter(version__number=n).values_list("path", "markdown"))
        for n in (1, 2)
    )
    assert first == second


def test_a_changed_sentence_rewrites_its_pages_and_says_why(git_shop: GitShop) -> None:
    changed = SHOP[GUIDE].replace("first order", "second order")
    report = git_shop.write({GUIDE: changed})
    assert report["rewritten"] == ["documentation.md"]
    assert report["why"] == {"documentation.md": [f"shop/{GUIDE} changed"]}


@pytest.mark.slow
def test_pages_come_and_go_with_their_files(git_shop: GitShop) -> None:
    report = git_shop.write({GUIDE: None})
    assert report["removed"] == ["documentation.md"]
    assert report["why"]["documentation.md"] == [f"it no longer covers shop/{GUIDE}"]
    report = git_shop.write({GUIDE: SHOP[GUIDE]})
    assert report["added"] == ["documentation.md"]
    assert report["why"]["documentation.md"] == [f"it now covers shop/{GUIDE}"]


@pytest.mark.slow
def test_a_doubled_file_is_told(git_shop: GitShop) -> None:
    grown = SHOP["tests/test_orders.py"] + "# more\n" * 40
    report = git_shop.write({"tests/test_orders.py": grown})
    assert "testing.md" in report["rewritten"]


@pytest.mark.slow
def test_an_index_does_not_write_a_rolled_back_wiki(git_shop: GitShop) -> None:
    git_shop.write({GUIDE: SHOP[GUIDE] + "\nIt was changed.\n"})
    roll_back(principal=SYSTEM, product=git_shop.product, number=1)
    report = git_shop.index({GUIDE: "# Guide\n\nAnother text stands here now.\n"})
    assert report["wikiHeldAt"] == 1
    roll_back(principal=SYSTEM, product=git_shop.product, number=2)
    report = git_shop.index({GUIDE: "# Guide\n\nYet another text is here now.\n"})
    assert "wikiJobID" in report
