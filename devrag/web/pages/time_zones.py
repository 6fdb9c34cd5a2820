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


# Places that the locales know by their English names alone.
_PLACES = {
    "Asmara": gettext_noop("Asmara"),
    "Atikokan": gettext_noop("Atikokan"),
    "Buenos Aires": gettext_noop("Buenos Aires"),
    "Catamarca": gettext_noop("Catamarca"),
    "Chuuk": gettext_noop("Chuuk"),
    "Cordoba": gettext_noop("Cordoba"),
    "Coyhaique": gettext_noop("Coyhaique"),
    "Faroe": gettext_noop("Faroe"),
    "Ho Chi Minh": gettext_noop("Ho Chi Minh"),
    "Indianapolis": gettext_noop("Indianapolis"),
    "Jujuy": gettext_noop("Jujuy"),
    "Kathmandu": gettext_noop("Kathmandu"),
    "Kolkata": gettext_noop("Kolkata"),
    "Kyiv": gettext_noop("Kyiv"),
    "Louisville": gettext_noop("Louisville"),
    "Mendoza": gettext_noop("Mendoza"),
    "Nuuk": gettext_noop("Nuuk"),
    "Pohnpei": gettext_noop("Pohnpei"),
    "Yangon": gettext_noop("Yangon"),
}


def zones_by_region(chosen: str = "") -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the time zones by region, named in the reader's language.

    Each is its value and its name: `America/New_York`, `New York`. chosen: the one in
    use, which is among them also by an old name; others have only their newest name.
    """
    return _zones_in(get_language() or "en", chosen)


@lru_cache(maxsize=64)
def _zones_in(language: str, chosen: str) -> list[tuple[str, list[tuple[str, str]]]]:
    locale = Locale.parse(language, sep="-")
    groups: dict[str, list[tuple[str, str]]] = {}
    for zone in sorted({*_newest_names(), *({chosen} & {*list_zones()})}):
        region = gettext(_REGIONS[zone.partition("/")[0]]) if "/" in zone else ""
        groups.setdefault(region, []).append((zone, _name_place(zone, locale)))
    return [
        (region, sorted(groups[region], key=lambda each: each[1]))
        for region in sorted(groups)
    ]


def _name_place(zone: str, locale: Locale) -> str:
    """Return what the place of a zone is called."""
    place = get_timezone_location(zone, locale=locale, return_city=True)
    name = place.rpartition("/")[2]  # of one that has no name: its region, too
    if locale.language != "en" and name in _PLACES:
        return gettext(_PLACES[name])
    return name


@lru_cache(maxsize=1)
def _newest_names() -> tuple[str, ...]:
    """Return one zone for each place: Asia/Kolkata, not Asia/Calcutta beside it."""
    places: dict[tuple[str, str], list[str]] = {}
    for zone in list_zones():
        english = _name_place(zone, Locale("en"))
        places.setdefault((zone.partition("/")[0], english), []).append(zone)
    return tuple(
        max(zones, key=lambda zone: (_is_called(zone, place), zone.count("/"), zone))
        for (_, place), zones in places.items()
    )


def _is_called(zone: str, place: str) -> bool:
    """Return whether a zone has the name that its place has today."""
    return _letters(zone.rpartition("/")[2]) in _letters(place)


def _letters(text: str) -> str:
    """Return the letters of a name without accents, for comparisons."""
    plain = unicodedata.normalize("NFKD", text).lower()
    return "".join(each for each in plain if each.isalpha() and each.isascii())
