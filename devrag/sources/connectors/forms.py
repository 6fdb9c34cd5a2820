"""What people are asked to connect a source of a kind. Pure.

Each connector describes its own form; pages, the administration and the guide show what
is there, and know no kinds. Texts are message ids of the interface.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_noop


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting of the source that is on or off. key: as `metadata.py` knows it."""

    key: str
    label: str
    is_on: bool = False


@dataclass(frozen=True, slots=True)
class ConnectionForm:
    """Three fields: an address, a user where one is needed, a token.

    title: of the kind; '' for its name. address_example: one that works so.
    username_label: '' where tokens need no user. guide: page of the guide about it.
    """

    title: str = ""
    address_label: str = gettext_noop("URL in the browser")
    address_example: str = "https://"
    address_hint: str = ""
    username_label: str = gettext_noop("User name")
    username_hint: str = ""
    token_label: str = gettext_noop("Token")
    token_hint: str = ""
    switches: tuple[Switch, ...] = ()
