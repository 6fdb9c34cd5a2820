"""What is known of a document beside its text: kind, labels, status, dates.

Pages and tickets have it above their text as their connector wrote it; other files as
front matter, in a line `Date: …`, or in their name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import yaml

from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.survey import SurveyFile

INDEX_STEMS = ("readme", "index", "_index", "home", "overview", "概要", "はじめに")
_HEAD_LINES = 40
_DATE_LINES = 30  # in which a document says when it was written
_LONGEST_HEAD = 8000
_WRITTEN = ("date", "created", "created_at", "pubdate", "published")
_CHANGED = (
    "changed",
    "updated",
    "last_updated",
    "lastmod",
    "modified",
    "last_modified",
)
_LABELS = ("labels", "tags", "categories", "category", "topics", "keywords")
_STATED = re.compile(
    r"^[\W_]*(?:last[ -]updated|updated|created|date|日付|日時|作成日|更新日|開催日)"
    r"[\W_]*?[:：|][\W_]*(?P<date>\d{4}.*)$",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
    r"|年\s?(?P<jmonth>\d{1,2})月\s?(?P<jday>\d{1,2})日)(?!\d)"
)
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)-?(\d\d)-?(\d\d)(?!\d)")


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """What is known of a document.

    kind: page, ticket or attachment; '' for a file of a folder or repository. written,
    changed: None where not known. title_line, date_line, status_line: 1-based, 0 where
    the text does not say it. head_lines: how many the front matter has.
    """

    kind: str = ""
    title: str = ""
    labels: tuple[str, ...] = ()
    status: str = ""
    is_closed: bool = False
    written: date | None = None
    changed: date | None = None
    title_line: int = 0
    date_line: int = 0
    status_line: int = 0
    head_lines: int = 0

    @property
    def date(self) -> date | None:
        """Return when it was changed last, else when it was written."""
        return self.changed or self.written


def read_info(text: str, path: str, kind: str = "") -> DocumentInfo:
    """Return what a document's text and path tell of it."""
    lines = text[:_LONGEST_HEAD].split("\n")
    end = _end_of_head(lines)
    head = _head(lines[1:end]) if end else {}
    written, of_written = _first_date(head, _WRITTEN)
    changed, of_changed = _first_date(head, _CHANGED)
    date_line = _line_of(lines[:end], of_changed or of_written)
    if not (written or changed):
        written, date_line = _stated(lines[end : end + _DATE_LINES], end)
    if not (written or changed):
        written = read_date(path.rpartition("/")[2], _COMPACT)
    return DocumentInfo(
        kind=kind,
        title=_text(head.get("title")) or _hero(head),
        labels=tuple(_labels(head)),
        status=_text(head.get("status")),
        is_closed=head.get("is_closed") is True,
        written=written,
        changed=changed,
        title_line=_line_of(lines[:end], "title") or _line_of(lines[:end], "  name"),
        date_line=date_line,
        status_line=_line_of(lines[:end], "status"),
        head_lines=end + 1 if end else 0,
    )


def read_date(text: str, form: re.Pattern[str] = _DATE) -> date | None:
    """Return the first day that a text names in numbers, None without one."""
    for match in form.finditer(text):
        numbers = [int(each) for each in match.groups() if each]
        try:
            return date(*numbers)
        except ValueError:
            continue
    return None


def document_title(
    info: DocumentInfo, file: SurveyFile, sections: Sequence[Section]
) -> tuple[str, int]:
    """Return what a document is called, and the line that says so; 0 where none does.

    A heading below the first level counts where the document begins with it; the
    opening document of a folder is rather called as the folder.
    """
    if info.title:
        return info.title, info.title_line
    first = next((s for s in sections if s.title or s.blocks), None)
    is_opening = file.stem.lower() in INDEX_STEMS and bool(file.directory)
    if first is not None and first.title and (first.level < 2 or not is_opening):
        return first.title, first.line
    if file.title and not is_opening:
        return file.title, 0
    name = file.directory.rpartition("/")[2] if is_opening else file.stem
    name = re.sub(r"[-_]+", " ", name).strip()
    return name[:1].upper() + name[1:], 0


def _hero(head: Mapping[str, Any]) -> str:
    """Return the name that the home of a site shows in large letters."""
    hero = head.get("hero")
    name = hero.get("name") or hero.get("text") if isinstance(hero, dict) else ""
    return _text(re.sub(r"<[^>]*>", "", name)) if isinstance(name, str) else ""


def _end_of_head(lines: Sequence[str]) -> int:
    """Return the place of the line that ends the front matter, 0 without any."""
    if not lines or lines[0].strip() != "---":
        return 0
    ends = (
        n for n, line in enumerate(lines[1:_HEAD_LINES], 1) if line.strip() == "---"
    )
    return next(ends, 0)


def _head(lines: Sequence[str]) -> Mapping[str, Any]:
    try:
        found = yaml.safe_load("\n".join(lines))
    except (yaml.YAMLError, ValueError):
        return {}
    known = found if isinstance(found, dict) else {}
    return {str(key).lower(): value for key, value in known.items()}


def _first_date(
    head: Mapping[str, Any], keys: Sequence[str]
) -> tuple[date | None, str]:
    for key in keys:
        value = head.get(key)
        if isinstance(value, datetime):
            return value.date(), key
        if isinstance(value, date):
            return value, key
        if isinstance(value, str) and (found := read_date(value)):
            return found, key
    return None, ""


def _line_of(lines: Sequence[str], key: str) -> int:
    begins = f"{key}:"
    found = (n for n, each in enumerate(lines, 1) if each.lower().startswith(begins))
    return next(found, 0) if key else 0


def _stated(lines: Sequence[str], before: int) -> tuple[date | None, int]:
    """Return the day that a line like `Date: 2024-05-01` gives, and the line."""
    for number, line in enumerate(lines, before + 1):
        match = _STATED.match(line)
        if match and (found := read_date(match["date"])):
            return found, number
    return None, 0


def _labels(head: Mapping[str, Any]) -> Iterator[str]:
    for key in _LABELS:
        value = head.get(key)
        pieces = value.split(",") if isinstance(value, str) else value
        for each in pieces if isinstance(pieces, list) else ():
            if isinstance(each, str) and each.strip():
                yield each.strip()


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
