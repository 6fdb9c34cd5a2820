"""What other analysers said of calls, as data: one sample for each repository.

A repository begins with an object (language, repository, commit); each line after it is
[path, line, last name, path:line of what is meant]. `benchmarks/oracles` has the
programs that said so.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from resolution_graph import CodeGraph

from devrag.navigation.types import languages_of
from devrag.parsing.api import detect_language

Place = tuple[str, int, str]


@dataclass
class Sample:
    """The labelled calls of one repository."""

    language: str
    repository: str
    commit: str
    calls: dict[Place, str] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The name of its checkout."""
        return self.repository.replace("/", "+")


def read_samples(path: Path) -> list[Sample]:
    """Read a file of labels."""
    samples: list[Sample] = []
    for line in path.read_text().splitlines():
        row = json.loads(line)
        if isinstance(row, dict):
            samples.append(Sample(**row))
        else:
            *place, target = row
            samples[-1].calls[tuple(place)] = target
    return samples


def compare(sample: Sample, checkout: Path) -> Counter[str]:
    """Return how often our answer is right, wrong, only possible, or missing."""
    graph = CodeGraph(checkout, _paths(sample.language, checkout))
    tally: Counter[str] = Counter()
    left = dict(sample.calls)
    for facts, reference in graph.references("call"):
        place = (facts.path, reference.line, reference.name.rpartition(".")[2])
        if (target := left.pop(place, None)) is None:
            continue
        path, _, line = target.rpartition(":")
        found = graph.resolve(facts, reference)
        if found.symbol is not None:
            is_right = graph.stands_at(found.symbol, path, int(line))
            tally["right" if is_right else "wrong"] += 1
        elif any(graph.stands_at(each, path, int(line)) for each in found.possible):
            tally["possible"] += 1
        else:
            tally["missed"] += 1
    tally["missed"] += len(left)
    return tally


def _paths(language: str, checkout: Path) -> list[Path]:
    """Return the files of a language and its relatives, and what names its modules."""
    wanted = languages_of(
        [language, "javascript"] if "script" in language else [language]
    )
    return [
        path
        for path in sorted(checkout.rglob("*"))
        if path.is_file()
        and (detect_language(str(path), "").name in wanted or path.name == "go.mod")
    ]
