"""File versions go with everything that refers to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.search.deletion import _CHILDREN, delete_file_versions
from devrag.sources.models import Document, File
from tests.documents import TRACKER, index_documents


def test_everything_that_refers_to_a_file_is_known() -> None:
    tables = {each.related_model._meta.db_table for each in File._meta.related_objects}
    assert tables == {*_CHILDREN, "sources_chunk"}


@pytest.mark.django_db(transaction=True)
def test_pages_and_tickets_go_with_what_is_known_of_them(tmp_path: Path) -> None:
    source = index_documents(tmp_path, "shop", TRACKER)
    assert Document.objects.count() == len(TRACKER)
    ids = list(source.files.values_list("pk", flat=True))
    # What refers to a file is only checked when the transaction ends.
    assert delete_file_versions(ids)["files"] == len(TRACKER)
    assert not Document.objects.exists()
