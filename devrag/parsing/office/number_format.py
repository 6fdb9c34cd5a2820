"""Numbers and dates of a sheet as its number formats show them.

Formats are those of ECMA-376 part 1, 18.8.30 and 18.8.31, as far as people use them:
sections, digits, thousands, percent, exponents, literals and dates. What depends on the
reader's country is written so that nobody can misread it: dates as 2024-03-31.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache

# Built-in formats that are no dates, by id.
_BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%",
    11: "0.00E+00", 12: "General", 13: "General", 37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)",
    41: "#,##0", 42: "#,##0", 43: "#,##0.00", 44: "#,##0.00", 48: "##0.0E+0", 49: "@",
}  # fmt: skip
_DATE, _TIME = "yyyy-mm-dd", "hh:mm:ss"
_BUILT_IN_DATES = dict.fromkeys(
    (14, 15, *range(27, 32), 36, *range(50, 55), 57, 58), _DATE
) | {
    16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm",
    21: "h:mm:ss", 22: f"{_DATE} hh:mm", 32: "h:mm", 33: _TIME, 34: "h:mm", 35: _TIME,
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 55: "yyyy-mm", 56: "mm-dd",
}  # fmt: skip
# A literal, a sign with its backslash, a pad, a colour or country in brackets.
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|[_*].|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|\[(?P<elapsed>h+|m+|s+)\]|\[[^\]]*\]|(?P<date>AM/PM|A/P|y+|m+|d+|h+|s+(?:\.0+)?"
    r"|a{3,4}|g+|e+(?![+-]))|(?P<digits>[0#?][0#?,.]*(?:E[+-][0#?]+)?)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_DAYS = (
    *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
)
_MAX_DECIMALS = 20
_MAX_DAYS = 2_958_466  # the last day of the year 9999
_SECONDS_A_DAY = 86_400


def built_in(format_id: int) -> str:
    """Return the code of a built-in format."""
    return _BUILT_IN_DATES.get(format_id) or _BUILT_IN.get(format_id, "General")


def show_number(value: float, code: str, *, is_1904: bool = False) -> str:
    """Return a number as its format shows it. is_1904: days count from that year."""
    section, absolute = _section(value, code)
    tokens = _tokens(section)
    kinds = {kind for kind, _ in tokens}
    if kinds & {"date", "elapsed"}:
        shown = _date(value, tokens, is_1904=is_1904)
        return general(value) if shown is None else shown
    if "digits" not in kinds:
        words = _literals(tokens)
        # A section that is all words, such as ";;;", or General.
        return words if section.strip() == "" or kinds == {"quoted"} else general(value)
    return _number(absolute, tokens)


def general(value: float) -> str:
    """Return a number as a cell without a format shows it."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.10g}"


def _section(value: float, code: str) -> tuple[str, float]:
    """Return the part of a format for a number, and what of the number it shows."""
    sections = _split(code)
    if len(sections) > 2 and value == 0:
        return sections[2], 0.0
    if len(sections) > 1 and value < 0:
        return sections[1], -value
    return sections[0], value


@lru_cache(maxsize=512)
def _split(code: str) -> tuple[str, ...]:
    """Return the sections of a format; a `;` between quotes parts nothing."""
    found, start = [], 0
    for token in _TOKEN.finditer(code):
        if token["other"] == ";":
            found.append(code[start : token.start()])
            start = token.end()
    return (*found, code[start:])


@lru_cache(maxsize=512)
def _tokens(section: str) -> tuple[tuple[str, str], ...]:
    """Return a section as (kind, text): date, elapsed, digits, quoted or other."""
    found: list[tuple[str, str]] = []
    if section.strip().lower() == "general":
        return ()
    for token in _TOKEN.finditer(section):
        for kind, text in token.groupdict().items():
            if text is not None:
                name = "quoted" if kind in {"escaped", "currency"} else kind
                found.append((name, text))
    return tuple(found)


def _literals(tokens: tuple[tuple[str, str], ...]) -> str:
    return "".join(text for kind, text in tokens if kind in {"quoted", "other"})


def _number(value: float, tokens: tuple[tuple[str, str], ...]) -> str:
    """Return a number between the literals of its format; its first digits count."""
    written, is_done = [], False
    scale = 100 ** sum(text.count("%") for kind, text in tokens if kind == "other")
    for kind, text in tokens:
        if kind == "digits":
            if not is_done:
                written.append(_digits(value * scale, text))
            is_done = True
        elif text != "@":
            written.append(text)
    return "".join(written).strip()


def _digits(value: float, form: str) -> str:
    form, _, exponent = form.upper().partition("E")
    whole, _, decimals = form.partition(".")
    while form.endswith(","):  # thousands, millions
        form, value = form[:-1], value / 1000
    places = min(len(decimals.rstrip(",")), _MAX_DECIMALS)
    if exponent:
        return f"{value:.{places}E}"
    comma = "," if "," in whole.rstrip(",") else ""
    shown = f"{value:{comma}.{places}f}"
    if "0" not in decimals and "." in shown:
        shown = shown.rstrip("0").rstrip(".")
    sign, digits = ("-", shown[1:]) if shown.startswith("-") else ("", shown)
    least = whole.count("0")
    return sign + digits.zfill(least + len(digits) - len(digits.partition(".")[0]))


def _date(
    value: float, tokens: tuple[tuple[str, str], ...], *, is_1904: bool
) -> str | None:
    """Return a date or time, None for a number that is none."""
    if not 0 <= value < _MAX_DAYS:
        return None
    seconds = round(value * _SECONDS_A_DAY)
    # Day 60 is the 29th of February 1900, which there never was.
    base = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30)  # noqa: DTZ001
    days = 1 if not is_1904 and 1 <= value < 60 else 0
    try:
        at = base + timedelta(days=days, seconds=seconds)
    except OverflowError:
        return None
    has_half = any(text.upper() in {"AM/PM", "A/P"} for _, text in tokens)
    words, last = [], ""
    for index, (kind, text) in enumerate(tokens):
        if kind == "date":
            is_minute = text[0] in "mM" and _is_minute(tokens, index, last)
            words.append(_field(at, text.lower(), is_minute, has_half))
            last = text.lower()
        elif kind == "elapsed":
            words.append(str(seconds // {"h": 3600, "m": 60, "s": 1}[text[0].lower()]))
            last = "h"
        elif kind != "digits" and text not in {"@", ";"}:
            words.append(text)
    return "".join(words).strip()


def _is_minute(tokens: tuple[tuple[str, str], ...], index: int, last: str) -> bool:
    """Return whether an `m` is of minutes: behind hours or before seconds."""
    if len(tokens[index][1]) > 2:
        return False
    after = next((text for kind, text in tokens[index + 1 :] if kind == "date"), "")
    return last.startswith("h") or after[:1].lower() == "s"


def _field(at: datetime, text: str, is_minute: bool, has_half: bool) -> str:
    wide = len(text) > 1
    if is_minute:
        return f"{at.minute:02d}" if wide else str(at.minute)
    if text in {"am/pm", "a/p"}:
        return "AM" if at.hour < 12 else "PM"
    if text[0] in "ga":  # eras and days of the week in Japanese
        return "月火水木金土日"[at.weekday()] if text[0] == "a" else ""
    if text[0] == "e":
        return str(at.year)
    if text[0] == "y":
        return f"{at.year % 100:02d}" if len(text) < 3 else str(at.year)
    return _counted_field(at, text, wide, has_half)


def _counted_field(at: datetime, text: str, wide: bool, has_half: bool) -> str:
    if text[0] in "md" and len(text) > 2:
        name = _MONTHS[at.month - 1] if text[0] == "m" else _DAYS[at.weekday()]
        return name[:3] if len(text) == 3 else name
    hour = (at.hour % 12 or 12) if has_half else at.hour
    counts = {"m": at.month, "d": at.day, "h": hour, "s": at.second}
    return f"{counts[text[0]]:02d}" if wide else str(counts[text[0]])
