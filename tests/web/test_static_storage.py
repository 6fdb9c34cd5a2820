"""Collected files are compressed so that a first start does not wait for it."""

from __future__ import annotations

from pathlib import Path

import brotli
from django.test import override_settings

from devrag.web.static_storage import QuickCompressor, StaticFilesStorage

STYLES = Path(__file__).parents[2] / "static" / "app.css"


def test_what_is_compressed_is_the_file_and_much_smaller() -> None:
    data = STYLES.read_bytes()
    compressed = QuickCompressor.compress_brotli(data)
    assert brotli.decompress(compressed) == data
    assert len(compressed) < len(data) / 2


def test_the_storage_uses_it(tmp_path: Path) -> None:
    with override_settings(STATIC_ROOT=tmp_path):
        storage = StaticFilesStorage()
    compressor = storage.create_compressor(extensions=[], quiet=True)
    assert isinstance(compressor, QuickCompressor)
