"""What people write into a question beside words: "phrases" and filters.

`lang:go`, `path:src/`, `-path:tests`, `label:auth`, `-label:test`, `kind:method`,
`source:shop`, `product:tea` and of pages and tickets `status:open`, `author:jane`,
`after:2026-01-31` and `before:2026-06` are filters; any other `a:b` is text, and so are
`std::string`, addresses, quotes within code and quotes without an end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.core.text import drop_invisible
from devrag.parsing.language import find_language
from devrag.search.types import KINDS, SearchQuery

_FIELDS = {
    "lang": "language",
    "language": "language",
    "kind": "kind",
    "source": "source",
    "product": "product",
    "status": "status",
    "author": "author",
    "after": "after",
    "before": "before",
}
# What other tools call them.
_OTHER_NAMES = {
    **dict.fromkeys(("file", "filename", "folder", "dir", "directory"), "path"),
    **dict.fromkeys(("ext", "extension", "filetype"), "lang"),
    **dict.fromkeys(("repo", "repository"), "source"),
    "state": "status",
    "since": "after",
    "until": "before",
    "tag": "label",
    "user": "author",
    "project": "product",
}
_UNKNOWN = re.compile(
    rf"""(?<!\S)(?P<name>{"|".join(_OTHER_NAMES)}):(?!:|//)(?P<value>[^\s":]+)(?!\S)""",
    re.IGNORECASE,
)
# Of which the beginning of a value says nothing yet.
_WHOLE = ("status", "author", "after", "before")
_MARKED = re.compile(
    rf"""(?<!\S)(?:
      ["“](?P<phrase>[^"“”]+)["”](?![^\s.,;!?])
    | (?P<not>-?)(?P<field>path|label|{"|".join(_FIELDS)})
      :(?!:|//)(?:"(?P<quoted>[^"]+)"(?!\S)|(?P<value>[^\s"]+)(?!\S))
    )""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(slots=True)
class _Found:
    """What the text holds beside its words."""

    phrases: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    without_paths: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    without_labels: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)


def parse_query(query: SearchQuery) -> SearchQuery:
    """Return the query with the filters and phrases of its text in their fields.

    Raises InvalidInput where text and options contradict, or a filter is not one.
    """
    query = replace(query, text=drop_invisible(query.text))
    found, words, end = _Found(), "", 0
    for match in _MARKED.finditer(query.text):
        is_last = query.is_typing and match.end() == len(query.text)
        words += query.text[end : match.start()] + _take(match, found, is_last=is_last)
        end = match.end()
    has_end = end == len(query.text) or query.text[-1].isspace()
    return replace(
        query,
        text=(words + query.text[end:]).strip() if end else query.text,
        phrases=(*query.phrases, *found.phrases),
        paths=(*query.paths, *found.paths),
        without_paths=(*query.without_paths, *found.without_paths),
        labels=(*query.labels, *found.labels),
        without_labels=(*query.without_labels, *found.without_labels),
        is_typing=query.is_typing and not has_end,
        language=_merged("language", _language(query.language), found),
        kind=_merged("kind", query.kind, found),
        source=_merged("source", query.source, found),
        product=_merged("product", query.product, found),
        status=_merged("status", query.status, found),
        author=_merged("author", query.author, found),
        after=_merged("after", query.after, found),
        before=_merged("before", query.before, found),
    )


def written_filters(text: str) -> list[tuple[str, str]]:
    """Return each filter or phrase of a text, and the text without it."""
    return [
        (match[0], " ".join((text[: match.start()] + text[match.end() :]).split()))
        for match in _MARKED.finditer(text)
    ]


def without_filters(text: str) -> str:
    """Return the words of a text: no filters, phrases without their quotes.

    >>> without_filters('"no such" column path:src/')
    'no such column'
    """
    return " ".join(_MARKED.sub(lambda match: match["phrase"] or "", text).split())


def change_words(text: str, change: Callable[[str], str]) -> str:
    """Return a text with its words and phrases changed, its filters as written.

    >>> change_words('tax path:tax "tax"', str.upper)
    'TAX path:tax "TAX"'
    """
    changed, end = "", 0
    for match in _MARKED.finditer(text):
        if not match["phrase"]:
            changed += change(text[end : match.start()]) + match[0]
            end = match.end()
    return changed + change(text[end:])


def suggest_filters(text: str) -> list[tuple[str, str]]:
    """Return what looks like filters of other tools, each with ours.

    >>> suggest_filters("merge file:utils.js")
    [('file:utils.js', 'path:utils.js')]
    """
    found = [
        (match[0], _OTHER_NAMES[match["name"].lower()], match["value"])
        for match in _UNKNOWN.finditer(text)
    ]
    return [
        (written, f"{name}:{value.lstrip('.') if name == 'lang' else value}")
        for written, name, value in found
    ]


def _take(match: re.Match[str], found: _Found, *, is_last: bool) -> str:
    """Note what was matched; return what stays text."""
    if match["phrase"]:
        found.phrases.append(match["phrase"])
        return match["phrase"]
    name = match["field"].lower()
    value = match["quoted"] or match["value"]
    if name == "path":
        places = found.without_paths if match["not"] else found.paths
        places += [value.removeprefix("/")] if value != "/" else []
    elif name == "label":
        labels = found.without_labels if match["not"] else found.labels
        labels += [] if is_last else [value]
    elif match["not"]:
        raise InvalidInput(
            gettext(
                "Unknown exclusion -%(name)s:. Only -path: and -label: can exclude "
                "results."
            )
            % {"name": name}
        )
    # While one types, `lang:typ` is the beginning of a filter.
    elif not is_last or _is_known(name, value):
        _note(_FIELDS[name], value, found)
    return ""


def _is_known(name: str, value: str) -> bool:
    if name == "kind":
        return value.lower() in KINDS
    if name in _WHOLE:
        return False
    return _FIELDS[name] != "language" or bool(find_language(value))


def _language(value: str) -> str:
    return find_language(value) or value


def _note(name: str, value: str, found: _Found) -> None:
    if name == "language":
        value = _language(value)
    elif name == "kind":
        value = value.lower()
    if found.values.setdefault(name, value) != value:
        raise InvalidInput(
            gettext(
                "The query contains two values for %(name)s: '%(first)s' and "
                "'%(second)s'. Keep one."
            )
            % {"name": name, "first": found.values[name], "second": value}
        )


def _merged(name: str, chosen: str, found: _Found) -> str:
    value = found.values.get(name, chosen)
    if chosen not in ("", value):
        raise InvalidInput(
            gettext(
                "The query contains %(name)s '%(first)s', but the filter is set to "
                "'%(second)s'. Keep one."
            )
            % {"name": name, "first": value, "second": chosen}
        )
    return value
