"""One language's spec applied to one source: tree, captures, facts, chunks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node, Tree

from devrag.core.languages import spell_language
from devrag.parsing.code.chunks import code_chunks
from devrag.parsing.code.definitions import Definition, find_definitions
from devrag.parsing.code.spec import LanguageSpec, ModuleSymbol
from devrag.parsing.code.symbols import collect_notes, symbol_facts
from devrag.parsing.code.tree import Captures, parse_tree, run_query
from devrag.parsing.code.uses import Uses, collect_uses, reference_facts
from devrag.parsing.source import Parsed, Source
from devrag.parsing.types import FactFacts, SymbolFacts

# Facts, and a warning for each detector that failed.
Found = tuple[list[FactFacts], list[str]]

# With more of the file than this inside errors, it is not in that language at all.
_ERROR_SHARE = 0.5


class NotThatLanguage(Exception):
    """The grammar makes no sense of most of the file."""


@dataclass
class Analysis:
    """What the detectors of facts read; language is the name of the spec."""

    language: str
    source: Source
    tree: Tree
    grammar: str
    captures: Captures
    definitions: list[Definition]
    uses: Uses
    module: str

    def find(self, query: str) -> Captures:
        """Run a query that few files are worth, so no part of the language's own."""
        return run_query(self.source, self.tree, self.grammar, query)


Detect = Callable[[Analysis], Found]


def parse_code(
    spec: LanguageSpec,
    source: Source,
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
    symbols = symbol_facts(source, definitions, uses, notes)
    if module:
        symbols.insert(0, _module_symbol(source, module, uses))
    analysis = Analysis(
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
        references=reference_facts(spec, definitions, uses),
        facts=facts,
        warnings=warnings + troubles,
        module=namespace,
    )


def _module_symbol(source: Source, module: ModuleSymbol, uses: Uses) -> SymbolFacts:
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


def syntax_warnings(
    language: str, source: Source, tree: Tree, captures: Captures
) -> list[str]:
    """Warn of syntax errors (T25); raise when they are most of the file."""
    if not tree.root_node.has_error:
        return []
    errors = captures.get("error", [])
    if _broken_bytes(tree, captures, errors) > _ERROR_SHARE * len(source.data):
        raise NotThatLanguage(f"most of it is not valid {spell_language(language)}")
    if not errors:
        # A token that the grammar itself forgot inside an alias: no line to point at.
        return []
    line = min(node.start_point.row + 1 for node in errors)
    return [f"{source.path}: syntax error at line {line}; what parses is indexed"]


def _broken_bytes(tree: Tree, captures: Captures, errors: list[Node]) -> int:
    """Count what errors cover, without the definitions and comments inside them."""
    broken = [tree.root_node] if tree.root_node.is_error else errors
    whole = [
        node
        for capture, nodes in captures.items()
        if capture.startswith("definition.") or capture == "comment"
        for node in nodes
    ]
    return _covered([*broken, *whole]) - _covered(whole)


def _covered(nodes: list[Node]) -> int:
    total = end = 0
    for start, stop in sorted((node.start_byte, node.end_byte) for node in nodes):
        total += max(0, stop - max(start, end))
        end = max(end, stop)
    return total
