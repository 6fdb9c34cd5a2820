"""What tests ask of a tracker."""

from __future__ import annotations

from tests.sources.redmine.redmine_server import Tracker


def read_alone(tracker: Tracker) -> list[str]:
    """Return the issues and pages that were asked for one by one."""
    parts = ("/issues/", "/wiki/")
    paths = [path.partition(".json")[0] for path in tracker.requests]
    found = [path for path in paths if any(part in path for part in parts)]
    skipped = ("/wiki/index", "/help/wiki_syntax")
    return sorted(path for path in found if not path.endswith(skipped))
