"""Where a long definition may be cut: where a statement begins, in any language."""

from __future__ import annotations

from itertools import accumulate

from tree_sitter import Node

from devrag.parsing.tokens import token_weight

# A node of fewer lines is never opened to look for cuts inside it.
_OPEN_LINES = 12
_NODE_LIMIT = 50_000


def statement_lines(node: Node) -> set[int]:
    """Return the 1-based lines on which a nested node of some size begins."""
    starts: set[int] = set()
    stack = [node]
    opened = 0
    while stack and opened < _NODE_LIMIT:
        opened += 1
        after_comment = False
        for child in stack.pop().named_children:
            row = child.start_point.row
            if not after_comment:
                starts.add(row + 1)
            after_comment = child.type == "comment"
            if child.end_point.row - row >= _OPEN_LINES:
                stack.append(child)
    return starts


def split_lines(
    lines: list[str], starts: set[int], first_line: int, size: int
) -> list[int]:
    """Return the line numbers to cut before, so that parts are about `size` tokens."""
    total = [0.0, *accumulate(map(token_weight, lines))]
    cuts: list[int] = []
    begin, candidate = 0, 0
    for index in range(1, len(lines)):
        if total[index + 1] - total[begin] > size and candidate > begin:
            cuts.append(first_line + candidate)
            begin = candidate
        if first_line + index in starts:
            candidate = index
    return cuts
