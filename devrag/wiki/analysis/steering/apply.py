"""Turns what sources ask for into topics: which files each wanted page gets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from devrag.wiki.analysis.steering.files import MOST_PATTERNS
from devrag.wiki.analysis.steering.globs import Paths, exactness, literal
from devrag.wiki.analysis.steering.types import SourceSteering, WantedPage, Warnings
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.types import Topic

_MOST_ANYWHERE = 50


class Matcher:
    """Matches one source's patterns, within limits that keep hostile files cheap."""

    def __init__(self, source: str, paths: Iterable[str], warnings: Warnings) -> None:
        self._source = source
        self._paths = Paths(paths)
        self._warnings = warnings
        self._left = MOST_PATTERNS
        self._anywhere = _MOST_ANYWHERE

    def matching(self, pattern: str, wanted_by: str) -> list[str]:
        """Return the paths of a pattern; a pattern that means nothing is reported."""
        self._left -= 1
        self._anywhere -= literal(pattern) == ""
        if self._left < 0 or self._anywhere < 0:
            if -1 in (self._left, self._anywhere):
                self._warn(wanted_by, f"'{pattern[:80]}' exceeds the limit of patterns")
            return []
        found = self._paths.matching(pattern)
        if not found:
            self._warn(wanted_by, f"'{pattern[:80]}' matches no indexed file")
        return found

    def _warn(self, wanted_by: str, what: str) -> None:
        self._warnings.add(f"{self._source}: {wanted_by}: {what}.")


def excluded_files(
    steering: Mapping[str, SourceSteering],
    files: Iterable[SurveyFile],
    warnings: Warnings,
) -> set[int]:
    """Return the files that their own source leaves out."""
    found: set[int] = set()
    for source, ids in _ids(steering, files).items():
        matcher = Matcher(source, ids, warnings)
        for pattern in steering[source].exclude:
            found.update(ids[path] for path in matcher.matching(pattern, "exclude"))
    return found


def steered_topics(
    steering: Mapping[str, SourceSteering],
    files: Sequence[SurveyFile],
    warnings: Warnings,
) -> list[Topic]:
    """Return a topic per wanted page: the most exact pattern gets a file.

    A page without files is kept when others stand below it.
    """
    by_id = {file.id: file for file in files}
    ids = _ids(steering, files)
    topics: list[Topic] = []
    places: dict[tuple[str, str], int] = {}
    for source, said in steering.items():
        held = _members(said.pages, ids[source], Matcher(source, ids[source], warnings))
        parents = {page.parent for page in said.pages}
        for number, page in enumerate(said.pages):
            own = [by_id[i] for i in sorted(held.get(number, ()))]
            own.sort(key=lambda file: file.path)
            if own or page.title in parents:
                places[source, page.title] = len(topics)
                topics.append(Topic(page.title, tuple(own), is_given=True))
            else:
                warnings.add(
                    f"{source}: page '{page.title}': no files are left for it."
                )
    above = parents_of(steering, warnings)
    for pair, title in above.items():
        if pair in places and (pair[0], title) in places:
            place = places[pair]
            topics[place] = replace(topics[place], parent=places[pair[0], title])
    return topics


def _ids(
    steering: Mapping[str, SourceSteering], files: Iterable[SurveyFile]
) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {source: {} for source in steering}
    for file in files:
        if file.source in found:
            found[file.source][file.path] = file.id
    return found


def _members(
    pages: Sequence[WantedPage], ids: Mapping[str, int], matcher: Matcher
) -> dict[int, set[int]]:
    best: dict[int, tuple[int, int]] = {}
    for number, page in enumerate(pages):
        for pattern in page.paths:
            score = (exactness(pattern), -number)
            for path in matcher.matching(pattern, f"page '{page.title}'"):
                best[ids[path]] = max(best.get(ids[path], (-1, 0)), score)
    held: dict[int, set[int]] = defaultdict(set)
    for file, (_, number) in best.items():
        held[-number].add(file)
    return held


def parents_of(
    steering: Mapping[str, SourceSteering], warnings: Warnings
) -> dict[tuple[str, str], str]:
    """Return (source, title) → the title above it; circles are cut and reported."""
    found: dict[tuple[str, str], str] = {}
    for source, said in steering.items():
        above = {page.title: page.parent for page in said.pages}
        for title, parent in above.items():
            if not parent:
                continue
            if parent not in above:
                warnings.add(
                    f"{source}: page '{title}': there is no page '{parent}' to be "
                    "its parent."
                )
            elif _is_circle(title, above):
                warnings.add(f"{source}: page '{title}': its parents are circular.")
            else:
                found[source, title] = parent
    return found


def _is_circle(title: str, above: Mapping[str, str]) -> bool:
    seen = {title}
    at = above[title]
    while at:
        if at in seen:
            return True
        seen.add(at)
        at = above.get(at, "")
    return False
