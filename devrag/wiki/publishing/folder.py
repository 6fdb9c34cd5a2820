"""Writes an export into any folder: ours is replaced, what others put there stays.

A list of what was written lies beside it, so that the next export can remove what is
no longer part of the wiki. Every file is replaced in one step.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from devrag.core.errors import InvalidInput

LISTING = ".devrag-wiki.json"


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write files (relative path → text), and remove earlier ones that are gone."""
    for name in files:
        _inside(folder, name)
    try:
        earlier = _written_before(folder)
        # Named before they are there: an export that is killed leaves nothing unlisted.
        _write_listing(folder, {*earlier, *files})
        for name, text in files.items():
            _replace(_inside(folder, name), text)
        _remove(folder, earlier - set(files))
        _write_listing(folder, files)
    except OSError as error:
        raise InvalidInput(
            f"Cannot write the wiki to {folder}: {error.strerror}. Choose a writable "
            "folder with --output."
        ) from error


def write_file(path: Path, data: bytes) -> None:
    """Write one file in one step."""
    try:
        _replace(path, data)
    except OSError as error:
        raise InvalidInput(
            f"Cannot write {path}: {error.strerror}. Choose another file with --output."
        ) from error


def _inside(folder: Path, name: str) -> Path:
    file = folder / name
    if not file.resolve().is_relative_to(folder.resolve()) or name == LISTING:
        raise InvalidInput(f"The path '{name}' is outside the export folder.")
    return file


def _written_before(folder: Path) -> set[str]:
    listing = folder / LISTING
    if not listing.is_file():
        return set()
    try:
        found = json.loads(listing.read_text(encoding="utf-8"))
        return {str(name) for name in found["files"]}
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(
            f"{listing} was not written by devrag. Remove it, then export again; "
            "pages removed since the last export are kept as files."
        ) from error


def _write_listing(folder: Path, names: Iterable[str]) -> None:
    text = json.dumps({"files": sorted(names)}, ensure_ascii=False, indent=1)
    _replace(folder / LISTING, text + "\n")


def _replace(file: Path, content: str | bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.devrag-draft")
    draft.write_bytes(content.encode() if isinstance(content, str) else content)
    draft.replace(file)


def _remove(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        file = _inside(folder, name)
        file.unlink(missing_ok=True)
        _remove_empty(file.parent, folder)


def _remove_empty(directory: Path, folder: Path) -> None:
    """Remove directories that our files left empty."""
    while directory != folder and directory.is_dir() and not os.listdir(directory):
        directory.rmdir()
        directory = directory.parent
