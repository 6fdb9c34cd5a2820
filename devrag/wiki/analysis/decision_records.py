"""Reads the records of single decisions: Nygard's form, MADR, pages labelled so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.decision_forms import (
    DECISION,
    DECISIONS,
    STATED,
    Decision,
    first_sentence,
    with_inner,
)
from devrag.wiki.analysis.document_facts import title_of
from devrag.wiki.analysis.document_info import DocumentInfo
from devrag.wiki.analysis.document_links import DocumentPaths
from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.survey import SurveyFile

_NUMBERED = re.compile(r"^(adr[-_ ]?)?(?P<number>\d{1,5})[-_. ]", re.IGNORECASE)
NO_RECORD = re.compile(r"^(readme|index|_index|template.*|.*[-_]template)$", re.I)
_STATUS = re.compile(r"^\W*(status|state|ステータス|状態|状況)\W*$", re.IGNORECASE)
_STATES = re.compile(
    r"^\W*(?P<state>accepted|approved|proposed|draft|pending|rejected|deprecated|amended"
    r"|implemented|superseded|obsolete|replaced|done|active|partly superseded|withdrawn"
    r"|承認|採択|採用|提案|却下|廃止|保留|置き換え)",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"^\W*(superseded|deprecated|obsolete|replaced|廃止|失効|置き換え)", re.IGNORECASE
)
_BY = re.compile(
    r"(?:superseded|replaced|置き換え)\w*\W*(?:by|with)?\W*(?:\[(?P<label>[^\]]*)\]"
    r"\((?P<target>[^)\s]+)|(?:ADR[-_ ]?)?(?P<number>\d{1,5})\b)",
    re.IGNORECASE,
)
_INSTEAD_OF = re.compile(
    r"\b(?:supersedes|replaces)\W*(?:\[(?P<label>[^\]]*)\]\((?P<target>[^)\s]+)"
    r"|(?:ADR[-_ ]?)?(?P<number>\d{1,5})\b)",
    re.IGNORECASE,
)
_HEAD_LINES = 30
_REST_OF_TITLE = re.compile(
    r"^\W*(ADR[-_ ]?)?\d{1,5}[.:)\s-]+|^ADR[-_ ]?\d*[:.]?\s*", re.I
)


def is_record_of_decision(
    file: SurveyFile, sections: Sequence[Section], is_in_folder: bool
) -> bool:
    """Return whether a document is the record of one decision."""
    if NO_RECORD.match(file.stem):
        return False
    titles = [section.title for section in sections]
    is_decided = any(map(DECISION.match, titles))
    has_status = any(map(_STATUS.match, titles))
    if is_in_folder:
        return is_decided or has_status or bool(_NUMBERED.match(file.name))
    return is_decided and has_status


def read_record(
    analysis: Analysis,
    file: SurveyFile,
    info: DocumentInfo,
    sections: Sequence[Section],
) -> Decision:
    title, line = title_of(analysis, file)
    status, status_line = _status(analysis, file, info, sections)
    told = [s for s in sections if DECISION.match(s.title) or DECISIONS.match(s.title)]
    inside = [s for own in told for s in with_inner(sections, own)]
    said = first_sentence(inside or [s for s in sections if not _STATUS.match(s.title)])
    decision = Decision(
        file=file.id,
        title=_REST_OF_TITLE.sub("", title).strip() or title,
        date=info.written or info.changed,
        status=status,
        sentence=said[0],
        start_line=said[1] or line,
        end_line=said[2] or line,
        title_line=line,
        date_line=info.date_line,
        status_line=status_line,
        is_record=True,
    )
    return _superseded(analysis, file, sections, decision)


def _status(
    analysis: Analysis,
    file: SurveyFile,
    info: DocumentInfo,
    sections: Sequence[Section],
) -> tuple[str, int]:
    """Return a record's status in its own word, and the line that has it."""
    if info.status:
        return info.status, info.status_line
    for section in sections:
        if _STATUS.match(section.title) and section.blocks:
            block = section.blocks[0]
            match = _STATES.match(block.text)
            word = match["state"] if match else block.text.split(".")[0][:40]
            return word.strip(" *_."), block.start_line
    lines = analysis.texts.text(file.id).split("\n", _HEAD_LINES + 1)[:_HEAD_LINES]
    for number, line in enumerate(lines, 1):
        if (stated := STATED.match(line)) and (
            match := _STATES.match(stated["status"])
        ):
            return match["state"], number
    return "", 0


def _superseded(
    analysis: Analysis, file: SurveyFile, sections: Sequence[Section], found: Decision
) -> Decision:
    """Mark a decision that no longer holds, with the one that holds instead."""
    own = [s for s in sections if _STATUS.match(s.title)]
    blocks = [block for section in own for block in section.blocks]
    lines = analysis.lines.of(file.id) if found.status_line else []
    stated = "".join(lines[found.status_line - 1 : found.status_line])
    texts = [block.text for block in blocks] or [stated.partition(":")[2]]
    older = next((m for text in texts if (m := _INSTEAD_OF.search(text))), None)
    if older is not None:
        found = replace(found, supersedes=_target(analysis, file, older))
    if not any(map(_GONE.match, [*texts, found.status])):
        return found
    match = next((m for text in texts if (m := _BY.search(text))), None)
    target = _target(analysis, file, match) if match else None
    return replace(found, is_superseded=True, superseded_by=target)


def _target(analysis: Analysis, file: SurveyFile, match: re.Match[str]) -> int | None:
    if match["target"]:
        return _paths(analysis).target(file, match["target"])
    wanted = int(match["number"])
    beside = (
        other
        for other in analysis.survey.files
        if other.source == file.source and other.directory == file.directory
    )
    numbered = ((other, _NUMBERED.match(other.name)) for other in beside)
    return next((f.id for f, m in numbered if m and int(m["number"]) == wanted), None)


@cached_by_analysis
def _paths(analysis: Analysis) -> DocumentPaths:
    return DocumentPaths(f for f in analysis.survey.files if f.kind == "doc")
