"""Reads a wiki that was exported as Markdown: its pages, words and cited sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from devrag.wiki.analysis.prose import sentences
from devrag.wiki.evidence.blocks import MarkdownBlock, plain, split_blocks
from devrag.wiki.evidence.citations import before_punctuation

_MARK = re.compile(r"\[\^(\d+)\]")
_CITATION = re.compile(r"\s*\[(\d+)\]\(cite:\1\)")
_NOTE = re.compile(
    r"^\[\^(\d+)\]: (?P<source>\S+) `(?P<path>[^`]+):(?P<start>\d+)(?:-(?P<end>\d+))?`"
    r"(?: at (?P<version>\S+))?$",
    re.MULTILINE,
)
_FENCED = re.compile(r"^(```+|~~~+).*?^\1\s*?$", re.MULTILINE | re.DOTALL)
_QUOTED_LINE = re.compile(r"^\s*(?:(?:[-*+]|\d+[.)])\s+)?>")
_WORD = re.compile(r"\w")
_FRONT = "index.md"


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """The lines that a footnote names. version: a commit's beginning, '' for none."""

    source: str
    path: str
    start_line: int
    end_line: int
    version: str


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence, list item or table row with the places that it cites.

    heading: of its section. before: what a reader has just read, for words like "it":
    the sentence before, or the head of the table.
    """

    page: str
    heading: str
    before: str
    text: str
    places: tuple[CitedPlace, ...]
    is_quotation: bool


@dataclass(frozen=True)
class ExportedPage:
    """A page as it was exported. path: relative to the wiki's folder."""

    path: str
    markdown: str

    @cached_property
    def text(self) -> str:
        """The page as a reader sees it: Markdown without its citations."""
        return _MARK.sub("", _NOTE.sub("", self.markdown)).rstrip() + "\n"

    @cached_property
    def words(self) -> int:
        """The number of words outside of code and diagrams."""
        return sum(map(_count_words, self._lines))

    @cached_property
    def quoted_words(self) -> int:
        """The number of those words that stand in block quotations."""
        return sum(_count_words(x) for x in self._lines if _QUOTED_LINE.match(x))

    @property
    def _lines(self) -> list[str]:
        return _FENCED.sub("", self.text).split("\n")

    def cited_sentences(self) -> Iterator[CitedSentence]:
        """Yield the sentences with footnotes, in order."""
        places = {
            match[1]: CitedPlace(
                match["source"],
                match["path"],
                int(match["start"]),
                int(match["end"] or match["start"]),
                match["version"] or "",
            )
            for match in _NOTE.finditer(self.markdown)
        }
        heading = ""
        body = _MARK.sub(r"[\1](cite:\1)", _NOTE.sub("", self.markdown))
        for block in split_blocks(body):
            if block.kind == "heading":
                heading = _without_markup(block.text)
            elif block.kind != "fence":
                yield from self._of_block(block, heading, places)

    def _of_block(
        self, block: MarkdownBlock, heading: str, places: dict[str, CitedPlace]
    ) -> Iterator[CitedSentence]:
        is_quotation = block.text.startswith(">")
        texts = _units(block)
        for number, text in enumerate(texts):
            cited = dict.fromkeys(_CITATION.findall(text))
            own = tuple(places[each] for each in cited if each in places)
            if own:
                earlier = 0 if block.kind == "table" else number - 1
                before = _without_markup(texts[earlier]) if number else ""
                yield CitedSentence(
                    self.path, heading, before, _without_markup(text), own, is_quotation
                )


def read_wiki(folder: Path) -> list[ExportedPage]:
    """Return the pages of an exported wiki, the front page first.

    FileNotFoundError when the folder holds none.
    """
    front = folder / _FRONT
    paths = sorted(folder.rglob("*.md"), key=lambda path: (path != front, str(path)))
    if not paths:
        raise FileNotFoundError(f"There are no Markdown files in {folder}.")
    return [
        ExportedPage(path.relative_to(folder).as_posix(), path.read_text("utf-8"))
        for path in paths
    ]


def size_of(pages: Sequence[ExportedPage]) -> dict[str, float]:
    """Return the number of pages and words, and the share of quoted words."""
    words = sum(page.words for page in pages)
    quoted = sum(page.quoted_words for page in pages)
    return {
        "pages": len(pages),
        "words": words,
        "quoted_share": round(quoted / (words or 1), 4),
    }


def _units(block: MarkdownBlock) -> list[str]:
    """Return a table's rows, its head first, or the sentences of prose."""
    if block.kind == "table":
        head, _, *rows = [*block.text.split("\n"), ""]
        return [head, *filter(None, rows)]
    text = block.text
    if _QUOTED_LINE.match(text):
        text = re.sub(r"(^|\s)>\s", r"\1", text)
    return sentences(before_punctuation(text))


def _without_markup(text: str) -> str:
    return plain(_CITATION.sub("", text).strip())


def _count_words(text: str) -> int:
    return sum(1 for word in text.split() if _WORD.search(word))
