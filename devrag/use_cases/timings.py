"""What `index --verbose` prints: counts and timings of an index run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_REPORTED = (("hash", "hashing"), ("write", "database write"))


def timing_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the counts and times of an index job's report, of whichever server."""
    left_out = sum(report.get("leftOut", {}).values())
    counts = {
        "new": report["added"],
        "updated": report["modified"],
        "deleted": report["removed"],
        "unchanged": report["unchanged"],
    }
    scanned = counts["new"] + counts["updated"] + counts["unchanged"] + left_out
    yield f"files scanned: {scanned}"
    yield ", ".join(f"{name}: {count}" for name, count in counts.items())
    changed = counts["new"] + counts["updated"]
    chunks = report.get("chunks", 0)
    yield f"chunks: {chunks}, {chunks / max(1, changed):.1f} per file"
    times = report.get("milliseconds", {})
    for name, words in _REPORTED:
        if name in times:
            each = f" ({times[name] / changed:.2f} ms per file)" if changed else ""
            yield f"{words}: {times[name]:.1f} ms{each}"
    for name, seconds in report["seconds"].items():
        yield f"{name}: {seconds * 1000:.1f} ms"
    yield f"total: {sum(report['seconds'].values()) * 1000:.1f} ms"


def file_lines(files: Iterable[tuple[str, int, int]]) -> Iterator[str]:
    """Yield a line for each file: path, chunks and their characters."""
    for path, chunks, characters in files:
        mean = characters / chunks if chunks else 0
        yield f"  {path}: {chunks} chunks, {mean:.0f} characters per chunk"


def embedding_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the calls of an embedding job's report."""
    calls = report.get("calls", 0)
    took = report.get("callMilliseconds", 0)
    if calls:
        yield (
            f"embedding: {calls} API calls, {took / calls:.1f} ms each, "
            f"{report['embedded'] / calls:.1f} texts per call"
        )
    yield f"embedding: {report['embedded']} texts sent, {report['reused']} reused"
