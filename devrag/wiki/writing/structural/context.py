"""What every section of a page needs: the analysis, the plan, citing and linking."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.docstrings import is_code, parameters_of, read_docstring
from devrag.wiki.analysis.imports import FileImport
from devrag.wiki.analysis.prose import cited, first_sentence, only_names, opening
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.evidence.page_evidence import MOST_LINES, EvidenceBook
from devrag.wiki.planning.page_kind import PageKind, wording_of
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.wording import Wording

# Names that a framework prescribes say nothing about the code.
_CONVENTIONAL = {"Command", "Migration", "Meta", "setup"}
_TELLING = 40  # characters
_ATTRIBUTES = 8  # lines between a comment and its definition
_SEPARATORS = re.compile(r"[./:\\]+")
_IMPORT_LINES = 30
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
        """Return the symbol's first documented sentence, cited; '' if it has none."""
        sentence = self.said_first(symbol)
        is_called = symbol.kind in {"function", "method"}
        if not sentence or (not is_called and only_names(sentence, symbol.name)):
            return ""
        return cited(sentence, self.cite_symbol(symbol))

    def said_first(self, symbol: SurveySymbol) -> str:
        """Return the first sentence of a symbol's docstring, its parameters aside."""
        if not symbol.docstring or is_code(symbol.docstring):
            return ""
        docstring = read_docstring(symbol.docstring, parameters_of(symbol.signature))
        return first_sentence(docstring.body, self.analysis.names)

    def signature(self, symbol: SurveySymbol) -> str:
        """Return how the symbol is declared as code, '' where that is long."""
        text = " ".join(symbol.signature.split())
        is_short = text and len(text) <= _LONGEST_SIGNATURE and "`" not in text
        return f"`{text}`" if is_short else ""

    def cite_symbol(self, symbol: SurveySymbol) -> str:
        """Cite the symbol's head: signature and docstring, not its whole body."""
        return self.book.cite(symbol.file, *self.head_of(symbol))

    def head_of(self, symbol: SurveySymbol) -> tuple[int, int]:
        """Return the lines of a symbol's signature and docstring."""
        height = symbol.docstring.count("\n") + symbol.signature.count("\n") + 4
        last = min(symbol.end_line, symbol.start_line + height)
        return self._documented_from(symbol), last

    def _documented_from(self, symbol: SurveySymbol) -> int:
        """Return the line at which the symbol's words begin: often above its first."""
        said = symbol.docstring.strip().split("\n")[0].strip()[:_TELLING]
        if not said:
            return symbol.start_line
        lines = self.book.lines(symbol.file)
        height = symbol.docstring.count("\n") + _ATTRIBUTES
        top = max(0, symbol.start_line - 1 - min(height, MOST_LINES - 2))
        above = range(symbol.start_line - 2, top - 1, -1)
        return next((n + 1 for n in above if said in lines[n]), symbol.start_line)

    def cite_file(self, file: SurveyFile) -> str:
        """Cite the lines at which a file's first definition or text begins."""
        own = self.analysis.symbols_of.get(file.id, [])
        line = own[0].start_line if own else 1
        return self.book.cite(file.id, line, line + 2)

    def cite_tie(self, tie: FileImport | None) -> str:
        """Cite an import; of a use that needs none also what is used."""
        if tie is None:
            return ""
        line = self.book.cite(tie.file, tie.line, self._end_of_import(tie))
        used = self.analysis.symbols.get(tie.symbol or 0)
        return line + (self.cite_symbol(used) if used else "")

    def _end_of_import(self, tie: FileImport) -> int:
        """Return the line that names what is imported: often below the first."""
        last = _SEPARATORS.split(tie.name)[-1]
        lines = self.book.lines(tie.file)[tie.line - 1 : tie.line - 1 + _IMPORT_LINES]
        return next(
            (tie.line + n for n, text in enumerate(lines) if last in text), tie.line
        )

    def symbol_name(self, symbol: SurveySymbol) -> str:
        """Return `Class.method()` or `Class` as code."""
        is_index = symbol.name.endswith("]")
        is_callable = symbol.kind in {"function", "method"} and not is_index
        return f"`{symbol.qualified_name}{'()' if is_callable else ''}`"

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
