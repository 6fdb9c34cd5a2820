"""What was found, in numbers: no model is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from devrag.search.types import Hit

_TAGS = 5


def summarize(hits: Sequence[Hit]) -> str:
    """Return one line: how many results, from where, how long, of when, with what tags.

    >>> summarize([])
    'Nothing was found.'
    """
    if not hits:
        return gettext("No results.")
    files = len({(hit.source_name, hit.path) for hit in hits})
    sources = len({hit.source_name for hit in hits})
    characters = sum(len(hit.text) for hit in hits)
    parts = [
        _count(ngettext("%(n)s result", "%(n)s results", len(hits)), len(hits)),
        gettext("%(files)s of %(sources)s")
        % {
            "files": _count(ngettext("%(n)s file", "%(n)s files", files), files),
            "sources": _count(
                ngettext("%(n)s source", "%(n)s sources", sources), sources
            ),
        },
        _count(ngettext("%(n)s character", "%(n)s characters", characters), characters),
        *_dates(hits),
        *_tags(hits),
    ]
    return gettext("%(parts)s.") % {"parts": gettext(", ").join(parts)}


def _count(text: str, number: int) -> str:
    return text % {"n": f"{number:,}"}


def _dates(hits: Sequence[Hit]) -> list[str]:
    dates = sorted(hit.date for hit in hits if hit.date)
    if not dates:
        return []
    first, last = dates[0], dates[-1]
    dated = gettext("dated %(first)s to %(last)s")
    if first == last:
        dated = gettext("dated %(first)s")
    return [dated % {"first": first, "last": last}]


def _tags(hits: Sequence[Hit]) -> list[str]:
    counts = Counter(tag for hit in hits for tag in hit.tags)
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_TAGS]
    named = " ".join(f"{tag} ({count})" for tag, count in most)
    return [gettext("tags: %(tags)s") % {"tags": named}] if named else []
