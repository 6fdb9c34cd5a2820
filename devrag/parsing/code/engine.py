"""One language's spec applied to one source: tree, captures, facts, chunks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Tree

from devrag.parsing.code.binding import Binder
from devrag.parsing.code.chunks import code_chunks
from devrag.parsing.code.definitions import Definition, find_definitions
from devrag.parsing.code.errors import syntax_warnings
from devrag.parsing.code.spec import LanguageSpec, ModuleSymbol
from devrag.parsing.code.symbols import collect_notes, symbol_facts
from devrag.parsing.code.tree import Captures, parse_tree, run_query
from devrag.parsing.code.uses import Uses, collect_uses, reference_facts
from devrag.parsing.code.value_types import value_types
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.types import FactFacts, SymbolFacts

# Facts, and a warning for each detector that failed.
Found = tuple[list[FactFacts], list[str]]


@dataclass
class CodeAnalysis:
    """What the detectors of facts read; language is the name of the spec."""

    language: str
    source: SourceText
    tree: Tree
    grammar: str
    captures: Captures
    definitions: list[Definition]
    uses: Uses
    module: str

    def find(self, query: str) -> Captures:
        """Run a query that few files are worth, so no part of the language's own."""
        return run_query(self.source, self.tree, self.grammar, query)


Detect = Callable[[CodeAnalysis], Found]


def parse_code(
    spec: LanguageSpec,
    source: SourceText,
    detect: Detect | None = None,
) -> Parsed:
    """Return all that is known about a file of code."""
    tree = parse_tree(source, spec.grammar, spec.prepare(source.data))
    captures = run_query(source, tree, spec.grammar, spec.query)
    warnings = syntax_warnings(spec.name, source, tree, captures)
    module = spec.module(source, tree.root_node) if spec.module else None
    namespace = spec.namespace(source, captures)
    definitions = find_definitions(spec, source, captures, 1 if module else 0)
    source.check_deadline()
    uses = collect_uses(spec, source, captures, definitions)
    notes = collect_notes(source, captures, definitions)
    source.check_deadline()
    binder = Binder(spec, uses, definitions)
    types = value_types(binder, uses.holdings, definitions)
    symbols = symbol_facts(source, definitions, uses, notes, types)
    if module:
        symbols.insert(0, _module_symbol(source, module, uses))
    analysis = CodeAnalysis(
        spec.name, source, tree, spec.grammar, captures, definitions, uses, namespace
    )
    facts, troubles = detect(analysis) if detect else ([], [])
    return Parsed(
        chunks=code_chunks(
            source,
            definitions,
            0 if module else None,
            notes.comment_lines,
            module.docstring if module else "",
        ),
        symbols=symbols,
        references=reference_facts(spec, definitions, uses, binder),
        facts=facts,
        warnings=warnings + troubles,
        module=namespace,
    )


def _module_symbol(source: SourceText, module: ModuleSymbol, uses: Uses) -> SymbolFacts:
    """Return the symbol of the file itself; it is nobody's parent."""
    lines = max(len(source.lines), 1)
    return SymbolFacts(
        ordinal=0,
        kind="module",
        name=module.name.rpartition(".")[2],
        qualified_name=module.name,
        signature=module.name,
        start_line=1,
        end_line=lines,
        imports=tuple(dict.fromkeys(item.path for item in uses.imports)),
        docstring=module.docstring,
        loc=len(source.lines),
    )
