"""Everything that is computed once from a survey and read by plan and writers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from devrag.wiki.analysis.calls import (
    CallSymbols,
    ResolvedUse,
    members_of,
    resolve_uses,
    use_edges,
)
from devrag.wiki.analysis.contracts import contracts_of
from devrag.wiki.analysis.contracts.types import Contract
from devrag.wiki.analysis.document_product import is_of_documents
from devrag.wiki.analysis.documents import Section, read_sections
from devrag.wiki.analysis.error_classes import error_classes
from devrag.wiki.analysis.file_lines import FileLines
from devrag.wiki.analysis.file_roles import (
    all_documents,
    given_role,
    sample_data_among,
    with_tickets,
)
from devrag.wiki.analysis.graph import deciles, in_steps, pagerank, without_nodes
from devrag.wiki.analysis.handlers import Handlers
from devrag.wiki.analysis.imports import FileImport, import_edges, resolve_imports
from devrag.wiki.analysis.names import Names, names_of
from devrag.wiki.analysis.purposes import Purpose, purpose_of
from devrag.wiki.analysis.roles import is_of_build
from devrag.wiki.analysis.source_kinds import CODE, source_kinds
from devrag.wiki.analysis.steering.apply import (
    excluded_files,
    steered_topics,
)
from devrag.wiki.analysis.steering.files import digest_of, read_steering
from devrag.wiki.analysis.steering.types import Warnings
from devrag.wiki.analysis.survey import (
    Survey,
    SurveyFact,
    SurveyFile,
    SurveySymbol,
    Texts,
)
from devrag.wiki.analysis.topic_ties import calls_between, imports_between
from devrag.wiki.analysis.topics.addresses import with_known_addresses
from devrag.wiki.analysis.topics.attachment import attach_files
from devrag.wiki.analysis.topics.document_topics import (
    document_input,
    find_document_topics,
)
from devrag.wiki.analysis.topics.documents import (
    document_sections,
    explaining_documents,
    is_front,
    overview_documents,
)
from devrag.wiki.analysis.topics.finding import TopicInput, find_topics
from devrag.wiki.analysis.topics.outline import (
    Outline,
    restore_document_topics,
    restore_topics,
)
from devrag.wiki.analysis.topics.types import DocumentSection, Topic

_STEERED_ROLES = ("code", "migration", "markup", "doc", "config", "data", "build")
_TEST_MODULE = re.compile(r"(^|\.)tests?\.")  # as Rust keeps them beside the code
CODE_ROLES = {"code", "migration", "markup"}
ENTRY_KINDS = ("entry_point", "command", "route", "task")


class Analysis:
    """Graphs, ranks, parts and names of one survey; each computed on first use."""

    def __init__(
        self, survey: Survey, texts: Texts, outline: Outline | None = None
    ) -> None:
        """outline: the topics to keep; found anew where the sources ask for others."""
        self.survey = survey
        self.texts = texts
        self.files = {file.id: file for file in survey.files}
        self.symbols = {symbol.id: symbol for symbol in survey.symbols}
        self._warnings = Warnings()
        self.steering = read_steering(survey.files, texts, self._warnings)
        self.steering_digest = digest_of(self.steering)
        before = outline or Outline()
        is_outdated = before.is_outdated or before.steering != self.steering_digest
        self._outline = replace(before, is_outdated=is_outdated)
        self._excluded = excluded_files(self.steering, survey.files, self._warnings)
        self._purposes: dict[int, Purpose | None] = {}
        self._sections: dict[int, list[Section]] = {}
        self._is_outline_kept = False
        # What `cached_by_analysis` keeps: function and arguments → value.
        self.found: dict[tuple[Any, ...], Any] = {}

    @property
    def title(self) -> str:
        """What people call the product: as set, else as its only steering file says."""
        given = {said.title for said in self.steering.values() if said.title}
        is_named = self.survey.title != self.survey.product
        return given.pop() if len(given) == 1 and not is_named else self.survey.title

    @cached_property
    def has_several_sources(self) -> bool:
        return len({file.source for file in self.survey.files}) > 1

    @cached_property
    def source_kinds(self) -> dict[int, str]:
        """File → the kind of source that it is of."""
        return source_kinds(self.survey.files)

    @cached_property
    def has_several_kinds(self) -> bool:
        """Return whether there is more than code; pages join what each kind says."""
        return set(self.source_kinds.values()) > {CODE}

    @cached_property
    def is_of_documents(self) -> bool:
        """Whether the product is documents alone."""
        return is_of_documents(self.survey.files)

    @cached_property
    def roles(self) -> dict[int, str]:
        """File → the part it plays; documents that are sample data are data.

        Without code beside them all are documents, whatever their folders are called.
        """
        given = {f.id: given_role(f, self._excluded) for f in self.survey.files}
        if self.is_of_documents:
            return all_documents(self.survey.files, given)
        if self.has_several_kinds:
            given = with_tickets(self.survey.files, given)
        return given | sample_data_among(
            self.survey,
            given,
            text=self.texts.text,
            sections=self.sections,
            own_words=self._own_words,
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the sources' steering files ask for in vain."""
        _ = self.topics  # may find problems
        return self._warnings.sentences()

    def with_role(self, *roles: str) -> list[SurveyFile]:
        """Return the files that play one of these roles, by source and path."""
        if len(roles) == 1:
            return list(self._by_role.get(roles[0], ()))
        found = [file for role in set(roles) for file in self._by_role.get(role, ())]
        return sorted(found, key=lambda f: (f.source, f.path))

    @cached_property
    def lines(self) -> FileLines:
        """The lines of files."""
        return FileLines(self.texts)

    @cached_property
    def _by_role(self) -> dict[str, list[SurveyFile]]:
        found: dict[str, list[SurveyFile]] = defaultdict(list)
        for file in sorted(self.survey.files, key=lambda f: (f.source, f.path)):
            found[self.roles[file.id]].append(file)
        return found

    def purpose(self, file: SurveyFile) -> Purpose | None:
        """Return what the file says about itself."""
        if file.id not in self._purposes:
            self._purposes[file.id] = purpose_of(self.texts.text(file.id))
        return self._purposes[file.id]

    def sections(self, file: SurveyFile) -> list[Section]:
        """Return the sections of a document."""
        if file.id not in self._sections:
            self._sections[file.id] = read_sections(self.texts.text(file.id))
        return self._sections[file.id]

    def facts(self, *kinds: str) -> list[SurveyFact]:
        """Return facts of these kinds outside tests, examples and vendored files."""
        hidden = {"test", "example", "vendored", "excluded"}
        return [
            fact
            for kind in kinds
            for fact in self._facts_by_kind.get(kind, [])
            if self.roles[fact.file] not in hidden
        ]

    @cached_property
    def entry_points(self) -> list[SurveyFact]:
        """Facts by which the product, not its build, is entered from outside."""
        return [f for f in self.facts(*ENTRY_KINDS) if not is_of_build(f)]

    @cached_property
    def _facts_by_kind(self) -> dict[str, list[SurveyFact]]:
        grouped: dict[str, list[SurveyFact]] = defaultdict(list)
        for fact in self.survey.facts:
            grouped[fact.kind].append(fact)
        return dict(grouped)

    @cached_property
    def symbols_of(self) -> dict[int, list[SurveySymbol]]:
        """File → its symbols by line."""
        grouped: dict[int, list[SurveySymbol]] = defaultdict(list)
        for symbol in sorted(self.survey.symbols, key=lambda s: (s.start_line, s.id)):
            grouped[symbol.file].append(symbol)
        return dict(grouped)

    @cached_property
    def symbols_named(self) -> dict[str, list[SurveySymbol]]:
        """Bare name → the symbols that have it."""
        grouped: dict[str, list[SurveySymbol]] = defaultdict(list)
        for symbol in self.survey.symbols:
            grouped[symbol.name].append(symbol)
        return dict(grouped)

    @cached_property
    def members_of(self) -> dict[int, list[SurveySymbol]]:
        """Symbol → what is defined directly in it; a method apart from its type, too.

        Go and Rust define methods away from the type, in its file or beside it.
        """
        return members_of(self.survey.symbols, self.files)

    @cached_property
    def import_lines(self) -> dict[int, list[tuple[str, int]]]:
        """File → the full names that it imports, with their lines."""
        grouped: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for reference in self.survey.references:
            if reference.kind == "import":
                name = reference.target or reference.name
                grouped[reference.file].append((name, reference.line))
        return dict(grouped)

    def imported(self, file: int, name: str, language: str) -> SurveySymbol | None:
        """Return what a file of the language would import by that full name."""
        return self._resolver.imported(file, name, language)

    def implementations(self, symbol: SurveySymbol) -> list[SurveySymbol]:
        """Return the types that satisfy an interface without naming it."""
        return self._resolver.implementations(symbol)

    @cached_property
    def imports(self) -> list[FileImport]:
        return resolve_imports(self.survey, self._resolver, self.uses)

    @cached_property
    def ties(self) -> list[FileImport]:
        """Imports, and the first use of a file that need not be imported.

        Such are files of the same package, and what a framework loads by its name.
        """
        known = {(item.file, item.target) for item in self.imports}
        found: dict[tuple[int, int], FileImport] = {}
        for use in self.uses:
            target = self.symbols[use.target]
            pair = (use.file, target.file)
            if use.file != target.file and pair not in known and pair not in found:
                found[pair] = FileImport(*pair, target.name, use.line, target.id)
        return [*self.imports, *found.values()]

    @cached_property
    def tie_between(self) -> dict[tuple[int, int], FileImport]:
        """(file, file) → the first tie from the one to the other."""
        found: dict[tuple[int, int], FileImport] = {}
        for tie in self.ties:
            found.setdefault((tie.file, tie.target), tie)
        return found

    @cached_property
    def tie_of_topics(self) -> dict[tuple[int, int], FileImport]:
        """(topic, topic) → what ties them: the call of what is used most, else the
        first import.
        """
        code = {file for file, role in self.roles.items() if role == "code"}
        calls = [u for u in self.uses if u.kind == "call" and u.file in code]
        found = calls_between(calls, self.topic_of, self.symbols, self.symbol_rank)
        return imports_between(self.ties, self.topic_of) | found

    @cached_property
    def file_edges(self) -> dict[int, dict[int, float]]:
        return import_edges(self.ties)

    @cached_property
    def _resolver(self) -> CallSymbols:
        return CallSymbols(self.survey)

    @cached_property
    def uses(self) -> list[ResolvedUse]:
        """The uses that surely mean their target."""
        return [use for use in self._all_uses if not use.is_possible]

    @cached_property
    def possible_uses(self) -> list[ResolvedUse]:
        """What calls may reach besides: implementations of interfaces, overrides."""
        return [use for use in self._all_uses if use.is_possible]

    @cached_property
    def _all_uses(self) -> list[ResolvedUse]:
        return resolve_uses(self.survey, self._resolver)

    @cached_property
    def symbol_edges(self) -> dict[int, dict[int, float]]:
        return use_edges(self.uses)

    @cached_property
    def exceptions(self) -> set[int]:
        """Classes that are errors, by their name or by what they inherit."""
        return error_classes(self.survey, self.uses)

    @cached_property
    def file_rank(self) -> dict[int, float]:
        """Rank by imports; a file's tests and examples do not count as users."""
        edges = without_nodes(self.file_edges, self._outsiders)
        return in_steps(pagerank(self.files, edges))

    @cached_property
    def file_at(self) -> dict[tuple[str, str], SurveyFile]:
        """Source and path → file."""
        return {(file.source, file.path): file for file in self.survey.files}

    @cached_property
    def deciles(self) -> dict[int, int]:
        """File → tenth of all files that its rank is in, 9 the most important."""
        return deciles(self.file_rank)

    @cached_property
    def symbol_rank(self) -> dict[int, float]:
        """Rank by uses outside tests, be they in files or in modules of their own."""
        outsiders = {s.id for s in self.survey.symbols if self._is_outside(s)}
        edges = without_nodes(self.symbol_edges, outsiders)
        return in_steps(pagerank(self.symbols, edges))

    def _is_outside(self, symbol: SurveySymbol) -> bool:
        return symbol.file in self._outsiders or bool(
            _TEST_MODULE.search(symbol.qualified_name)
        )

    @cached_property
    def uses_of(self) -> dict[int, list[ResolvedUse]]:
        """Symbol → its uses by code of other files, tests and examples aside."""
        grouped: dict[int, list[ResolvedUse]] = defaultdict(list)
        for use in self.uses:
            is_own = use.file == self.symbols[use.target].file
            if not is_own and use.file not in self._outsiders:
                grouped[use.target].append(use)
        return dict(grouped)

    @cached_property
    def _outsiders(self) -> set[int]:
        return {f.id for f in self.with_role("test", "example", "vendored", "excluded")}

    @cached_property
    def contracts(self) -> list[Contract]:
        """Ties between the product's sources."""
        return contracts_of(self.survey, self.texts, self._outsiders)

    @cached_property
    def names(self) -> Names:
        return names_of(self.survey)

    @cached_property
    def topics(self) -> list[Topic]:
        """What feature pages explain; a topic that is part of another is after it."""
        given = steered_topics(
            self.steering, self.with_role(*_STEERED_ROLES), self._warnings
        )
        if self.is_of_documents:
            return self._document_topics(given)
        taken = {file.id for topic in given for file in topic.files}
        found = self.topic_input(given)
        kept = restore_topics(found, self._outline)
        self._is_outline_kept = bool(kept)
        topics = kept or find_topics(found)
        rest = self.with_role("migration", "markup")
        topics = attach_files(topics, [file for file in rest if file.id not in taken])
        return (
            topics if kept else with_known_addresses(topics, self.files, self._outline)
        )

    def _document_topics(self, given: list[Topic]) -> list[Topic]:
        """Return the topics of documents alone."""
        found = document_input(
            self.with_role("doc"),
            self.overview_documents,
            given,
            sections_of=self._sections_of,
            read=self.sections,
            text=self.texts.text,
        )
        kept = restore_document_topics(found, self._outline)
        self._is_outline_kept = bool(kept)
        return kept or with_known_addresses(
            find_document_topics(found), self.files, self._outline
        )

    @cached_property
    def overview_documents(self) -> list[SurveyFile]:
        """The documents that introduce each source of documents alone."""
        return overview_documents(self.with_role("doc"))

    @cached_property
    def topic_documents(self) -> list[SurveyFile]:
        """The documents of topics, by source and path."""
        found = {file.id: file for topic in self.topics for file in topic.files}
        return [file for file in self.with_role("doc") if file.id in found]

    @property
    def is_outline_kept(self) -> bool:
        """Return whether the topics are those of the outline that was given."""
        _ = self.topics
        return self._is_outline_kept

    def topic_input(self, given: list[Topic]) -> TopicInput:
        """Return what topics are found in. given: those that people named."""
        return TopicInput(
            files=[file for file in self.with_role("code") if file.lines > 1],
            given=given,
            documents=self.documents,
            read=lambda file: self.sections(self.files[file]),
            homes=self.files,
            symbols=self.symbols_of,
            facts=self.facts("setting", "model", *ENTRY_KINDS),
            edges=self.file_edges,
            rank=self.file_rank,
            ignored=self._own_words,
            said=self._said,
        )

    @property
    def _own_words(self) -> frozenset[str]:
        """The words of the product's name."""
        said = f"{self.title} {self.survey.product}".lower()
        return frozenset(re.findall(r"[a-z]+", said))

    def _said(self, file: int) -> str:
        purpose = self.purpose(self.files[file])
        return purpose.text if purpose else ""

    @cached_property
    def documents(self) -> list[DocumentSection]:
        """The sections of the documents that explain the product."""
        return [
            section
            for file in explaining_documents(self.with_role("doc"))
            for section in self._sections_of(file)
        ]

    def _sections_of(self, file: SurveyFile) -> Iterable[DocumentSection]:
        """Return a document's sections as pages take them in."""
        return document_sections(file, self.sections(file), is_front=is_front(file))

    @cached_property
    def topic_of(self) -> dict[int, int]:
        """File → index of its topic."""
        return {
            file.id: index
            for index, topic in enumerate(self.topics)
            for file in topic.files
        }

    @cached_property
    def topic_edges(self) -> dict[int, dict[int, float]]:
        """Topic → topic → number of uses."""
        edges: dict[int, dict[int, float]] = defaultdict(dict)
        for source, targets in self.file_edges.items():
            for target, weight in targets.items():
                a, b = self.topic_of.get(source), self.topic_of.get(target)
                if a is not None and b is not None and a != b:
                    edges[a][b] = edges[a].get(b, 0.0) + weight
        return dict(edges)

    @cached_property
    def entry_symbols(self) -> dict[int, SurveyFact]:
        """Symbol → the entry point, command, route or task that starts there."""
        found: dict[int, SurveyFact] = {}
        for fact in self.entry_points:
            symbol = self.symbol_at(fact)
            if symbol is not None:
                found.setdefault(symbol.id, fact)
        return found

    @cached_property
    def _handlers(self) -> Handlers:
        found = (self._resolver, self.uses, self.symbols_of)
        return Handlers(self.survey, self.texts, *found)

    def symbol_at(self, fact: SurveyFact) -> SurveySymbol | None:
        """Return the function that a route, command, task or entry point starts."""
        return self._handlers.of(fact)

    def declared_at(self, fact: SurveyFact) -> SurveySymbol | None:
        """Return the definition that bears a fact's words."""
        return self._handlers.declared(fact)
