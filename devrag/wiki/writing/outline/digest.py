"""The analysis of a product as a model reads it before it designs the pages.

Files of code are numbered topic by topic, as they were found; where there are too many,
the less important ones of a directory share a number. The sections of documentation
that explain the product are numbered D1, D2 and so on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from devrag.core.text import shorten
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.types import DocumentSection, Topic

_MOST_TOKENS = 24_000
_SHARE_OF_WINDOW = 0.45
_MOST_DOCUMENTS, _MOST_ENTRY_POINTS, _MOST_TIES = 160, 60, 5
_README_CHARACTERS = 1_500
# Entries and names of definitions per entry, the most first; what fits is taken.
_SIZES = ((400, 6), (400, 3), (250, 3), (160, 2), (90, 2), (50, 1))
_FEWEST_OF_TOPIC = 2
_NAMED_KINDS = {"class", "interface", "type", "enum", "function", "method"}


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
    documents = _documents(analysis)
    for entries_shown, names in _SIZES:
        entries = _entries(analysis, entries_shown)
        text = _text(analysis, entries, documents, names)
        if estimate_tokens(text) <= most:
            break
        documents = documents[: max(20, len(documents) * 3 // 4)]
    return Digest(text, tuple(entries), tuple(documents))


def _documents(analysis: Analysis) -> list[DocumentSection]:
    """Return the sections of documentation, the shortest left out where many."""
    longest = sorted(analysis.documents, key=lambda s: -s.words)[:_MOST_DOCUMENTS]
    chosen = set(longest)
    return [section for section in analysis.documents if section in chosen]


def _entries(analysis: Analysis, most: int) -> list[DigestEntry]:
    topics = [_code_of(analysis, topic) for topic in analysis.topics]
    total = sum(map(len, topics))
    found: list[DigestEntry] = []
    for number, files in enumerate(topics):
        shown = len(files)
        if total > most:
            shown = max(_FEWEST_OF_TOPIC, most * len(files) // total)
        ranked = sorted(files, key=lambda f: (-analysis.file_rank[f.id], f.path))
        alone = set(ranked[:shown])
        found += [DigestEntry(number, (file,)) for file in files if file in alone]
        found += _of_directories(number, [f for f in files if f not in alone])
    return found


def _code_of(analysis: Analysis, topic: Topic) -> list[SurveyFile]:
    """Return the files that choose a topic's page; others follow them."""
    files = [
        file
        for file in topic.files
        if topic.is_given or (analysis.roles[file.id] == "code" and file.lines > 1)
    ]
    return sorted(files, key=lambda file: (file.source, file.path))


def _of_directories(topic: int, files: Iterable[SurveyFile]) -> list[DigestEntry]:
    grouped: dict[tuple[str, str], list[SurveyFile]] = defaultdict(list)
    for file in files:
        grouped[file.source, file.directory].append(file)
    return [DigestEntry(topic, tuple(group)) for group in grouped.values()]


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
    place = first.path
    if analysis.has_several_sources:
        place = f"{first.source}/{first.path}"
    if len(entry.files) > 1:
        folder = place.rpartition("/")[0] or "."
        return f"{folder}/ ({len(entry.files)} more files, {entry.lines:,} lines)"
    shown = ", ".join(_names(analysis, first, names))
    return f"{place} ({first.lines:,})" + (f": {shown}" if shown else "")


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
