"""Which sections of wikis and folders of documents are about a topic of the code.

Every section joins the topic that it is most like. In a wiki many are about something
that the code has no topic for: those name it by the way, and say nothing of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.leads import subject_of
from devrag.wiki.analysis.source_kinds import DOCUMENTS
from devrag.wiki.analysis.topics.assignment import words_of
from devrag.wiki.analysis.topics.types import DocumentSection

_FEWEST_TOPICS = 3
# Sections of a README that are about the product whatever they name.
_ON_ALL = re.compile(
    r"(features?|philosophy|(a )?quick ?start|get(ting)? started|install(ation|ing)?"
    r"|usage|overview|concepts?|motivation|goals?|docs|documentation|contributing"
    r"|(table of )?contents|people|community|support|security|faq|licen[sc]e|sponsors?"
    r"|特徴|機能|使い方|インストール|はじめに|概要|目次|ライセンス)\W*$",
    re.IGNORECASE,
)
_CLEAR_SHARE = 0.6  # of the names in a section, that are the topic's
_SURE_NAMES = 0.9  # names enough to tell what a section is about


def split_by_kind(
    analysis: Analysis, index: int
) -> tuple[list[DocumentSection], list[DocumentSection]]:
    """Return the topic's sections beside the code, and those of other sources about it.

    In a product of one kind the first are all.
    """
    sections = [
        s for s in analysis.topics[index].sections if not _is_of_all(analysis, s)
    ]
    if not analysis.has_several_kinds:
        return sections, []
    kinds = analysis.source_kinds
    beside = [s for s in sections if kinds[s.file] != DOCUMENTS]
    return beside, list(_about(analysis).get(index, ()))


def _is_of_all(analysis: Analysis, section: DocumentSection) -> bool:
    """Return whether a section of a README introduces all of several topics."""
    file = analysis.files[section.file]
    is_front = file.is_readme and not file.directory
    is_several = len(analysis.topics) >= _FEWEST_TOPICS
    return is_front and is_several and bool(_ON_ALL.match(section.title.strip()))


def sections_of(analysis: Analysis, index: int) -> list[DocumentSection]:
    """Return all sections that the page of a topic tells, or may."""
    beside, others = split_by_kind(analysis, index)
    return beside + others


@cached_by_analysis
def _about(analysis: Analysis) -> Mapping[int, Sequence[DocumentSection]]:
    """Return topic → the sections of other sources that are about it."""
    found: dict[int, list[DocumentSection]] = defaultdict(list)
    for index, topic in enumerate(analysis.topics):
        for section in topic.sections:
            if analysis.source_kinds[section.file] == DOCUMENTS:
                home = _home(analysis, index, section)
                if home is not None:
                    found[home].append(section)
    return found


def _home(analysis: Analysis, index: int, section: DocumentSection) -> int | None:
    """Return the topic that a section is about: the one it joined, or its namesake.

    It is about the one it joined where their titles share a word, or where nearly all
    names in it are that topic's.
    """
    topic = analysis.topics[index]
    file = analysis.files[section.file]
    titles = words_of(section.title, *section.above, file.title or file.stem).keys()
    if not topic.files or titles & subject_of(analysis, topic).keys():
        return index
    others = enumerate(analysis.topics)
    namesake = next((n for n, t in others if titles & words_of(t.title).keys()), None)
    if namesake is not None:
        return namesake
    shares = _shares(analysis).get(section, {})
    own = sum(s for f, s in shares.items() if analysis.topic_of.get(f) == index)
    is_clear = own >= _CLEAR_SHARE and sum(shares.values()) >= _SURE_NAMES
    return index if is_clear else None


@cached_by_analysis
def _shares(analysis: Analysis) -> Mapping[DocumentSection, Mapping[int, float]]:
    """Return section → the files that its names mean, with their shares."""
    found = analysis.topic_input([])
    return dict(zip(found.documents, found.mentions, strict=True))
