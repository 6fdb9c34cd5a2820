"""Finds what bears a section: whole definitions and whole sections of documentation.

All of the product is asked; what is of the page's own files counts more. Own
definitions and documents are also compared with the section by their words, so that a
section has evidence where search finds none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from devrag.parsing.tokens import estimate_tokens
from devrag.search.types import Hit
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.overloads import OVERLOADING
from devrag.wiki.analysis.prose import count_words
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.assignment import similarities, words_of
from devrag.wiki.analysis.topics.documents import (
    explaining_documents,
    is_formal,
)
from devrag.wiki.analysis.topics.types import DocumentSection
from devrag.wiki.evidence.noise import is_statement
from devrag.wiki.evidence.repeated_lines import without_repeated
from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.writing.model.main_functions import main_functions
from devrag.wiki.writing.model.page_context import Find, SurveyLines
from devrag.wiki.writing.model.queries import queries_of
from devrag.wiki.writing.model.section_plan import SectionPlan
from devrag.wiki.writing.model.whole_places import (
    BODIES,
    LONGEST_LINES,
    WholePlaces,
)

_OF_ORDER = 4.0  # places count by 1 / (this + their place in a list)
_OWN, _OTHER, _ASIDE, _TINY = 2.0, 0.8, 0.3, 0.4
_OF_NAMED = 3.0  # a definition that the section's question names comes first
_LEAST = 0.13  # what counts less was found by chance
_OF_LEAD = 0.5  # what fits a section goes there, not to the introduction
_ASIDE_ROLES = {"test", "example", "vendored", "build", "ci", "data"}
_BUILD_ROLES, _OF_BUILD = {"build", "ci"}, {"build", "testing", "operations"}
# Pages and sections that tell what licences, change logs and the like say.
_OF_FORMAL = {"build", "documentation"}
_HISTORY = re.compile(
    r"upgrad|migrat|change ?log|release|version|licen[cs]|変更|更新|移行", re.I
)
# Guides to another version tell what is no more.
_GUIDE = re.compile(r"^(upgrad|migrat)\w*[-_](to|from|guide|notes)\b", re.I)
_OF_SIGNATURE = 0.3  # of an overload whose body is not shown
_OWN_SHOWN, _SURFACE_SHOWN, _PURPOSES, _DOCUMENTS, _CALLED_SHOWN = 12, 4, 2, 3, 6
_TINY_TOKENS = 20
_PURPOSE_WORDS = 5  # of what a file says of itself; less repeats its name
_NO_PURPOSE = re.compile(
    r"^(an?|the|this)?\s*(module|file|package)\b.*\b(contain|defin)", re.IGNORECASE
)
_OF_A_NAME = 2
_FUNCTIONS, _SEVERAL = {"function", "method"}, 2
_OVERLOADING = OVERLOADING | {"typescript", "cpp", "kotlin", "scala", "swift"}
_MAIN_SHOWN = 5
_CORE_SHOWN = 3  # methods of a long type that a question names
_NAME = re.compile(r"[A-Za-z_]\w*")
# A word of prose has none of these: `Fs`, `readFile`, `place_order` are names.
_CODE_LIKE = re.compile(r"\w_\w|[a-z][A-Z]|^[A-Z]\w*[A-Za-z]$|[A-Za-z]\d")


class SectionEvidence:
    """Finds the evidence for each section of one page, the best first."""

    def __init__(
        self,
        analysis: Analysis,
        page: PlannedPage,
        sections: Sequence[SectionPlan],
        find: Find,
    ) -> None:
        self._analysis = analysis
        self._page = page
        self._sections = sections
        self._find = find
        self._places = WholePlaces(analysis)

    def places(self, number: int) -> list[SurveyLines]:
        """Return places for a section by its number, each once."""
        scores = self._scores[number]
        return sorted(scores, key=lambda p: (-scores[p], p.file, p.start_line))

    def best_places(self, number: int) -> list[SurveyLines]:
        """Return the places that fit no other section of the page better."""
        return [p for p in self.places(number) if self._best_section[p] == number]

    @cached_property
    def _scores(self) -> list[dict[SurveyLines, float]]:
        return [self._scored(number) for number in range(len(self._sections))]

    def _scored(self, number: int) -> dict[SurveyLines, float]:
        scores: dict[SurveyLines, float] = defaultdict(float)
        if self._sections[number].is_navigation:
            return scores
        named = self._named(number)
        for ranked in (
            *self._searched(number),
            *self._own(number),
            self._called(named, number),
            self._main(number),
        ):
            for order, place in enumerate(dict.fromkeys(ranked)):
                scores[place] += self._weight(place, number) / (_OF_ORDER + order)
        for order, place in enumerate(self._places_of(self._with_core(named, number))):
            weight = _OF_NAMED * self._weight(place, number)
            scores[place] += weight / (_OF_ORDER + order)
        return self._without_overloads(scores)

    def _without_overloads(
        self, scores: Mapping[SurveyLines, float]
    ) -> dict[SurveyLines, float]:
        """Return the longest of several overloads whole, of others the signature."""
        told: dict[SurveyLines, float] = defaultdict(float)
        for place, score in scores.items():
            overloads = self._overloads(place)
            if len(overloads) < _SEVERAL:
                told[place] = max(told[place], score)
                continue
            first = min(overloads, key=lambda p: (-p.size, p.start_line))
            told[first] = max(told[first], score)
            if place != first:
                signature = overloads[place]
                told[signature] = max(told[signature], score * _OF_SIGNATURE)
        return {place: score for place, score in told.items() if score >= _LEAST}

    def _overloads(self, place: SurveyLines) -> dict[SurveyLines, SurveyLines]:
        """Return the overloads of a function, itself too: lines → its signature."""
        file = self._analysis.files[place.file]
        if file.language not in _OVERLOADING or not place.name:
            return {}
        heads = {w.end_line: w.head_end for w in self._places.all_in(file.id)}
        named = (
            symbol
            for symbol in self._analysis.symbols_of.get(file.id, ())
            if symbol.qualified_name == place.name and symbol.kind in _FUNCTIONS
        )
        found = {}
        for symbol in named:
            lines = self._places.of_symbol(symbol)
            end = heads.get(symbol.end_line, symbol.start_line)
            start = min(symbol.start_line, end)
            found[lines] = replace(lines, start_line=start, end_line=end)
        return found if place in found else {}

    @cached_property
    def _best_section(self) -> dict[SurveyLines, int]:
        best: dict[SurveyLines, tuple[float, int]] = {}
        for number, scores in enumerate(self._scores):
            share = 1.0 if self._sections[number].title else _OF_LEAD
            for place, score in scores.items():
                best[place] = max(best.get(place, (0.0, 0)), (score * share, -number))
        return {place: -number for place, (_, number) in best.items()}

    def _weight(self, place: SurveyLines, number: int) -> float:
        """Return how much a place counts, 0 where it is of no use."""
        file, role = self._analysis.files[place.file], self._analysis.roles[place.file]
        explains = role != "doc" or file.is_readme or self._explains(file)
        if not explains and not self._is_of_formal(number, file):
            return 0.0
        if place.file in self._own_files or place in self._main_places:
            return _OWN
        if not self._sections[number].title and file.kind == "code":
            return 0.0  # an introduction leans on the page's own code
        if role in _BUILD_ROLES and self._page.kind in _OF_BUILD:
            return _OTHER
        if not explains or role in _ASIDE_ROLES:
            return _ASIDE
        return _TINY if self._size(place) <= _TINY_TOKENS else _OTHER

    def _explains(self, file: SurveyFile) -> bool:
        return file.id in self._explaining and not _GUIDE.match(file.stem)

    def _is_of_formal(self, number: int, file: SurveyFile) -> bool:
        """Return whether a section may be about licences, change logs and the like."""
        section = self._sections[number]
        kind = self._page.kind
        if kind == "documentation" or (
            kind in _OF_FORMAL and not _HISTORY.search(file.stem)
        ):
            return True
        return bool(_HISTORY.search(f"{section.title} {section.about}"))

    def _main(self, number: int) -> list[SurveyLines]:
        """Return the functions that do the product's main work, alike ones first."""
        if not self._sections[number].title:
            return []
        return self._alike(
            [(p, each) for p, each in self._likeness_of_main if self._size(p) > 0],
            number,
        )[:_MAIN_SHOWN]

    @cached_property
    def _main_places(self) -> frozenset[SurveyLines]:
        return frozenset(place for place, _ in self._likeness_of_main)

    @cached_property
    def _likeness_of_main(self) -> list[tuple[SurveyLines, list[float]]]:
        if self._page.kind != "architecture":
            return []
        rank = self._analysis.symbol_rank
        found = main_functions(self._analysis)
        most = max((rank[s.id] for s in found), default=0.0) or 1.0
        places = [self._places.of_symbol(s) for s in found]
        texts = [(p.name, "\n".join(self._places.lines(p))) for p in places]
        likeness = similarities(self._wanted, texts)
        return [
            (place, [like * (1 + rank[s.id] / most) for like in each])
            for s, place, each in zip(found, places, likeness, strict=True)
        ]

    @cached_property
    def _own_files(self) -> set[int]:
        return {*self._page.files, *(s.file for s in self._documents)}

    @cached_property
    def _explaining(self) -> set[int]:
        docs = explaining_documents(self._analysis.with_role("doc"))
        return {file.id for file in docs}

    @cached_property
    def _documents(self) -> tuple[DocumentSection, ...]:
        topic = self._page.topic
        return () if topic is None else self._analysis.topics[topic].sections

    # -- search

    def _searched(self, number: int) -> Iterable[list[SurveyLines]]:
        for query in queries_of(self._page, self._sections[number]):
            found = (self._place(hit) for hit in self._find(query))
            yield [place for place in found if place is not None]

    def _place(self, hit: Hit) -> SurveyLines | None:
        """Return the definition or section that a hit is in."""
        file = self._analysis.file_at.get((hit.source_name, hit.path))
        # Search sees newer commits than the run, whose versions are pinned.
        if file is None or hit.file_kind == "wiki" or not self._is_there(file, hit):
            return None
        if self._analysis.roles[file.id] == "excluded":
            return None  # its owners keep it out of the wiki
        end = min(hit.end_line, hit.start_line + LONGEST_LINES - 1, file.lines)
        place = self._places.around(file, hit.start_line, max(end, 1))
        return None if place is None or self._is_scrap(place) else self._stating(place)

    def _is_scrap(self, place: SurveyLines) -> bool:
        """Return whether lines are too few to tell anything without a definition."""
        return not place.name and self._size(place) <= _TINY_TOKENS

    def _size(self, place: SurveyLines) -> int:
        return estimate_tokens("\n".join(self._places.lines(place)))

    def _is_there(self, file: SurveyFile, hit: Hit) -> bool:
        if hit.version_identifier == file.version_identifier:
            return True
        place = SurveyLines(file.id, hit.start_line, hit.end_line)
        lines = self._places.lines(place)
        return "\n".join(lines).split() == hit.text.split()

    # -- what the page is about

    def _named(self, number: int) -> list[SurveySymbol]:
        """Return the definitions that a section's title or question names."""
        section = self._sections[number]
        names = dict.fromkeys(_NAME.findall(f"{section.title} {section.about}"))
        found = []
        for name in names:
            is_code = _CODE_LIKE.search(name) is not None
            symbols = [
                s
                for s in self._analysis.symbols_named.get(name, ())
                if s.kind in BODIES and (is_code or s.file in self._page.files)
            ]
            found += self._nearest(symbols)[:_OF_A_NAME]
        return found

    def _with_core(
        self, named: Iterable[SurveySymbol], number: int
    ) -> Iterator[SurveySymbol]:
        """Yield named definitions; after a long type what it does for the section."""
        for symbol in named:
            yield symbol
            place = self._places.of_symbol(symbol)
            if place.end_line < symbol.end_line:
                yield from self._members([symbol], number)[:_CORE_SHOWN]

    def _members(
        self, types: Iterable[SurveySymbol], number: int
    ) -> list[SurveySymbol]:
        """Return what types contain, what resembles the section most first."""
        members_of, alike = self._analysis.members_of, self._likeness_by_symbol
        members = (m for s in types for m in members_of.get(s.id, ()))
        bodies = (m for m in members if m.kind in BODIES)
        return sorted(bodies, key=lambda s: (-alike(s, number), s.id))

    def _called(self, named: Sequence[SurveySymbol], number: int) -> list[SurveyLines]:
        """Return the members of named types, and the page's definitions that they use.

        How a function works is told by what it calls.
        """
        analysis, rank = self._analysis, self._analysis.symbol_rank
        members = self._members(named, number)
        used = {
            target
            for symbol in (*named, *members)
            for target in analysis.symbol_edges.get(symbol.id, {})
        }
        called = [analysis.symbols[t] for t in used if t in analysis.symbols]
        own = [s for s in called if s.file in self._page.files and s not in members]
        best = sorted(own, key=lambda s: (-rank[s.id], s.id))
        shown = (*members[:_CALLED_SHOWN], *best[:_CALLED_SHOWN])
        return self._places_of(s for s in shown if s.kind in BODIES)

    def _places_of(self, symbols: Iterable[SurveySymbol]) -> list[SurveyLines]:
        return self._all_stating(map(self._places.of_symbol, symbols))

    def _nearest(self, symbols: Iterable[SurveySymbol]) -> list[SurveySymbol]:
        """Return definitions of one name, those of the page's files first."""
        analysis, rank = self._analysis, self._analysis.symbol_rank
        known = [s for s in symbols if analysis.roles[s.file] == "code"]
        own = set(self._page.files)
        return sorted(known, key=lambda s: (s.file not in own, -rank[s.id], s.id))

    def _own(self, number: int) -> Iterable[list[SurveyLines]]:
        if not self._sections[number].title:
            return self._introducing()
        return (
            self._alike(self._likeness_of_documents, number),
            self._alike(self._likeness_of_symbols, number),
        )

    def _introducing(self) -> Iterable[list[SurveyLines]]:
        """Yield the page's documentation, purposes and public surface."""
        yield self._alike(self._likeness_of_documents, 0)[:_DOCUMENTS]
        rank = self._analysis.file_rank
        files = [self._analysis.files[f] for f in self._page.files]
        said = [
            SurveyLines(file.id, purpose.start_line, purpose.end_line)
            for file in sorted(files, key=lambda f: (-rank[f.id], f.path))
            if file.kind == "code" and (purpose := self._analysis.purpose(file))
            if count_words(purpose.text) >= _PURPOSE_WORDS
            and not _NO_PURPOSE.match(purpose.text)
        ]
        yield self._all_stating(said[:_PURPOSES])
        of_symbols = self._analysis.symbol_rank
        public = [s for s in self._symbols if s.is_public and s.kind != "method"]
        alike = self._likeness_by_symbol
        best = sorted(public, key=lambda s: (-alike(s, 0), -of_symbols[s.id], s.id))
        yield self._all_stating(map(self._places.head_of, best[:_SURFACE_SHOWN]))

    @cached_property
    def _symbols(self) -> list[SurveySymbol]:
        return [
            symbol
            for file in self._page.files
            for symbol in self._analysis.symbols_of.get(file, ())
            if symbol.kind in BODIES
        ]

    @cached_property
    def _likeness_of_symbols(self) -> list[tuple[SurveyLines, list[float]]]:
        rank = self._analysis.symbol_rank
        most = max((rank[s.id] for s in self._symbols), default=0.0) or 1.0
        texts = [(s.name, f"{s.signature} {s.docstring}") for s in self._symbols]
        likeness = similarities(self._wanted, texts)
        return [
            (
                self._places.of_symbol(s),
                [like * (1 + rank[s.id] / most) for like in each],
            )
            for s, each in zip(self._symbols, likeness, strict=True)
        ]

    def _likeness_by_symbol(self, symbol: SurveySymbol, number: int) -> float:
        """Return how much a definition of the page resembles a section."""
        found = self._likeness_of_places.get(self._places.of_symbol(symbol))
        return found[number] if found else 0.0

    @cached_property
    def _likeness_of_places(self) -> dict[SurveyLines, list[float]]:
        return dict(self._likeness_of_symbols)

    @cached_property
    def _likeness_of_documents(self) -> list[tuple[SurveyLines, list[float]]]:
        places = [p for s in self._documents for p in self._places.of_document(s)]
        texts = [(p.name, "\n".join(self._places.lines(p))) for p in places]
        return list(zip(places, similarities(self._wanted, texts), strict=True))

    @cached_property
    def _wanted(self) -> list[dict[str, int]]:
        titles = [s.title or self._page.title for s in self._sections]
        wanted = zip(titles, self._sections, strict=True)
        return [dict(words_of(f"{title} {s.about}")) for title, s in wanted]

    def _alike(
        self, likeness: Iterable[tuple[SurveyLines, list[float]]], number: int
    ) -> list[SurveyLines]:
        found = [(each[number], place) for place, each in likeness if each[number] > 0]
        best = sorted(
            found, key=lambda each: (-each[0], each[1].file, each[1].start_line)
        )
        return self._all_stating(place for _, place in best[:_OWN_SHOWN])

    # -- texts

    def _all_stating(self, places: Iterable[SurveyLines]) -> list[SurveyLines]:
        return [p for p in map(self._stating, places) if p is not None]

    def _stating(self, place: SurveyLines) -> SurveyLines | None:
        file = self._analysis.files[place.file]
        if file.kind == "doc" and self._analysis.roles[file.id] == "data":
            return None  # what the product works on tells nothing of it
        heading = place.name.rpartition(" > ")[2]
        is_aside = file.kind == "doc" and is_formal(heading)
        if is_aside and self._page.kind not in _OF_FORMAL:
            return None
        lines = self._places.lines(place)
        if file.kind != "doc":
            lines = without_repeated(lines)
            place = replace(place, end_line=place.start_line + len(lines) - 1)
        text = "\n".join(lines)
        is_told = is_statement(text, language=file.language, kind=file.kind)
        return place if is_told else None
