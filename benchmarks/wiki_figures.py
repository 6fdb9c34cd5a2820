"""The figures of a written wiki; every share is of 1, and 1.0 of nothing.

Measured on pages as readers get them, and against the texts of the index, not against
what the writer holds for true: a name exists when each of its words stands in a file or
its path does in the manifest.
"""

from __future__ import annotations

import posixpath
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from statistics import median
from typing import Any

from wiki_faults import seen_faults

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.names import is_name_like
from devrag.wiki.analysis.prose import sentences
from devrag.wiki.analysis.survey import SurveyFact, SurveySymbol
from devrag.wiki.checking.shown_names import CODE
from devrag.wiki.checking.validators import linked_page
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    anchors_of,
    links_in,
    split_blocks,
)
from devrag.wiki.evidence.citations import ClaimDraft
from devrag.wiki.evidence.page_evidence import excerpt_of

_CITATION = re.compile(r"\[(\d+)\]\(cite:(\d+)\)")
_BEHIND_MARK = re.compile(r"([.!?:;,。！？：、])((?:\s*\[\d+\]\(cite:\d+\))+)")
_WORD = re.compile(r"[^\W\d]\w*")
_TOP_SYMBOLS = 100
_REPEATED_WORDS = 8
_SURFACES = ("entry_point", "command", "route", "task", "model", "setting")
_LED_TO = {"item", "table", "fence"}
_NOT_TOP = {"module", "variable", "constant"}


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many, and those that are not."""

    found: int
    of: int
    missing: tuple[str, ...] = ()

    def __float__(self) -> float:
        return round(self.found / self.of, 4) if self.of else 1.0


def _share(items: Iterable[tuple[str, object]]) -> Share:
    """Return the share of what is good among pairs of a name and whether it is."""
    every = list(items)
    bad = tuple(name for name, is_good in every if not is_good)
    return Share(len(every) - len(bad), len(every), bad)


@dataclass(frozen=True, slots=True)
class _Cited:
    """A sentence of a page with the places it leans on."""

    text: str
    names: tuple[str, ...]
    claims: tuple[ClaimDraft, ...]


class Wiki:
    """The pages of a wiki, beside the analysis that they were made from."""

    def __init__(
        self,
        analysis: Analysis,
        pages: Sequence[DraftedPage],
        coverage: Mapping[str, Any],
        diagram_error: Callable[[str], str | None],
    ) -> None:
        self.analysis = analysis
        self.pages = pages
        self.coverage = coverage
        self._diagram_error = diagram_error
        self.blocks = {page.path: split_blocks(page.markdown) for page in pages}

    def figures(self) -> dict[str, Any]:
        """Return every figure; shares as numbers."""
        shares = {name: float(share) for name, share in self.shares().items()}
        claims = [claim for page in self.pages for claim in page.claims]
        widths = [claim.end_line - claim.start_line + 1 for claim in claims]
        return {
            "pages": len(self.pages),
            "paragraphs": len(self._prose),
            "claims": len(claims),
            **shares,
            "citation_lines_median": median(widths) if widths else 0,
            "citation_lines_most": max(widths, default=0),
            "faults_seen": seen_faults(self.analysis, self.pages, self._diagram_error),
            "surfaces": {k: float(v) for k, v in self.surfaces().items()},
        }

    def shares(self) -> dict[str, Share]:
        """Return the figures that are shares of a whole."""
        covered = self.coverage["covered"]
        left = sum(group["count"] for group in self.coverage["leftOut"])
        of = self.coverage["files"]
        return {
            "diagrams": _share(self._diagrams()),
            "links": _share(self._links()),
            "citations": _share(self._citations()),
            "identifiers": _share(self._identifiers()),
            "names_in_cited_lines": _share(self._names_in_cited_lines()),
            "names_in_random_lines": _share(self._names_in_cited_lines(_elsewhere)),
            "paragraphs_cited": _share(
                (text, _CITATION.search(text)) for text in self._prose
            ),
            "duplicate_paragraphs": _repeated(self._prose),
            "repeated_sentences": _repeated(s.text for s in self._sentences),
            "top_symbols": _share(self._top_symbols()),
            "files": Share(covered + left, of),
            "files_on_pages": Share(covered, of),
        }

    @cached_property
    def _prose(self) -> list[str]:
        """Paragraphs, items and rows; what only leads to a list or a sample is none."""
        every = [
            (block, below.kind if below else "")
            for blocks in self.blocks.values()
            for block, below in zip_longest(blocks, blocks[1:])
        ]
        return [
            text
            for block, below in every
            for text in _texts(block)
            if not (below in _LED_TO and text.rstrip().endswith((":", "：")))
        ]

    @cached_property
    def _sentences(self) -> list[_Cited]:
        return list(self._split())

    def _split(self) -> Iterator[_Cited]:
        for page in self.pages:
            claims = {claim.ordinal: claim for claim in page.claims}
            for block in self.blocks[page.path]:
                for text in _texts(block):
                    for said in sentences(_BEHIND_MARK.sub(r"\2\1", text)):
                        ids = [int(number) for number, _ in _CITATION.findall(said)]
                        own = tuple(claims[i] for i in ids if i in claims)
                        yield _Cited(said, tuple(_names_in(said)), own)

    def _diagrams(self) -> Iterator[tuple[str, bool]]:
        for path, blocks in self.blocks.items():
            for block in blocks:
                if block.kind == "fence" and block.lead == "mermaid":
                    error = self._diagram_error(block.text)
                    yield f"{path}: {error}", error is None

    def _links(self) -> Iterator[tuple[str, bool]]:
        anchors = {path: anchors_of(blocks) for path, blocks in self.blocks.items()}
        for path, blocks in self.blocks.items():
            for block in blocks:
                for _, target in [] if block.kind == "fence" else links_in(block.text):
                    if target.startswith("cite:"):
                        continue
                    page, _, fragment = target.partition("#")
                    there = anchors.get(linked_page(path, page) if page else path)
                    is_good = there is not None and (not fragment or fragment in there)
                    yield f"{path}: {target}", is_good

    def _citations(self) -> Iterator[tuple[str, bool]]:
        """Each number has its claim, and the claim's lines are its excerpt."""
        for page in self.pages:
            known = {claim.ordinal: claim for claim in page.claims}
            used = _CITATION.findall(page.markdown)
            for ordinal in {int(number) for pair in used for number in pair}:
                claim = known.get(ordinal)
                yield (
                    f"{page.path} [{ordinal}]",
                    claim is not None and self._holds(claim),
                )

    def _holds(self, claim: ClaimDraft) -> bool:
        file = self.analysis.file_at.get((claim.source, claim.path))
        if file is None or file.content_hash != claim.content_hash:
            return False
        lines = self.analysis.texts.text(file.id).split("\n")
        there = excerpt_of(lines, claim.start_line, claim.end_line)
        return there == claim.excerpt and claim.end_line <= len(lines)

    def _identifiers(self) -> Iterator[tuple[str, bool]]:
        for sentence in self._sentences:
            for name in sentence.names:
                yield name, self._exists(name)

    def _exists(self, name: str) -> bool:
        bare = name.removesuffix("()").strip("/")
        return bare in self._paths or all(w in self._words for w in _WORD.findall(bare))

    @cached_property
    def _paths(self) -> set[str]:
        """Every path and folder of the manifests, and their last parts."""
        found: set[str] = set()
        for file in self.analysis.survey.files:
            parts = file.path.split("/")
            ends = range(len(parts) + 1)
            found |= {"/".join(parts[a:b]) for b in ends for a in range(b)}
        return found

    @cached_property
    def _words(self) -> set[str]:
        files = self.analysis.survey.files
        found = {self.analysis.survey.product, *(file.source for file in files)}
        found = {word for name in found for word in _WORD.findall(name)}
        for file in files:
            found.update(_WORD.findall(file.path))
            found.update(_WORD.findall(self.analysis.texts.text(file.id)))
        return found

    def _names_in_cited_lines(
        self, moved: Callable[[ClaimDraft, int], int] | None = None
    ) -> Iterator[tuple[str, bool]]:
        """Pair each name with whether one of its sentence's places has it.

        moved: says where else a range of that height is to begin, for comparison.
        """
        for sentence in self._sentences:
            if sentence.claims:
                there = [self._words_at(claim, moved) for claim in sentence.claims]
                for name in sentence.names:
                    is_there = any(_is_at(name, *place) for place in there)
                    yield f"{name} | {sentence.text}", is_there

    def _words_at(
        self, claim: ClaimDraft, moved: Callable[[ClaimDraft, int], int] | None
    ) -> tuple[str, set[str]]:
        """Return where a citation says that it leads, and the words that are there."""
        place = f"{claim.source}/{claim.path}"
        if moved is None:
            return place, set(_WORD.findall(claim.excerpt))
        file = self.analysis.file_at[claim.source, claim.path]
        lines = self.analysis.texts.text(file.id).split("\n")
        start = moved(claim, len(lines))
        height = claim.end_line - claim.start_line + 1
        text = "\n".join(lines[start - 1 : start - 1 + height])
        return place, set(_WORD.findall(text))

    def _top_symbols(self) -> Iterator[tuple[str, bool]]:
        """Pair the highest ranks with whether a page names them.

        By a bare name only on a page that covers or cites the symbol's file.
        """
        for symbol in self._highest():
            file = self.analysis.files[symbol.file]
            place = f"{file.source}/{file.path}"
            yield (
                f"{symbol.qualified_name} in {place}",
                any(
                    symbol.qualified_name in spans
                    or (symbol.name in spans and place in self._about[path])
                    for path, spans in self._spans.items()
                ),
            )

    def _highest(self) -> list[SurveySymbol]:
        own = {f.id for f in self.analysis.with_role("code")}
        ranks = self.analysis.symbol_rank
        symbols = [
            s
            for s in self.analysis.survey.symbols
            if s.file in own and s.kind not in _NOT_TOP
            if not (_is_protocol(s) or self._is_local(s))
        ]
        return sorted(symbols, key=lambda s: (-ranks.get(s.id, 0.0), s.id))[
            :_TOP_SYMBOLS
        ]

    def _is_local(self, symbol: SurveySymbol) -> bool:
        """A function within a function has no name for who reads of the file."""
        parent = self.analysis.symbols.get(symbol.parent or 0)
        return parent is not None and parent.kind in {"function", "method"}

    @cached_property
    def _about(self) -> dict[str, set[str]]:
        """Page → the files it covers or cites."""
        return {
            page.path: {*page.files, *(f"{c.source}/{c.path}" for c in page.claims)}
            for page in self.pages
        }

    @cached_property
    def _spans(self) -> dict[str, set[str]]:
        """Page → its code spans, each also without what qualifies it."""
        found: dict[str, set[str]] = {}
        for path, blocks in self.blocks.items():
            spans = {n for b in blocks for n in _spans_in(b.text)}
            tails = {re.split(r"[./:#]+", span)[-1] for span in spans}
            found[path] = spans | tails
        return found

    def surfaces(self) -> dict[str, Share]:
        """Return, by kind, the share of what is there that the pages name."""
        found = {}
        for kind in _SURFACES:
            if facts := [f for f in self.analysis.facts(kind) if f.name]:
                found[kind] = _share(self._named(facts))
        ci = [f for f in self.analysis.facts("ci") if f.name]
        found |= {"ci": _share(self._named(ci))} if ci else {}
        if tests := self.analysis.with_role("test"):
            places = [(file.path, file.directory) for file in tests]
            found["test"] = _share((p, self._is_told(p, d)) for p, d in places)
        return found

    def _named(self, facts: Iterable[SurveyFact]) -> Iterator[tuple[str, bool]]:
        for fact in facts:
            name = " ".join(fact.name.split())
            if fact.kind == "entry_point" and fact.data.get("type") == "script":
                name = self.analysis.files[fact.file].path  # it has no other
            if fact.data.get("framework") == "sql":
                name = name.rpartition(".")[2]  # told once for all databases
            yield name, re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self._text)

    def _is_told(self, path: str, directory: str) -> bool:
        """A test is told of by its name, or by a folder close above it."""
        above = posixpath.dirname(directory)
        near = [directory, above, posixpath.dirname(above)]
        places = [
            path,
            *(f"{folder}/" for folder in near if "/" in folder or not above),
        ]
        return any(f"`{place}`" in self._text for place in places)

    @cached_property
    def _text(self) -> str:
        whole = "\n".join(page.markdown for page in self.pages)
        return " ".join(re.sub(r"\\(?=[\\`*_\[\]<>|])", "", whole).split())


def _is_protocol(symbol: SurveySymbol) -> bool:
    """Return whether it is reached by its type's name, as `__init__` and `__exit__`."""
    name = symbol.name
    is_maker = name == "constructor" and symbol.kind == "method"
    return is_maker or (name.startswith("__") and name.endswith("__"))


def _texts(block: MarkdownBlock) -> list[str]:
    """Return what a reader takes for a paragraph: prose, or a row of a table."""
    if block.is_prose:
        return [block.text]
    return block.text.split("\n")[2:] if block.kind == "table" else []


def _spans_in(text: str) -> list[str]:
    spans = [match.group(2).strip() for match in CODE.finditer(text)]
    return [span.removesuffix("()") for span in spans]


def _names_in(text: str) -> list[str]:
    spans = [match.group(2).strip() for match in CODE.finditer(text)]
    return [span for span in spans if is_name_like(span)]


def _is_at(name: str, path: str, words: set[str]) -> bool:
    """Return whether a place shows a name: its last word, or its path, is there."""
    bare = name.removesuffix("()").strip("/")
    if f"/{bare}/" in f"/{path}/":
        return True
    found = _WORD.findall(bare)
    return bool(found) and found[-1] in words


def _elsewhere(claim: ClaimDraft, lines: int) -> int:
    """Return a first line in the same file that has nothing to do with the claim."""
    height = claim.end_line - claim.start_line + 1
    seed = zlib.crc32(f"{claim.path}:{claim.start_line}:{claim.sentence}".encode())
    return 1 + seed % max(1, lines - height + 1)


def _repeated(texts: Iterable[str]) -> Share:
    """Return the share of texts of some length that stood before, citations aside."""
    bare = [_CITATION.sub("", text).strip() for text in texts]
    counts = Counter(text for text in bare if len(text.split()) >= _REPEATED_WORDS)
    twice = tuple(text for text, count in counts.items() if count > 1)
    return Share(sum(counts.values()) - len(counts), sum(counts.values()), twice)
