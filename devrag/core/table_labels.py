"""Cells of a Markdown table that know their column, for screens too narrow for it."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

# Two columns fit beside each other on any screen.
_LEAST_COLUMNS = 3


def label_cells(tokens: Sequence[Token]) -> None:
    """Give each cell the words of its column's head as `data-label`."""
    heads: list[str] = []
    column = 0
    for at, token in enumerate(tokens):
        if token.type == "thead_open":
            heads = []
        elif token.type == "tr_open":
            column = 0
        elif token.type == "th_open":
            heads.append(_words(tokens[at + 1]))
        elif token.type == "td_open":
            if len(heads) >= _LEAST_COLUMNS and column < len(heads):
                token.attrSet("data-label", heads[column])
            column += 1


def _words(inline: Token) -> str:
    """Return the words of a cell without their markup."""
    pieces = (each.content for each in inline.children or () if each.content)
    return " ".join("".join(pieces).split())
