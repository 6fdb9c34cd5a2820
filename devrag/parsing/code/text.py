"""Text of nodes: as written, on one line, and the comment that documents a node."""

from __future__ import annotations

import inspect
import re

from tree_sitter import Node

from devrag.parsing.source import SourceText

_OPEN_GAP = re.compile(r"([(\[{<])\s+")
_CLOSE_GAP = re.compile(r",?\s+([)\]}>])")
# A string, which may hold what looks like a comment, or a comment.
_C_COMMENT = re.compile(
    r"(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)|//[^\n]*|/\*.*?\*/",
    re.DOTALL,
)
_BLOCK = re.compile(r"/\*+!?(?P<text>.*?)\*+/", re.DOTALL)
_STAR = re.compile(r"^[ \t]*\*+ ?", re.MULTILINE)
_LINE = re.compile(r"^[ \t]*(?:///?!?|#+!?|--+|;+|%+) ?", re.MULTILINE)
_DOC_LIMIT = 20_000
_SHORT = 200
_INDENT_LIMIT = 400


def first_named(node: Node) -> Node | None:
    """Return the first named child; the binding's named_child(0) raises without one."""
    return next(iter(node.named_children), None)


def node_text(source: SourceText, node: Node) -> str:
    """Return the source text of a node."""
    return source.data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def one_line(text: str) -> str:
    """Return code of the C family on one line, as a person would write it on one."""
    if "/" in text:
        text = _C_COMMENT.sub(lambda found: found["text"] or " ", text)
    joined = " ".join(text.split())
    return (
        _CLOSE_GAP.sub(r"\1", _OPEN_GAP.sub(r"\1", joined)) if "\n" in text else joined
    )


def signature_until(source: SourceText, node: Node, body: Node | None) -> str:
    """Return what stands before the body, on one line, without what opens it."""
    end = body.start_byte if body is not None else node.end_byte
    text = source.data[node.start_byte : end].decode("utf-8", "replace")
    return one_line(text).rstrip(" {=;:,")


def short_line(source: SourceText, node: Node) -> str:
    """Return how a declaration begins, on one line: values may be long."""
    end = min(node.end_byte, node.start_byte + 4 * _SHORT)
    text = source.data[node.start_byte : end].decode("utf-8", "ignore")
    return one_line(text)[:_SHORT]


def doc_comment(
    source: SourceText,
    outer: Node,
    kinds: frozenset[str],
    *,
    may_be_apart: bool = False,
) -> str:
    """Return the cleaned comment directly above a definition, '' for none.

    kinds: the node types of the language's comments. A blank line between the comment
    and the definition parts them; several line comments in a row are one.
    may_be_apart: one blank line below a `/**` block does not, as JSDoc reads it.
    """
    parts: list[str] = []
    row = outer.start_point.row
    above = outer.prev_sibling
    if may_be_apart and above is not None:
        row -= node_text(source, above).startswith("/**")
    while above is not None and above.type in kinds and last_row(above) + 1 >= row:
        if not stands_alone(source, above):
            break
        parts.append(node_text(source, above).rstrip("\n"))
        row = above.start_point.row
        above = above.prev_sibling
    return clean_comment("\n".join(reversed(parts))[:_DOC_LIMIT])


def clean_comment(text: str) -> str:
    """Return what a comment says, without its marks."""
    block = _BLOCK.match(text.strip())
    text = _STAR.sub("", block["text"]) if block else _LINE.sub("", text)
    return inspect.cleandoc(text).strip()


def last_row(node: Node) -> int:
    """Return the row of the last character; some grammars count the line end in."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point.row else row


def column_of(source: SourceText, point: tuple[int, int]) -> int:
    """Return a column in characters; tree-sitter counts bytes."""
    row, column = point
    line = source.lines[row] if row < len(source.lines) else ""
    if line.isascii():
        return column
    return len(line.encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))


def stands_alone(source: SourceText, node: Node) -> bool:
    """Return whether nothing stands before the node on its line."""
    start, column = node.start_byte, node.start_point.column
    # An indent is short: a long line is never read again for each of its comments.
    near = source.data[start - min(column, _INDENT_LIMIT) : start]
    return column <= _INDENT_LIMIT and not near.strip()
