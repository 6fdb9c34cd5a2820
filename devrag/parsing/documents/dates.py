"""Dates as people write them in headings, front matter and notes."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
# Groups are year, month, day in this order, or day, month, year and month, day, year.
_WRITTEN = (
    (r"(\d{4})-(\d{1,2})-(\d{1,2})", "ymd"),
    (r"(\d{4})/(\d{1,2})/(\d{1,2})", "ymd"),
    (r"(\d{4})\.(\d\d)\.(\d\d)", "ymd"),
    (r"((?:19|20)\d\d)(\d\d)(\d\d)", "ymd"),
    (r"(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日", "ymd"),
    (rf"(\d{{1,2}})(?:st|nd|rd|th)?[ -]({_MONTH})\.?,?[ -](\d{{4}})", "dmy"),
    (rf"({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})", "mdy"),
)
_DATE = re.compile(
    rf"(?<![\d.-])(?:{'|'.join(pattern for pattern, _ in _WRITTEN)})(?!\d)",
    re.IGNORECASE,
)
_ORDERS = tuple(order for _, order in _WRITTEN)
_OPENING, _CLOSING = " \t([{<（［【「", " \t)]}>）］】」"
_BETWEEN = " \t-–—:,./|・、：／"
# A time of day or a day of the week behind a date.
_DETAIL = re.compile(
    r"(?:[T ]?\d{1,2}:\d\d(?::\d\d)?Z?"
    r"|[ (（]{0,2}(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b"
    r"|[月火水木金土日](?:曜日?)?(?=[)） ]|$))[)）]?)+",
    re.IGNORECASE,
)
_ENDING = re.compile(
    r"[)\]}>）］】」]*(?: ?\[yanked\])?(?: [–—-] .*)?\s*", re.IGNORECASE
)
_RELEASED = re.compile(r"[\s(（]+released(?: on)?$", re.IGNORECASE)
_LINE_LIMIT = 200


def read_date(text: str) -> str:
    """Return the ISO date that a text begins with, '' when there is none."""
    found = _DATE.match(text.strip()[:_LINE_LIMIT].lstrip("<["))
    return _iso(found) if found else ""


def split_date(text: str) -> tuple[str, str] | None:
    """Return the words and the date of a line that begins or ends with a date.

    The words are the whole line where nothing but dates is in it.
    """
    text = text[:_LINE_LIMIT].strip()
    for found in _DATE.finditer(text):
        day = _iso(found)
        before, after = text[: found.start()], text[found.end() :]
        if detail := _DETAIL.match(after):
            after = after[detail.end() :]
        if not day or (after[:1].isascii() and after[:1].isalnum()):
            continue
        if not before.strip(_OPENING):
            # Japanese goes on without a blank: 2024年5月1日の議事録.
            words = "" if after[:1].isalnum() else after.lstrip(_CLOSING + _BETWEEN)
        elif _may_precede(before) and _ENDING.fullmatch(after):
            words = _RELEASED.sub("", before.rstrip(_OPENING))
            words = words.rstrip(_BETWEEN + _OPENING)
        else:
            continue
        has_words = any(map(str.isalnum, words)) and not _DATE.fullmatch(words)
        return (words if has_words else text), day
    return None


def _may_precede(before: str) -> bool:
    """Return whether a date may follow: behind a blank, a bracket or Japanese."""
    last = before[-1:]
    return last in _OPENING + ":,：、" or not last.isascii()


def _iso(found: re.Match[str]) -> str:
    groups = found.groups()
    first = next(n for n, group in enumerate(groups) if group is not None)
    parts = dict(zip(_ORDERS[first // 3], groups[first : first + 3], strict=True))
    month = parts["m"] if parts["m"].isdecimal() else _number(parts["m"])
    try:
        return date(int(parts["y"]), int(month), int(parts["d"])).isoformat()
    except ValueError:
        return ""


def _number(month: str) -> int:
    return 1 + _MONTHS.index(month[:3].lower()) // 3
