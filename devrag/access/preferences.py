"""What people choose of the pages: language, theme and time zone."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from zoneinfo import available_timezones

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext

from devrag.access.models import Preferences
from devrag.core.errors import InvalidInput

Theme = Preferences.Theme
THEME_COOKIE = "theme"


def preferences_of(user: AbstractBaseUser | AnonymousUser) -> Preferences:
    """Return what a user prefers; nothing for strangers and before the first choice.

    Queries: none for a user that the session's backend has read, else 1.
    """
    if not user.is_authenticated:
        return Preferences()
    return getattr(user, "preferences", None) or Preferences(user_id=user.pk)


def theme_of(request: HttpRequest) -> str:
    """Return the theme to show: the user's, else this browser's, else the system's."""
    user = getattr(request, "user", None) or AnonymousUser()
    theme = preferences_of(user).theme or request.COOKIES.get(THEME_COOKIE, "")
    return theme if theme in Theme.values else Theme.SYSTEM.value


def change_preferences(
    *,
    user: AbstractBaseUser,
    language: str | None = None,
    theme: str | None = None,
    time_zone: str | None = None,
) -> Preferences:
    """Store choices of a user. None: as it was; empty: as the browser asks for.

    Raises InvalidInput for a language, theme or zone that there is not.
    """
    given = {"language": language, "theme": theme, "time_zone": time_zone}
    changes = {name: value for name, value in given.items() if value is not None}
    check_preferences(**changes)
    row, _ = Preferences.objects.update_or_create(user_id=user.pk, defaults=changes)
    user.preferences = row  # type: ignore[attr-defined]
    return row


def check_preferences(
    *, language: str = "", theme: str = "", time_zone: str = ""
) -> None:
    """Raise InvalidInput for a language, theme or zone that there is not."""
    if language and language not in dict(settings.LANGUAGES):
        raise InvalidInput(gettext("This language is not available."))
    if theme and theme not in Theme.values:
        raise InvalidInput(gettext("This theme is not available."))
    if time_zone and time_zone not in list_zones():
        raise InvalidInput(gettext("Unknown time zone."))


def language_of_addresses(addresses: Iterable[str]) -> dict[str, str]:
    """Return the language that accounts with these e-mail addresses have chosen.

    Addresses without an account or a choice are left out, and those of accounts that
    disagree.
    """
    wanted = {each.lower(): each for each in addresses}
    rows = Preferences.objects.exclude(language="").exclude(user__email="")
    chosen: dict[str, set[str]] = {}
    for email, language in rows.values_list("user__email", "language"):
        if email.lower() in wanted:
            chosen.setdefault(wanted[email.lower()], set()).add(language)
    return {each: min(found) for each, found in chosen.items() if len(found) == 1}


@lru_cache(maxsize=1)
def list_zones() -> tuple[str, ...]:
    """Return the time zones to choose from: places, and UTC."""
    regions = {
        *("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic"),
        *("Australia", "Europe", "Indian", "Pacific"),
    }
    places = {each for each in available_timezones() if each.split("/")[0] in regions}
    return ("UTC", *sorted(places - regions))
