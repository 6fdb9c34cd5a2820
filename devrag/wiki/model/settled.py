"""Keeps what search brought to a page: moves within its ranks rewrite nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from devrag.wiki.analysis import Analysis
from devrag.wiki.model.dossier import Place
from devrag.wiki.model.record import Record


def settled_places(
    found: Iterable[Place],
    record: Record,
    known: Mapping[str, str],
    analysis: Analysis,
) -> Iterable[Place]:
    """Yield what the page was given before, then finds in files that are new to it.

    Those are files that the product has now, and those it was given that changed since.
    known: `source/path` → content hash, as of the version before.
    """
    files = {f"{file.source}/{file.path}": file for file in analysis.survey.files}
    before = [given for each in record.sections for given in each.given]
    for given in before:
        file = files.get(given.place)
        if file is not None and file.content_hash == given.content_hash:
            yield Place(file.id, given.start_line, given.end_line)
    told = {given.place for given in before}
    new = {
        file.id
        for place, file in files.items()
        if known.get(place) != file.content_hash
        and (place in told or place not in known)
    }
    yield from (place for place in found if place.file in new)
