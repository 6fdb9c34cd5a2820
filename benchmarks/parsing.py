"""Lines per second of devrag.parsing on real files, by language, all facts on.

    python benchmarks/parsing.py [--files N] [FOLDER ...]

Prints one JSON object per language, each measured in a process of its own, and one for
the mix. Without folders: this interpreter's site-packages. Bar: 40,000 lines/s per core
over the mix. `with_symbols`: the share of files that a parser took apart; the others
became windows. Figures count processor time, so that neighbours disturb them less.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sysconfig
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from devrag.parsing.api import decode, detect_language, is_generated, parse_file
from devrag.parsing.languages.registry import PARSERS

_COUNTED = ("symbols", "references", "chunks", "facts")
_MOST_BYTES = 2_000_000
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--files 1 {corpus}"


def main() -> None:
    """Measure each language and print its figures, then those of all together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--files", type=int, default=600, help="at most per language")
    options = parser.parse_args()
    folders = options.folders or [Path(sysconfig.get_paths()["purelib"])]
    mix: Counter[str] = Counter()
    slowest: list[tuple[float, str]] = []
    for language, paths in sorted(by_language(folders).items()):
        step = max(1, len(paths) // options.files)
        figures = in_own_process(language, paths[::step][: options.files])
        mix.update({key: figures[key] for key in ("files", "lines", "cpu_seconds")})
        slowest.append((figures["cpu_seconds"] / max(figures["lines"], 1), language))
        print(json.dumps({"language": language, **figures}), flush=True)
    speed = round(mix["lines"] / max(mix["cpu_seconds"], 1e-9))
    names = [language for _, language in sorted(slowest, reverse=True)[:5]]
    summary = {"lines": mix["lines"], "lines_per_cpu_second": speed, "slowest": names}
    print(json.dumps({"language": "all", "files": mix["files"], **summary}))


def by_language(folders: Iterable[Path]) -> dict[str, list[Path]]:
    """Return the files of each language that has a parser, in a stable order."""
    found: dict[str, list[Path]] = defaultdict(list)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.stat().st_size < _MOST_BYTES:
                language = detect_language(str(path), "").name
                if language in PARSERS:
                    found[language].append(path)
    return found


def in_own_process(language: str, paths: list[Path]) -> dict[str, float]:
    """Measure in a fresh process, so that the peak of memory is this language's."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measure, (language, paths))


def measure(language: str, paths: list[Path]) -> dict[str, float]:
    """Parse the files once and return counts, speed and peak memory."""
    texts = []
    for path in paths:
        result = decode(path.read_bytes())
        if result is not None and not is_generated(str(path), result.text):
            texts.append((str(path), result.text))
    for path, text in texts[:3]:
        parse_file(path, text)
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counts: Counter[str] = Counter()
    began = time.process_time()
    for path, text in texts:
        facts = parse_file(path, text)
        counts["windows"] += any("as plain text" in w for w in facts.warnings)
        counts["lines"] += facts.lines
        counts.update({name: len(getattr(facts, name)) for name in _COUNTED})
    seconds = time.process_time() - began
    return {
        "files": len(texts),
        "lines": counts["lines"],
        **{name: counts[name] for name in _COUNTED},
        "with_symbols": round(1 - counts["windows"] / max(len(texts), 1), 4),
        "cpu_seconds": round(seconds, 3),
        "lines_per_cpu_second": round(counts["lines"] / max(seconds, 1e-9)),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "peak_above_texts_mb": (
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base
        )
        // 1024,
    }


if __name__ == "__main__":
    main()
