"""Words, links, lists and tables as Markdown. Words are shown as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from devrag.parsing.tokens import token_weight

# What Markdown would take for the beginning of something else.
_MARKER = re.compile(
    r"(?:#{1,6}|[-+*]|\d{1,9}[.)])(?=\s|$)|>|\||`{3}|~{3}|\[\^[^\]\n]*\]:"
    r"|(?:([-=_*])[ ]*)(?:\1[ ]*)+$"
)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_BLANKS = re.compile(r"[^\S\n]+")
_TO_CHANGE = re.compile(r"[<\x00-\x08\x0b-\x1f\x7f]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")
_FENCE = re.compile(r"`{3,}")
_IN_ADDRESS = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E"}
)
_SCHEMES = ("http://", "https://", "mailto:", "ftp://")
# A longer table goes on below its first row, so that each piece can be read alone.
TABLE_TOKENS = 500
MAX_COLUMNS = 100
# A cell that spans rows says the same in each, if it is short.
MAX_REPEATED = 200


def plain(text: str) -> str:
    """Return words without control characters and tags."""
    if _TO_CHANGE.search(text) is None:
        return text
    return _TAG.sub(r"\\<", _CONTROLS.sub(" ", text))


def paragraph(text: str) -> str:
    """Return words as a paragraph, line by line, none of which begins anything."""
    lines = (_shown(_BLANKS.sub(" ", line).strip()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _shown(line: str) -> str:
    found = _MARKER.match(line)
    if found is None:
        return line
    at = found.end() - 1 if line[0].isdigit() else 0
    return f"{line[:at]}\\{line[at:]}"


def one_line(text: str) -> str:
    """Return words without line ends."""
    return " ".join(text.split())


def heading(depth: int, text: str) -> str:
    """Return a heading, '' without words. depth: 1 to 6, deeper ones are 6."""
    words = one_line(text)
    return f"{'#' * min(max(depth, 1), 6)} {words}" if words else ""


def link(words: str, address: str) -> str:
    """Return a link; words alone where the address is none of the web."""
    address = "".join(_CONTROLS.sub("", address).split("\n")).strip()
    if not address.lower().startswith(_SCHEMES):
        return words
    target = address.translate(_IN_ADDRESS)
    shown = one_line(words).replace("[", "(").replace("]", ")")
    if not shown or shown == address:
        return f"<{target}>"
    before = " " if words[0].isspace() else ""
    after = " " if words[-1].isspace() else ""
    return f"{before}[{shown}]({target}){after}"


def item(text: str, depth: int, marker: str = "-") -> str:
    """Return an item of a list. depth: from 0."""
    indent = "    " * min(depth, 8)
    body = paragraph(text).replace("\n", f"\n{indent}{' ' * (len(marker) + 1)}")
    return f"{indent}{marker} {body}"


def quote(text: str) -> str:
    """Return words as a quotation."""
    return "\n".join(f"> {line}" for line in paragraph(text).split("\n"))


def comment(author: str, date: str, text: str, place: str = "") -> str:
    """Return what somebody remarked beside the text. date: ISO 8601 or ''."""
    who = " ".join(filter(None, ("Comment", place, f"by {author}" if author else "")))
    day = f", {date[:10]}" if date else ""
    return quote(f"{plain(who)}{day}: {one_line(text)}")


def fence(lines: Sequence[str]) -> str:
    """Return lines of code as a block."""
    code = "\n".join(lines).replace("\\<", "<")
    mark = "`" * max([3, *(len(each) + 1 for each in _FENCE.findall(code))])
    return f"{mark}\n{code}\n{mark}"


def cell(text: str) -> str:
    """Return words for a cell of a table: one line, no bar."""
    return one_line(text).replace("|", "\\|")


def table_parts(
    rows: Sequence[Sequence[str]], tokens: int = TABLE_TOKENS
) -> Iterator[tuple[int, int, str]]:
    """Yield a table in pieces below its first row: first row, last row, Markdown.

    rows: cells that `cell` made, the first row is the head. Numbers are indexes.
    """
    width = max((len(row) for row in rows), default=0)
    if not width:
        return
    head = [_row(rows[0], width), "|" + " --- |" * width]
    used = sum(map(token_weight, head))
    # However long the first row is, what repeats it is a third longer at most.
    tokens = max(tokens, int(4 * used))
    lines, first, weight = list(head), 0, used
    for index, row in enumerate(rows[1:], start=1):
        line = _row(row, width)
        weight += token_weight(line)
        if weight > tokens and len(lines) > len(head):
            yield first, index - 1, "\n".join(lines)
            lines, first, weight = list(head), index, used + token_weight(line)
        lines.append(line)
    yield first, len(rows) - 1, "\n".join(lines)


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table as blocks, rows without words left out; a frame is a paragraph."""
    filled = [row for row in rows if any(row)]
    if len(filled) == 1 and sum(map(bool, filled[0])) == 1:
        yield paragraph("".join(filled[0]).replace("\\|", "|"))
    else:
        yield from (text for _, _, text in table_parts(filled))


def _row(cells: Sequence[str], width: int) -> str:
    return "| " + " | ".join([*cells, *[""] * (width - len(cells))]) + " |"
