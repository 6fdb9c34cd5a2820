"""The pages of the settings, of the server and of a product, as they are listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from devrag.core.principal import Principal

_ACCOUNT, _SERVER = gettext_noop("Your account"), gettext_noop("Server")
_ADVANCED = gettext_noop("Advanced")


@dataclass(frozen=True, slots=True)
class Section:
    """A page of the settings. page: name of its address; group: of the navigation."""

    key: str
    title: str
    page: str
    icon: str
    group: str
    is_for_admins: bool = False


SECTIONS = (
    Section(
        "account",
        gettext_noop("Account and preferences"),
        "web:settings_account",
        "user",
        _ACCOUNT,
    ),
    Section(
        "tokens", gettext_noop("API tokens"), "web:settings_tokens", "key", _ACCOUNT
    ),
    Section(
        "connect",
        gettext_noop("Connect an agent"),
        "web:settings_connect",
        "plug",
        _ACCOUNT,
    ),
    Section("models", gettext_noop("Models"), "web:settings_models", "model", _SERVER),
    Section("health", gettext_noop("Health"), "web:settings_health", "health", _SERVER),
    Section(
        "monitoring",
        gettext_noop("Monitoring"),
        "web:settings_monitoring",
        "chart",
        _SERVER,
        is_for_admins=True,
    ),
    Section(
        "people",
        gettext_noop("People"),
        "web:settings_people",
        "user",
        _SERVER,
        is_for_admins=True,
    ),
    Section(
        "invitations",
        gettext_noop("Invitations"),
        "web:settings_invitations",
        "link",
        _SERVER,
        is_for_admins=True,
    ),
    Section(
        "audit",
        gettext_noop("Audit log"),
        "web:settings_audit",
        "clock",
        _SERVER,
        is_for_admins=True,
    ),
    Section(
        "admin",
        gettext_noop("Database administration"),
        "admin:index",
        "source",
        _ADVANCED,
        is_for_admins=True,
    ),
)


def list_sections(principal: Principal, current: str = "") -> list[Section]:
    """Return the pages that the caller may open. current: key of the page itself."""
    return [
        section
        for section in SECTIONS
        if principal.is_admin or not section.is_for_admins or section.key == current
    ]


@dataclass(frozen=True, slots=True)
class SettingsLink:
    """A line of the navigation beside a page of settings."""

    title: str
    url: str
    icon: str
    is_current: bool


def link_sections(
    sections: Sequence[Section], current: str
) -> list[tuple[str, list[SettingsLink]]]:
    """Return links to the sections by the title of their group, in the reader's
    language."""
    groups: dict[str, list[SettingsLink]] = {}
    for each in sections:
        link = SettingsLink(
            title=gettext(each.title),
            url=reverse(each.page),
            icon=each.icon,
            is_current=each.key == current,
        )
        groups.setdefault(gettext(each.group), []).append(link)
    return list(groups.items())


# Of a product: address, title, icon.
_OF_PRODUCT = (
    ("web:product_settings", gettext_noop("General"), "settings"),
    ("web:members", gettext_noop("Members"), "user"),
    ("web:digest", gettext_noop("Weekly digest"), "mail"),
    ("web:secrets", gettext_noop("Masked secrets"), "shield"),
    ("web:product_audit", gettext_noop("Audit log"), "clock"),
)


def link_product_sections(
    product: str, address: str
) -> list[tuple[str, list[SettingsLink]]]:
    """Return links to the settings of a product. address: name of the page's own.

    Addresses below one, as `web:digest_change` below `web:digest`, count as that one.
    """
    links = [
        SettingsLink(
            title=gettext(title),
            url=reverse(page, args=[product]),
            icon=icon,
            is_current=address.startswith(page),
        )
        for page, title, icon in _OF_PRODUCT
    ]
    return [(gettext("Product settings"), links)]
