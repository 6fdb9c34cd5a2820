"""What a folder would give as a source, before it is added."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from devrag.sources.connectors.local import survey
from devrag.sources.connectors.pages.types import Probe
from devrag.sources.connectors.registry import open_connector, preview
from devrag.sources.connectors.types import ConnectorContext
from devrag.sources.selection import Selection


def ask(root: Path, kind: str = "local") -> Probe:
    context = ConnectorContext(
        repos_dir=root.parent / "repos",
        is_local_user=True,
        selection=Selection(max_bytes=100),
    )
    with closing(open_connector(kind, {"path": str(root)}, context)) as connector:
        return preview(connector)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "build").mkdir(parents=True)
    (root / "a.md").write_text("# Tea\n")
    (root / "b.py").write_text("x = 1\n")
    return root


def test_files_and_bytes_are_counted(folder: Path) -> None:
    assert ask(folder) == Probe("", (("files", 2), ("bytes", 12)))


def test_what_is_left_out_is_said_with_its_reason(folder: Path) -> None:
    (folder / ".gitignore").write_text("build/\n")
    for name in ("build/x.md", "build/y.md", "large.txt"):
        (folder / name).write_text("x" * 200)
    (folder / "link").symlink_to("/etc/passwd")
    found = ask(folder)
    assert found.counts[0] == ("files", 3)
    assert set(found.notes) == {
        "Skipped: 2 files (ignored by .gitignore).",
        "Skipped: 1 files (too large).",
        "Skipped: 1 files (symlink to outside the folder).",
    }


def test_counting_ends_at_a_limit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(survey, "MAX_COUNTED", 1)
    found = ask(folder)
    assert found.counts[0] == ("files", 1)
    assert found.notes == (
        "The folder contains more files; only the first 1 were counted.",
    )


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    found = ask(tmp_path / "root")
    assert found.counts == (("files", 0), ("bytes", 0))
    assert found.notes == ("This folder contains nothing to index.",)


def test_of_pdf_sources_only_pdfs_count(folder: Path) -> None:
    (folder / "a.pdf").write_bytes(b"%PDF")
    assert ask(folder, "pdf").counts[0] == ("files", 1)
    assert ask(folder / "a.pdf", "pdf").counts == (("files", 1), ("bytes", 4))
