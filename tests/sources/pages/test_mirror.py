"""The pages on this host's disk: batches, versions, crashes."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from devrag.core.errors import SourceError
from devrag.sources.connectors.pages.mirror import PageMirror
from devrag.sources.connectors.pages.types import Batch, Item
from devrag.sources.connectors.types import Entry, Removed, Unlisted


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pages/mirror.sqlite"


@pytest.fixture
def mirror(path: Path) -> Iterator[PageMirror]:
    with closing(PageMirror(path, "r1")) as opened:
        yield opened


def page(number: int, text: str = "", **changes: str) -> Item:
    values = {"version": "1", "path": f"{number}.md", "text": text or f"Page {number}"}
    return Item(str(number), **{**values, **changes})  # type: ignore[arg-type]


def paths(mirror: PageMirror) -> list[str]:
    return [entry.path for entry in mirror.entries()]


def test_a_batch_is_kept_with_its_cursor(mirror: PageMirror) -> None:
    items = [page(1), Item("2", "1", "2.md", reason="restricted")]
    assert mirror.store(Batch(items, cursor="next")) == (2, 0)
    assert mirror.get("cursor") == "next"
    first, second = mirror.entries()
    assert isinstance(first, Entry)
    assert first.size == len("Page 1")
    assert second == Unlisted("2.md", "restricted")
    assert mirror.read("1.md") == (b"Page 1", "")
    assert mirror.version_of("1") == "1"
    assert mirror.version_of("9") == ""


def test_an_item_can_be_put_elsewhere(mirror: PageMirror) -> None:
    file = Item("1/a", "7", "1/a.txt", download="/a", size=9)
    mirror.store(Batch([page(1, "Text"), file]))
    found = mirror.item("1")
    assert found is not None
    assert (found.version, found.path, found.text) == ("1", "1.md", "Text")
    assert mirror.item("1/a") == file
    assert mirror.item("9") is None
    mirror.store(Batch([replace(found, path="2.md"), replace(file, path="2/a.txt")]))
    assert paths(mirror) == ["2.md", "2/a.txt"]


def test_what_is_the_same_is_no_change(mirror: PageMirror) -> None:
    mirror.store(Batch([page(1)]))
    before = mirror.finish({})
    assert mirror.store(Batch([page(1, version="2")])) == (0, 0)
    assert mirror.version_of("1") == "2"
    assert mirror.finish({}) == before


def test_a_new_version_of_an_attachment_is_a_change(mirror: PageMirror) -> None:
    file = Item("a", "1", "a.txt", download="/a", size=5)
    mirror.store(Batch([file]))
    before = mirror.finish({})
    mirror.store(Batch([Item("a", "2", "a.txt", download="/a", size=5)]))
    assert mirror.finish({}) != before
    assert mirror.read("a.txt") == (b"", "/a")


def test_changes_lead_from_one_version_to_another(mirror: PageMirror) -> None:
    mirror.store(Batch([page(1), page(2), page(3)]))
    first = mirror.finish({})
    mirror.store(Batch([page(1, "New"), page(2, path="moved.md")], gone=["3"]))
    second = mirror.finish({})
    found = list(mirror.changes(first) or ())
    removed = {each.path for each in found if isinstance(each, Removed)}
    entered = {each.path for each in found if isinstance(each, Entry)}
    assert (removed, entered) == ({"2.md", "3.md"}, {"1.md", "moved.md"})
    assert list(mirror.changes(second) or ()) == []
    assert mirror.changes("unknown") is None


def test_a_page_that_comes_back_is_not_removed(mirror: PageMirror) -> None:
    mirror.store(Batch([page(1)]))
    first = mirror.finish({})
    mirror.store(Batch(gone=["1"]))
    mirror.store(Batch([page(1, "Again")]))
    mirror.finish({})
    assert [type(each) for each in mirror.changes(first) or ()] == [Entry]


def test_ids_below_another_are_found(mirror: PageMirror) -> None:
    ids = ("issue:1", "issue:1/file:2", "issue:1/file:📎", "issue:10", "wiki:A")
    mirror.store(Batch([Item(each, "1", f"{n}.md") for n, each in enumerate(ids)]))
    assert mirror.ids_below("issue:1/") == ["issue:1/file:2", "issue:1/file:📎"]
    assert mirror.ids_below("issue:") == list(ids[:4])
    assert mirror.ids_below("wiki:A") == []


def test_two_pages_of_one_path_are_told_apart(mirror: PageMirror) -> None:
    mirror.store(Batch([page(1, path="A.md"), page(2, path="A.md")]))
    first, second = sorted(paths(mirror), reverse=True)
    assert first == "A.md"
    assert second.startswith("A (")
    assert second.endswith(").md")
    mirror.store(Batch([page(2, "Changed", path="A.md")]))
    assert sorted(paths(mirror), reverse=True) == [first, second]


def test_what_was_neither_read_nor_seen_is_removed(mirror: PageMirror) -> None:
    mirror.store(Batch([page(1), page(2), page(3)]))
    mirror.finish({})
    mirror.store(Batch([page(1, "New")], known=["2"]))
    assert mirror.unseen() == ["3"]
    mirror.see(["3"])
    assert mirror.remove_unseen() == 0
    mirror.finish({})
    mirror.see(["1"])
    assert mirror.remove_unseen() == 2
    assert paths(mirror) == ["1.md"]


def test_another_recipe_reads_everything_again(path: Path) -> None:
    with closing(PageMirror(path, "r1")) as mirror:
        mirror.store(Batch([page(1)]))
        mirror.finish({"mark": "then"})
    with closing(PageMirror(path, "r1")) as mirror:
        assert (mirror.count(), mirror.get("mark")) == (1, "then")
    with closing(PageMirror(path, "r2")) as mirror:
        assert (mirror.count(), mirror.get("mark")) == (0, "")


def test_a_damaged_file_is_read_again(path: Path) -> None:
    with closing(PageMirror(path, "r1")) as mirror:
        mirror.store(Batch([page(1)]))
    path.write_bytes(b"not a database, but long enough to be taken for one" * 50)
    with closing(PageMirror(path, "r1")) as mirror:
        assert mirror.count() == 0


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "pages").write_text("a file")
    with pytest.raises(SourceError, match="Cannot store pages"):
        PageMirror(tmp_path / "pages/mirror.sqlite", "r1")


def test_it_is_read_in_another_thread(mirror: PageMirror) -> None:
    mirror.store(Batch([page(1)]))
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(mirror.read, "1.md").result() == (b"Page 1", "")


_KILLED = """
import os, signal, sys
from pathlib import Path
from devrag.sources.connectors.pages.mirror import PageMirror
from devrag.sources.connectors.pages.types import Batch, Item

def items():
    yield Item("3", "1", "3.md", text="three")
    os.kill(os.getpid(), signal.SIGKILL)

mirror = PageMirror(Path(sys.argv[1]), "r1")
mirror.store(Batch([Item("1", "1", "1.md", text="one")], cursor="after 1"))
mirror.store(Batch(items(), cursor="after 3"))
"""


def test_a_run_killed_in_the_middle_of_a_batch_loses_that_batch_alone(
    path: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(path)], check=False, capture_output=True
    )
    assert done.returncode == -signal.SIGKILL
    with closing(PageMirror(path, "r1")) as mirror:
        assert paths(mirror) == ["1.md"]
        assert mirror.get("cursor") == "after 1"
        # It goes on: what came before the crash still counts as seen by this run.
        mirror.store(Batch([page(2)]))
        assert mirror.unseen() == []
