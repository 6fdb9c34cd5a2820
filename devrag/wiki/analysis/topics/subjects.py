"""The topics in the making: what their files weigh, and which directories hold them."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.material import TopicInput
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.analysis.topics.words import SHARED_FOLDERS

# A module that its name calls private hardly names a topic.
_HIDDEN, _HIDDEN_SHARE = re.compile(r"_(?!_)"), 0.3


@dataclass(frozen=True, slots=True)
class Subject:
    """A topic in the making. weights: file → its weight, 1 in all."""

    topic: Topic
    files: Sequence[SurveyFile]
    weights: Mapping[int, float]


def subject_of(found: TopicInput, place: int, topics: Sequence[Topic]) -> Subject:
    inside = [file for t in topics if t.parent == place for file in t.files]
    files = [*topics[place].files, *inside]
    weights = {
        file.id: math.sqrt((1 + file.lines) * found.rank.get(file.id, 1.0))
        * (_HIDDEN_SHARE if _HIDDEN.match(file.name) else 1.0)
        for file in files
    }
    total = sum(weights.values()) or 1.0
    return Subject(
        topics[place], files, {f: weight / total for f, weight in weights.items()}
    )


def share_of_shared(subject: Subject) -> float:
    """Return how much of a topic is in directories for what all use."""
    return sum(
        subject.weights[file.id]
        for file in subject.files
        if SHARED_FOLDERS & set(file.directory.lower().split("/"))
    )


def lines_of_folders(files: Iterable[SurveyFile]) -> dict[tuple[str, str], int]:
    """Return directory → the lines of code anywhere in it."""
    lines: dict[tuple[str, str], int] = defaultdict(int)
    for file in files:
        for folder in folders_around(file):
            lines[folder] += 1 + file.lines
    return lines


def folders_around(file: SurveyFile) -> list[tuple[str, str]]:
    pieces = file.directory.split("/")
    return [(file.source, "/".join(pieces[: n + 1])) for n in range(len(pieces))]
