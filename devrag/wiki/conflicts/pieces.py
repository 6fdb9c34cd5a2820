"""Choose the code that a passage is compared with: what it names, then what is alike.

Pure, over a lookup of code; lines are 1-based and inclusive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

from devrag.core.hashing import sha256_hex
from devrag.wiki.conflicts.passages import Passage

MOST_PIECES, MOST_USES, MOST_ALIKE = 12, 3, 3
# Characters of code beside a passage: of what it names, with its uses, and of all.
_MOST_NAMED, _MOST_USED, _MOST_SHOWN = 3_500, 5_000, 9_000
_SHORT = 10
_MOST_LINES, _MOST_CHARACTERS = 50, 2_400
_HEAD_LINES = 3
_MOST_NAMES = 20
_MOST_DEFINITIONS = 6
_SHORTEST_ALIKE, _ALIKE, _LENGTHS = 6, 0.85, 4
_SEPARATOR = re.compile(r"\.|::|#")
_NAME = re.compile(r"\w+(?:(?:\.|::|#)\w+)*")
_TICKED = re.compile(r"`+~?\.?([^`\n]+?)`+")
_CODE_LIKE = re.compile(r"\w_\w|[a-z\d][A-Z]|[A-Z]{2}|\w(?:\.|::|#)\w")
_CAMEL = re.compile(r"([a-z\d])([A-Z])")
_WORD = re.compile(r"[^\W\d_]{3,}|\d+")


@dataclass(frozen=True, slots=True)
class CodePiece:
    """Lines of a file of code. file_id: of its version, 0 for files in memory."""

    path: str
    start_line: int
    text: str
    file_id: int = 0

    @property
    def end_line(self) -> int:
        """Return its last line."""
        return self.start_line + self.text.count("\n")

    @property
    def text_hash(self) -> str:
        """Return what stays the same wherever in its file the lines are."""
        return sha256_hex(f"{self.path}\x00{self.text}")


class CodeLookup(Protocol):
    """Where code is found; definitions and lines of the product, no tests."""

    def named(self, names: Sequence[str]) -> Iterable[CodePiece]:
        """Return definitions of names as documents write them, whole, best first."""
        ...

    def used(self, names: Sequence[str]) -> Iterable[CodePiece]:
        """Return functions that use what a name stands for, whole."""
        ...

    def alike(self, text: str) -> Iterable[CodePiece]:
        """Return code that a text is about, best first."""
        ...


def choose_pieces(passage: Passage, lookup: CodeLookup) -> list[CodePiece]:
    """Return the code to compare a passage with, cut to what it speaks of."""
    terms = terms_of(f"{passage.about} {passage.text}")
    chosen: list[CodePiece] = []
    names = names_in_passage(passage.text)
    _add(chosen, _distinct(lookup.named(names), terms, chosen), _MOST_NAMED)
    # What a signal, an exception or a setting does stands where it is used.
    short = [name for name in names if _is_short(name, chosen)]
    used = _distinct(lookup.used(short), terms, chosen)
    _add(chosen, used, _MOST_USED, len(chosen) + MOST_USES)
    alike = _distinct(lookup.alike(query_of(passage)), terms, chosen)
    _add(chosen, alike, _MOST_SHOWN, len(chosen) + MOST_ALIKE)
    return chosen


def _add(
    chosen: list[CodePiece],
    found: Iterable[CodePiece],
    most_characters: int,
    most_pieces: int = MOST_PIECES,
) -> None:
    """Add pieces until there are so many, or so much of them."""
    size = sum(len(piece.text) for piece in chosen)
    for piece in found:
        size += len(piece.text)
        is_full = len(chosen) >= min(most_pieces, MOST_PIECES)
        if is_full or (chosen and size > most_characters):
            return
        chosen.append(piece)


def _is_short(name: str, chosen: Sequence[CodePiece]) -> bool:
    """Return whether one of the pieces is the definition of a name, and short."""
    start = re.compile(rf"\s*(?:class\s+)?{re.escape(last_part(name))}\b")
    return any(
        start.match(piece.text) and piece.text.count("\n") <= _SHORT for piece in chosen
    )


def _distinct(
    found: Iterable[CodePiece], terms: frozenset[str], chosen: list[CodePiece]
) -> Iterator[CodePiece]:
    """Yield pieces, cut, that show no lines of one that is chosen."""
    for whole in found:
        piece = cut_piece(whole, terms)
        is_new = all(
            piece.path != each.path
            or piece.start_line > each.end_line
            or piece.end_line < each.start_line
            for each in chosen
        )
        if is_new and piece.text.strip():
            yield piece


def names_in_passage(text: str) -> list[str]:
    """Return what a passage writes as names of code, in its order."""
    ticked = [name for part in _TICKED.findall(text) for name in _NAME.findall(part)]
    bare = [name for name in _NAME.findall(text) if _CODE_LIKE.search(name)]
    names = (name for name in (*ticked, *bare) if len(name) > 2)
    return list(dict.fromkeys(names))[:_MOST_NAMES]


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a name is defined. name: the last part of the qualified one; of a file
    that is named itself, its name without the ending.
    """

    name: str
    qualified_name: str
    path: str
    start_line: int
    end_line: int
    file_id: int = 0


def definitions_meant(
    names: Sequence[str], known: Sequence[Definition]
) -> Iterator[Definition]:
    """Yield the definitions that names mean, of each name at most two.

    A name that many definitions have means none of them, if nothing else tells.
    """
    by_name: dict[str, list[Definition]] = {}
    for each in known:
        by_name.setdefault(each.name, []).append(each)
    for name in names:
        parts = _SEPARATOR.split(name)
        same = by_name.get(parts[-1]) or _nearest(parts[-1], by_name)
        full = ".".join(parts)
        exact = [each for each in same if _ends_with(each.qualified_name, full)]
        kin = exact or [
            each for each in same if parts[-2:-1] and parts[-2] in each.path
        ]
        found = kin or (same if len(parts) == 1 else [])
        if len(found) <= _MOST_DEFINITIONS:
            yield from sorted(found, key=lambda each: len(each.qualified_name))[:2]


def _nearest(name: str, by_name: Mapping[str, list[Definition]]) -> list[Definition]:
    return [each for near in close_names(name, by_name) for each in by_name[near]]


def close_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the name that is spelled much as one that nothing has, if there is one."""
    if len(name) < _SHORTEST_ALIKE:
        return []
    kin = [
        each
        for each in known
        if each[:3] == name[:3] and abs(len(each) - len(name)) <= _LENGTHS
    ]
    return get_close_matches(name, kin, 1, _ALIKE)


def last_part(name: str) -> str:
    """Return the last part of a name as documents write it."""
    return _SEPARATOR.split(name)[-1]


def _ends_with(qualified: str, name: str) -> bool:
    return f".{qualified}".endswith(f".{name}")


def query_of(passage: Passage) -> str:
    """Return what to search code for: its words, each once."""
    words = _WORD.findall(f"{passage.about} {passage.text}")
    return " ".join(dict.fromkeys(words))[:1_200]


def terms_of(text: str) -> frozenset[str]:
    """Return the words of a text, each once."""
    return frozenset(words_of(text))


def words_of(text: str) -> list[str]:
    """Return the words of a text, names taken apart, in small letters."""
    apart = _CAMEL.sub(r"\1 \2", text)
    return [word.lower() for word in _WORD.findall(apart)]


def cut_piece(piece: CodePiece, terms: frozenset[str]) -> CodePiece:
    """Return the lines of a long piece with the most of the terms."""
    lines = piece.text.split("\n")
    if len(lines) <= _MOST_LINES and len(piece.text) <= _MOST_CHARACTERS:
        return piece
    found = [terms & terms_of(line) for line in lines]
    most = max(range(len(lines)), key=lambda at: (_score(found, at), -at))
    first = 0 if most < _HEAD_LINES else most
    kept: list[str] = []
    size = 0
    for line in lines[first : first + _MOST_LINES]:
        size += len(line) + 1
        if kept and size > _MOST_CHARACTERS:
            break
        kept.append(line[:400])
    text = "\n".join(kept)
    return CodePiece(piece.path, piece.start_line + first, text, piece.file_id)


def _score(found: Sequence[frozenset[str]], at: int) -> int:
    """Return how many of the terms the lines from here have."""
    return len(frozenset().union(*found[at : at + _MOST_LINES]))
