"""Whether the lexical index on disk is whole, and holds what the database says."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path

import tantivy

from devrag.search.lexical.store import (
    Generation,
    build_schema,
    can_open,
    open_index,
)

# Every segment file of tantivy ends with a JSON footer, its length and this number.
_MAGIC = 1337
_TAIL = struct.Struct("<II")
_BLOCK = 1 << 20
# Deletions have a file only where there are some.
_SUFFIXES = (".fast", ".fieldnorm", ".idx", ".pos", ".store", ".term")
_SCHEMA = build_schema()


def broken_files(folder: Path) -> list[str]:
    """Return segment files whose checksum is wrong, or 'meta.json' when it cannot open.

    A folder without an index is whole: the follower has not begun.
    """
    if not (folder / "meta.json").exists():
        return []
    if not can_open(folder):
        return ["meta.json"]
    return [path.name for path in _segment_files(folder) if not _is_whole(path)]


def _segment_files(folder: Path) -> list[Path]:
    """Return the files of the last commit; others are the writer's to remove."""
    meta = json.loads((folder / "meta.json").read_bytes())
    stems = {each["segment_id"].replace("-", "") for each in meta["segments"]}
    needed = {folder / f"{stem}{suffix}" for stem in stems for suffix in _SUFFIXES}
    present = {
        path for path in folder.iterdir() if path.stem.partition(".")[0] in stems
    }
    return sorted(needed | present)


def _is_whole(path: Path) -> bool:
    if not path.exists():
        return False
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if size < _TAIL.size:
            return False
        file.seek(size - _TAIL.size)
        length, magic = _TAIL.unpack(file.read(_TAIL.size))
        body = size - _TAIL.size - length
        if magic != _MAGIC or body < 0:
            return False
        file.seek(body)
        expected = json.loads(file.read(length))["crc"]
        file.seek(0)
        found = 0
        while body:
            block = file.read(min(_BLOCK, body))
            found = zlib.crc32(block, found)
            body -= len(block)
    return bool(found == expected)


def count_documents(folder: Path, source_ids: Iterable[int]) -> dict[int, int]:
    """Return source id → documents in the index; ValueError for a broken one."""
    searcher = open_index(folder).searcher()
    counts = {}
    for key in source_ids:
        query = tantivy.Query.term_query(_SCHEMA, "source_id", key)
        found = searcher.search(query, limit=1, count=True)
        counts[key] = found.count or 0  # type: ignore[attr-defined]  # its stubs lag
    return counts


def forget_sources(generation: Generation, source_ids: Iterable[int]) -> Generation:
    """Return the generation without these sources: the next pass reads them anew."""
    gone = set(source_ids)
    kept = {k: v for k, v in generation.sequences.items() if k not in gone}
    labels = {k: v for k, v in generation.labels.items() if k not in gone}
    return Generation(generation.database, kept, labels=labels)
