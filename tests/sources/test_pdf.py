"""PDFs as a source: one document, or those of a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.hashing import sha256_hex
from devrag.sources.connectors import (
    ConnectorContext,
    Entry,
    Unlisted,
    open_connector,
)
from devrag.sources.connectors.types import Connector

OPENED = ExitStack()


@pytest.fixture(autouse=True)
def close_connectors() -> Iterator[None]:
    yield
    OPENED.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "manuals"
    (root / "sub").mkdir(parents=True)
    (root / "a.pdf").write_bytes(b"%PDF-1.7 a")
    (root / "sub/b.PDF").write_bytes(b"%PDF-1.7 b")
    (root / "notes.txt").write_bytes(b"x")
    return root


def connect(path: Path) -> Connector:
    context = ConnectorContext(repos_dir=path.parent / "repos", is_local_user=True)
    connector = open_connector("pdf", {"path": str(path)}, context)
    return OPENED.enter_context(closing(connector))


def test_a_folder_gives_its_pdfs_and_names_the_rest(folder: Path) -> None:
    connector = connect(folder)
    found = list(connector.list(connector.resolve()))
    assert [e.path for e in found if isinstance(e, Entry)] == ["a.pdf", "sub/b.PDF"]
    assert [e for e in found if isinstance(e, Unlisted)] == [
        Unlisted("notes.txt", "not a PDF")
    ]


def test_the_version_of_one_file_is_its_hash(folder: Path) -> None:
    connector = connect(folder / "a.pdf")
    version = connector.resolve()
    assert version.identifier == sha256_hex(b"%PDF-1.7 a")
    (entry,) = connector.list(version)
    assert isinstance(entry, Entry)
    ((_, data),) = connector.read(version, [entry])
    assert (entry.path, data) == ("a.pdf", b"%PDF-1.7 a")


def test_one_file_of_another_kind_is_refused(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="not a PDF or"):
        connect(folder / "notes.txt")


def test_a_file_outside_the_roots_is_refused(folder: Path) -> None:
    context = ConnectorContext(repos_dir=folder, source_roots=(folder / "sub",))
    with pytest.raises(PermissionDenied):
        open_connector("pdf", {"path": str(folder / "a.pdf")}, context)
