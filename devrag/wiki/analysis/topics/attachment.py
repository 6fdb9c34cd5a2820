"""Gives files that follow other code, as templates and migrations do, to its topic."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.types import Topic


def attach_files(topics: Sequence[Topic], files: Iterable[SurveyFile]) -> list[Topic]:
    """Return the topics with each file in the one that it serves, if any.

    That is the topic with most code in the nearest directory above the file, else in
    the one directory that a piece of its path names (`templates/search/` for `search`).
    """
    held: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    named: dict[tuple[str, str], set[str]] = defaultdict(set)
    for index, topic in enumerate(topics):
        for file in topic.files:
            if file.directory:
                held[file.source, file.directory][index] += file.lines
                name = file.directory.rpartition("/")[2]
                named[file.source, name].add(file.directory)
    added: dict[int, list[SurveyFile]] = defaultdict(list)
    for file in files:
        votes = _above(held, file) or _namesake(held, named, file)
        if votes:
            added[min(votes, key=lambda n: (-votes[n], n))].append(file)
    return [
        replace(topic, files=(*topic.files, *added[index])) if added[index] else topic
        for index, topic in enumerate(topics)
    ]


def _above(held: dict[tuple[str, str], Counter[int]], file: SurveyFile) -> Counter[int]:
    folder = file.directory
    while folder:
        if votes := held.get((file.source, folder)):
            return votes
        folder = folder.rpartition("/")[0]
    return Counter()


def _namesake(
    held: dict[tuple[str, str], Counter[int]],
    named: dict[tuple[str, str], set[str]],
    file: SurveyFile,
) -> Counter[int]:
    folders = {
        folder
        for piece in file.directory.split("/")
        for folder in named.get((file.source, piece), ())
    }
    return held[file.source, folders.pop()] if len(folders) == 1 else Counter()
