"""What documents say of directories: in tables, drawn trees and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.prose import clean, told_sentences
from devrag.wiki.analysis.survey import SurveyFile

_MOST_DOCUMENTS = 40
_MOST_LINES = 3000
_LEAST_WORDS = 3
_LONGEST = 400
_SPAN = re.compile(r"`([\w@.-]+(?:/[\w@.-]+)*/?)`")
_TREE_LINE = re.compile(
    r"^[\s│├└─|+`-]*?(?P<name>[\w@.-]+(?:/[\w@.-]+)*)(?P<slash>/?)\s+(?:#|--|–|—)?\s*"
    r"(?P<said>[^\s│├└─|+`#-].*)$"
)
_LONGEST_LINE = 1_000
_BRANCH = re.compile(r"[│├└]|\|--|`--|\+--")


@dataclass(frozen=True, slots=True)
class DirectoryDescription:
    """Words of a document on a directory. is_sentence: they stand alone."""

    said: str
    is_sentence: bool
    file: int
    start_line: int
    end_line: int


@cached_by_analysis
def described_directories(analysis: Analysis) -> dict[str, DirectoryDescription]:
    """Return directory → the first words that a document has on it.

    Keys are paths as written, and the last names of paths in drawn trees.
    """
    found: dict[str, DirectoryDescription] = {}
    for file in _documents(analysis):
        for section in analysis.sections(file):
            for block in section.blocks:
                for key, words in _described(analysis, file, block):
                    found.setdefault(key, words)
    return found


def description_of(analysis: Analysis, directory: str) -> DirectoryDescription | None:
    """Return what documents say of a directory, by its path or else its name."""
    known = described_directories(analysis)
    name = directory.rpartition("/")[2]
    keys = (directory, f"{name}/") if directory else ()
    return next((known[key] for key in keys if key in known), None)


def _documents(analysis: Analysis) -> list[SurveyFile]:
    short = [
        file
        for file in analysis.with_role("doc")
        if file.lines <= _MOST_LINES and not file.path.startswith(".")
    ]
    short.sort(key=lambda f: (f.path.count("/"), not f.is_readme, f.path))
    return short[:_MOST_DOCUMENTS]


def _described(
    analysis: Analysis, file: SurveyFile, block: DocumentBlock
) -> Iterator[tuple[str, DirectoryDescription]]:
    if block.kind == "code":
        yield from _of_tree(file, block)
    elif block.kind == "row":
        yield from _of_row(analysis, file, block)
    else:
        yield from _of_sentences(analysis, file, block)


def _of_tree(
    file: SurveyFile, block: DocumentBlock
) -> Iterator[tuple[str, DirectoryDescription]]:
    """Read `├── search/   lexical index, fusion` in a drawn directory tree."""
    for offset, line in enumerate(block.text.split("\n")):
        match = _TREE_LINE.match(line) if len(line) <= _LONGEST_LINE else None
        if not match or not (match["slash"] or _BRANCH.search(line)):
            continue
        if len(match["said"].split()) >= _LEAST_WORDS:
            first = block.start_line + offset
            words = DirectoryDescription(
                match["said"], False, file.id, first, first + 1
            )
            yield f"{match['name'].rpartition('/')[2]}/", words


def _of_row(
    analysis: Analysis, file: SurveyFile, block: DocumentBlock
) -> Iterator[tuple[str, DirectoryDescription]]:
    """Read a table's `| search/ | lexical index, fusion |`: the path, then words."""
    head, *others = block.text.split("\t")
    path = head.strip("`").strip("/")
    if others and path and len(others[0].split()) >= _LEAST_WORDS:
        said = clean(others[0], analysis.names)
        place = (file.id, block.start_line, block.end_line)
        yield path, DirectoryDescription(said, False, *place)


def _of_sentences(
    analysis: Analysis, file: SurveyFile, block: DocumentBlock
) -> Iterator[tuple[str, DirectoryDescription]]:
    if "`" not in block.text:
        return
    place = (file.id, block.start_line, block.end_line)
    for sentence in told_sentences(block.text, analysis.names):
        if len(sentence.split()) <= _LEAST_WORDS + 1 or len(sentence) > _LONGEST:
            continue
        for span in _SPAN.findall(sentence):
            words = DirectoryDescription(sentence, True, *place)
            if "/" in span.rstrip("/"):  # a bare word may mean anything
                yield span.rstrip("/"), words
            elif span.endswith("/"):
                yield span, words
                yield span.rstrip("/"), words
