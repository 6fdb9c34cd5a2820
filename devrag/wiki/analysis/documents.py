"""Reads README-like documents into sections and paragraphs with their lines.

Understands what such files use: ATX and underlined headings, fences, lists, tables,
badges and HTML. Only prose, lists, rows and code blocks are kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from devrag.wiki.analysis.directives import Directive, fence_directive, rst_directive
from devrag.wiki.analysis.joined_lines import ends_with_break, join_lines

_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
# Old Markdown needs no blank; only a document's first line is taken for a title so.
_FIRST_HEADING = re.compile(r"^(#{1,2})([A-Z\u3040-\u9fff][^#]*)$")
_ATTRIBUTES = re.compile(r"\s*\{[#.][^{}]*\}$")  # of a heading: `{#its-id}`
_UNDERLINE = re.compile(r"^([=\-~^\"'*+#])\1{2,}\s*$")
_FENCE = re.compile(r"^\s*(```+|~~~+)\s*([\w+-]*)")
_ITEM = re.compile(r"^\s*([-*+]|\d+[.)])\s+")
_NOISE = re.compile(
    r"^\s*(<(?!https?://|[\w-]+>`)|!\[|\[!\[|\.\. |\[[^\]]+\]:|:\w+:(?!`)|---+\s*$"
    r"|\*\*\*+\s*$"
    r"|:::|(!!!|\?\?\?\+?) \w|\{%.*%\}\s*$|import\s.+\sfrom\s+['\"]|import\s+['\"]"
    r"|export\s+(const|default|function)\s)"
)
# `[name]` in a text is a link where a line `[name]: https://…` defines it.
_DEFINITION = re.compile(r"^ {0,3}\[([^\]^`]+)\]:\s*\S")
_REFERENCE = re.compile(r"(?<![\]!\\])\[([^\[\]`]+)\](?![\[(:])")
_COMMENT, _END_OF_COMMENT = re.compile(r"^\s*<!--"), "-->"
_QUOTED = re.compile(r"^\s*>\s?(?:\[!\w+\]\s*$)?")
_ROW = re.compile(r"^\s*\|(.*)\|\s*$")
_BORDER = re.compile(r"(?<!\\)\|")
_DIRECTIVE = re.compile(r"^\s*\.\. ")
_OPTION = re.compile(r"^\s*:[\w-]+:(?!`)")
_INDENTED, _STILL_INDENTED = re.compile(r"^(\t| {4})\S"), re.compile(r"^(\t| {4})")
_CODE_INDENT = 4  # columns, from where the text around it begins
# `Good example:` in a line of its own says what the sample of code below it is.
_LABEL = re.compile(r"^\s*[^\s:：。、]{1,12}( example)?\s*[:：]\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DocumentBlock:
    """A paragraph, list item or code block. kind: text, item, code, quote, row.

    A quote is without its marks, a row has its cells apart by tabs, the head of a table
    the rule below it as mark (`:-|-:`). An item of a numbered list has its number as
    mark (`2.`), one within another is indented more.
    """

    kind: str
    text: str
    start_line: int
    end_line: int
    language: str = ""
    mark: str = ""
    indent: int = 0


@dataclass(slots=True)
class Section:
    """A heading and what stands directly below it; level 0 is before any heading."""

    level: int
    title: str
    line: int
    blocks: list[DocumentBlock] = field(default_factory=list)


def read_sections(text: str) -> list[Section]:
    """Return the document's sections in order."""
    lines = text.removesuffix("\n").split("\n")
    if lines and lines[0].strip() == "---" and "---" in lines[1:40]:
        end = lines.index("---", 1)
        lines[: end + 1] = [""] * (end + 1)  # front matter; line numbers stay
    return _SectionReader(lines).read()


class _SectionReader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0
        self._sections = [Section(0, "", 1)]
        self._marks: list[str] = []
        found = filter(None, map(_DEFINITION.match, lines))
        self._defined = {match[1].casefold() for match in found}
        self._column = 0  # at which the text of the list item begins that is open

    def read(self) -> list[Section]:
        while self._at < len(self._lines):
            self._step()
        return [s for s in self._sections if s.level or s.blocks]

    def _step(self) -> None:
        line = self._lines[self._at]
        self._leave_item(line)
        if _FENCE.match(line):
            self._fence()
        elif _COMMENT.match(line):
            self._comment()
        elif self._heading(line):
            pass
        elif _DIRECTIVE.match(line):
            self._directive()
        elif not line.strip() or _NOISE.match(line) or line.lstrip().startswith("|"):
            self._row(line)
            self._at += 1
        elif _QUOTED.match(line):
            self._quote()
        elif self._is_code(line):
            self._indented()
        else:
            self._paragraph()

    def _leave_item(self, line: str) -> None:
        """Forget a list item where a line begins further left than its text."""
        if line.strip():
            self._column = min(self._column, _width(line))

    def _is_code(self, line: str) -> bool:
        is_deep = _width(line) >= self._column + _CODE_INDENT
        return is_deep and bool(_INDENTED.match(line))

    def _heading(self, line: str) -> bool:
        match = _HEADING.match(line) or (
            _FIRST_HEADING.match(line) if self._at == 0 else None
        )
        if match:
            self._open(len(match.group(1)), match.group(2), 1)
            return True
        under = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        mark = _UNDERLINE.match(under)
        if not mark or not line.strip() or _ITEM.match(line) or _NOISE.match(line):
            return False
        if mark.group(1) not in self._marks:
            self._marks.append(mark.group(1))
        self._open(self._marks.index(mark.group(1)) + 1, line.strip(), 2)
        return True

    def _open(self, level: int, title: str, height: int) -> None:
        title = _ATTRIBUTES.sub("", self._without_references(title))
        self._sections.append(Section(level, title, self._at + 1))
        self._at += height

    def _fence(self) -> None:
        start = self._at
        match = _FENCE.match(self._lines[start])
        mark, language = match.groups() if match else ("```", "")
        directive = fence_directive(self._lines[start])
        self._at += 1
        while self._at < len(self._lines):
            if self._lines[self._at].strip().startswith(mark):
                break
            self._at += 1
        if directive is not None:
            self._directive_in_fence(directive, start, self._at)
            return
        body = self._lines[start + 1 : self._at]
        self._at += 1
        self._add(
            "code",
            "\n".join(body),
            start + 1,
            min(self._at, len(self._lines)),
            language,
        )

    def _directive_in_fence(self, directive: Directive, start: int, end: int) -> None:
        """Read a directive of MyST: prose and reST as what they are, code as a sample.

        The lines around and the options of what is read as prose are passed over.
        """
        first = self._after_options(start + 1, end)
        if directive.holds == "prose":
            blank = [*range(start, first), *([end] if end < len(self._lines) else [])]
            for line in blank:
                self._lines[line] = ""
            self._at = first
            return
        self._at = end + 1
        if directive.holds == "code":
            text = "\n".join(self._lines[first:end])
            last = min(self._at, len(self._lines))
            self._add("code", text, start + 1, last, directive.language)

    def _after_options(self, at: int, end: int) -> int:
        """Return the line behind the options and the front matter of a directive."""
        if at < end and self._lines[at].strip() == "---":
            closes = (n for n in range(at + 1, end) if self._lines[n].strip() == "---")
            return next(closes, at) + 1
        while at < end and _OPTION.match(self._lines[at]):
            at += 1
        return at

    def _comment(self) -> None:
        """Pass over a comment; one without an end is its first line."""
        rest = range(self._at, len(self._lines))
        ends = (n for n in rest if _END_OF_COMMENT in self._lines[n])
        self._at = next(ends, self._at) + 1

    def _directive(self) -> None:
        directive = rst_directive(self._lines[self._at])
        start = self._at
        self._at += 1
        while self._at < len(self._lines) and not self._lines[self._at][:1].strip():
            self._at += 1
        first = self._after_options(start + 1, self._at)
        body = [line for line in self._lines[first : self._at] if line.strip()]
        if directive.holds == "code" and body:
            width = len(body[0]) - len(body[0].lstrip())
            text = "\n".join(line[width:] for line in body)
            self._add("code", text, start + 1, self._at, directive.language)

    def _row(self, line: str) -> None:
        if match := _ROW.match(line):
            cells = [cell.strip() for cell in _BORDER.split(match.group(1))]
            if any(cell.strip(":-") for cell in cells):
                self._add("row", "\t".join(cells), self._at + 1, self._at + 1)
            else:
                self._align(cells)

    def _align(self, cells: list[str]) -> None:
        """Note at the head of a table how its columns are aligned."""
        blocks = self._sections[-1].blocks
        if blocks and blocks[-1].kind == "row" and blocks[-1].end_line == self._at:
            blocks[-1] = replace(blocks[-1], mark="|".join(cells))

    def _quote(self) -> None:
        start = self._at
        while self._at < len(self._lines) and _QUOTED.match(self._lines[self._at]):
            self._at += 1
        said = [_QUOTED.sub("", line).strip() for line in self._lines[start : self._at]]
        self._add("quote", " ".join(filter(None, said)), start + 1, self._at)

    def _indented(self) -> None:
        start = self._at
        while self._at < len(self._lines) and (
            _STILL_INDENTED.match(self._lines[self._at])
            or not self._lines[self._at].strip()
        ):
            self._at += 1
        body = "\n".join(line[4:] for line in self._lines[start : self._at])
        self._add(
            "code", body.rstrip(), start + 1, start + len(body.rstrip().split("\n"))
        )

    def _paragraph(self) -> None:
        start = self._at
        item = _ITEM.match(self._lines[start])
        if item:
            self._column = len(item.group().expandtabs(4))
        self._at += 1
        while self._at < len(self._lines) and not self._ends(self._lines[self._at]):
            if self._is_ended(self._at - 1) and self._is_label(self._at):
                break
            self._at += 1
        joined = join_lines(self._lines[start : self._at])
        if item is None:
            self._add("text", joined, start + 1, self._at)
            return
        text = _ITEM.sub("", joined, count=1)
        mark = item.group(1) if item.group(1)[0].isdigit() else ""
        indent = _width(self._lines[start])
        self._add("item", text, start + 1, self._at, mark=mark, indent=indent)

    def _is_ended(self, at: int) -> bool:
        """Return whether a line ends a sentence or is broken on purpose."""
        line = self._lines[at]
        return ends_with_break(line) or line.rstrip().endswith(("。", "."))

    def _is_label(self, at: int) -> bool:
        """Return whether a line names the sample of code below it."""
        below = next(filter(str.strip, self._lines[at + 1 : at + 3]), "")
        return bool(_LABEL.match(self._lines[at]) and _FENCE.match(below))

    def _ends(self, line: str) -> bool:
        return not line.strip() or any(
            pattern.match(line)
            for pattern in (_ITEM, _FENCE, _HEADING, _NOISE, _ROW, _QUOTED)
        )

    def _add(
        self,
        kind: str,
        text: str,
        start: int,
        end: int,
        language: str = "",
        mark: str = "",
        indent: int = 0,
    ) -> None:
        if text.strip():
            text = text if kind == "code" else self._without_references(text)
            block = DocumentBlock(kind, text, start, end, language, mark, indent)
            self._sections[-1].blocks.append(block)

    def _without_references(self, text: str) -> str:
        """Return text without the brackets of links that the document defines."""

        def bare(match: re.Match[str]) -> str:
            is_link = match[1].casefold() in self._defined
            return match[1] if is_link else match[0]

        return _REFERENCE.sub(bare, text) if self._defined else text


def _width(line: str) -> int:
    """Return at which column a line begins."""
    wide = line.expandtabs(4)
    return len(wide) - len(wide.lstrip())
