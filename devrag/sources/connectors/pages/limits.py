"""How much of a remote source is read at most, and from where its address may be."""

from __future__ import annotations

from collections.abc import Callable

from devrag.core.errors import InvalidInput
from devrag.core.texts import gettext
from devrag.sources.connectors.types import ConnectorContext
from devrag.sources.hosts import AddressRules

# For an address that the installation's own rules were asked about before.
ANY_ADDRESS = AddressRules(allow_http=True, allow_loopback=True)
_ANY_SIZE = 10_000_000


def text_limit(context: ConnectorContext) -> int:
    """Return how many characters of a page or ticket are read at most."""
    return context.selection.size_limit("page.md") or _ANY_SIZE


def count_check(context: ConnectorContext, place: str) -> Callable[[int], None]:
    """Return what raises InvalidInput for more items than an installation reads."""
    return lambda count: check_count(count, context.max_files, place)


def check_count(count: int, most: int, place: str) -> None:
    """Raise InvalidInput where a source has more items than an installation reads."""
    if count > most:
        raise InvalidInput(
            gettext(
                "%(place)s has more than %(most)s pages and attachments. Raise "
                "MAX_FILES, or add only a part of it."
            )
            % {"place": place, "most": f"{most:,}"}
        )
