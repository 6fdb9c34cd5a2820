"""Compare how uses resolve to symbols with real analysers; prints JSON.

    python benchmarks/resolution.py [--uses 400] [--checkouts FOLDER] [FOLDER …]

FOLDER: packages of Python to read; default: three that are installed. Of each a fixed
random sample of each kind of use is asked of jedi as well. precision: of what both
resolve, how much is the same; what only we resolve is counted as `unknown` when jedi
has no answer and as wrong when its answer lies elsewhere. recall: of what jedi finds in
the package, how much we find. `all`: the packages together. Bar: precision of each kind
≥ 0.95.

Calls of Go, Java and TypeScript are compared with the labels of
`data/resolution.jsonl`, which the compilers' own type checkers said (`oracles/`).
--checkouts: a folder with the repositories at the commits named there, as
`owner+name`; those that are not there are left out. possible: the answer is no sure
one, but among those marked as possible.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import sysconfig
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

try:
    import jedi
except ImportError:
    sys.exit("jedi is missing, the analyser to compare with: pip install jedi")

from resolution_graph import CodeGraph
from resolution_labels import compare, read_samples

from devrag.parsing.types import FileFacts, ReferenceFacts

_PACKAGES = ("click", "celery", "markdown_it")
_KINDS = ("call", "import", "type", "inherit", "decorator")
# How many lines an import may go on to the name.
_IMPORT_LINES = 60
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--uses 2 --labels {labels} --checkouts {checkouts} {package}"
_LABELS = Path(__file__).parent / "data" / "resolution.jsonl"


def main() -> None:
    """Measure each package and all together, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--uses", type=int, default=400)
    parser.add_argument("--checkouts", type=Path)
    parser.add_argument("--labels", type=Path, default=_LABELS)
    options = parser.parse_args()
    purelib = Path(sysconfig.get_paths()["purelib"])
    folders = options.folders or [purelib / name for name in _PACKAGES]
    tallies = {folder.name: measure(folder, options.uses) for folder in folders}
    tallies["all"] = {
        kind: sum((found[kind] for found in tallies.values()), Counter())
        for kind in _KINDS
    }
    rates = {
        name: {kind: _rates(tally) for kind, tally in found.items()}
        for name, found in tallies.items()
    }
    if options.checkouts:
        rates |= labelled(options.labels, options.checkouts)
    print(json.dumps(rates, indent=2))


def labelled(labels: Path, checkouts: Path) -> dict[str, dict[str, Any]]:
    """Return the rates of calls in each repository that is there, by language."""
    rates: dict[str, dict[str, Any]] = {}
    for sample in read_samples(labels):
        checkout = checkouts / sample.folder
        if checkout.is_dir():
            found = _rates(compare(sample, checkout))
            rates.setdefault(sample.language, {})[sample.repository] = found
    return rates


def measure(folder: Path, count: int) -> dict[str, Counter[str]]:
    """Return how often each answer came, per kind of use."""
    package = Package(folder)
    tallies: dict[str, Counter[str]] = {kind: Counter() for kind in _KINDS}
    for kind, tally in tallies.items():
        uses = list(package.graph.references(kind))
        for facts, reference in random.Random(5).sample(uses, min(count, len(uses))):
            tally[package.compare(facts, reference)] += 1
    return tallies


def _rates(tally: Counter[str]) -> dict[str, Any]:
    judged = tally["right"] + tally["wrong"]
    known = tally["right"] + tally["missed"] + tally["possible"]
    return {
        **tally,
        "precision": round(tally["right"] / judged, 3) if judged else None,
        "recall": round(tally["right"] / known, 3) if known else None,
    }


class Package:
    """A folder of Python files, parsed, and what jedi says about it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.graph = CodeGraph(folder.parent, sorted(folder.rglob("*.py")))
        self._project = jedi.Project(folder.parent)

    def compare(self, facts: FileFacts, reference: ReferenceFacts) -> str:
        """Return how our answer and jedi's compare: right, wrong, missed, unknown."""
        ours = self.graph.resolve(facts, reference).symbol
        theirs = self._ask(facts, reference)
        if ours is None:
            return "missed" if any(map(self._is_symbol, theirs)) else "neither"
        if not theirs:
            return "unknown"
        is_same = any(self._is_same(ours.key, name) for name in theirs)
        if not is_same:
            place = f"{facts.path}:{reference.line} {reference.kind} {reference.name}"
            print(f"{place} → {ours.full_name}, jedi: {theirs}", file=sys.stderr)
        return "right" if is_same else "wrong"

    def _ask(self, facts: FileFacts, reference: ReferenceFacts) -> list[Any]:
        path = self.folder.parent / facts.path
        lines = path.read_text("utf-8", "replace").split("\n")
        place = _place(lines, reference)
        if place is None:
            return []
        # A new one each time: jedi forgets what an older one still refers to.
        script = jedi.Script(path=path, project=self._project)
        try:
            answers = script.goto(*place, follow_imports=True)
        except (KeyError, RecursionError):
            # It fails on some code of the standard library.
            return []
        return [a for a in answers if a.module_path and a.line is not None]

    def _is_symbol(self, name: Any) -> bool:
        is_symbol = name.type not in {"param", "statement"}
        return is_symbol and name.module_path.is_relative_to(self.folder)

    def _is_same(self, key: int, name: Any) -> bool:
        number, symbol = self.graph.symbols[key]
        files = self.graph.files
        path = self.folder.parent / files[number].path
        is_there = symbol.start_line <= name.line <= symbol.end_line
        is_here = path == name.module_path and symbol.name == name.name and is_there
        module = "" if symbol.kind == "module" else f"{files[number].module}."
        return is_here or f"{module}{symbol.qualified_name}" == name.full_name


def _place(lines: list[str], reference: ReferenceFacts) -> tuple[int, int] | None:
    """Return line and column of the last part of the used name."""
    name = reference.name
    last = name.rpartition(".")[2]
    # The module, or the class itself, may have the name of what comes behind it.
    before = {"import": "import ", "inherit": "("}.get(reference.kind, "")
    patterns = [rf"(?<![\w.]){re.escape(name)}\b", rf"\b{re.escape(last)}\b"]
    most = _IMPORT_LINES if reference.kind == "import" else 1
    for row in range(reference.line - 1, min(reference.line - 1 + most, len(lines))):
        line = lines[row]
        begin = line.find(before) + len(before) if before in line else 0
        for pattern in patterns:
            if found := re.compile(pattern).search(line, begin):
                return row + 1, found.end() - len(last)
    return None


if __name__ == "__main__":
    main()
