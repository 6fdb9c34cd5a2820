"""tree-sitter with a deadline: parse, compile a query once, run it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, groupby
from operator import attrgetter
from typing import cast

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree
from tree_sitter_language_pack import SupportedLanguage, get_language

from devrag.parsing.source import ParseTimeout, SourceText, TooMuch

# Small: some scanners (Scala's) step back at each line and read the rest again, and the
# text that a query's predicate asks for is read by such pieces too.
_READ_BYTES = 1024
# Below this depth nothing is looked at: a query's time grows with the square of the
# depth where a pattern waits for a later child.
_MAX_DEPTH = 1000
# A query looks from each node for the next named sibling: in a long run of tokens that
# have no names its time grows with the square of its length. So many looks take 2 s.
_MOST_LOOKS = 1_000_000_000
# Two such runs in one node are as good as none.
_LONG_RUN = 10_000
# Of matches that are begun and not complete; beyond, tree-sitter drops the oldest.
_MATCH_LIMIT = 50_000
# With more open at once some parsers (Scala's) take memory by the square of it.
_MOST_OPEN = 5000
_STEPS = {ord(c): 1 for c in "([{"} | {ord(c): -1 for c in ")]}"}
_NO_BRACKETS = bytes(set(range(256)) - _STEPS.keys())
_START, _END = attrgetter("start_byte"), attrgetter("end_byte")

Captures = dict[str, list[Node]]


@lru_cache(maxsize=64)
def grammar(name: str) -> Language:
    """Return the compiled grammar of that name in the language pack."""
    return get_language(cast("SupportedLanguage", name))


@lru_cache(maxsize=128)
def compiled_query(name: str, query: str) -> Query:
    """Return the query compiled for that grammar."""
    return Query(grammar(name), query)


def parse_tree(
    source: SourceText, grammar_name: str, prepared: bytes | None = None
) -> Tree:
    """Parse the source, or what was prepared of it; may raise ParseTimeout."""
    data = source.data if prepared is None else prepared
    _check_brackets(data)

    def read(offset: int, _point: object) -> bytes:
        return data[offset : offset + _READ_BYTES]

    try:
        tree = Parser(grammar(grammar_name)).parse(
            read, progress_callback=lambda _offset, _has_error: source.is_late()
        )
    except ValueError as error:
        # The binding reports a cancelled parse as a plain ValueError.
        raise ParseTimeout("it took too long") from error
    _check_siblings(source, tree)
    return tree


def _check_brackets(data: bytes) -> None:
    brackets = data.translate(None, _NO_BRACKETS)
    if len(brackets) <= _MOST_OPEN:
        return
    if max(accumulate(map(_STEPS.__getitem__, brackets))) > _MOST_OPEN:
        raise TooMuch(f"more than {_MOST_OPEN:,} of its brackets are open at once")


def _check_siblings(source: SourceText, tree: Tree) -> None:
    """Raise ParseTimeout where queries would look for named siblings for too long."""
    looks = 0
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.descendant_count < _LONG_RUN:
            continue
        source.check_deadline()
        children = node.children
        waiting += children
        if node.child_count - node.named_child_count > _LONG_RUN:
            runs = groupby(children, attrgetter("is_named"))
            looks += sum(
                len(list(run)) ** 2 // 2 for is_named, run in runs if not is_named
            )
        if looks > _MOST_LOOKS:
            raise ParseTimeout("it took too long")


def _cursor(grammar_name: str, query: str) -> QueryCursor:
    cursor = QueryCursor(compiled_query(grammar_name, query), match_limit=_MATCH_LIMIT)
    cursor.set_max_start_depth(_MAX_DEPTH)
    return cursor


def _check_cursor(source: SourceText, cursor: QueryCursor) -> None:
    source.check_deadline()
    if cursor.did_exceed_match_limit:
        raise TooMuch(f"more than {_MATCH_LIMIT:,} of its parts are open at once")


def run_matches(
    source: SourceText, tree: Tree, grammar_name: str, query: str
) -> list[Captures]:
    """Return the captures of each match; may raise ParseTimeout."""
    cursor = _cursor(grammar_name, query)
    found = [captures for _, captures in cursor.matches(tree.root_node)]
    _check_cursor(source, cursor)
    return found


def run_query(
    source: SourceText, tree: Tree, grammar_name: str, query: str
) -> Captures:
    """Return the nodes of each capture in source order; may raise ParseTimeout."""
    cursor = _cursor(grammar_name, query)
    # No progress callback: the binding (0.26.1) crashes with one on some queries. What
    # the limits above leave open is ended by the parser process's timer.
    found = cursor.captures(tree.root_node)
    for nodes in found.values():
        # The binding gives them in no order; of those that start together (`a.b().c`
        # and its `a.b`) the longest is first.
        nodes.sort(key=_END, reverse=True)
        nodes.sort(key=_START)
    _check_cursor(source, cursor)
    return found


def innermost(
    nodes: list[Node], around: list[Node]
) -> Iterator[tuple[Node, Node | None]]:
    """Yield each node with the last of `around` that holds it; both in source order."""
    waiting = around[::-1]
    opened: list[Node] = []
    for node in nodes:
        while waiting and waiting[-1].start_byte < node.start_byte:
            opened.append(waiting.pop())
        while opened and opened[-1].end_byte <= node.start_byte:
            opened.pop()
        yield node, opened[-1] if opened else None
