"""Outlines: what a file defines and where, for languages without rules of their own.

One query per grammar says it all. Captures of a match: the definition under its kind
(`@function`, `@class`, `@section`…), `@name` (several are joined), and where they exist
`@owner` (the type that a method names itself), `@doc` (documentation inside it), `@end`
(a node behind the definition that is still part of it). What is `@open` too goes on
until the next node of its type. `@declaration` is the signature of what follows under
the same name. Names that begin with `_` are for predicates.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from tree_sitter import Node

from devrag.parsing.code.chunks import code_chunks
from devrag.parsing.code.definitions import Definition, check_count, nest_definitions
from devrag.parsing.code.errors import syntax_warnings
from devrag.parsing.code.spec import Description
from devrag.parsing.code.symbols import collect_notes, symbol_facts
from devrag.parsing.code.text import doc_comment, last_row, node_text, stands_alone
from devrag.parsing.code.tree import Captures, grammar, parse_tree, run_matches
from devrag.parsing.code.uses import Uses
from devrag.parsing.documents.blocks import NamedLines, block_chunks
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.types import ChunkFacts

_KINDS = (
    *("function", "class", "interface", "enum", "namespace", "extension", "section"),
    *("constant", "variable", "type", "declaration"),
)
_ERRORS = "(ERROR) @error (MISSING) @error"
_COMMENT = re.compile(r"(?:\w+_)?(?:comment|pod|haddock)", re.IGNORECASE)
_MARKS = re.compile(
    r"\(\*+(.*?)\*+\)|\{-\s*\|?(.*)-\}|!+<?(.*)|(?:\"{3}|\")(.*?)\"*"
    r"|\|(.*)",
    re.DOTALL,
)
_NAME_LIMIT = 200
_QUOTES = "\"'`"


@dataclass(frozen=True, slots=True)
class OutlineSpec:
    """One grammar and its query.

    joint: what stands between several names. has_clauses: definitions of the same name
    in a row are one. is_program: each definition is a chunk; else they share windows.
    has_dialects: what the grammar takes for an error may be none.
    """

    grammar: str
    query: str
    joint: str = "."
    has_clauses: bool = False
    is_program: bool = True
    has_dialects: bool = False


def parse_outlined(spec: OutlineSpec, source: SourceText) -> Parsed:
    """Return the names and ranges of a file's definitions, and chunks along them."""
    # A comment that no line end closes keeps some scanners (Perl's) going for ever.
    tree = parse_tree(source, spec.grammar, source.data.removesuffix(b"\n") + b"\n")
    matches = run_matches(source, tree, spec.grammar, _whole_query(spec))
    captures = _captures(matches)
    check_count(captures)
    warnings: list[str] = []
    if not spec.has_dialects:
        warnings = syntax_warnings(spec.grammar, source, tree, captures)
    found = list(_best(matches))
    _close_open(found)
    described = list(_descriptions(spec, source, found))
    if spec.has_clauses:
        described = _joined(source, described)
    described = [
        replace(d, kind="function") if d.kind == "declaration" else d for d in described
    ]
    definitions = nest_definitions(described)
    _drop_ends(source, definitions, captures["comment"])
    source.check_deadline()
    notes = collect_notes(source, captures, definitions)
    symbols = symbol_facts(source, definitions, Uses([]), notes, {})
    return Parsed(
        chunks=_chunks(spec, source, definitions, notes.comment_lines),
        # Nobody counted the branches.
        symbols=[replace(symbol, complexity=None) for symbol in symbols],
        warnings=warnings,
    )


@lru_cache(maxsize=128)
def comment_kinds(name: str) -> frozenset[str]:
    """Return the node types of a grammar's comments."""
    language = grammar(name)
    return frozenset(
        kind
        for number in range(language.node_kind_count)
        if language.node_kind_is_named(number)
        and language.node_kind_is_visible(number)
        and (kind := language.node_kind_for_id(number))
        and _COMMENT.fullmatch(kind)
    )


@lru_cache(maxsize=128)
def _whole_query(spec: OutlineSpec) -> str:
    comments = " ".join(f"({kind}) @comment" for kind in comment_kinds(spec.grammar))
    return f"{spec.query} {comments} {_ERRORS}"


def _captures(matches: list[Captures]) -> Captures:
    """Return what is no definition by capture, and all definitions under one."""
    found: Captures = {"comment": [], "error": [], "definition.any": []}
    for match in matches:
        kind = _kind(match)
        if kind:
            found["definition.any"] += match[kind]
        for capture in ("comment", "error"):
            found[capture] += match.get(capture, [])
    found["comment"].sort(key=lambda node: node.start_byte)
    return found


def _kind(match: Captures) -> str:
    return next((kind for kind in match if kind in _KINDS), "")


def _best(matches: list[Captures]) -> Iterator[Captures]:
    """Yield one match for each definition: of the most names, of the first kind."""
    best: dict[tuple[int, int, int], tuple[tuple[int, int], Captures]] = {}
    for match in matches:
        if kind := _kind(match):
            node, names = match[kind][0], match.get("name", [])
            # One node may define several names (`int a, b`), each by its own match.
            key = (node.id, node.start_byte, names[0].start_byte if names else -1)
            rank = (len(names), -_KINDS.index(kind))
            if key not in best or rank > best[key][0]:
                best[key] = rank, match
    for _, match in best.values():
        yield match


def _close_open(matches: list[Captures]) -> None:
    """Let each open definition end before the next node of its type at its side."""
    opened = {match["open"][0].id: match for match in matches if "open" in match}
    types = {match["open"][0].type for match in opened.values()}
    around: dict[int, Node] = {}
    for match in opened.values():
        above = match["open"][0].parent
        if above is not None:
            around.setdefault(above.id, above)
    for above in around.values():
        current: Captures = {}
        for node in above.named_children:
            if node.type in types:
                current = opened.get(node.id, {})
            current["end"] = [node]


def _descriptions(
    spec: OutlineSpec, source: SourceText, matches: list[Captures]
) -> Iterator[Description]:
    comments = comment_kinds(spec.grammar)
    for match in matches:
        kind = _kind(match)
        node, names = match[kind][0], match.get("name", [])
        names = sorted(names, key=lambda node: node.start_byte)
        name = spec.joint.join(_cleaned(source, each) for each in names)
        if not 0 < len(name) <= _NAME_LIMIT:
            continue
        owner, inside = match.get("owner"), match.get("doc")
        end = match.get("end", [node])[-1]
        row = names[0].start_point.row
        yield Description(
            kind=kind,
            name=name,
            outer=end if end.end_byte > node.end_byte else node,
            first=node,
            signature=_signature(source, node, row),
            signature_lines=(node.start_point.row + 1, row + 1),
            body=node,
            docstring=_cleaned_doc(node_text(source, inside[0]))
            if inside
            else _cleaned_doc(doc_comment(source, _topmost(node), comments)),
            owner=_cleaned(source, owner[0]) if owner else "",
        )


def _cleaned(source: SourceText, node: Node) -> str:
    if node.end_byte - node.start_byte > 2 * _NAME_LIMIT:
        return ""
    text = " ".join(node_text(source, node).split())
    if text[:1] in _QUOTES and text[:1] == text[-1:]:
        text = text[1:-1]
    return text.rstrip(".") or text


def _cleaned_doc(text: str) -> str:
    """Return documentation without the marks of string literals and the ML family."""
    found = _MARKS.fullmatch(text)
    words = next(filter(None, found.groups()), "") if found else text
    return inspect.cleandoc(words).strip()


def _signature(source: SourceText, node: Node, row: int) -> str:
    """Return the line of the name, from where the definition begins on it."""
    line = source.lines[row] if row < len(source.lines) else ""
    if row == node.start_point.row:
        column = node.start_point.column
        line = line.encode("utf-8", "replace")[column:].decode("utf-8", "ignore")
    return " ".join(line[: 2 * _NAME_LIMIT].split())[:_NAME_LIMIT].rstrip(" {=;:,")


def _topmost(node: Node) -> Node:
    """Return the outermost node that begins with this one, below the root."""
    while (
        (above := node.parent) is not None
        and above.parent is not None
        and above.start_byte == node.start_byte
    ):
        node = above
    return node


def _joined(source: SourceText, described: list[Description]) -> list[Description]:
    """Join the clauses of a function, and each signature with what it announces."""
    described.sort(key=lambda d: (d.begin.start_byte, -d.outer.end_byte))
    found: list[Description] = []
    for about in described:
        last = found[-1] if found else None
        if last and last.name == about.name and _continues(source, last, about):
            kind = about.kind if last.kind == "declaration" else last.kind
            found[-1] = replace(last, kind=kind, outer=about.outer)
        else:
            found.append(about)
    return found


def _continues(source: SourceText, last: Description, about: Description) -> bool:
    """Return whether a clause goes on where the last one ended.

    Clauses of Erlang end in a dot.
    """
    end = last.outer.end_byte
    is_behind = about.begin.start_byte >= end
    return is_behind and (
        last.kind == "declaration"
        or (last.kind == about.kind and source.data[end - 1 : end] != b".")
    )


def _drop_ends(
    source: SourceText, definitions: list[Definition], comments: list[Node]
) -> None:
    """Leave out blank lines and the next one's comments, which some grammars count in.

    A comment belongs to what follows when it is not deeper than the definition.
    """
    lines = source.lines
    columns = {
        row + 1: node.start_point.column
        for node in comments
        if stands_alone(source, node)
        for row in range(node.start_point.row, last_row(node) + 1)
    }
    for definition in definitions:
        column = definition.about.begin.start_point.column
        end = min(definition.end_line, len(lines))
        while end > definition.start_line and (
            not lines[end - 1].strip() or columns.get(end, column + 1) <= column
        ):
            end -= 1
        definition.end_line = max(end, definition.start_line)


def _chunks(
    spec: OutlineSpec,
    source: SourceText,
    definitions: list[Definition],
    comment_lines: list[int],
) -> list[ChunkFacts]:
    if spec.is_program:
        return code_chunks(source, definitions, None, comment_lines)
    return block_chunks(source, [_block(d) for d in definitions if d.parent is None])


def _block(definition: Definition) -> NamedLines:
    return NamedLines(
        definition.about.name,
        definition.first_line,
        definition.end_line,
        parts=lambda: [_block(member) for member in definition.members],
    )
