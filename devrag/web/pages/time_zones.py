"""The time zones to choose from, as their places are called in a language."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from babel import Locale
from babel.dates import get_timezone_location
from django.utils.translation import get_language, gettext, gettext_noop

from devrag.access.preferences import list_zones

# The first part of a zone's name → what it is called.
_REGIONS = {
    "Africa": gettext_noop("Africa"),
    "America": gettext_noop("Americas"),
    "Antarctica": gettext_noop("Antarctica"),
    "Arctic": gettext_noop("Arctic"),
    "Asia": gettext_noop("Asia"),
    "Atlantic": gettext_noop("Atlantic Ocean"),
    "Australia": gettext_noop("Australia"),
    "Europe": gettext_noop("Europe"),
    "Indian": gettext_noop("Indian Ocean"),
    "Pacific": gettext_noop("Pacific Ocean"),
}


def zones_by_region() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the time zones by region, named in the reader's language.

    Each is its value and its name: `America/New_York`, `New York`.
    """
    return _zones_in(get_language() or "en")


@lru_cache(maxsize=8)
def _zones_in(language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    locale = Locale.parse(language, sep="-")
    groups: dict[str, list[tuple[str, str]]] = {}
    for zone in list_zones():
        region = gettext(_REGIONS[zone.partition("/")[0]]) if "/" in zone else ""
        groups.setdefault(region, []).append((zone, _name_place(zone, locale)))
    return [
        (region, sorted(groups[region], key=lambda each: each[1]))
        for region in sorted(groups)
    ]


def _name_place(zone: str, locale: Locale) -> str:
    """Return what the place of a zone is called, with an old name of it in brackets."""
    place = get_timezone_location(zone, locale=locale, return_city=True)
    english = get_timezone_location(zone, locale="en", return_city=True)
    own = zone.rpartition("/")[2].replace("_", " ")
    place = place.rpartition("/")[2]  # of one that has no name: its region, too
    return place if _letters(own) in _letters(english) else f"{place} ({own})"


def _letters(text: str) -> str:
    """Return the letters of a name without accents, for comparisons."""
    plain = unicodedata.normalize("NFKD", text).lower()
    return "".join(each for each in plain if each.isalpha() and each.isascii())
