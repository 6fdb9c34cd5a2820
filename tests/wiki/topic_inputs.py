"""What topics are found in, made from short descriptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.material import TopicInput
from tests.wiki.shop import analyse


def code_file(number: int, path: str, lines: int = 50) -> SurveyFile:
    return SurveyFile(number, "s", path, "python", "code", lines)


def code_files(paths: Iterable[str], lines: int = 50) -> list[SurveyFile]:
    return [code_file(number, path, lines) for number, path in enumerate(paths, 1)]


def uses(
    files: Sequence[SurveyFile], pairs: Iterable[tuple[str, str]]
) -> dict[int, dict[int, float]]:
    """Return the edges of files that use each other, by their paths."""
    numbers = {file.path: file.id for file in files}
    edges: dict[int, dict[int, float]] = {}
    for source, target in pairs:
        edges.setdefault(numbers[source], {})[numbers[target]] = 2.0
    return edges


def topic_input(tree: Mapping[str, str]) -> TopicInput:
    """Return what topics of a tree are found in, as a run does."""
    return analyse(tree).topic_input([])
