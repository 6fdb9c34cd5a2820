"""Statements of values: defaults, required versions and ports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from devrag.core.conflict_names import DEFAULT, PORT, VERSION
from devrag.wiki.conflicts.lines import DocumentLine
from devrag.wiki.conflicts.types import StatementFacts
from devrag.wiki.conflicts.values import LITERAL

_TICKS = r"(?:`+|\*\*)"
_NAME = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|--[a-z][\w-]+|[a-z]\w*(?:_\w+)+"
_SAID = (
    rf"(?:`+(?P<quoted>{LITERAL})`+|\*\*?(?P<bold>{LITERAL})\*\*?|(?P<bare>{LITERAL}))"
)
_SENTENCE = re.compile(
    rf"{_TICKS}:?(?P<name>{_NAME}){_TICKS}(?P<between>[^`\n]{{0,80}}?)"
    r"(?:defaults?(?: value)?(?:\s+(?:is|to|of)|\s*[:=])"
    r"|(?:既定|デフォルト|初期)値?は)\s*"
    rf"(?:to\s+)?{_SAID}(?![\w%-]|\.\d|\s*[*/+x×]"
    r"|\s+(?:per|of|times|if|when|on|for|in)\b)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"^\s*(?:\.\. (?:setting|confval|envvar|(?:py:)?data|(?:py:)?attribute)::\s+"
    rf"(?P<directive>[\w.-]+)|#+\s+`?(?P<heading>{_NAME})`?|(?P<plain>{_NAME}))\s*$"
)
_DEFAULT_LINE = re.compile(
    rf"^\s*(?:[-*:]\s*)?\**defaults?(?: value)?\**\s*:\**\s*{_SAID}\s*"
    rf"(?:\([^)]*\)|seconds|bytes)?\.?\s*$",
    re.IGNORECASE,
)
_WITHIN = 12
_CELLS = re.compile(r"(?<!\\)\|")
_ROW_NAME = re.compile(rf"^[`*\s]*(?:-\w,\s*)?(?P<name>{_NAME})[`*\s]*$")
_DEFAULT_HEAD = re.compile(
    r"^\W*(defaults?( value)?|既定値?|デフォルト値?|初期値)\W*$", re.I
)
_VALUE_CELL = re.compile(rf"^[`*\s]*({LITERAL})[`*\s]*$")
_LANGUAGES = {
    "python": "python", "node": "node", "node.js": "node", "nodejs": "node",
    "go": "go", "golang": "go", "ruby": "ruby", "rust": "rust", "php": "php",
    "java": "java", "rustc": "rust",
}  # fmt: skip
_VERSION = re.compile(
    r"\b(?P<name>c?python|node(?:\.?js)?|go(?:lang)?|ruby|rustc?|php|java)\b[`*]*"
    r"(?:\s+version)?\s*(?P<least>>=|≥)?\s*[`*]*v?(?P<number>\d+(?:\.\d+){0,2})"
    r"[`*]*(?P<more>\s*\+|\s*,?\s*(?:or|and)\s+(?:later|newer|above|higher|greater|up)\b"
    r"|\s*以上|\s*以降)?",
    re.IGNORECASE,
)
_REQUIRES = re.compile(
    r"\b(requir\w*|need\w*|support\w*|minimum|at least|prerequisit\w*|works? with"
    r"|compatible|runs? on|tested|install\w*)\b|必要|要件|対応|サポート|必須|動作",
    re.IGNORECASE,
)
# What a feature needs, or a later version, is no requirement of the product.
_OF_A_PART = re.compile(
    r"\b(this|that|these|which|next|option|feature|flag|plugin|extra|only|some)\b",
    re.IGNORECASE,
)
_PORT = re.compile(
    r"\bport\s+(?:is\s+)?`*(?P<a>\d{2,5})\b|(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(?P<b>\d{2,5})"
    r"|ポート\s*`*(?P<c>\d{2,5})"
)
_BY_DEFAULT = re.compile(
    r"\bdefaults?\b|\blistens?\b|\bserves?\b|既定|デフォルト|待ち受け", re.IGNORECASE
)


def _said(match: re.Match[str]) -> str:
    return match["quoted"] or match["bold"] or match["bare"] or ""


def _statement(
    kind: str,
    subject: str,
    value: str,
    line: DocumentLine,
    end: DocumentLine | None = None,
    *,
    text: str = "",
) -> StatementFacts:
    last = (end or line).number
    names = (subject,) if kind == DEFAULT else ()
    shown = text or line.text.strip()
    return StatementFacts(kind, subject, value, line.number, last, shown, names)


def paragraphs(lines: Sequence[DocumentLine]) -> Iterator[list[DocumentLine]]:
    """Yield lines of prose that make up a paragraph, list items apart."""
    held: list[DocumentLine] = []
    for line in lines:
        is_item = re.match(r"\s*([-*+]|\d+[.)])\s", line.text)
        is_apart = not held or line.number != held[-1].number + 1
        if held and (
            line.code is not None or not line.text.strip() or is_item or is_apart
        ):
            yield held
            held = []
        if (
            line.code is None
            and line.text.strip()
            and not line.text.lstrip().startswith("|")
        ):
            held.append(line)
    if held:
        yield held


def sentence_defaults(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield "`NAME` … defaults to `5`", on one line or over two."""
    for block in paragraphs(lines):
        for at, line in enumerate(block):
            following = block[at + 1] if at + 1 < len(block) else None
            joined = line.text + (" " + following.text.strip() if following else "")
            for match in _SENTENCE.finditer(joined):
                if match.start() >= len(line.text) or "`" in match["between"]:
                    continue
                if re.search(r"\.\s|\bif\b|\bwhen\b|\bunless\b", match["between"]):
                    continue
                end = following if match.end() > len(line.text) else None
                text = joined.strip() if end else line.text.strip()
                yield _statement(
                    DEFAULT, match["name"], _said(match), line, end, text=text
                )


def described_defaults(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield `Default: 5` below the heading or directive that names a setting."""
    name: tuple[str, DocumentLine] | None = None
    for line in lines:
        named = _NAMED.match(line.text) if line.code is None else None
        if named:
            subject = named["directive"] or named["heading"] or named["plain"]
            name = (subject, line)
            continue
        if re.match(r"^(#+\s|\.\. \w+::)", line.text):
            name = None
        said = _DEFAULT_LINE.match(line.text) if line.code is None else None
        if said and name and line.number - name[1].number <= _WITHIN:
            text = f"{name[0]} — {line.text.strip()}"
            yield _statement(DEFAULT, name[0], _said(said), line, text=text)
            name = None


def row_defaults(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield the rows of tables with a column of defaults."""
    at, width, before = -1, 0, -1
    for line in lines:
        if line.code is not None or "|" not in line.text:
            continue
        cells = [each.strip() for each in _CELLS.split(line.text.strip().strip("|"))]
        if line.number != before + 1:
            heads = [n for n, each in enumerate(cells) if _DEFAULT_HEAD.match(each)]
            at, width = (heads[0], len(cells)) if len(heads) == 1 else (-1, 0)
        before = line.number
        if at < 1 or len(cells) != width:
            continue
        name, value = _ROW_NAME.match(cells[0]), _VALUE_CELL.match(cells[at])
        if name and value:
            yield _statement(DEFAULT, name["name"], value[1], line)


def versions_in(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield the least version of a language that a document says is required."""
    for line in lines:
        if line.code is not None:
            continue
        for match in _VERSION.finditer(line.text):
            is_told = _REQUIRES.search(f"{line.text} {' '.join(line.headings[-1:])}")
            if _OF_A_PART.search(line.text):
                continue
            is_least = (
                match["least"]
                or match["more"]
                or re.search(
                    r"(at least|minimum\w*( version)?( of)?|requires?)\W+$",
                    line.text[: match.start()],
                    re.IGNORECASE,
                )
            )
            if is_told and is_least:
                name = _LANGUAGES[match["name"].lower().removeprefix("c")]
                yield _statement(VERSION, name, match["number"], line)


def ports_in(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield the port that something has by default."""
    for line in lines:
        if line.code is not None or not _BY_DEFAULT.search(line.text):
            continue
        for match in _PORT.finditer(line.text):
            number = match["a"] or match["b"] or match["c"]
            yield _statement(PORT, "port", number, line)
