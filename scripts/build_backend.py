"""Build backend: flit's, and what the package needs from outside its folder.

A wheel holds `templates/`, `static/` and `.env.example` inside the package, where
`devrag.core.installation` finds them. All else, editable installs too, is flit's.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flit_core import buildapi
from flit_core.buildapi import *  # noqa: F403 - the other hooks of a backend

ROOT = Path(__file__).resolve().parent.parent
FOLDERS, FILES = ("templates", "static"), (".env.example",)


def build_wheel(
    wheel_directory: str,
    config_settings: Any = None,
    metadata_directory: str | None = None,
) -> str:
    """Build flit's wheel and add the files."""
    name: str = buildapi.build_wheel(
        wheel_directory, config_settings, metadata_directory
    )
    add_files(Path(wheel_directory) / name)
    return name


def add_files(wheel: Path) -> None:
    """Write a wheel again with the files, and the record of them."""
    draft = wheel.with_suffix(".part")
    with (
        zipfile.ZipFile(wheel) as built,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as whole,
    ):
        *entries, record = built.infolist()  # flit writes the record last
        for entry in entries:
            whole.writestr(entry, built.read(entry))
        lines = built.read(record).decode()
        for path in _files():
            name, data = (
                f"devrag/{path.relative_to(ROOT).as_posix()}",
                path.read_bytes(),
            )
            info = zipfile.ZipInfo(name, entries[0].date_time)
            info.external_attr, info.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            whole.writestr(info, data)
            lines = _record_line(name, data) + lines
        whole.writestr(record, lines)
    draft.replace(wheel)


def _files() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted(p for p in (ROOT / folder).rglob("*") if p.is_file())
    yield from (ROOT / name for name in FILES)


def _record_line(name: str, data: bytes) -> str:
    digest = (
        base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    )
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(
        [name, f"sha256={digest}", len(data)]
    )
    return line.getvalue()
