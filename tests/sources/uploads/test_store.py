"""Folders of uploads: unfinished ones go, those in use stay."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from devrag.core.errors import InvalidInput, SourceError
from devrag.products.models import Product
from devrag.sources.connectors.registry import open_connector
from devrag.sources.connectors.types import ConnectorContext, Entry, Unlisted
from devrag.sources.models import Source
from devrag.sources.uploads.limits import UploadLimits
from devrag.sources.uploads.orphans import delete_upload, orphan_uploads
from devrag.sources.uploads.store import new_upload, upload_folder
from devrag.sources.uploads.unpack import unpack

from .archives import sent, zipped


def keep(root: Path) -> str:
    with new_upload(root) as made:
        data = zipped({"a.md": b"# A\n", "b/c.py": b"x = 1\n"})
        unpack([sent("a.zip", data)], made.folder, UploadLimits())
        made.is_kept = True
    return made.id


def test_a_failed_upload_leaves_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError),
        new_upload(tmp_path / "up") as made,
        (made.folder / "a").open("w"),
    ):
        (made.folder / "b").stat()
    assert list((tmp_path / "up").iterdir()) == []


def test_folders_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = upload_folder(tmp_path / "up", keep(tmp_path / "up"))
    for path in (folder.parent, folder, folder / "content", folder / "content/b"):
        assert path.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("upload_id", ["", "..", "a/b", "A" * 32])
def test_only_ids_name_folders(tmp_path: Path, upload_id: str) -> None:
    with pytest.raises(InvalidInput):
        upload_folder(tmp_path, upload_id)


_FILL = """
import sys, time
from pathlib import Path
import django
django.setup()
from devrag.sources.uploads.store import new_upload
with new_upload(Path(sys.argv[1])) as made:
    (made.folder / "half").write_text("x")
    print(made.id, flush=True)
    sys.stdin.read()
"""


@pytest.mark.django_db
def test_what_a_killed_process_left_is_removed_and_not_before(tmp_path: Path) -> None:
    root = tmp_path / "up"
    with subprocess.Popen(
        [sys.executable, "-c", _FILL, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "devrag.settings"},
        text=True,
    ) as process:
        assert process.stdout is not None
        folder = root / process.stdout.readline().strip()
        assert orphan_uploads(root) == [folder]
        assert delete_upload(folder) == 0
        assert folder.is_dir()
        process.send_signal(signal.SIGKILL)
    assert delete_upload(folder) > 0
    assert not folder.exists()


@pytest.mark.django_db
def test_an_upload_of_a_source_stays_until_the_source_goes(tmp_path: Path) -> None:
    upload_id = keep(tmp_path)
    source = Source.objects.create(
        product=Product.objects.create(name="tea"),
        name="tea",
        source_type="upload",
        metadata={"upload": upload_id},
    )
    assert orphan_uploads(tmp_path) == []
    assert delete_upload(tmp_path / upload_id) == 0
    source.delete()
    assert orphan_uploads(tmp_path) == [tmp_path / upload_id]
    assert delete_upload(tmp_path / upload_id) > 0
    assert not (tmp_path / upload_id).exists()


@pytest.mark.django_db
def test_an_upload_that_is_read_is_not_removed(tmp_path: Path) -> None:
    upload_id = keep(tmp_path / "up")
    context = ConnectorContext(repos_dir=tmp_path, uploads_dir=tmp_path / "up")
    connector = open_connector("upload", {"upload": upload_id}, context)
    version = connector.resolve()
    assert delete_upload(tmp_path / "up" / upload_id) == 0
    entries = [each for each in connector.list(version) if isinstance(each, Entry)]
    assert [entry.path for entry, _ in connector.read(version, entries)] == [
        "a.md",
        "b/c.py",
    ]
    connector.close()
    assert delete_upload(tmp_path / "up" / upload_id) > 0


def test_what_was_left_out_is_listed(tmp_path: Path) -> None:
    upload_id = keep(tmp_path)
    rows = '[{"path": "b/link", "reason": "symlink in an archive"}]'
    (tmp_path / upload_id / "left_out.json").write_text(rows)
    context = ConnectorContext(repos_dir=tmp_path, uploads_dir=tmp_path)
    connector = open_connector("upload", {"upload": upload_id}, context)
    listed = list(connector.list(connector.resolve()))
    connector.close()
    assert Unlisted("b/link", "symlink in an archive") in listed
    assert [each.path for each in listed] == ["a.md", "b/c.py", "b/link"]


def test_files_that_are_gone_are_an_error_with_a_way_out(tmp_path: Path) -> None:
    context = ConnectorContext(repos_dir=tmp_path, uploads_dir=tmp_path)
    with pytest.raises(SourceError, match=r"tea\.zip are not on"):
        open_connector("upload", {"upload": "a" * 32, "file": "tea.zip"}, context)
