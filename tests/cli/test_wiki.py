"""`manage.py wiki`: its actions, as text and as JSON."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from devrag.core.errors import InvalidInput, NotFound
from devrag.products.models import Product
from devrag.wiki.models import Version
from tests.conftest import Stand
from tests.standing import Standing
from tests.stored import add_outdated
from tests.wiki.rows import index_source
from tests.wiki.runs import write_versions
from tests.wiki.shop import CHANGED, GUIDE, SHOP


@pytest.fixture(scope="module")
def standing_wiki(stand: Stand) -> Standing[None]:
    return stand(lambda _: write_versions(SHOP, CHANGED))


@pytest.fixture
def product(standing_wiki: Standing[None], db: None, tmp_path: Path) -> Product:
    """A wiki of two versions; they differ in one sentence."""
    standing_wiki.furnish(tmp_path / "home")
    return Product.objects.get()


def say(action: str, *argv: str, product: str = "shop") -> str:
    out = io.StringIO()
    call_command("wiki", action, "--product", product, *argv, stdout=out)
    return out.getvalue()


def ask(action: str, *argv: str) -> Any:
    return json.loads(say(action, *argv, "--json"))


def test_status_says_how_the_wiki_stands(product: Product) -> None:
    status = ask("status")
    assert (status["version"], status["isUpToDate"]) == (2, True)
    assert status["claims"]["stale"] == status["claims"]["moved"] == 0
    assert [v["version"] for v in status["versions"]] == [2, 1]
    assert "Stored versions (* pinned): 2, 1." in say("status")


def test_status_names_what_became_stale(product: Product) -> None:
    tree = {path: text for path, text in SHOP.items() if path != GUIDE}
    index_source(product, "shop", tree, "c" * 40)
    status = ask("status")
    assert not status["isUpToDate"]
    stale = status["stalePages"]["documentation.md"]
    assert stale["files"] == {f"shop/{GUIDE}": "deleted or renamed"}


def test_status_names_pages_that_the_model_failed_on(product: Product) -> None:
    version = Version.objects.get(number=2)
    version.report["unfinished"] = ["index.md"]
    version.save()
    assert (
        "The model failed on these pages; `wiki generate` tries them again: index.md."
        in say("status")
    )
    assert ask("status")["unfinished"] == ["index.md"]


def test_a_product_without_wiki_says_so(db: None) -> None:
    Product.objects.create(name="tea")
    for action in ("status", "export", "diff"):
        with pytest.raises(NotFound, match=r"no wiki yet\. Run `devrag wiki generate"):
            say(action, product="tea")


def test_a_diff_lists_pages_and_on_demand_lines(product: Product) -> None:
    assert say("diff") == "changed documentation.md (+1 -1)\n"
    assert "second order" in say("diff", "1", "2", "--full")
    (page,) = ask("diff", "2", "1")
    assert (page["path"], page["kind"]) == ("documentation.md", "changed")
    assert say("diff", "2", "2") == "No pages differ.\n"


def test_the_first_version_has_none_before_it(product: Product) -> None:
    Version.objects.get(number=1).delete()
    with pytest.raises(NotFound, match="Version 2 is the oldest"):
        say("diff")


def test_markdown_goes_to_the_wikis_own_place(product: Product, tmp_path: Path) -> None:
    page = tmp_path / "home" / "wikis" / "shop" / "index.md"
    page.write_text("edited by hand")
    say("export")
    assert "Shop sells books" in page.read_text()
    assert (page.parent / "llms.txt").is_file()


@pytest.mark.parametrize("argv", [("--format", "html"), ("--version", "1")])
def test_anything_else_needs_a_place(product: Product, argv: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput, match="--output FOLDER"):
        say("export", *argv)


def test_an_older_version_goes_where_it_is_told_to(
    product: Product, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    say("export", "--format", "html", "--version", "1", "--output", str(folder))
    assert "first order" in (folder / "documentation.html").read_text()


def test_a_zip_is_one_file(product: Product, tmp_path: Path) -> None:
    target = tmp_path / "shop.zip"
    say("export", "--format", "zip", "--output", str(target))
    assert "shop/index.html" in zipfile.ZipFile(target).namelist()


def test_outdated_documents_are_listed_with_their_code(product: Product) -> None:
    assert say("outdated") == "No documents are known to be outdated.\n"
    add_outdated(product.sources.get(), "docs/cart.md")
    (found,) = ask("outdated")
    assert (found["path"], found["code"][0]["symbol"]) == ("docs/cart.md", "Berth.moor")
    lines = say("outdated").splitlines()
    assert "written 2026-01-01, code changed 2026-03-01, 12 lines" in lines[0]
    assert "src/berth.py Berth.moor: 12 lines, cccccccc 2026-03-01" in lines[1]
    assert ask("outdated", "--state", "checked") == []


def test_the_structural_writer_costs_nothing(product: Product) -> None:
    found = ask("estimate")
    assert (found["writer"], found["inputTokens"], found["price"]) == (
        "structural",
        0,
        "0",
    )
    assert found["pages"] == Version.objects.get(number=2).pages.count()
    assert "no tokens, no cost" in say("estimate")


def test_an_older_version_is_shown_again(product: Product, tmp_path: Path) -> None:
    assert "`wiki show` with version 2" in say("show", "1")
    assert ask("status")["isRolledBack"]
    page = tmp_path / "home" / "wikis" / "shop" / "documentation.md"
    assert "first order" in page.read_text()
    say("show", "2")
    assert not ask("status")["isRolledBack"]


def test_versions_are_pinned_and_let_go(product: Product) -> None:
    assert ask("pin", "1")["isPinned"]
    assert "2, 1*" in say("status")
    assert not ask("unpin", "1")["isPinned"]


def test_nothing_is_written_when_nothing_changed(product: Product) -> None:
    assert say("generate").startswith("Nothing changed since version 2")
    assert Version.objects.count() == 2


@pytest.mark.parametrize("argv", [("generate",), ("estimate",), ("show", "1")])
def test_a_language_that_no_wiki_is_in_is_refused(
    argv: tuple[str, ...], product: Product
) -> None:
    with pytest.raises(
        InvalidInput, match=r"not in Japanese but in English.* language=en,ja"
    ):
        say(*argv, "--language", "ja")
