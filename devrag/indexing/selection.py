"""Which rules choose the files of a source, and a mark that tells when they changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from devrag.core.hashing import sha256_hex
from devrag.sources.ignore import IgnoreRules
from devrag.sources.models import Source


def build_rules(source: Source, ignore_files: Mapping[str, str]) -> IgnoreRules:
    """Compile a source's rules. ignore_files: path → text."""
    return IgnoreRules.from_files(ignore_files, **_limits(source))


def selection_mark(source: Source) -> str:
    """Return what changes when the source's own rules do, files apart."""
    return sha256_hex(json.dumps(_limits(source), sort_keys=True, default=sorted))


def _limits(source: Source) -> dict[str, Any]:
    return {
        "max_bytes": settings.MAX_FILE_BYTES,
        "exclude_exts": source.metadata.get("exclude_exts", []),
    }
