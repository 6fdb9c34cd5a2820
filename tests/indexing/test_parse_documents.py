"""Documents from their bytes to what search finds of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from devrag.core.principal import SYSTEM
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.models import File, Skip, Source
from tests.conftest import Repository
from tests.indexing.test_index import index
from tests.parsing.pdfs import encrypted, make_pdf, page_of

pytestmark = pytest.mark.django_db

GUIDE = make_pdf(
    [page_of("Tea guide"), page_of("Kettles boil at a hundred degrees."), page_of()]
)


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


def test_one_pdf_is_a_source_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "guide.pdf").write_bytes(GUIDE)
    job = index(tmp_path / "guide.pdf")
    assert (job.report["added"], job.report["chunks"]) == (1, 2)
    assert Source.objects.get().source_type == "pdf"
    assert index(tmp_path / "guide.pdf").report["skipped"]


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
