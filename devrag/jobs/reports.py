"""A job's report in words: what it counted, what was left out and why.

Nothing here needs Django: a laptop without a database says it in the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_PATHS_SHOWN = 5


def gettext_noop(text: str) -> str:
    """Mark a text for the catalogue, which finds it by this name."""
    return text


_COUNTS = {
    "added": gettext_noop("Files added"),
    "modified": gettext_noop("Files modified"),
    "removed": gettext_noop("Files removed"),
    "unchanged": gettext_noop("Files unchanged"),
    "lines": gettext_noop("Lines"),
    "chunks": gettext_noop("Chunks"),
    "warnings": gettext_noop("Warnings"),
    "embedded": gettext_noop("Texts embedded"),
    "reused": gettext_noop("Vectors reused"),
    "pages": gettext_noop("Pages"),
    "labelledFiles": gettext_noop("Files labeled"),
}
_VECTOR_COUNTS = {
    "embedded": gettext_noop("Texts embedded"),
    "saved": gettext_noop("Embedding calls saved"),
}
_KINDS = {
    "leftOut": gettext_noop("Skipped"),
    "asWindows": gettext_noop("Indexed as plain text"),
}
# Codes of reasons that programs read; other reasons are words already.
_WORDS = {
    "parser_crash": gettext_noop("the parser crashed"),
    "parser_error": gettext_noop("the parser failed"),
    "parser_memory": gettext_noop("parsing exceeded the memory limit"),
    "parser_timeout": gettext_noop("parsing exceeded the time limit"),
}


def reason_words(reason: str) -> str:
    """Return a reason in words for people, in English."""
    return _WORDS.get(reason, reason)


def report_lines(
    report: Mapping[str, Any], gettext: Callable[[str], str] = gettext_noop
) -> tuple[tuple[str, str], ...]:
    """Return the counts as (label, text), then what was left out and why."""
    vectors = _mapping(report.get("embedding"))
    found = [(label, report.get(key)) for key, label in _COUNTS.items()]
    found += [(label, vectors.get(key)) for key, label in _VECTOR_COUNTS.items()]
    counts = [
        (gettext(label), f"{count:,}") for label, count in found if type(count) is int
    ]
    paths = {key: _mapping(report.get(f"{key}Paths")) for key in _KINDS}
    reasons = [
        (
            gettext("%(label)s: %(reason)s")
            % {"label": gettext(label), "reason": gettext(reason_words(reason))},
            f"{count:,}{_named(paths[key].get(reason))}",
        )
        for key, label in _KINDS.items()
        for reason, count in _mapping(report.get(key)).items()
    ]
    return (*counts, *reasons)


def _named(paths: list[str] | None) -> str:
    if not paths:
        return ""
    more = ", …" if len(paths) > _PATHS_SHOWN else ""
    return f" ({', '.join(paths[:_PATHS_SHOWN])}{more})"


def _mapping(value: object) -> dict[str, Any]:
    """Return a part of a report; the wiki's has a list under the same name."""
    return value if isinstance(value, dict) else {}
