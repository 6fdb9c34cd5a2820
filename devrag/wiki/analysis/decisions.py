"""Decisions that documents and tickets record, found by their form alone.

Decision records (Nygard, MADR), pages labelled `decision`, sections headed “Decision”
or 「決定事項」, and closed tickets whose last words say what was decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.decision_forms import (
    DECISION,
    DECISIONS,
    Decision,
    is_fit,
    sentence_of,
    telling_blocks,
    with_inner,
)
from devrag.wiki.analysis.decision_records import (
    NO_RECORD,
    is_record_of_decision,
    read_record,
)
from devrag.wiki.analysis.document_facts import info_of, title_of
from devrag.wiki.analysis.document_info import DocumentInfo, read_date
from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.names import QuotedNames
from devrag.wiki.analysis.prose import full_stop, told_sentences
from devrag.wiki.analysis.survey import SurveyFile

_FOLDER = re.compile(
    r"(^|/)(adrs?|decisions?|decision[-_ ]?(records?|log)|architecture[-_]decisions"
    r"|意思決定|決定事項)(/|$)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(architecture )?(decisions?|adrs?|決定(事項)?)([-_ ]records?)?$", re.I
)
_DECIDED = re.compile(
    r"\b(we|the team|it was|has been|have)\b[^.]{0,40}\b(decided|agreed|chosen)\b"
    r"|\b(decision|resolution|conclusion)\s*:|\bdecided (to|that|on|against|not to)\b"
    r"|\bwe will (go|use|keep|stay|not|no longer|drop|remove|support)\b|\bwon'?t fix\b"
    r"|(こと|方針)に(決定|決め|しま|した|なりました)|と決定|に決定|で決定|決定しました"
    r"|を採用(します|しました|することに|する)|見送(る|ります|りました)",
    re.IGNORECASE,
)
_MENTIONS = re.compile(r"decision|decided|決定|決ま", re.IGNORECASE)
_MOST_OF_DOCUMENT = 12

__all__ = ["Decision", "decisions_of", "decisions_of_topic", "records_of"]


@cached_by_analysis
def decisions_of(analysis: Analysis) -> tuple[Decision, ...]:
    """Return all decisions, the newest first, those without a date last."""
    found = [each for file in _documents(analysis) for each in _of_file(analysis, file)]
    later = {d.supersedes: d.file for d in found if d.supersedes is not None}
    found = [
        replace(d, is_superseded=True, superseded_by=later[d.file])
        if d.is_record and d.file in later
        else d
        for d in found
    ]
    found.sort(key=lambda d: (analysis.files[d.file].path, d.start_line))
    found.sort(key=lambda d: d.date or date.min, reverse=True)
    return tuple(found)


@cached_by_analysis
def records_of(analysis: Analysis) -> dict[int, Decision]:
    """Return document → its decision, of those that record one alone."""
    return {each.file: each for each in decisions_of(analysis) if each.is_record}


@cached_by_analysis
def decisions_of_topic(analysis: Analysis, index: int) -> tuple[Decision, ...]:
    """Return the decisions in documents that a topic's page tells, the newest first."""
    topic = analysis.topics[index]
    files = {file.id for file in topic.files if file.kind == "doc"}
    spans = [(s.file, s.start_line, s.end_line) for s in topic.sections]
    return tuple(
        each
        for each in decisions_of(analysis)
        if each.file in files
        or any(f == each.file and a <= each.start_line <= b for f, a, b in spans)
    )


def _documents(analysis: Analysis) -> Iterable[SurveyFile]:
    if analysis.is_of_documents:
        return analysis.topic_documents
    return [f for f in analysis.with_role("doc", "ticket") if f.lines > 2]


def _of_file(analysis: Analysis, file: SurveyFile) -> Iterator[Decision]:
    text = analysis.texts.text(file.id)
    info = info_of(analysis, file)
    is_labelled = any(map(_LABEL.match, info.labels))
    is_in_folder = bool(_FOLDER.search(file.directory))
    if not (is_labelled or is_in_folder or _MENTIONS.search(text)):
        return
    if is_in_folder and NO_RECORD.match(file.stem):
        return  # it tells how the others are written
    sections = analysis.sections(file)
    if info.kind == "ticket":
        yield from _of_ticket(analysis, file, info, sections)
    elif is_labelled or is_record_of_decision(file, sections, is_in_folder):
        yield read_record(analysis, file, info, sections)
    else:
        yield from _of_sections(analysis, file, info, sections)


def _of_sections(
    analysis: Analysis,
    file: SurveyFile,
    info: DocumentInfo,
    sections: Sequence[Section],
) -> Iterator[Decision]:
    """Yield what stands below headings such as “Decisions”, each item by itself."""
    title, line = title_of(analysis, file)
    count = 0
    for number, section in enumerate(sections):
        is_many = bool(DECISIONS.match(section.title))
        if not is_many and not DECISION.match(section.title):
            continue
        above = _dated_heading(sections[: number + 1])
        blocks = [b for s in with_inner(sections, section) for b in s.blocks]
        for block in telling_blocks(blocks):
            if count == _MOST_OF_DOCUMENT:
                return
            count += 1
            yield Decision(
                file=file.id,
                title=title,
                date=above[0] or info.written or info.changed,
                status="",
                sentence=sentence_of(block),
                start_line=block.start_line,
                end_line=block.end_line,
                title_line=line,
                date_line=above[1] or info.date_line,
            )
            if not is_many:
                break


def _of_ticket(
    analysis: Analysis,
    file: SurveyFile,
    info: DocumentInfo,
    sections: Sequence[Section],
) -> Iterator[Decision]:
    """Yield what the last words of a closed ticket decide."""
    last = next((s for s in reversed(sections) if s.blocks), None)
    if not info.is_closed or last is None:
        return
    for block in telling_blocks(last.blocks):
        for sentence in told_sentences(block.text, QuotedNames()):
            if not _DECIDED.search(sentence) or not is_fit(sentence):
                continue
            title, line = title_of(analysis, file)
            day = read_date(last.title)
            yield Decision(
                file=file.id,
                title=title,
                date=day or info.changed or info.written,
                status=info.status,
                sentence=full_stop(sentence),
                start_line=block.start_line,
                end_line=block.end_line,
                title_line=line,
                date_line=last.line if day else info.date_line,
                status_line=info.status_line,
            )
            return


def _dated_heading(sections: Sequence[Section]) -> tuple[date | None, int]:
    """Return the day that the nearest heading above names, and its line."""
    level = sections[-1].level + 1
    for section in reversed(sections):
        if section.level < level:
            level = section.level
            if day := read_date(section.title):
                return day, section.line
    return None, 0
