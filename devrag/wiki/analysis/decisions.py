"""Decisions that documents and tickets record, found by their form alone.

Decision records (Nygard, MADR), pages labelled `decision`, sections headed “Decision”
or 「決定事項」, and closed tickets whose last words say what was decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.document_facts import info_of, title_of
from devrag.wiki.analysis.document_info import DocumentInfo, read_date
from devrag.wiki.analysis.document_links import DocumentPaths
from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.names import QuotedNames
from devrag.wiki.analysis.passages import is_leading
from devrag.wiki.analysis.prose import full_stop, told_sentences
from devrag.wiki.analysis.survey import SurveyFile

_FOLDER = re.compile(
    r"(^|/)(adrs?|decisions?|decision[-_ ]?(records?|log)|architecture[-_]decisions"
    r"|意思決定|決定事項)(/|$)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(adr[-_ ]?)?(?P<number>\d{1,5})[-_. ]", re.IGNORECASE)
_NO_RECORD = re.compile(r"^(readme|index|_index|template.*|.*[-_]template)$", re.I)
_LABEL = re.compile(
    r"^(architecture )?(decisions?|adrs?|決定(事項)?)([-_ ]records?)?$", re.I
)
_DECISION = re.compile(
    r"^\W*(decision( outcome| made)?|our decision|what we decided"
    r"|決定(した)?(内容)?)\W*$",
    re.IGNORECASE,
)
_DECISIONS = re.compile(
    r"^\W*(key )?(decisions( made| taken)?|決定事項|決まったこと)\W*$", re.I
)
_STATUS = re.compile(r"^\W*(status|state|ステータス|状態|状況)\W*$", re.IGNORECASE)
_STATED = re.compile(
    r"^[\W_]*(?:status|ステータス|状態)[\W_]*?[:：][\W_]*(?P<status>\S.*?)[\s*_|]*$",
    re.I,
)
_DATED = re.compile(r"^\W*(date|日付|deciders?|決定者|author|consulted)\W*[:：]", re.I)
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
_DECIDED = re.compile(
    r"\b(we|the team|it was|has been|have)\b[^.]{0,40}\b(decided|agreed|chosen)\b"
    r"|\b(decision|resolution|conclusion)\s*:|\bdecided (to|that|on|against|not to)\b"
    r"|\bwe will (go|use|keep|stay|not|no longer|drop|remove|support)\b|\bwon'?t fix\b"
    r"|(こと|方針)に(決定|決め|しま|した|なりました)|と決定|に決定|で決定|決定しました"
    r"|を採用(します|しました|することに|する)|見送(る|ります|りました)",
    re.IGNORECASE,
)
_MENTIONS = re.compile(r"decision|decided|決定|決ま", re.IGNORECASE)
_HEAD_LINES = 30
_MOST_OF_DOCUMENT = 12
_LONGEST, _SHORTEST = 420, 12
_REST_OF_TITLE = re.compile(
    r"^\W*(ADR[-_ ]?)?\d{1,5}[.:)\s-]+|^ADR[-_ ]?\d*[:.]?\s*", re.I
)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as its document has it.

    title: of the record, page or ticket. status: in its own words, '' where it has
    none. sentence: what was decided, '' where nothing says it alone; with its lines.
    is_record: the document is about it alone. superseded_by: the document whose
    decision holds instead, where that is known; supersedes: the other way round.
    """

    file: int
    title: str
    date: date | None
    status: str
    sentence: str
    start_line: int
    end_line: int
    title_line: int = 0
    date_line: int = 0
    status_line: int = 0
    is_record: bool = False
    is_superseded: bool = False
    superseded_by: int | None = None
    supersedes: int | None = None


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
    if is_in_folder and _NO_RECORD.match(file.stem):
        return  # it tells how the others are written
    sections = analysis.sections(file)
    if info.kind == "ticket":
        yield from _of_ticket(analysis, file, info, sections)
    elif is_labelled or _is_record(file, sections, is_in_folder=is_in_folder):
        yield _record(analysis, file, info, sections)
    else:
        yield from _of_sections(analysis, file, info, sections)


def _is_record(
    file: SurveyFile, sections: Sequence[Section], *, is_in_folder: bool
) -> bool:
    """Return whether a document is the record of one decision."""
    if _NO_RECORD.match(file.stem):
        return False
    titles = [section.title for section in sections]
    is_decided = any(map(_DECISION.match, titles))
    has_status = any(map(_STATUS.match, titles))
    if is_in_folder:
        return is_decided or has_status or bool(_NUMBERED.match(file.name))
    return is_decided and has_status


def _record(
    analysis: Analysis,
    file: SurveyFile,
    info: DocumentInfo,
    sections: Sequence[Section],
) -> Decision:
    title, line = title_of(analysis, file)
    status, status_line = _status(analysis, file, info, sections)
    told = [
        s for s in sections if _DECISION.match(s.title) or _DECISIONS.match(s.title)
    ]
    inside = [s for own in told for s in _with_inner(sections, own)]
    said = _first_sentence(
        inside or [s for s in sections if not _STATUS.match(s.title)]
    )
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
        if (stated := _STATED.match(line)) and (
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
        is_many = bool(_DECISIONS.match(section.title))
        if not is_many and not _DECISION.match(section.title):
            continue
        above = _dated_heading(sections[: number + 1])
        blocks = [b for s in _with_inner(sections, section) for b in s.blocks]
        for block in _telling(blocks):
            if count == _MOST_OF_DOCUMENT:
                return
            count += 1
            yield Decision(
                file=file.id,
                title=title,
                date=above[0] or info.written or info.changed,
                status="",
                sentence=_sentence(block),
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
    for block in _telling(last.blocks):
        for sentence in told_sentences(block.text, QuotedNames()):
            if not _DECIDED.search(sentence) or not _is_fit(sentence):
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


def _with_inner(sections: Sequence[Section], own: Section) -> Iterator[Section]:
    """Yield a section and those inside it."""
    place = next(n for n, section in enumerate(sections) if section is own)
    yield own
    for section in sections[place + 1 :]:
        if section.level <= own.level:
            return
        yield section


def _dated_heading(sections: Sequence[Section]) -> tuple[date | None, int]:
    """Return the day that the nearest heading above names, and its line."""
    level = sections[-1].level + 1
    for section in reversed(sections):
        if section.level < level:
            level = section.level
            if day := read_date(section.title):
                return day, section.line
    return None, 0


def _first_sentence(sections: Iterable[Section]) -> tuple[str, int, int]:
    """Return the first sentence that tells something, with the lines of its block."""
    blocks = [block for section in sections for block in section.blocks]
    for block in _telling(blocks):
        return _sentence(block), block.start_line, block.end_line
    return "", 0, 0


def _telling(blocks: Iterable[DocumentBlock]) -> Iterator[DocumentBlock]:
    return (b for b in blocks if b.kind in {"text", "item", "quote"} and _sentence(b))


def _sentence(block: DocumentBlock) -> str:
    """Return the first sentence of a block that ends, '' without any."""
    told = told_sentences(block.text, QuotedNames())
    said = next((full_stop(s) for s in told if _is_fit(s)), "")
    return said[:1].upper() + said[1:]


def _is_fit(sentence: str) -> bool:
    if _STATED.match(sentence) or _DATED.match(sentence):
        return False
    is_long = len(sentence) >= _SHORTEST and not sentence.rstrip().endswith((":", "："))
    return is_long and len(sentence) <= _LONGEST and not is_leading(sentence)
