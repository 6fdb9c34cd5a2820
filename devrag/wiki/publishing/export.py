"""Writes a published wiki as Markdown files, replaced as a whole.

The files are an export: pages are read from the database, hand edits are overwritten.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from devrag.core.errors import ConfigurationError, InvalidInput
from devrag.core.texts import gettext

_NAME = re.compile(r"^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$")
_AT_CURRENT_DIRECTORY = -100
_RENAME_EXCHANGE = 2


def export_pages(root: Path, product: str, pages: Mapping[str, str]) -> Path:
    """Replace `root/product` by these pages (path → Markdown) and return it."""
    target = root / safe_directory_name(product)
    try:
        root.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{product}.", dir=root))
        try:
            _write(draft, pages)
            _put_in_place(draft, target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise ConfigurationError(
            gettext(
                "Cannot write the wiki's files to %(folder)s: %(reason)s. "
                "Set WIKI_OUTPUT_DIR to a directory this user can write to."
            )
            % {"folder": target, "reason": error.strerror}
        ) from error
    return target


def safe_directory_name(product: str) -> str:
    """Return the product's name when it cannot leave the output directory."""
    if not _NAME.match(product) or ".." in product:
        raise InvalidInput(
            gettext(
                "'%(product)s' cannot be used as a directory name. Use "
                "letters, digits, '.', '_' and '-', beginning and ending "
                "with a letter or digit."
            )
            % {"product": product}
        )
    return product


def _write(directory: Path, pages: Mapping[str, str]) -> None:
    directory.chmod(0o755)
    for path, text in pages.items():
        file = directory / path
        if not file.resolve().is_relative_to(directory.resolve()):
            raise InvalidInput(
                gettext("The page path '%(path)s' points outside the wiki's directory.")
                % {"path": path}
            )
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _put_in_place(draft: Path, target: Path) -> None:
    """Swap in one step where the system can, so that no reader finds nothing."""
    if not target.exists():
        draft.rename(target)
    elif not _exchange(draft, target):
        old = draft.with_name(f"{draft.name}.old")
        target.rename(old)
        draft.rename(target)
        shutil.rmtree(old)


def _exchange(first: Path, second: Path) -> bool:
    """Exchange two paths atomically; False where kernel or file system cannot."""
    if not sys.platform.startswith("linux"):
        return False
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    here = _AT_CURRENT_DIRECTORY
    result: int = rename(
        here, os.fsencode(first), here, os.fsencode(second), _RENAME_EXCHANGE
    )
    return result == 0
