"""The tables of what was read from sources."""

from __future__ import annotations

from devrag.sources.models.content import Chunk, File
from devrag.sources.models.documents import Document
from devrag.sources.models.history import FileChange, ReadHistory
from devrag.sources.models.hooks import HookDelivery
from devrag.sources.models.manifest import GitRef, RefFile, Skip, Snapshot, StagedChange
from devrag.sources.models.secrets import SecretDismissal, SecretFinding
from devrag.sources.models.source import Source
from devrag.sources.models.symbols import Fact, Reference, Symbol

__all__ = [
    "Chunk",
    "Document",
    "Fact",
    "File",
    "FileChange",
    "GitRef",
    "HookDelivery",
    "ReadHistory",
    "RefFile",
    "Reference",
    "SecretDismissal",
    "SecretFinding",
    "Skip",
    "Snapshot",
    "Source",
    "StagedChange",
    "Symbol",
]
