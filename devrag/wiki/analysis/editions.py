"""Documents that are editions of another one: nearly all of their texts are in it."""

from __future__ import annotations

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.survey import SurveyFile

_MOST_DOCUMENTS = 40  # of a topic, each compared with each
_FEWEST_TEXTS = 10
_NEARLY_ALL = 0.85


@cached_by_analysis
def editions_of(analysis: Analysis, index: int) -> dict[int, int]:
    """Return document of a topic → the fuller one that has nearly all of its texts."""
    files = analysis.topics[index].files
    if len(files) > _MOST_DOCUMENTS:
        return {}
    texts = {file.id: _texts(analysis, file) for file in files}
    found: dict[int, int] = {}
    main: list[int] = []
    for file in sorted(files, key=lambda f: (-len(texts[f.id]), f.path)):
        own = texts[file.id]
        fuller = (m for m in main if len(own & texts[m]) >= _NEARLY_ALL * len(own))
        other = next(fuller, None) if len(own) >= _FEWEST_TEXTS else None
        if other is None:
            main.append(file.id)
        else:
            found[file.id] = other
    return found


def _texts(analysis: Analysis, file: SurveyFile) -> set[str]:
    return {
        block.text
        for section in analysis.sections(file)
        for block in section.blocks
        if block.kind != "code"
    }
