"""Which rules choose the files of a source, and a mark that tells when they changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from devrag.core.hashing import sha256_hex
from devrag.sources.api import IgnoreBudget, IgnoreRules
from devrag.sources.models import Source
from devrag.sources.services import source_selection


def build_rules(
    source: Source, ignore_files: Mapping[str, str], budget: IgnoreBudget
) -> IgnoreRules:
    """Compile a source's rules. ignore_files: path → text."""
    return IgnoreRules.from_files(ignore_files, source_selection(source), budget)


def selection_mark(source: Source) -> str:
    """Return what changes when the source's own rules do, files apart."""
    chosen = asdict(source_selection(source))
    return sha256_hex(json.dumps(chosen, sort_keys=True))
