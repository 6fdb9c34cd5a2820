"""How much of a remote source is read at most."""

from __future__ import annotations

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput


def check_count(count: int, most: int, place: str) -> None:
    """Raise InvalidInput where a source has more items than an installation reads."""
    if count > most:
        raise InvalidInput(
            gettext(
                "%(place)s has more than %(most)s pages and attachments. Raise "
                "MAX_FILES, or add a part of it."
            )
            % {"place": place, "most": f"{most:,}"}
        )
