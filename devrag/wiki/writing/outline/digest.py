"""The analysis of a product as a model reads it before it designs the pages.

Files of code are numbered topic by topic, as they were found; where there are too many,
the less important ones of a directory share a number, or all below a directory do. The
sections of documentation that explain the product are numbered D1, D2 and so on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import commonpath

from devrag.core.text import shorten
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.types import DocumentSection, Topic

_MOST_TOKENS = 24_000
_SHARE_OF_WINDOW = 0.45
_MOST_ENTRY_POINTS, _MOST_TIES = 60, 5
_README_CHARACTERS = 1_500
_FEWEST_OF_TOPIC = 2
_DIRECTORIES = 0.25  # of the files that are shown one by one
_NAMED_KINDS = {"class", "interface", "type", "enum", "function", "method"}


@dataclass(frozen=True, slots=True)
class _Size:
    """Files that have an entry each, names of definitions for each, sections."""

    files: int
    names: int
    documents: int


# The most first; what fits is taken. By the last one a topic is one entry.
_SIZES = (
    _Size(400, 6, 160),
    _Size(400, 3, 120),
    _Size(250, 3, 90),
    _Size(160, 2, 68),
    _Size(90, 2, 50),
    _Size(50, 1, 38),
    _Size(0, 1, 20),
)


@dataclass(frozen=True, slots=True)
class DigestEntry:
    """A numbered line: one file, or the rest of a directory. topic: its index."""

    topic: int
    files: tuple[SurveyFile, ...]

    @property
    def lines(self) -> int:
        return sum(file.lines for file in self.files)


@dataclass(frozen=True, slots=True)
class Digest:
    """What the model reads; entries are numbered from 1, documents from D1."""

    text: str
    entries: tuple[DigestEntry, ...]
    documents: tuple[DocumentSection, ...]


def digest_of(analysis: Analysis, window: int) -> Digest:
    """Return the digest that fits a model's window of so many tokens."""
    most = min(_MOST_TOKENS, int(window * _SHARE_OF_WINDOW))
    for size in _SIZES:
        entries = _entries(analysis, size.files)
        documents = _documents(analysis, size.documents)
        text = _text(analysis, entries, documents, size.names)
        if estimate_tokens(text) <= most:
            break
    return Digest(text, tuple(entries), tuple(documents))


def _documents(analysis: Analysis, most: int) -> list[DocumentSection]:
    """Return the sections of documentation, the shortest left out where many."""
    chosen = set(sorted(analysis.documents, key=lambda s: -s.words)[:most])
    return [section for section in analysis.documents if section in chosen]


def _entries(analysis: Analysis, most: int) -> list[DigestEntry]:
    topics = [_code_of(analysis, topic) for topic in analysis.topics]
    total = sum(map(len, topics))
    found: list[DigestEntry] = []
    for number, files in enumerate(topics):
        shown = len(files)
        if total > most:
            share = most * len(files) // total
            shown = max(_FEWEST_OF_TOPIC, share) if most else 0
        ranked = sorted(files, key=lambda f: (-analysis.file_rank[f.id], f.path))
        alone = set(ranked[:shown])
        found += [DigestEntry(number, (file,)) for file in files if file in alone]
        rest = [file for file in files if file not in alone]
        groups = _by_directory(rest, max(1, int(shown * _DIRECTORIES)))
        found += [DigestEntry(number, group) for group in groups]
    return found


def _code_of(analysis: Analysis, topic: Topic) -> list[SurveyFile]:
    """Return the files that choose a topic's page; others follow them."""
    files = [
        file
        for file in topic.files
        if topic.is_given or (analysis.roles[file.id] == "code" and file.lines > 1)
    ]
    return sorted(files, key=lambda file: (file.source, file.path))


def _by_directory(
    files: Sequence[SurveyFile], most: int
) -> list[tuple[SurveyFile, ...]]:
    """Return files by the deepest directories of which there are so many at most."""
    paths = {file: (file.source, *file.directory.split("/")) for file in files}
    for depth in range(max(map(len, paths.values()), default=0), 0, -1):
        grouped: dict[tuple[str, ...], list[SurveyFile]] = defaultdict(list)
        for file, path in paths.items():
            grouped[path[:depth]].append(file)
        if len(grouped) <= most:
            return [tuple(group) for group in grouped.values()]
    return [tuple(files)] if files else []


def _text(
    analysis: Analysis,
    entries: Sequence[DigestEntry],
    documents: Sequence[DocumentSection],
    names: int,
) -> str:
    return "\n\n".join(
        filter(
            None,
            [
                _readme(analysis),
                _topics(analysis, entries, names),
                _documentation(analysis, documents),
                _entry_points(analysis, entries),
            ],
        )
    )


def _readme(analysis: Analysis) -> str:
    files = [
        file
        for file in analysis.with_role("doc")
        if file.is_readme and not file.directory
    ]
    if not files:
        return ""
    prose = [
        block.text
        for section in analysis.sections(files[0])
        for block in section.blocks
        if block.kind in {"text", "item", "quote"}
    ]
    text = " ".join(" ".join(prose).split())
    return f"README begins:\n{shorten(text, _README_CHARACTERS)}" if text else ""


def _topics(analysis: Analysis, entries: Sequence[DigestEntry], names: int) -> str:
    lines = ["Code, in groups found by who uses whom:"]
    for index, topic in enumerate(analysis.topics):
        own = [(n, e) for n, e in enumerate(entries, 1) if e.topic == index]
        lines.append(_topic_line(analysis, index, topic, [e for _, e in own]))
        lines += [f"  {n} {_entry_line(analysis, e, names)}" for n, e in own]
    return "\n".join(lines)


def _topic_line(
    analysis: Analysis, index: int, topic: Topic, entries: Sequence[DigestEntry]
) -> str:
    size = sum(entry.lines for entry in entries)
    edges = analysis.topic_edges.get(index, {})
    strongest = sorted(edges, key=lambda t: (-edges[t], t))[:_MOST_TIES]
    uses = ", ".join(f"T{t + 1} ×{edges[t]:.0f}" for t in strongest)
    fixed = ", FIXED: one page of this title with all of it" if topic.is_given else ""
    return (
        f"T{index + 1} “{topic.title}” ({size:,} lines{fixed})"
        + (f" uses {uses}" if uses else "")
        + ":"
    )


def _entry_line(analysis: Analysis, entry: DigestEntry, names: int) -> str:
    first = entry.files[0]
    has_sources = analysis.has_several_sources
    paths = [f"{f.source}/{f.path}" if has_sources else f.path for f in entry.files]
    if len(paths) > 1:
        folder = commonpath([path.rpartition("/")[0] for path in paths]) or "."
        return f"{folder}/ ({len(paths)} more files, {entry.lines:,} lines)"
    shown = ", ".join(_names(analysis, first, names))
    return f"{paths[0]} ({first.lines:,})" + (f": {shown}" if shown else "")


def _names(analysis: Analysis, file: SurveyFile, most: int) -> list[str]:
    """Return the names of a file's most used definitions."""
    rank = analysis.symbol_rank
    own = [
        symbol
        for symbol in analysis.symbols_of.get(file.id, ())
        if symbol.kind in _NAMED_KINDS and symbol.is_public
    ]
    ranked = sorted(own, key=lambda s: (s.kind == "method", -rank[s.id], s.id))
    return list(dict.fromkeys(symbol.name for symbol in ranked))[:most]


def _documentation(analysis: Analysis, documents: Sequence[DocumentSection]) -> str:
    if not documents:
        return ""
    homes = {s: n for n, topic in enumerate(analysis.topics) for s in topic.sections}
    lines = ["Documentation, by section:"]
    for number, section in enumerate(documents, 1):
        heading = " > ".join([*section.above, section.title])
        near = f" (near T{homes[section] + 1})" if section in homes else ""
        path = analysis.files[section.file].path
        lines.append(f"  D{number} {path}: {heading}, {section.words} words{near}")
    return "\n".join(lines)


def _entry_points(analysis: Analysis, entries: Sequence[DigestEntry]) -> str:
    numbers = {f.id: n for n, entry in enumerate(entries, 1) for f in entry.files}
    found = [
        f"{fact.kind.replace('_', ' ')} {fact.name} ({numbers[fact.file]})"
        for fact in analysis.entry_points
        if fact.file in numbers
    ]
    shown = list(dict.fromkeys(found))
    more = len(shown) - _MOST_ENTRY_POINTS
    rest = f", and {more} more" if more > 0 else ""
    listed = ", ".join(shown[:_MOST_ENTRY_POINTS])
    return f"Entry points, with their file: {listed}{rest}" if shown else ""
