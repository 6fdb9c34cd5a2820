"""Between two listings: what was modified lately, and what changed with it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime

from devrag.sources.connectors.confluence.api import ConfluenceApi
from devrag.sources.connectors.confluence.content import Content
from devrag.sources.connectors.confluence.survey import RESTRICTED, Survey
from devrag.sources.connectors.pages.mark import Mark
from devrag.sources.connectors.pages.types import Versions

# The search index of a server lags behind its pages.
_MARGIN_MINUTES = 15
_IDS_AT_A_TIME = 50


def window_query(mark: Mark, now: datetime) -> str:
    """Return the clause of CQL for what was modified since a mark.

    Relative to the server's now: dates would be read in the time zone of its user.
    """
    elapsed = (now - (mark.at or now)).total_seconds()
    minutes = math.ceil(max(0.0, elapsed) / 60) + _MARGIN_MINUTES
    return f'lastmodified >= now("-{minutes}m") order by lastmodified asc'


def is_changed(survey: Survey, page: Content, version: str, *, is_whole: bool) -> bool:
    """Return whether a page is to be read, by the version that the mirror has of it.

    is_whole: the survey has all comments; else a page stands here with those that
    changed alone, if any did.
    """
    wanted = survey.version(page)
    if is_whole:
        return version != wanted + survey.comment_mark(page.content_id)
    return page.content_id in survey.comments or not version.startswith(wanted)


def add_what_depends(
    survey: Survey, api: ConfluenceApi, known: Versions, has_attachments: bool
) -> list[Content]:
    """Add what changed with the pages of a window; return the pages to look at.

    These are the pages of new attachments and comments; for their restrictions, the
    pages above; and what lies below a page that has another place or restriction than
    before, with its attachments.
    """
    owners = {each.container for each in survey.attachments.values()}
    missing = sorted((owners | survey.comments.keys()) - survey.pages.keys() - {""})
    survey.add(api.by_ids([each for each in missing if each.isdecimal()]))
    look_above(survey, api)
    changed = _changed(survey, known, survey.pages.values())
    if not changed and not survey.attachments:
        return []
    moved = _moved(survey, known, changed)
    if moved:
        _look_below(survey, api, moved, has_attachments)
        look_above(survey, api)
    return _changed(survey, known, survey.pages.values())


def _changed(
    survey: Survey, known: Versions, pages: Iterable[Content]
) -> list[Content]:
    return [
        page
        for page in pages
        if is_changed(survey, page, known.version_of(page.content_id), is_whole=False)
    ]


def _moved(survey: Survey, known: Versions, changed: Iterable[Content]) -> list[str]:
    """Return pages whose place or restriction is another than the mirror has."""
    found = []
    for page in changed:
        before = known.version_of(page.content_id)
        after = survey.version(page)
        if before and _place(before) != _place(after):
            found.append(page.content_id)
    return found


def _place(version: str) -> str:
    return version if version == RESTRICTED else version.split("-")[1]


def look_above(survey: Survey, api: ConfluenceApi) -> None:
    """Add the pages above those of a survey, for their restrictions alone."""
    missing = survey.missing_above(survey.pages.values())
    for each in api.by_ids([each for each in missing if each.isdecimal()]):
        survey.above[each.content_id] = each


def _look_below(
    survey: Survey, api: ConfluenceApi, moved: list[str], has_attachments: bool
) -> None:
    for ids in _parts(moved):
        for found in api.search(f"{api.of_space} and ancestor in ({ids})"):
            below = (each for each in found if each.content_id not in survey.pages)
            survey.add(list(below))
    for ids in _parts(list(survey.pages)) if has_attachments else ():
        query = f"{api.of_space} and type = attachment and container in ({ids})"
        for found in api.search(query):
            survey.add(found)


def _parts(ids: list[str]) -> list[str]:
    starts = range(0, len(ids), _IDS_AT_A_TIME)
    return [",".join(ids[start : start + _IDS_AT_A_TIME]) for start in starts]
