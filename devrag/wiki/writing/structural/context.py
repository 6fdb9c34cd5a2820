"""What every section of a page needs: the analysis, the plan, citing and linking."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.circular import is_circular
from devrag.wiki.analysis.declarations import (
    Declaration,
    declaration_of,
    is_called,
)
from devrag.wiki.analysis.docstrings import is_code, parameters_of, read_docstring
from devrag.wiki.analysis.imports import FileImport
from devrag.wiki.analysis.prose import (
    cited,
    first_sentence,
    join_sentences,
    only_names,
    opening,
    upper_first,
)
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.analysis.without_name import without_name
from devrag.wiki.evidence.page_evidence import MOST_LINES, EvidenceBook
from devrag.wiki.planning.page_kind import PageKind, wording_of
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.wording import Wording

# Names that a framework prescribes say nothing about the code.
_CONVENTIONAL = {"Command", "Migration", "Meta", "setup"}
_SEPARATORS = re.compile(r"[./:\\]+")
_IMPORT_LINES = 30
_MOST_COUNTED = 3
_LONGEST_SIGNATURE = 72
_DEFINITIONS = {"class", "function", "method", "interface", "enum", "type"}


@dataclass(frozen=True)
class PageContext:
    """One page in the making. Sentences it returns carry their evidence markers."""

    analysis: Analysis
    plan: Plan
    page: PlannedPage
    book: EvidenceBook
    kinds: Sequence[PageKind[PageContext]]

    @cached_property
    def wording(self) -> Wording:
        """Return the sentences of the wiki's language."""
        return wording_of(self.kinds, self.plan.language)

    def kind(self, name: str) -> PageKind[PageContext]:
        """Return the kind of page of this name."""
        return next(kind for kind in self.kinds if kind.name == name)

    def say(self, english: str, **places: object) -> str:
        """Return a sentence of the wiki's own, in its language."""
        return self.wording.say(english, **places)

    def counted(self, number: int, noun: str) -> str:
        """Return `2 files`, in the wiki's language."""
        return self.wording.counted(number, noun)

    def listed(self, names: Sequence[str], more: int = 0, noun: str = "") -> str:
        """Return `a, b and 3 more`, in the wiki's language."""
        return self.wording.listed(names, more, noun)

    def listed_open(self, names: Sequence[str]) -> str:
        """Return `a, b, …`, in the wiki's language."""
        return self.wording.listed_open(names)

    def joined(self, found: Sequence[str]) -> str:
        """Return sentences behind each other, as their language has them."""
        return join_sentences(found)

    def listed_cited(
        self,
        names: Sequence[str],
        cite: Callable[[int], str],
        shown: int,
        noun: str = "",
    ) -> str:
        """Return `a [1], b [2] and 2 more [3] [4]`: what is counted is cited, too.

        cite: the marker of the name at a place. Many more are not counted.
        """
        told = [name + cite(place) for place, name in enumerate(names[:shown])]
        rest = range(shown, len(names))
        if len(rest) > _MOST_COUNTED:
            return self.listed_open(told)
        return self.listed(told, len(rest), noun) + "".join(map(cite, rest))

    def code(self, name: str) -> str:
        """Return a name as code when it exists in the index."""
        return self.analysis.names.code(name)

    def path(self, file: SurveyFile) -> str:
        """Return the file's path as code, with its source where that is not plain."""
        topic = self.page.topic
        is_at_home = topic is not None and (
            self.analysis.topics[topic].source == file.source
        )
        if not is_at_home and self.analysis.has_several_sources:
            source = self.code(file.source)
            return self.say("`{path}` of {source}", path=file.path, source=source)
        return f"`{file.path}`"

    def link(self, label: str, page: str) -> str:
        """Return a link to another page of the plan, the bare label to itself."""
        if page == self.page.path or self.plan.page(page) is None:
            return label
        target = posixpath.relpath(page, posixpath.dirname(self.page.path) or ".")
        return f"[{label}]({target})"

    def path_to_topic(self, index: int) -> str:
        """Return the relative path to a topic's page, '' from that page itself."""
        page = self.plan.page_of_topic(index)
        if page is None or page.path == self.page.path:
            return ""
        return posixpath.relpath(page.path, posixpath.dirname(self.page.path) or ".")

    def link_to(self, kind: str) -> str:
        """Return a link to the page of a kind, the bare title where there is none."""
        title = self.say(self.kind(kind).title)
        page = self.plan.page_of_kind(kind)
        return self.link(title, page.path) if page else title

    def topic(self, index: int) -> str:
        """Return a topic's title, linked to its page."""
        title = self.topic_title(index)
        page = self.plan.page_of_topic(index)
        return self.link(title, page.path) if page else title

    def topic_title(self, index: int) -> str:
        """Return a topic's title as plain text."""
        page = self.plan.page_of_topic(index)
        return page.title if page else self.analysis.topics[index].title

    def file_purpose(self, file: SurveyFile) -> str:
        """Return the file's first sentence about itself, cited; '' if it has none."""
        purpose = self.analysis.purpose(file)
        if purpose is None:
            return ""
        sentence = first_sentence(purpose.text, self.analysis.names)
        if not sentence or only_names(sentence, file.stem):
            return ""
        marker = self.book.cite(file.id, purpose.start_line, purpose.end_line)
        return cited(sentence, marker)

    def file_opening(self, file: SurveyFile) -> str:
        """Return the first paragraph of what the file says about itself, cited."""
        purpose = self.analysis.purpose(file)
        if purpose is None:
            return ""
        found = opening(purpose.text, self.analysis.names)
        marker = self.book.cite(file.id, purpose.start_line, purpose.end_line)
        return " ".join(cited(sentence, marker) for sentence in found)

    def symbol_purpose(self, symbol: SurveySymbol) -> str:
        """Return what is first said of a symbol beside its name, cited; '' if none."""
        sentence = self.said_beside_name(symbol)
        is_called = symbol.kind in {"function", "method"}
        if not sentence or (not is_called and only_names(sentence, symbol.name)):
            return ""
        return cited(sentence, self.cite_symbol(symbol))

    def said_beside_name(self, symbol: SurveySymbol) -> str:
        """Return the first sentence of a symbol's docstring without its name."""
        return upper_first(without_name(self.said_first(symbol), symbol.name))

    def said_first(self, symbol: SurveySymbol) -> str:
        """Return the first sentence of a symbol's docstring, its parameters aside.

        Return '' where it explains a name by the name.
        """
        if not symbol.docstring or is_code(symbol.docstring):
            return ""
        docstring = read_docstring(symbol.docstring, parameters_of(symbol.signature))
        said = first_sentence(docstring.body, self.analysis.names)
        return "" if is_circular(said, symbol.name) else said

    def signature(self, symbol: SurveySymbol) -> str:
        """Return how the symbol is declared as code, '' where that is long."""
        text = " ".join(symbol.signature.split())
        is_short = text and len(text) <= _LONGEST_SIGNATURE and "`" not in text
        return f"`{text}`" if is_short else ""

    def cite_symbol(self, symbol: SurveySymbol) -> str:
        """Cite the symbol's head: all of its signature and its description."""
        pieces = self.declaration(symbol).pieces(MOST_LINES)
        return "".join(self.book.cite(symbol.file, *lines) for lines in pieces)

    def cite_member(self, symbol: SurveySymbol) -> str:
        """Cite the symbol's head, of a member also the first lines of its type."""
        owner = self.analysis.symbols.get(symbol.parent or 0)
        lines = self.declaration(owner).signature if owner else (0, 0)
        of_type = self.book.cite(owner.file, *lines) if owner else ""
        return self.cite_symbol(symbol) + of_type

    def cite_lines(self, file: int, start: int, end: int) -> str:
        """Cite lines, in several pieces where they are many."""
        pieces = range(start, end + 1, MOST_LINES)
        return "".join(
            self.book.cite(file, at, min(end, at + MOST_LINES - 1)) for at in pieces
        )

    def head_of(self, symbol: SurveySymbol) -> tuple[int, int]:
        """Return the lines of a symbol's signature and description."""
        return self.declaration(symbol).whole

    def declaration(self, symbol: SurveySymbol) -> Declaration:
        """Return where the symbol's signature and description stand."""
        return declaration_of(symbol, self.book.lines(symbol.file))

    def cite_file(self, file: SurveyFile) -> str:
        """Cite the lines at which a file's first definition or text begins."""
        own = self.analysis.symbols_of.get(file.id, [])
        line = own[0].start_line if own else 1
        return self.book.cite(file.id, line, line + 2)

    def cite_tie(self, tie: FileImport | None) -> str:
        """Cite an import; of a use that needs none also what is used."""
        if tie is None:
            return ""
        line = self.cite_lines(tie.file, tie.line, self._end_of_import(tie))
        used = self.analysis.symbols.get(tie.symbol or 0)
        if used is not None:
            return line + self.cite_symbol(used)
        defined = self._definition_of(tie)
        if defined is None:
            return line
        named = self.declaration(defined).named
        return line + self.book.cite(defined.file, named, named)

    def _definition_of(self, tie: FileImport) -> SurveySymbol | None:
        """Return what an import names, where the import passes another module on."""
        name = _SEPARATORS.split(tie.name)[-1]
        own = self.analysis.symbols_of.get(tie.target, [])
        return next((s for s in own if s.name == name and s.kind != "module"), None)

    def tie_name(self, tie: FileImport) -> str:
        """Return what is imported or used as code, '' where the line has no name."""
        used = self.analysis.symbols.get(tie.symbol or 0)
        if used is not None:
            return self.symbol_name(used)
        name = _SEPARATORS.split(tie.name)[-1]
        if not name.isidentifier() or "/" in tie.name:
            return f"`{self.analysis.files[tie.target].name}`"
        line = self.book.lines(tie.file)[self._end_of_import(tie) - 1]
        return f"`{name}`" if re.search(rf"\b{name}\b", line) else ""

    def _end_of_import(self, tie: FileImport) -> int:
        """Return the line that names what is imported: often below the first."""
        last = _SEPARATORS.split(tie.name)[-1]
        lines = self.book.lines(tie.file)[tie.line - 1 : tie.line - 1 + _IMPORT_LINES]
        return next(
            (tie.line + n for n, text in enumerate(lines) if last in text), tie.line
        )

    def symbol_name(self, symbol: SurveySymbol) -> str:
        """Return `Class.method()` or `Class` as code."""
        return f"`{symbol.qualified_name}{'()' if self.is_called(symbol) else ''}`"

    def own_name(self, symbol: SurveySymbol) -> str:
        """Return `method()` or `property` as code, without what it is in."""
        return f"`{symbol.name}{'()' if self.is_called(symbol) else ''}`"

    def is_called(self, symbol: SurveySymbol) -> bool:
        """Return whether the symbol is used with parentheses behind its name."""
        language = self.analysis.files[symbol.file].language
        return is_called(symbol, language, self.book.lines(symbol.file))

    def defined_in(self, topic: Topic) -> list[SurveySymbol]:
        """Return the part's public classes and functions, most used first."""
        rank = self.analysis.symbol_rank
        found = [
            symbol
            for file in topic.files
            if self.analysis.roles[file.id] == "code"
            for symbol in self.defined_at(file)
            if symbol.is_public and symbol.name not in _CONVENTIONAL
        ]
        return sorted(found, key=lambda s: (-rank[s.id], s.id))

    def defined_at(self, file: SurveyFile) -> list[SurveySymbol]:
        """Return the classes, types and functions that stand directly in a file.

        Some languages have methods there, too, away from their type.
        """
        return [
            symbol
            for symbol in self.analysis.symbols_of.get(file.id, [])
            if symbol.kind in _DEFINITIONS
            or (symbol.kind == "module" and file.language == "ruby")
            if self.is_top_level(symbol)
        ]

    def is_top_level(self, symbol: SurveySymbol) -> bool:
        """Return whether the symbol stands directly in its file."""
        parent = self.analysis.symbols.get(symbol.parent or 0)
        return parent is None or parent.kind == "module"

    def by_rank(self, files: Iterable[SurveyFile]) -> list[SurveyFile]:
        """Return files, most imported first."""
        rank = self.analysis.file_rank
        return sorted(files, key=lambda f: (-rank[f.id], f.path))
