"""Containers of VitePress, Docusaurus and MyST, `::: warning Title`, as callouts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.container import container_plugin

from devrag.core.line_breaks import with_code

# The names that the tools give them: how they look, and their usual title.
_KINDS = {
    "note": ("info", gettext_noop("Note")),
    "info": ("info", gettext_noop("Information")),
    "important": ("info", gettext_noop("Important")),
    "seealso": ("info", gettext_noop("See also")),
    "tip": ("ok", gettext_noop("Tip")),
    "hint": ("ok", gettext_noop("Tip")),
    "success": ("ok", ""),
    "warning": ("warn", gettext_noop("Warning")),
    "caution": ("warn", gettext_noop("Caution")),
    "attention": ("warn", gettext_noop("Caution")),
    "danger": ("bad", gettext_noop("Danger")),
    "error": ("bad", gettext_noop("Error")),
    "details": ("plain", gettext_noop("Details")),
}
_HEAD = re.compile(
    r"""\s*
    (?: (?P<name>[a-z][\w-]*) | \{\.?(?P<braced>[a-z][\w-]*)[^{}]*\} )
    \s*
    (?: \[(?P<bracketed>.*)\] | (?P<words>.*?) )
    \s*(?:\{[^{}]*\})?""",
    re.VERBOSE | re.IGNORECASE,
)
_LONGEST_HEAD = 200


def add_callouts(parser: MarkdownIt) -> None:
    """Let a parser take containers apart; what is in them is Markdown."""
    container_plugin(parser, "callout", validate=_is_head, render=_render)


def _is_head(head: str, _marks: str) -> bool:
    return _parse(head) is not None


def _parse(head: str) -> re.Match[str] | None:
    """Return the parts of a head; a long one is text that begins with colons."""
    return _HEAD.fullmatch(head.rstrip(" \t:")) if len(head) <= _LONGEST_HEAD else None


def _render(_: Any, tokens: Sequence[Token], at: int, *_more: Any) -> str:
    if tokens[at].nesting < 0:
        return "</div>\n"
    found = _parse(tokens[at].info)
    parts = found.groupdict(default="") if found else {}
    name = (parts.get("name") or parts.get("braced") or "").lower()
    look, usual = _KINDS.get(name, ("plain", ""))
    words = parts.get("bracketed") or parts.get("words") or ""
    # Containers of other kinds hold tabs or columns: what follows are their options.
    is_title = name in _KINDS or "=" not in words
    title = (words if is_title else "") or (gettext(usual) if usual else "")
    html = format_html('<div class="callout callout-{}">\n', look)
    if title:
        html += format_html('<div class="callout-title">{}</div>\n', with_code(title))
    return html
