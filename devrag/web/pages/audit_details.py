"""The details of an audit event in words: fields and values as people call them.

They are stored with the names of fields; programs get those by export and REST.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext, gettext_noop

from devrag.web.templatetags.ui import exact
from devrag.web.visibilities import visibilities
from devrag.web.wiki_choices import WIKI_LANGUAGES

_YES, _NO = gettext_noop("yes"), gettext_noop("no")
# Parts of a name: isGranted, is_granted.
_PARTS = re.compile(r"[_\s]+|(?<=[a-z0-9])(?=[A-Z])")
# Details whose values are names of fields.
_NAMING = frozenset({"changed", "fields"})
_LABELS = {
    # Users, sessions and tokens
    "username": gettext_noop("User name"),
    "email": gettext_noop("Email address"),
    "is_active": gettext_noop("Active"),
    "is_staff": gettext_noop("May open the administration"),
    "is_superuser": gettext_noop("Administrator"),
    "isKnown": gettext_noop("Account exists"),
    "address": gettext_noop("IP address"),
    "count": gettext_noop("Count"),
    "owner": gettext_noop("Owner"),
    "scopes": gettext_noop("Permissions"),
    "products": gettext_noop("Products"),
    "expiresAt": gettext_noop("Expires"),
    # Members and invitations
    "role": gettext_noop("Role"),
    "invitation": gettext_noop("Invitation"),
    "members": gettext_noop("Members"),
    # Products and labels
    "changed": gettext_noop("Changed"),
    "changes": gettext_noop("Changes"),
    "added": gettext_noop("Added"),
    "deleted": gettext_noop("Deleted"),
    "fields": gettext_noop("Fields"),
    "name": gettext_noop("Name"),
    "title": gettext_noop("Title"),
    "description": gettext_noop("Description"),
    "paths": gettext_noop("Paths"),
    "visibility": gettext_noop("Visibility"),
    "is_external_models_allowed": gettext_noop("External models allowed"),
    "source_roots": gettext_noop("Allowed source locations"),
    "is_ssh_key_allowed": gettext_noop("Server's SSH key allowed"),
    "from": gettext_noop("From"),
    "to": gettext_noop("To"),
    # Sources and jobs
    "type": gettext_noop("Type"),
    "location": gettext_noop("Location of the source"),
    "file": gettext_noop("File"),
    "isLocalUser": gettext_noop("Added on the server itself"),
    "isGranted": gettext_noop("Allowed by an administrator"),
    "isRemoved": gettext_noop("Removed"),
    "everyMinutes": gettext_noop("Interval in minutes"),
    "wiki": gettext_noop("Wiki"),
    "wiki_settings": gettext_noop("Wiki settings"),
    "full": gettext_noop("All files read again"),
    "job": gettext_noop("Job"),
    "kind": gettext_noop("Kind"),
    # Wiki, conflicts and outdated documents
    "version": gettext_noop("Version"),
    "language": gettext_noop("Language"),
    "shown": gettext_noop("Shown to readers"),
    "isPinned": gettext_noop("Pinned"),
    "page": gettext_noop("Page"),
    "all": gettext_noop("All pages"),
    "redesign": gettext_noop("All pages re-planned"),
    "state": gettext_noop("State"),
    "isRight": gettext_noop("Still correct"),
    # Digest, models, keys and backups
    "channel": gettext_noop("Channel"),
    "recipients": gettext_noop("Recipients"),
    "webhookHost": gettext_noop("Webhook host"),
    "isEmailSetUp": gettext_noop("Email configured"),
    "isTest": gettext_noop("Test message"),
    "week": gettext_noop("Week"),
    "provider": gettext_noop("Provider"),
    "model": gettext_noop("Model"),
    "setting": gettext_noop("Setting"),
    "keys": gettext_noop("Keys"),
    "format": gettext_noop("Format"),
}


def describe_details(details: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the label and the value of each detail that says something."""
    for name, value in details.items():
        if value not in (None, "", [], {}):
            yield label_of(name), _in_words(value, name)


def label_of(name: str) -> str:
    """Return what people call a field; of an unknown one the words of its name."""
    if name in _LABELS:
        return gettext(_LABELS[name])
    words = " ".join(_PARTS.split(name)).lower()
    return words.removeprefix("is ").capitalize()


def _in_words(value: Any, field: str) -> str:
    """Write the value of a field as people read it: `viewer → maintainer`."""
    if isinstance(value, bool):
        return gettext(_YES if value else _NO)
    if isinstance(value, Mapping):
        return _mapping_in_words(value, field)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(_in_words(each, field) for each in value) or "–"
    if value in (None, ""):
        return "–"
    if field in _NAMING and value in _LABELS:
        return label_of(value)
    return _WORDED[field](str(value)) if field in _WORDED else str(value)


def _mapping_in_words(value: Mapping[str, Any], field: str) -> str:
    if value.keys() == {"from", "to"}:
        return f"{_in_words(value['from'], field)} → {_in_words(value['to'], field)}"
    return ", ".join(
        f"{label_of(key)}: {_in_words(each, key)}" for key, each in value.items()
    )


def _moment(value: str) -> str:
    """Write a stored moment in the reader's time zone."""
    moment = parse_datetime(value)
    return exact(moment) if moment else value


def _language(value: str) -> str:
    return str(dict(WIKI_LANGUAGES).get(value, value))


def _visibility(value: str) -> str:
    return dict(visibilities()).get(value, value)


_WORDED: Mapping[str, Callable[[str], str]] = {
    "role": gettext,
    "expiresAt": _moment,
    "language": _language,
    "visibility": _visibility,
}
