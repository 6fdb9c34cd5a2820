"""How far a run is survives as text; a mark begins the next one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from devrag.sources.connectors.tickets.progress import Progress

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def ended(now: datetime = NOW) -> Progress:
    progress = Progress.begin(now)
    progress.note("issues", "2026-03-01T11:00:00Z", now)
    progress.tags["issues"] = ("", "W/1")
    progress.finish("issues")
    return progress


def after(progress: Progress) -> Progress:
    found = Progress.resume(progress.mark(), "")
    assert found is not None
    return found


def test_a_cursor_goes_on_where_the_run_was() -> None:
    progress = ended()
    progress.following["pulls"] = {"page": "3"}
    assert Progress.resume(ended().mark(), progress.cursor()) == progress
    assert progress.is_whole
    assert not progress.is_listing_due(NOW + 3 * DAY)


def test_a_mark_begins_a_run_after_the_last_change() -> None:
    found = after(ended())
    assert not found.is_whole
    assert (found.done, found.following) == ([], {})
    assert found.since("issues") == "2026-03-01T10:55:00Z"  # some minutes to spare
    assert found.tag("issues", "") == "W/1"
    assert found.tag("issues", "2026-03-01T10:55:00Z") == ""


@pytest.mark.parametrize(
    ("later", "expected"), [(DAY / 2, False), (DAY, True), (-DAY / 24, True)]
)
def test_everything_is_listed_once_a_day_and_when_the_clock_went_back(
    later: timedelta, expected: bool
) -> None:
    found = after(ended())
    assert found.is_listing_due(NOW + later) is expected
    whole = Progress.begin(NOW + later, found)
    assert (whole.since("issues"), whole.tag("issues", "")) == ("", "")
    assert whole.is_whole


def test_a_listing_that_took_days_counts_from_its_beginning() -> None:
    progress = Progress.resume("", ended().cursor())
    assert progress is not None
    assert after(progress).is_listing_due(NOW + DAY)


def test_times_only_go_on_and_none_lies_ahead() -> None:
    progress = Progress()
    for written in ("2026-03-01T11:00:00Z", "2026-03-01T10:00:00Z", "31 February", ""):
        progress.note("issues", written, NOW)
    assert progress.since("issues") == "2026-03-01T10:55:00Z"
    progress.note("issues", "2099-01-01T00:00:00Z", NOW)
    assert progress.since("issues") == "2026-03-01T11:55:00Z"
    progress.note("old", "0001-01-01T00:00:00Z", NOW)
    assert progress.since("old") == ""


@pytest.mark.parametrize("written", ["", "{", "[]", "null", '{"at": 1}', '{"at": {}}'])
def test_what_is_no_progress_is_none(written: str) -> None:
    assert Progress.resume(written, written) is None
