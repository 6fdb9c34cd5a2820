"""What one commit changed in a file, and that no secret shows in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import NotFound
from devrag.products.models import Product
from devrag.sources.file_patch import read_file_commit, read_hunks
from devrag.sources.models import Source
from tests.sources.repositories import Connect, Repository

pytestmark = pytest.mark.django_db
KEY = """-----BEGIN RSA PRIVATE KEY-----
MIIEpAIBAAKCAQEA7bq1Zr8vQeP0mYf3Wc5dXkq9sT2uLhJ4oNnRzBgVtKyDxEwA
q1Zr8vQeP0mYf3Wc5dXkq9sT2uLhJ4oNnRzBgVtKyDxEwA7bMIIEpAIBAAKCAQEA
r8vQeP0mYf3Wc5dXkq9sT2uLhJ4oNnRzBgVtKyDxEwA7bMIIEpAIBAAKCAQEAq1Z
vQeP0mYf3Wc5dXkq9sT2uLhJ4oNnRzBgVtKyDxEwA7bMIIEpAIBAAKCAQEAq1Zr8
QeP0mYf3Wc5dXkq9sT2uLhJ4oNnRzBgVtKyDxEwA7bMIIEpAIBAAKCAQEAq1Zr8v
-----END RSA PRIVATE KEY-----
"""


@pytest.fixture
def source(repository: Repository) -> Source:
    return Source.objects.create(
        product=Product.objects.create(name="shop"),
        name="code",
        source_type="git",
        metadata={"url": str(repository.path)},
    )


def test_a_change_has_its_lines_with_numbers(
    repository: Repository, connect: Connect, repos_dir: Path, source: Source
) -> None:
    lines = [f"line {n}\n" for n in range(1, 21)]
    first = repository.commit({"a.py": "".join(lines), "b.py": "1"}, "begin")
    lines[9:10] = ["ten\n", "ten and a half\n"]
    second = repository.commit({"a.py": "".join(lines), "b.py": "2"}, "tens\n\nWhy.")
    connect(repository).resolve()
    found = read_file_commit(source, second, second, "a.py", repos_dir=repos_dir)
    (hunk,) = found.hunks
    changed = [(each.mark, each.old, each.new, each.text) for each in hunk.lines]
    assert changed[3:6] == [
        ("-", 10, 0, "line 10"),
        ("+", 0, 10, "ten"),
        ("+", 0, 11, "ten and a half"),
    ]
    assert changed[6] == (" ", 11, 12, "line 11")
    assert (found.body, found.added, found.removed) == ("Why.", 2, 1)
    begin = read_file_commit(source, second, first, "a.py", repos_dir=repos_dir)
    assert (begin.added, begin.removed) == (20, 0)


def test_a_key_stays_masked_where_only_its_middle_changed(
    repository: Repository, connect: Connect, repos_dir: Path, source: Source
) -> None:
    repository.commit({"key.pem": KEY}, "add")
    changed = KEY.replace("vQeP0mYf3Wc5dXkq9sT2uLhJ4oNnRzBgVtKyDxEwA7b", "A" * 43, 1)
    second = repository.commit({"key.pem": changed}, "change")
    connect(repository).resolve()
    found = read_file_commit(source, second, second, "key.pem", repos_dir=repos_dir)
    texts = [line.text for hunk in found.hunks for line in hunk.lines]
    assert texts
    assert not [text for text in texts if "MIIE" in text or "AAAA" in text]


def test_a_commit_of_another_branch_is_not_shown(
    repository: Repository, connect: Connect, repos_dir: Path, source: Source
) -> None:
    shown = repository.commit({"a.py": "1\n"})
    repository.git("checkout", "-q", "-b", "hidden")
    hidden = repository.commit({"a.py": "2\n"})
    connect(repository).resolve()
    with pytest.raises(NotFound, match="not part of this version"):
        read_file_commit(source, shown, hidden, "a.py", repos_dir=repos_dir)


def test_hunks_without_a_last_newline_and_of_texts_not_shown() -> None:
    patch = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"
    (hunk,), is_cut = read_hunks(patch, ["a"], ["b", ""])
    assert [(line.mark, line.text) for line in hunk.lines] == [("-", "a"), ("+", "b")]
    assert not is_cut
    assert read_hunks(patch, None, ["b"]) == ((), False)
