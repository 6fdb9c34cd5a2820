"""The pages of the settings: what the navigation beside them and the palette list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from devrag.core.principal import Principal

_ACCOUNT, _SERVER = gettext_noop("Your account"), gettext_noop("Server")


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
)


def list_sections(principal: Principal, current: str = "") -> list[Section]:
    """Return the pages that the caller may open. current: key of the page itself."""
    return [
        section
        for section in SECTIONS
        if principal.is_admin or not section.is_for_admins or section.key == current
    ]


def group_sections(sections: Sequence[Section]) -> list[tuple[str, list[Section]]]:
    """Return the sections by the title of their group, in the reader's language."""
    groups: dict[str, list[Section]] = {}
    for section in sections:
        groups.setdefault(gettext(section.group), []).append(section)
    return list(groups.items())
