"""Documents from their bytes to what search finds of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from devrag.core.principal import SYSTEM
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.models import File, Skip, Source
from tests.conftest import Repository
from tests.indexing.test_index import index
from tests.parsing.office_files import sheet, slides, word
from tests.parsing.pdfs import encrypted, make_pdf, page_of

pytestmark = pytest.mark.django_db

GUIDE = make_pdf(
    [page_of("Tea guide"), page_of("Kettles boil at a hundred degrees."), page_of()]
)


def _fill_deck(presentation: Any) -> None:
    for title, body in (("Tea", "Leaves and water"), ("Kettles", "Kettles boil")):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, body


def _fill_prices(workbook: Any) -> None:
    workbook.active.title = "Prices"
    workbook.active.append(["茶", "価格"])
    workbook.active.append(["煎茶", 1200])
    workbook.create_sheet("Draft").sheet_state = "hidden"


DECK, PRICES = slides(_fill_deck), sheet(_fill_prices)


def test_a_pdf_is_found_by_its_page(
    repository: Repository, follow: Callable[[], Any]
) -> None:
    repository.commit({"docs/guide.pdf": GUIDE, "a.py": "a = 1\n"})
    job = index(repository)
    follow()
    query = SearchQuery(text="kettles boil", principal=SYSTEM, mode="keyword")
    (hit,) = search(query).hits
    assert (hit.path, hit.heading) == ("docs/guide.pdf", "Page 2")
    assert (hit.mime, hit.file_kind) == ("application/pdf", "doc")
    file = File.objects.get(path="docs/guide.pdf")
    assert file.warnings == ["scanned or blank: no text on page 3"]
    assert job.report["leftOut"] == {}


@pytest.mark.slow
def test_pdfs_without_text_are_left_out_for_their_reason(
    repository: Repository,
) -> None:
    repository.commit(
        {
            "locked.pdf": encrypted(GUIDE, "x"),
            "scan.pdf": make_pdf([page_of()]),
            "half.pdf": GUIDE[:200],
            "a.py": "a = 1\n",
        }
    )
    job = index(repository)
    assert job.report["leftOut"] == {
        "encrypted PDF": 1,
        "scanned PDF": 1,
        "broken PDF": 1,
    }
    reasons = dict(Skip.objects.values_list("path", "reason"))
    assert reasons["scan.pdf"] == "scanned PDF (no text on 1 pages)"


def test_an_office_file_is_found_by_its_place(
    repository: Repository, follow: Callable[[], Any]
) -> None:
    repository.commit({"docs/deck.pptx": DECK, "docs/prices.xlsx": PRICES})
    job = index(repository)
    follow()
    assert job.report["leftOut"] == {}
    for words, path, place in (
        ("kettles boil", "docs/deck.pptx", "Slide 2: Kettles"),
        ("煎茶", "docs/prices.xlsx", "Sheet: Prices"),
    ):
        text = f"{words} kind:doc"
        query = SearchQuery(text=text, principal=SYSTEM, mode="keyword")
        (hit,) = search(query).hits
        assert (hit.path, hit.heading, hit.file_kind) == (path, place, "doc")
    file = File.objects.get(path="docs/prices.xlsx")
    assert file.warnings == ["hidden sheets left out: Draft"]
    assert file.encoding == "xlsx"


def test_an_unchanged_office_file_is_not_read_again(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "deck.pptx").write_bytes(DECK)
    index(folder)
    (folder / "a.md").write_text("# A\n")
    with patch("devrag.parsing.extract.read_office") as read:
        job = index(folder)
    assert (job.report["added"], job.report["modified"]) == (1, 0)
    read.assert_not_called()


@pytest.mark.slow
def test_office_files_without_text_are_left_out_for_their_reason(
    repository: Repository,
) -> None:
    repository.commit(
        {
            "locked.docx": bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600),
            "half.xlsx": PRICES[:200],
            "old.doc": bytes.fromhex("d0cf11e0a1b11ae1"),
            "blank.docx": word(lambda _: None),
            "a.py": "a = 1\n",
        }
    )
    assert index(repository).report["leftOut"] == {
        "encrypted Office document": 1,
        "broken Office document": 1,
        "old Office document": 1,
        "Office document without text": 1,
    }


@pytest.mark.slow
def test_one_pdf_is_a_source_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "guide.pdf").write_bytes(GUIDE)
    job = index(tmp_path / "guide.pdf")
    assert (job.report["added"], job.report["chunks"]) == (1, 2)
    assert Source.objects.get().source_type == "pdf"
    assert index(tmp_path / "guide.pdf").report["skipped"]


@pytest.mark.slow
def test_a_source_s_own_selection_counts(repository: Repository) -> None:
    files = {"docs/a.md": "# A\n", "docs/b.txt": "b\n", "src/c.py": "c = 1\n"}
    repository.commit({**files, "docs/big.md": "x" * 100})
    index(repository)
    source = Source.objects.get()
    source.metadata |= {"include": ["docs/"], "exclude_exts": ["txt"]}
    source.metadata["max_file_bytes"] = 50
    source.save(update_fields=["metadata"])
    job = index(repository, is_full=True)
    assert job.report["leftOut"] == {
        "not included": 1,
        "extension .txt excluded": 1,
        "too large": 1,
    }
    assert job.report["removed"] == 3


def test_long_sections_are_one_note_of_the_log_and_no_warning(
    repository: Repository,
) -> None:
    repository.commit({"long.md": "# Setup\n\n" + "Pour the tea slowly. " * 2000})
    job = index(repository)
    events = job.events.filter(message__contains="Long sections indexed in parts")
    assert [(each.level, each.message) for each in events] == [
        ("info", "Long sections indexed in parts: 2, for example in long.md.")
    ]
    assert not job.report.get("warnings")
