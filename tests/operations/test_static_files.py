"""Static files are collected when they changed, not at each start."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from devrag.operations.static_files import collect_changed_static_files


@pytest.fixture
def source(settings: Any, tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "page.css").write_text("a { color: red }")
    settings.STATICFILES_DIRS = [folder]
    settings.STATICFILES_FINDERS = [
        "django.contrib.staticfiles.finders.FileSystemFinder"
    ]
    settings.STATIC_ROOT = tmp_path / "collected"
    return folder


def test_what_did_not_change_is_collected_once(source: Path) -> None:
    assert [collect_changed_static_files() for _ in range(3)] == [True, False, False]


def test_a_changed_file_is_collected(source: Path, settings: Any) -> None:
    collect_changed_static_files()
    page = source / "page.css"
    page.write_text("a { color: blue }")
    os.utime(page, ns=(2 * 10**18, 2 * 10**18))
    assert collect_changed_static_files()
    assert "blue" in (settings.STATIC_ROOT / "page.css").read_text()


def test_a_deleted_folder_is_made_again(source: Path, settings: Any) -> None:
    collect_changed_static_files()
    shutil.rmtree(settings.STATIC_ROOT)
    assert collect_changed_static_files()
    assert (settings.STATIC_ROOT / "page.css").exists()
