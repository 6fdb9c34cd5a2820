"""Rows of citation chips: a long one becomes a single chip that opens the list.

The list is a popover, which the browser opens without a script and from the keyboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

LONGEST = 3


@dataclass(frozen=True, slots=True)
class RowLabel:
    """What the chip of a row says of so many citations, and in which language."""

    text: Callable[[int], str]
    language: str


def fold_rows(
    tokens: Sequence[Token], label: RowLabel, ids: Iterator[str]
) -> list[Token]:
    """Return inline tokens whose rows of more than three chips are folded.

    ids: one for each list, unique on the page.
    """
    pieces = list(_pieces(tokens))
    kept: list[Token] = []
    at = 0
    while at < len(pieces):
        end = _end_of_row(pieces, at)
        chips = [piece for piece in pieces[at:end] if _is_chip(piece)]
        if len(chips) > LONGEST:
            kept += _fold(chips, label, next(ids))
        else:
            kept += [token for piece in pieces[at:end] for token in piece]
        at = end
    return kept


def _pieces(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Cut at every token, but keep a chip whole."""
    chip: list[Token] = []
    for token in tokens:
        if chip or _is_chip([token]):
            chip.append(token)
            if token.type == "link_close":
                yield chip
                chip = []
        else:
            yield [token]


def _is_chip(piece: Sequence[Token]) -> bool:
    first = piece[0]
    names = str(first.attrGet("class") or "").split()
    return first.type == "link_open" and "cite" in names


def _end_of_row(pieces: Sequence[Sequence[Token]], start: int) -> int:
    """Return where the chips that begin at a piece end, else where the next begins."""
    end = at = start + 1
    if not _is_chip(pieces[start]):
        return end
    while at < len(pieces):
        if _is_chip(pieces[at]):
            end = at + 1
        elif not _is_blank(pieces[at][0]):
            break
        at += 1
    return end


def _is_blank(token: Token) -> bool:
    return token.type == "softbreak" or (
        token.type == "text" and not token.content.strip()
    )


def _fold(chips: Sequence[Sequence[Token]], label: RowLabel, key: str) -> list[Token]:
    opener = {"type": "button", "class": "cite cite-row", "popovertarget": key}
    words = Token("text", "", 0, content=label.text(len(chips)))
    entries = [token for chip in chips for token in _with_place(chip)]
    return [
        *_tag("button", {**opener, "lang": label.language}, [words]),
        *_tag("span", {"class": "cite-list", "id": key, "popover": "auto"}, entries),
    ]


def _with_place(chip: Sequence[Token]) -> list[Token]:
    """Return a chip that shows what its title says: the lines it leads to."""
    opening = chip[0]
    place = Token("text", "", 0, content=str(opening.attrs.pop("title", "")))
    number = [token for token in chip[1:-1] if token.type == "text"][:1]
    shown = _tag("span", {"class": "cite-place"}, [place])
    return [opening, *number, *shown, chip[-1]]


def _tag(name: str, attrs: dict[str, str], inner: Sequence[Token]) -> list[Token]:
    opening = Token(f"{name}_open", name, 1, attrs=dict(attrs))
    return [opening, *inner, Token(f"{name}_close", name, -1)]
