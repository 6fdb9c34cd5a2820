"""The arguments of a call in any language, for the detectors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.code.uses import NameUse
from devrag.parsing.languages.python_text import flat
from devrag.parsing.source import SourceText

_SHOWN = 200
# Where a grammar puts what is called; Kotlin's and Swift's name no field.
_CALLED = ("function", "name", "macro", "constructor")
_LISTS = frozenset(
    {
        "arguments",
        "argument_list",
        "call_suffix",
        "value_arguments",
        "annotation_argument_list",
        "attribute_argument_list",
    }
)
_HOLDERS = frozenset({"argument", "value_argument", "attribute_argument"})
_PAIRS = frozenset({"pair", "keyword_argument", "element_value_pair"})
_QUOTED = re.compile(r"([rRuU@]?)(#*)(\"\"\"|'''|[\"'`])(.*)\3\2", re.DOTALL)
_LONG = re.compile(r"\[(=*)\[(.*)\]\1\]", re.DOTALL)
# What a string holds when nothing is put into it at run time.
_PLAIN_PARTS = re.compile(r".*(content|fragment|str_text|escape\w*|string_(start|end))")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\\)[A-Za-z_$][\w$]*)*[!?]?")


@dataclass(frozen=True, slots=True)
class Call:
    """A call's node, lines and arguments."""

    source: SourceText
    node: Node
    positional: list[Node] = field(default_factory=list)
    keywords: dict[str, Node] = field(default_factory=dict)

    @property
    def start_line(self) -> int:
        return self.node.start_point.row + 1

    @property
    def end_line(self) -> int:
        return self.node.end_point.row + 1

    def argument(self, position: int, keyword: str = "") -> Node | None:
        """Return the argument at a position, or else by its keyword."""
        if position < len(self.positional):
            return self.positional[position]
        return self.keywords.get(keyword)

    def text(self, position: int, keyword: str = "") -> str | None:
        """Return an argument that is a plain string; None when it is not one."""
        return literal_text(self.source, self.argument(position, keyword))

    def shown(self, position: int, keyword: str = "") -> str:
        """Return an argument as written, on one line; '' when it is missing."""
        node = self.argument(position, keyword)
        return shown(self.source, node) if node else ""

    def value(self, position: int, keyword: str = "") -> str:
        """Return what an argument is worth, as far as it is written."""
        node = self.argument(position, keyword)
        return value_shown(self.source, node) if node else ""

    def named(self, position: int, keyword: str = "") -> str:
        """Return an argument that is a name, dotted; '' when it is another thing."""
        node = self.argument(position, keyword)
        return written_name(self.source, node) if node else ""


def shown(source: SourceText, node: Node) -> str:
    """Return how a node begins, on one line."""
    end = min(node.end_byte, node.start_byte + 4 * _SHOWN)
    text = source.data[node.start_byte : end].decode("utf-8", "ignore")
    # Not as code of C: two slashes are as often part of an address.
    return flat(text)[:_SHOWN]


def value_shown(source: SourceText, node: Node) -> str:
    """Return a plain string without its quotes, unless it is empty; else as written."""
    return flat(literal_text(source, node) or "")[:_SHOWN] or shown(source, node)


def written_name(source: SourceText, node: Node) -> str:
    """Return the text of a node that is a plain name, with dots; else ''."""
    text = node_text(source, node) if node.end_byte - node.start_byte < _SHOWN else ""
    if not _NAME.fullmatch(text):
        return ""
    return text.replace("::", ".").replace("->", ".").replace("\\", ".").lstrip(".")


def read_call(source: SourceText, use: NameUse) -> Call:
    """Return the call around a called name; without arguments for a bare decorator."""
    return read_arguments(source, call_node(use.node))


def read_arguments(source: SourceText, node: Node) -> Call:
    """Return what a call is given."""
    call = Call(source, node)
    for child in _arguments(node):
        kind = child.type
        if kind == "keywords":
            for pair in child.named_children:
                _add(call, pair)
        elif kind in _HOLDERS or kind in _PAIRS:
            _add(call, child)
        elif not kind.endswith("comment"):
            call.positional.append(child)
    return call


def call_node(called: Node) -> Node:
    """Return the call of what is called; some languages capture the call itself."""
    above = called.parent
    if above is None:
        return called
    if any(above.child_by_field_name(name) == called for name in _CALLED):
        return above
    is_first = above.type == "call_expression" and above.child(0) == called
    return above if is_first else called


def _arguments(call: Node) -> list[Node]:
    """Return the arguments; a macro's tokens are those when it has only one string."""
    listed = next((c for c in call.named_children if c.type in _LISTS), None)
    if listed is not None and listed.type == "call_suffix":
        inner = (c for c in listed.named_children if c.type in _LISTS)
        listed = next(inner, None)
    if listed is None and call.type == "macro_invocation":
        listed = next((c for c in call.named_children if c.type == "token_tree"), None)
    return listed.named_children if listed is not None else []


def _add(call: Call, holder: Node) -> None:
    """Add an argument by its key, or in its position when it has none."""
    children = holder.named_children
    if len(children) > 1:
        name = node_text(call.source, children[0]).strip(":\"' ")
        call.keywords[name] = children[-1]
    elif children:
        call.positional.append(children[0])


def literal_text(source: SourceText, node: Node | None) -> str | None:
    """Return the value of a plain string node, None for anything else."""
    while node is not None and node.type == "parenthesized_expression":
        node = next(iter(node.named_children), None)
    if node is not None and node.type == "concatenated_string":
        parts = [literal_text(source, child) for child in node.named_children]
        return "".join(part or "" for part in parts) if all(parts) else None
    if node is None or "string" not in node.type:
        return None
    if not all(_PLAIN_PARTS.fullmatch(child.type) for child in node.named_children):
        return None
    text = node_text(source, node)
    match = _QUOTED.fullmatch(text)
    if match:
        return match[4]
    long = _LONG.fullmatch(text)
    return long[2] if long else None


def symbol_text(source: SourceText, node: Node | None) -> str | None:
    """Return a string's value, or the name of a Ruby symbol or an Elixir atom."""
    if node is not None and node.type in {"simple_symbol", "atom"}:
        return node_text(source, node).removeprefix(":")
    return literal_text(source, node)


def listed_texts(source: SourceText, node: Node | None) -> Iterator[str]:
    """Yield the strings and symbols of a list, or the only one that is written."""
    if node is None:
        return
    is_list = node.type in {"array", "list", "string_array", "symbol_array"}
    for child in node.named_children if is_list else [node]:
        bare = node_text(source, child) if child.type.startswith("bare_") else None
        text = bare or symbol_text(source, child)
        if text:
            yield text
