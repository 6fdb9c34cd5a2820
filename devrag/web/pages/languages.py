"""The languages bar: shares of lines, widest first, few enough to tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.core.languages import spell_language
from devrag.web.translated_terms import LANGUAGES

SHOWN = 5
_OTHER = "other"
# A language has the same colour everywhere; others get what is left, by their names.
_COLORS = {
    "python": 0,
    "go": 1,
    "javascript": 2,
    "typescript": 3,
    "java": 4,
    "ruby": 5,
    "rust": 6,
    "c": 7,
    "cpp": 8,
    "csharp": 9,
    "php": 10,
    "shell": 11,
    "markdown": 12,
    "html": 13,
    "css": 14,
    "sql": 15,
    "yaml": 16,
    "json": 17,
    "bash": 11,
    "rst": 12,
    "kotlin": 18,
    "swift": 19,
}
_FREE, _OTHER_COLOR = tuple(range(20)), 20
# No languages to know a project by; they count as other if there are any.
_PLAIN = frozenset({"text", "ignore", "gosum"})


@dataclass(frozen=True, slots=True)
class LanguageShare:
    """percent: of all lines; offset: where the bar's piece begins; color: 0-20."""

    name: str
    percent: float
    offset: float
    color: int


def name_language(language: str) -> str:
    """Return a language's name as people write it, in theirs if it is a word."""
    name = spell_language(language)
    return gettext(name) if name in LANGUAGES else name


def share_languages(lines: Mapping[str, int]) -> tuple[LanguageShare, ...]:
    """Turn lines per language into pieces that add up to 100."""
    counted = {name: count for name, count in lines.items() if name and count > 0}
    named = counted.keys() - _PLAIN or counted.keys()
    known = sorted(
        ((counted[name], name) for name in named),
        key=lambda item: (-item[0], item[1]),
    )
    rest = sum(counted.values()) - sum(count for count, _ in known[:SHOWN])
    pieces = known[:SHOWN] + ([(rest, _OTHER)] if rest else [])
    total = sum(count for count, _ in pieces)
    shares: list[LanguageShare] = []
    offset = 0.0
    colors = _choose_colors([name for _, name in pieces])
    for color, (count, name) in zip(colors, pieces, strict=True):
        percent = 100 * count / total
        shares.append(
            LanguageShare(
                name=gettext("Other") if name == _OTHER else name_language(name),
                percent=round(percent, 1),
                offset=round(offset, 2),
                color=color,
            )
        )
        offset += percent
    return tuple(shares)


def _choose_colors(names: Sequence[str]) -> list[int]:
    """Return a colour for each, none of them twice."""
    own = {name: _COLORS[name] for name in names if name in _COLORS}
    chosen = []
    for name in names:
        if name == _OTHER:
            chosen.append(_OTHER_COLOR)
            continue
        color = own.get(name, sum(map(ord, name)) % len(_FREE))
        if name not in own or color in chosen:
            taken = {*own.values(), *chosen}
            color = next(each for each in _from(color) if each not in taken)
        chosen.append(color)
    return chosen


def _from(first: int) -> tuple[int, ...]:
    return (*_FREE[first:], *_FREE[:first])
