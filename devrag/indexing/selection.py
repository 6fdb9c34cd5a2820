"""Which rules choose the files of a source, and a mark that tells when they changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from django.conf import settings

from devrag.core.hashing import sha256_hex
from devrag.sources.ignore import IgnoreRules
from devrag.sources.models import Source
from devrag.sources.selection import Selection, read_selection


def build_rules(source: Source, ignore_files: Mapping[str, str]) -> IgnoreRules:
    """Compile a source's rules. ignore_files: path → text."""
    return IgnoreRules.from_files(ignore_files, _selection(source))


def selection_mark(source: Source) -> str:
    """Return what changes when the source's own rules do, files apart."""
    return sha256_hex(json.dumps(asdict(_selection(source)), sort_keys=True))


def _selection(source: Source) -> Selection:
    return read_selection(
        source.metadata,
        max_bytes=settings.MAX_FILE_BYTES,
        max_pdf_bytes=settings.MAX_PDF_BYTES,
    )
