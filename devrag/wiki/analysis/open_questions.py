"""What documents leave open: open tickets, TODO and TBD, questions, unticked boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.document_facts import info_of
from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.names import QuotedNames
from devrag.wiki.analysis.prose import full_stop, told_sentences
from devrag.wiki.analysis.survey import SurveyFile

_ASKS = re.compile(
    r"^\W*(open (questions?|issues?|points?|items?)"
    r"|(unresolved|outstanding) (questions?|issues?)|questions?"
    r"|to be (decided|discussed|clarified)"
    r"|未決(事項|定事項)?|残課題|今後の課題|未解決の?(問題|事項|課題)|確認事項"
    r"|要確認(事項)?|検討事項|質問)\W*$",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"^\W*(to[- ]?dos?|action items?|actions|next steps?|follow[- ]?ups?"
    r"|宿題(事項)?|アクション(アイテム)?|次のステップ|やること"
    r"|ネクストアクション)\W*$",
    re.IGNORECASE,
)
# Such a heading may as well be on what the words mean: only boxes show that it is open.
_BOXED = re.compile(r"^\W*(tasks?|checklist|タスク|課題)\W*$", re.IGNORECASE)
_MARKED = re.compile(
    r"^\W*(TODO|TBD|TBC|FIXME)\b|\b(TODO|TBD|FIXME)\s*[:：]"
    r"|[(\[（](TODO|TBD|TBC)[)\]）]"
    r"|\bopen questions?\s*:|\b(still )?to be (decided|determined|confirmed|discussed"
    r"|clarified)\b|\b(is|remains) (still )?(undecided|unresolved|an open question)\b"
    r"|未決(定|事項)?(?!算)|要確認|要検討|検討中|確認中|未定(?!義|数)|保留(中|事項)"
)
# A rule on how such marks are written leaves nothing open.
_ON_MARKS = re.compile(
    r"\b(TODO|FIXME)s?[\s`」”]*(コメント|タグ|comments?\b|tags?\b|markers?\b)",
    re.IGNORECASE,
)
_TICKED, _UNTICKED = re.compile(r"^\[[xX✓]\]"), re.compile(r"^\[ ?\]\s*")
_ANSWERED = re.compile(r"\b(resolved|done|answered|closed)\b|解決済|完了|決定済", re.I)
_MOST_OF_DOCUMENT = 20
_SHORTEST, _LONGEST = 6, 360


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """What a document leaves open, in its words, with its lines."""

    file: int
    text: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class OpenTicket:
    """A ticket that somebody may work on."""

    file: SurveyFile
    date: date | None


@cached_by_analysis
def open_questions(analysis: Analysis) -> tuple[OpenQuestion, ...]:
    """Return what documents leave open, by source and path; tickets left aside."""
    files = (f for f in analysis.topic_documents if f.document_kind != "ticket")
    return tuple(each for file in files for each in _of_file(analysis, file))


@cached_by_analysis
def open_tickets_by_date(analysis: Analysis) -> tuple[OpenTicket, ...]:
    """Return the open tickets, the one that changed last first."""
    found = []
    for file in analysis.topic_documents:
        info = info_of(analysis, file)
        if info.kind == "ticket" and not info.is_closed:
            found.append(OpenTicket(file, info.date))
    found.sort(key=lambda ticket: ticket.file.path)
    found.sort(key=lambda ticket: ticket.date or date.min, reverse=True)
    return tuple(found)


def _of_file(analysis: Analysis, file: SurveyFile) -> list[OpenQuestion]:
    found: list[OpenQuestion] = []
    for section in analysis.sections(file):
        for block in section.blocks:
            if block.kind in {"code"} or not _is_open(section, block):
                continue
            if text := _said(block):
                place = (block.start_line, block.end_line)
                found.append(OpenQuestion(file.id, text, *place))
    return found[:_MOST_OF_DOCUMENT]


def _is_open(section: Section, block: DocumentBlock) -> bool:
    text = block.text.replace("\t", " ")
    if _TICKED.match(text) or (block.kind == "item" and text.startswith("~~")):
        return False
    if _UNTICKED.match(text):
        open_headings = (_ASKS, _LISTS, _BOXED)
        return any(pattern.match(section.title) for pattern in open_headings)
    if block.kind == "item" and _ASKS.match(section.title):
        return not _ANSWERED.search(text)
    if block.kind == "text" and _ASKS.match(section.title):
        return text.rstrip().endswith(("?", "？"))
    if block.kind == "item" and _LISTS.match(section.title):
        return not _ANSWERED.search(text)
    return bool(_MARKED.search(text)) and not _ON_MARKS.search(text)


def _said(block: DocumentBlock) -> str:
    """Return what is open: the sentence with the mark, else the first ones."""
    text = _UNTICKED.sub("", block.text.replace("\t", " ")).strip()
    told = list(_fit(told_sentences(text, QuotedNames())))
    marked = [s for s in told if _MARKED.search(s)]
    chosen = marked[:1] or told[:2]
    return " ".join(full_stop(sentence) for sentence in chosen)


def _fit(found: list[str]) -> Iterator[str]:
    yield from (s for s in found if _SHORTEST <= len(s) <= _LONGEST)
