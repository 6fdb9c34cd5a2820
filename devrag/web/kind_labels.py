"""What the kinds of results that one can search for are called on pages."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

_LABELS = {
    "code": gettext_noop("Code"),
    "doc": gettext_noop("Docs"),
    "config": gettext_noop("Configuration"),
    "data": gettext_noop("Data"),
    "wiki": gettext_noop("Wiki"),
    "page": gettext_noop("Pages"),
    "ticket": gettext_noop("Tickets"),
    "function": gettext_noop("Functions"),
    "method": gettext_noop("Methods"),
    "class": gettext_noop("Classes"),
    "interface": gettext_noop("Interfaces"),
    "enum": gettext_noop("Enums"),
    "type": gettext_noop("Types"),
    "constant": gettext_noop("Constants"),
    "variable": gettext_noop("Variables"),
    "module": gettext_noop("Modules"),
    "namespace": gettext_noop("Namespaces"),
    "extension": gettext_noop("Extensions"),
    "symbol": gettext_noop("Definitions"),
    "section": gettext_noop("Document sections"),
    "window": gettext_noop("Other code and text"),
    "entry": gettext_noop("Memo entries"),
}
# Where two kinds begin with the same letter.
_BADGES = {"module": "{}", "constant": "K", "extension": "X"}
# Languages without classes: what holds fields and has methods is a struct there.
_WITH_STRUCTS = frozenset({"c", "go", "rust", "zig"})


def shown_kind(kind: str, language: str) -> str:
    """Return the kind of a definition in the words of its language."""
    return "struct" if kind == "class" and language in _WITH_STRUCTS else kind


def kind_label(kind: str) -> str:
    """Return what one of KINDS is called, in the reader's language."""
    return gettext(_LABELS[kind])


def kind_badge(kind: str) -> str:
    """Return the sign of a kind of definition in lists.

    >>> kind_badge("method"), kind_badge("module")
    ('M', '{}')
    """
    return _BADGES.get(kind, kind[:1].upper())
