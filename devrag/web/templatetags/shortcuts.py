"""The keyboard shortcuts of the page that is open, and those of every page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django import template
from django.utils.translation import gettext, gettext_noop

register = template.Library()


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Keys to press together or one of, and what they do."""

    keys: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class ShortcutGroup:
    title: str
    shortcuts: tuple[Shortcut, ...]


_ARROWS = ("↑", "↓", "Enter")
_EVERYWHERE = (
    Shortcut(("Ctrl", "K"), gettext_noop("Open the command palette")),
    Shortcut(("/",), gettext_noop("Search")),
    Shortcut(("A",), gettext_noop("Ask a question")),
    Shortcut(("Esc",), gettext_noop("Close the open menu or dialog")),
    Shortcut(("?",), gettext_noop("Show the keyboard shortcuts")),
)
_ASK = (
    Shortcut(("Enter",), gettext_noop("Send the question")),
    Shortcut(("Shift", "Enter"), gettext_noop("Begin a new line")),
    Shortcut(("Esc",), gettext_noop("Stop the answer")),
)
_WIKI = (
    Shortcut(("Enter",), gettext_noop("Open the cited lines of a focused citation")),
    Shortcut(("+", "-", "0"), gettext_noop("Zoom a full-size diagram")),
    Shortcut(("←", "→", "↑", "↓"), gettext_noop("Pan a full-size diagram")),
)
# By the name of the page's address.
_OF_PAGES = {
    "search": (
        Shortcut(_ARROWS, gettext_noop("Choose and open a result")),
        Shortcut(("Tab",), gettext_noop("Complete a filter")),
        Shortcut(("Esc",), gettext_noop("Back to the search box")),
    ),
    "file": (
        Shortcut(("F",), gettext_noop("Find in this file")),
        Shortcut(("R",), gettext_noop("Find references to the focused name")),
        Shortcut(("Shift", "Click"), gettext_noop("Select a range of lines")),
    ),
    "ask": _ASK,
    "ask_all": _ASK,
    "conversation": _ASK,
    "wiki": _WIKI,
    "wiki_index": _WIKI,
    "wiki_version_page": _WIKI,
}


@register.simple_tag(takes_context=True)
def page_shortcuts(context: template.Context) -> list[ShortcutGroup]:
    """Return the shortcuts of this page, if it has some, and those of every page."""
    match = getattr(context.get("request"), "resolver_match", None)
    own = _OF_PAGES.get(match.url_name, ()) if match else ()
    groups = [(gettext("This page"), own), (gettext("Every page"), _EVERYWHERE)]
    return [ShortcutGroup(title, _translated(each)) for title, each in groups if each]


def _translated(shortcuts: Sequence[Shortcut]) -> tuple[Shortcut, ...]:
    return tuple(Shortcut(each.keys, gettext(each.text)) for each in shortcuts)
