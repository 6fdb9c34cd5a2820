"""Documents of a topic that are editions of one another, in the order of versions.

Their titles are the same but for a version, a product in brackets or `for …`, and they
share texts or headings; what merely follows one template shares headings alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.document_facts import INDEX_STEMS, info_of, title_of
from devrag.wiki.analysis.editions import editions_of
from devrag.wiki.analysis.survey import SurveyFile

_MOST = 8  # editions of a document
_LEAST_TEXTS, _LEAST_HEADINGS, _FEWEST_HEADINGS = 0.2, 0.4, 3
_BRACKETS = re.compile(r"\(.*?\)|\[.*?\]|【.*?】")
_FOR = re.compile(r"\bfor [\w.+#-]+")
_VERSION = re.compile(r"(?<![\d.])v?(\d+(?:\.\d+)*)(?![\d])", re.IGNORECASE)
_EDITION = re.compile(r"第?版|edition|version|ver\b|\W+")


@cached_by_analysis
def series_of(analysis: Analysis, index: int) -> list[list[SurveyFile]]:
    """Return the documents of a topic that have several editions, oldest first."""
    topic = analysis.topics[index]
    fuller = editions_of(analysis, index)
    groups: dict[str, list[SurveyFile]] = defaultdict(list)
    for file in topic.files:
        if file.stem.lower() in INDEX_STEMS or info_of(analysis, file).date:
            continue
        main = analysis.files[fuller[file.id]] if file.id in fuller else file
        groups[_bare_title(analysis, main)].append(file)
    found = (_ordered(analysis, files) for key, files in groups.items() if key)
    return [files for files in found if _are_editions(analysis, files)]


def _bare_title(analysis: Analysis, file: SurveyFile) -> str:
    """Return what the titles of all editions have in common."""
    text = unicodedata.normalize("NFKC", title_of(analysis, file)[0]).casefold()
    for pattern in (_BRACKETS, _FOR, _VERSION, _EDITION):
        text = pattern.sub(" ", text)
    return " ".join(text.split())


def version_in(text: str) -> tuple[int, ...]:
    """Return the first version number in a text, () without one."""
    match = _VERSION.search(unicodedata.normalize("NFKC", text).replace("_", " "))
    return tuple(int(part) for part in match[1].split(".")[:4]) if match else ()


def _ordered(analysis: Analysis, files: Iterable[SurveyFile]) -> list[SurveyFile]:
    """Return editions by their versions; the one without a version is the newest."""

    def key(file: SurveyFile) -> tuple[bool, tuple[int, ...], str]:
        version = version_in(title_of(analysis, file)[0]) or version_in(file.path)
        return not version, version, file.path

    return sorted(files, key=key)


def _are_editions(analysis: Analysis, files: Sequence[SurveyFile]) -> bool:
    if not 1 < len(files) <= _MOST:
        return False
    return all(_share(analysis, one, other) for one, other in pairwise(files))


def _share(analysis: Analysis, one: SurveyFile, other: SurveyFile) -> bool:
    texts, headings = _said(analysis, one), _headings(analysis, one)
    other_texts, other_headings = _said(analysis, other), _headings(analysis, other)
    if min(len(headings), len(other_headings)) < _FEWEST_HEADINGS:
        return False
    has_texts = _portion(texts, other_texts) >= _LEAST_TEXTS
    titles = (title_of(analysis, file)[0] for file in (one, other))
    is_versioned = all(map(version_in, titles))
    has_headings = _portion(headings, other_headings) >= _LEAST_HEADINGS
    return has_texts or (is_versioned and has_headings and bool(texts & other_texts))


def _portion(one: set[str], other: set[str]) -> float:
    """Return which share of the smaller set is in the other."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _said(analysis: Analysis, file: SurveyFile) -> set[str]:
    return {
        block.text.casefold()
        for section in analysis.sections(file)
        for block in section.blocks
        if block.kind != "code"
    }


def _headings(analysis: Analysis, file: SurveyFile) -> set[str]:
    return {s.title.casefold() for s in analysis.sections(file) if s.title}
