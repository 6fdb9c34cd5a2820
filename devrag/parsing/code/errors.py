"""What a grammar could not read of a file: how much of it, and whether that matters."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from tree_sitter import Node, Tree

from devrag.core.languages import spell_language
from devrag.parsing.code.tree import Captures
from devrag.parsing.source import SourceText

# With more of the file than this inside errors, it is not in that language at all.
_ERROR_SHARE = 0.5
# With fewer of its lines than this unread, the grammar stumbled over a macro or a word
# younger than itself more often than over a mistake, and all around it is indexed.
_TOLD_SHARE = 0.02
# What grammars put where a macro ends a statement, or an empty type an expression.
_HARMLESS = {"!", ";"}


class NotThatLanguage(Exception):
    """The grammar makes no sense of most of the file."""


def syntax_warnings(
    language: str, source: SourceText, tree: Tree, captures: Captures
) -> list[str]:
    """Warn of what could not be read; raise when it is most of the file."""
    if not tree.root_node.has_error:
        return []
    errors = captures.get("error", [])
    name = spell_language(language)
    if _broken_bytes(tree, captures, errors) > _ERROR_SHARE * len(source.data):
        raise NotThatLanguage(f"most of it could not be read as {name}")
    lines = _unread_lines(source, captures, errors)
    if len(lines) <= _TOLD_SHARE * len(source.lines):
        return []
    # Neighbours are one place: their distance to their own number is the same.
    places = groupby(enumerate(lines), lambda item: item[1] - item[0])
    count = sum(1 for _ in places)
    where = (
        f"line {lines[0]} could not"
        if count == 1
        else f"{count} places, the first at line {lines[0]}, could not"
    )
    return [f"{source.path}: {where} be read as {name}; the rest is indexed"]


def _unread_lines(
    source: SourceText, captures: Captures, errors: list[Node]
) -> list[int]:
    """Return the numbers of the lines in errors, but for what is whole inside them."""
    unread = bytearray(len(source.lines) + 1)
    told = [node for node in errors if not node.is_missing or _is_telling(node)]
    spans = [(node, 1) for node in told] + [(node, 0) for node in _whole(captures)]
    # What is inside overrules what is around it.
    spans.sort(key=lambda span: (span[0].start_byte, -span[0].end_byte, span[1]))
    for node, is_error in spans:
        first, last = node.start_point.row, min(node.end_point.row, len(unread) - 1)
        unread[first : last + 1] = bytes([is_error]) * (last + 1 - first)
    return [
        number
        for number, line in enumerate(source.lines, start=1)
        if unread[number - 1] and line.strip()
    ]


def _is_telling(missing: Node) -> bool:
    return missing.type not in _HARMLESS


def _whole(captures: Captures) -> Iterable[Node]:
    """Return what was read in full, though it may stand inside an error."""
    return [
        node
        for capture, nodes in captures.items()
        if capture.startswith("definition.") or capture in {"comment", "import"}
        for node in nodes
    ]


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
