"""The languages bar: shares of lines, widest first, few enough to tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.core.languages import spell_language
from devrag.web.translated_terms import LANGUAGES

SHOWN = 5
_OTHER = "other"
# No languages to know a project by; they count as other if there are any.
_PLAIN = frozenset({"text", "ignore", "gosum"})


@dataclass(frozen=True, slots=True)
class LanguageShare:
    """percent: of all lines; offset: where the bar's piece begins; color: 0-5."""

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
    for color, (count, name) in enumerate(pieces):
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
