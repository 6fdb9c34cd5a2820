"""What was found, in numbers: no model is asked (reading G12, T13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from devrag.search.types import Hit

_TAGS = 5


def summarize(hits: Sequence[Hit]) -> str:
    """Return one line: how many results, from where, how long, of when, with what tags.

    >>> summarize([])
    'Nothing was found.'
    """
    if not hits:
        return "Nothing was found."
    characters = sum(len(hit.text) for hit in hits)
    files = _count(len({(hit.source_name, hit.path) for hit in hits}), "file")
    sources = _count(len({hit.source_name for hit in hits}), "source")
    parts = [
        _count(len(hits), "result"),
        f"{files} of {sources}",
        _count(characters, "character"),
        *_dates(hits),
        *_tags(hits),
    ]
    return ", ".join(parts) + "."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _dates(hits: Sequence[Hit]) -> list[str]:
    dates = sorted(hit.date for hit in hits if hit.date)
    if not dates:
        return []
    first, last = dates[0], dates[-1]
    return [f"dated {first}" if first == last else f"dated {first} to {last}"]


def _tags(hits: Sequence[Hit]) -> list[str]:
    counts = Counter(tag for hit in hits for tag in hit.tags)
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_TAGS]
    named = " ".join(f"{tag} ({count})" for tag, count in most)
    return [f"tags: {named}"] if named else []
