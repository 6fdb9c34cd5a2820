"""Lines per second of devrag.parsing on real files, one process, all facts on.

    python benchmarks/parsing.py [--files N] [FOLDER ...]

Prints one JSON object per language. Without folders: this interpreter's site-packages.
Bar: 40,000 lines/s per core.
"""

from __future__ import annotations

import argparse
import json
import resource
import sysconfig
import time
from pathlib import Path

from devrag.parsing.api import decode, parse_file

SUFFIXES = {"python": ".py", "markdown": ".md", "windows": ".js"}


def main() -> None:
    """Measure each language and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--files", type=int, default=3000)
    options = parser.parse_args()
    folders = options.folders or [Path(sysconfig.get_paths()["purelib"])]
    for language, suffix in SUFFIXES.items():
        paths = sorted(p for f in folders for p in f.rglob(f"*{suffix}") if p.is_file())
        figures = measure(
            paths[:: max(1, len(paths) // options.files)][: options.files]
        )
        print(json.dumps({"language": language, **figures}))


def measure(paths: list[Path]) -> dict[str, object]:
    """Parse the files once and return counts, speed and peak memory."""
    decoded = ((str(path), decode(path.read_bytes())) for path in paths)
    texts = [(path, result.text) for path, result in decoded if result is not None]
    parse_file("warm.py", "x = 1\n")
    parse_file("warm.md", "x\n")
    counts = {"lines": 0, "symbols": 0, "references": 0, "chunks": 0, "facts": 0}
    fallbacks = 0
    wall, cpu = time.perf_counter(), time.process_time()
    for path, text in texts:
        facts = parse_file(path, text)
        fallbacks += any("as plain windows" in warning for warning in facts.warnings)
        counts["lines"] += facts.lines
        for name in ("symbols", "references", "chunks", "facts"):
            counts[name] += len(getattr(facts, name))
    seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "files": len(texts),
        **counts,
        "fallbacks": fallbacks,
        "seconds": round(seconds, 2),
        "lines_per_second": round(counts["lines"] / max(seconds, 1e-9)),
        "lines_per_cpu_second": round(counts["lines"] / max(cpu_seconds, 1e-9)),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


if __name__ == "__main__":
    main()
