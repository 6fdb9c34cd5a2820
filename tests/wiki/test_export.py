"""Files on disk are an export: replaced as a whole, never outside their directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import ConfigurationError, InvalidInput
from devrag.wiki.publishing.export import export_pages

PAGES = {"index.md": "# A\n", "features/x.md": "# X\n"}


def tree(root: Path) -> dict[str, str]:
    found = (p for p in root.rglob("*") if p.is_file())
    return {str(p.relative_to(root)): p.read_text() for p in found}


def test_pages_lie_under_the_products_name(tmp_path: Path) -> None:
    export_pages(tmp_path / "wikis", "shop", PAGES)
    assert tree(tmp_path / "wikis" / "shop") == PAGES


def test_hand_edits_are_overwritten_and_old_pages_go(tmp_path: Path) -> None:
    target = export_pages(tmp_path, "shop", {**PAGES, "old.md": "# Old\n"})
    (target / "index.md").write_text("edited by hand")
    (target / "mine.md").write_text("mine")
    export_pages(tmp_path, "shop", PAGES)
    assert tree(target) == PAGES


def test_nothing_is_left_beside_the_export(tmp_path: Path) -> None:
    for _ in range(3):
        export_pages(tmp_path, "shop", PAGES)
    assert [path.name for path in tmp_path.iterdir()] == ["shop"]


@pytest.mark.parametrize("name", ["..", "a/b", "", ".hidden", "a..b", "a\x00b", "/tmp"])
def test_a_name_that_leaves_the_directory_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        export_pages(tmp_path / "wikis", name, PAGES)
    assert not (tmp_path / "wikis").exists()


def test_a_page_path_cannot_leave_either(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        export_pages(tmp_path, "shop", {"../escape.md": "x"})
    assert list(tmp_path.iterdir()) == []


def test_an_unusable_output_directory_names_the_setting(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="WIKI_OUTPUT_DIR"):
        export_pages(tmp_path / "file" / "wikis", "shop", PAGES)
