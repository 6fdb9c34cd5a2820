"""Who changed a file and when, from the mirror."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.products.models import Product
from devrag.sources.blame import blame_lines
from devrag.sources.git_read import GitReader, HistoryUnavailable
from devrag.sources.history import file_history, last_changes, list_changes
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


def test_a_history_goes_on_where_it_ended(
    repository: Repository, connect: Connect, repos_dir: Path, source: Source
) -> None:
    commits = [repository.commit({"a.txt": str(n)}) for n in range(3)]
    connect(repository).resolve()
    rest = list_changes(
        source, commits[2], "a.txt", repos_dir=repos_dir, most=5, skipped=1
    )
    assert [each.commit for each in rest] == [commits[1], commits[0]]
    with pytest.raises(HistoryUnavailable, match="could not read"):
        list_changes(source, "b" * 40, "a.txt", repos_dir=repos_dir, most=5)
    source.source_type = "local"
    with pytest.raises(HistoryUnavailable, match="not a git repository"):
        list_changes(source, commits[2], "a.txt", repos_dir=repos_dir, most=5)


def test_the_last_change_of_each_entry_of_a_folder(
    repository: Repository, connect: Connect, repos_dir: Path, source: Source
) -> None:
    first = repository.commit({"src/a/x.py": "1", "src/b.py": "1", "c.py": "1"})
    second = repository.commit({"src/a/y/日本.py": "2", "c.py": "2"})
    connect(repository).resolve()
    names = {"a", "b.py", "not there"}
    inside = last_changes(source, second, "src", names, repos_dir=repos_dir)
    assert {n: c.commit for n, c in inside.items()} == {"a": second, "b.py": first}
    root = last_changes(source, second, "", {"src", "c.py"}, repos_dir=repos_dir)
    assert {c.commit for c in root.values()} == {second}


def test_blame_names_the_commit_of_each_line(
    repository: Repository, connect: Connect, repos_dir: Path, source: Source
) -> None:
    first = repository.commit({"a.py": "one\ntwo\nthree\nfour\n"}, "begin")
    second = repository.commit({"a.py": "one\n2\nthree\nfour\n"}, "second")
    connect(repository).resolve()
    found = blame_lines(source, second, "a.py", 1, 3, repos_dir=repos_dir)
    assert [(each.first, each.last, each.change.commit) for each in found] == [
        (1, 1, first),
        (2, 2, second),
        (3, 3, first),
    ]
    assert (found[1].change.subject, found[1].change.author) == ("second", "Alice")
    with pytest.raises(HistoryUnavailable):
        blame_lines(source, "--contents=x", "a.py", 1, 3, repos_dir=repos_dir)


def test_git_that_is_too_slow_is_ended(
    repository: Repository, connect: Connect, repos_dir: Path, source: Source
) -> None:
    repository.commit({"a.py": "one\n"})
    connect(repository).resolve()
    git = GitReader.of(source, repos_dir)
    with pytest.raises(HistoryUnavailable, match="within 0 seconds"):
        git.read("log", "--all", seconds=0)
    with git.stream("cat-file", "--batch", "--batch-all-objects", seconds=0) as output:
        list(output.records(b"\0"))  # what came in time
    assert output.process.returncode is not None
