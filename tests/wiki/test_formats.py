"""A wiki taken away: Markdown, HTML, an archive; other people's files stay."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from devrag.core.errors import InvalidInput
from devrag.products.models import Product
from devrag.wiki.models import Version
from devrag.wiki.publishing.folder import LISTING, write_file, write_folder
from devrag.wiki.publishing.formats import archive_of, files_of
from tests.wiki.rows import index_source
from tests.wiki.runs import generate
from tests.wiki.shop import SHOP

LINK = re.compile(r'(?:href)="([^"#]*)(?:#([^"]*))?"')


@pytest.fixture
def version(written: Product) -> Version:
    return Version.objects.get()


def test_html_pages_link_only_to_what_is_in_the_folder(version: Version) -> None:
    files = files_of(version, "html")
    checked = 0
    for path, text in files.items():
        for target, fragment in LINK.findall(text) if path.endswith(".html") else ():
            base = Path("/x") / path
            file = base if not target else (base.parent / target)
            name = str(Path(*file.resolve().parts[2:]))
            assert name in files
            assert not fragment or f'id="{fragment}"' in files[name]
            checked += 1
    assert checked > 50


def test_html_needs_nothing_from_elsewhere(version: Version) -> None:
    files = files_of(version, "html")
    assert "--accent" in files["style.css"]
    for text in files.values():
        assert "<script" not in text
        assert "url(" not in text
        assert " src=" not in text


def test_html_shows_diagrams_as_text_and_evidence_with_its_lines(
    version: Version,
) -> None:
    page = files_of(version, "html")["architecture.html"]
    assert '<pre class="mermaid-source" tabindex="0">flowchart' in page
    orders = files_of(version, "html")["features/orders.html"]
    assert 'href="#dr-claim-1"' in orders
    assert re.search(r"<summary>shop shop/orders/\S+:\d+(-\d+)? at a{12}<", orders)
    assert "def place_order" in orders


def test_what_a_repository_says_is_text_in_html(written: Product) -> None:
    tree = {**SHOP, "shop/stock/__init__.py": '"""A <b>bold</b> & <script> stock."""\n'}
    index_source(written, "shop", tree, "b" * 40)
    generate(written)
    for text in files_of(Version.objects.get(number=2), "html").values():
        assert "<script>" not in text
        assert "<b>bold" not in text


@pytest.mark.parametrize(("kind", "ending"), [("md", ".md"), ("html", ".html")])
def test_a_list_for_agents_names_every_page(
    version: Version, kind: str, ending: str
) -> None:
    files = files_of(version, kind)
    said = files["llms.txt"]
    assert said.startswith("# Shop\n\n> ")
    assert set(re.findall(r"\]\((\S+)\)", said)) == {
        path for path in files if path.endswith(ending)
    }


def test_an_archive_holds_both_forms_and_is_the_same_again(version: Version) -> None:
    data = archive_of(version, "zip")
    assert data == archive_of(version, "zip")
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert {"shop/index.html", "shop/index.md", "shop/llms.txt"} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("kind", ["md", "html"])
def test_an_archive_of_one_form_is_its_files(version: Version, kind: str) -> None:
    with zipfile.ZipFile(io.BytesIO(archive_of(version, kind))) as archive:
        found = {name: archive.read(name).decode() for name in archive.namelist()}
    files = files_of(version, kind)
    assert found == {f"shop/{path}": text for path, text in files.items()}


PAGES = {"index.md": "# A\n", "features/x.md": "# X\n"}


def test_a_folder_keeps_what_others_put_there(tmp_path: Path) -> None:
    (tmp_path / "features").mkdir()
    (tmp_path / "mine.md").write_text("mine")
    (tmp_path / "features" / "mine.md").write_text("mine")
    write_folder(tmp_path, PAGES)
    write_folder(tmp_path, {"index.md": "# B\n"})
    kept = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()}
    assert kept == {"index.md", "mine.md", "features/mine.md", LISTING}


def test_generated_files_are_overwritten_and_those_gone_removed(tmp_path: Path) -> None:
    write_folder(tmp_path, PAGES)
    (tmp_path / "index.md").write_text("edited by hand")
    write_folder(tmp_path, {"index.md": "# B\n"})
    assert (tmp_path / "index.md").read_text() == "# B\n"
    assert not (tmp_path / "features").exists()


@pytest.mark.parametrize("name", ["../out.md", "/tmp/out.md", LISTING])
def test_no_file_is_written_elsewhere(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "wiki"
    with pytest.raises(InvalidInput):
        write_folder(folder, {**PAGES, name: "x"})
    assert not folder.exists()


def test_a_listing_leads_to_no_file_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "theirs.md").write_text("theirs")
    folder = tmp_path / "wiki"
    write_folder(folder, PAGES)
    (folder / LISTING).write_text(json.dumps({"files": ["../theirs.md"]}))
    with pytest.raises(InvalidInput):
        write_folder(folder, PAGES)
    assert (tmp_path / "theirs.md").exists()


def test_a_broken_listing_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / LISTING).write_text("{")
    with pytest.raises(InvalidInput, match="Remove it"):
        write_folder(tmp_path, PAGES)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="--output"):
        write_folder(tmp_path / "file", PAGES)
    with pytest.raises(InvalidInput, match="--output"):
        write_file(tmp_path / "file" / "a.zip", b"")
