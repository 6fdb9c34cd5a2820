"""Who changed a file and when, from the mirror."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.products.models import Product
from devrag.sources.history import file_history
from devrag.sources.models import Source
from tests.sources.repositories import Connect, Repository

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(repository: Repository) -> Source:
    product = Product.objects.create(name="shop")
    return Source.objects.create(
        product=product,
        name="code",
        source_type="git",
        metadata={"url": str(repository.path)},
    )


def test_the_last_changes_of_a_file_up_to_a_commit(
    repository: Repository, connect: Connect, repos_dir: Path, source: Source
) -> None:
    first = repository.commit({"a *.txt": "1", "b.txt": "1"}, "begin\n\nmore")
    second = repository.commit({"a *.txt": "2"}, "fixes #7: \x1b[31mcount")
    repository.commit({"a *.txt": "3"}, "later")
    connect(repository).resolve()
    found = file_history(source, second, "a *.txt", repos_dir=repos_dir)
    assert [each.commit for each in found] == [second, first]
    assert [each.subject for each in found][1] == "begin"
    assert "fixes #7" in found[0].subject
    assert "\x1b" not in found[0].subject
    assert (found[0].author, found[0].committed_at.year) == ("Alice", 2026)
    one = file_history(source, second, "a *.txt", repos_dir=repos_dir, most=1)
    assert [each.commit for each in one] == [second]


def test_what_is_not_there_has_no_history(
    repository: Repository, connect: Connect, repos_dir: Path, source: Source
) -> None:
    assert file_history(source, "a" * 40, "b.txt", repos_dir=repos_dir) == ()
    commit = repository.commit({"b.txt": "1"})
    connect(repository).resolve()
    assert file_history(source, commit, "gone.txt", repos_dir=repos_dir) == ()
    assert file_history(source, "b" * 40, "b.txt", repos_dir=repos_dir) == ()
    assert file_history(source, "--output=x", "b.txt", repos_dir=repos_dir) == ()
    source.source_type = "local"
    assert file_history(source, commit, "b.txt", repos_dir=repos_dir) == ()
