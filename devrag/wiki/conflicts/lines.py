"""The lines of a document that speak of the present state of the product.

Changelogs, sections on other versions, examples and tutorials speak of something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_OTHER_TIMES = re.compile(
    r"(^|[/._-])(change(s|log|-?log)?|history|news|release[-_ ]?(notes|s)?|releases?"
    r"|whats?[-_ ]?new|upgrad\w*|migrat\w*|deprecat\w*|blog|posts|decisions|adr|rfcs?"
    r"|proposals?|seps?|peps?|keps?|enhancements?|archive[sd]?|legacy|todo|roadmap|security|authors|contributors"
    r"|licen[cs]e|faq|comparison|benchmarks?)([/._-]|$)",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(^|/)(tests?|testdata|fixtures?|examples?|samples?|demos?|vendor|third_party"
    r"|node_modules|tutorials?|locales?|translations?|templates?|_?vendored|dist|build"
    r"|patterns|quickstart|cookbook|recipes|topics/practices)(/|\.|$)",
    re.IGNORECASE,
)
_OTHER_HEADING = re.compile(
    r"change ?log|histor|release|deprecat|upgrad|migrat|example|tutorial|remov|previous"
    r"|legacy|roadmap|planned|future|alternativ|compar|similar|old|quick ?start"
    r"|what's new|third[- ]party|extension|v?\d+\.\d+|変更履歴|移行|廃止|例$",
    re.IGNORECASE,
)
OTHER_TIME = re.compile(
    r"\b(since|deprecat\w*|remov\w*|renam\w*|previous\w*|former\w*|no longer|used to"
    r"|was|were|had|until|prior|before version|in version|legacy|older?|earlier|will be"
    r"|planned|instead of|rather than|not yet|future|versionadded|versionchanged"
    r"|version \d|changed|formerly|historical\w*|originally|at the time|todo)\b"
    r"|以前|廃止|削除され|変更され|かつて|予定|非推奨",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(should|would|could|want|wish|please|propos\w*|suggest\w*|let'?s|need to"
    r"|make it"
    r"|increase|decrease|raise|lower|set it|change|add|feature|allow|maybe|can we"
    r"|expect\w*|instead)\b|べき|ほしい|提案|要望",
    re.IGNORECASE,
)
_RST_RULE = re.compile(r"^([=\-~^\"'`#*+:.])\1{2,}\s*$")
_OTHER_DIRECTIVE = re.compile(
    r"^(\s*)\.\. (versionadded|versionchanged|deprecated|deprecated-removed|removed"
    r"|versionremoved|changelog|todo|seealso)::"
)
_CODE_DIRECTIVE = re.compile(
    r"^(\s*)(\.\. (code-block|code|sourcecode|highlight|parsed-literal|literalinclude"
    r"|doctest|prompt|tabs|ipython)::.*|.*[^:.\s].*::|::)\s*$"
)
_FENCE = re.compile(r"^\s{0,8}(```+|~~~+)\s*([\w+-]*)")
_MD_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """A line of a document: its number, text, headings around it, and its language.

    code: None in prose; the language of the block that it is in, '' for unknown.
    """

    number: int
    text: str
    headings: tuple[str, ...]
    code: str | None

    @property
    def about(self) -> str:
        """Return the headings around it."""
        return " / ".join(self.headings)


def is_of_another_time(path: str) -> bool:
    """Return whether a document is about other versions, other projects or a lesson."""
    return bool(_OTHER_TIMES.search(path) or _OTHERS.search(path))


def is_wish(text: str) -> bool:
    """Return whether a sentence of a ticket says what somebody would like."""
    return _WISH.search(text) is not None


def present_lines(text: str, *, is_rst: bool) -> Iterator[DocumentLine]:
    """Yield lines about what is, in prose and in code, with their headings."""
    for line in (_rst if is_rst else _markdown)(text.split("\n")):
        if not any(_OTHER_HEADING.search(each) for each in line.headings[-2:]):
            yield line


def _markdown(lines: list[str]) -> Iterator[DocumentLine]:
    headings: list[tuple[int, str]] = []
    fence, language = "", ""
    comment = False
    for number, text in enumerate(lines, 1):
        if comment or text.lstrip().startswith("<!--"):
            comment = "-->" not in text
            continue
        match = _FENCE.match(text)
        if fence:
            if match and match[1].startswith(fence) and not match[2]:
                fence = ""
            else:
                yield DocumentLine(number, text, _titles(headings), language)
            continue
        if match:
            fence, language = match[1], match[2].lower()
            continue
        heading = _MD_HEADING.match(text)
        if heading:
            level = len(heading[1])
            headings = [each for each in headings if each[0] < level]
            headings.append((level, heading[2]))
        yield DocumentLine(number, text, _titles(headings), None)


def _titles(headings: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(title for _, title in headings)


def _rst(lines: list[str]) -> Iterator[DocumentLine]:
    headings = _RstHeadings()
    skipped: int | None = None
    code: int | None = None
    for number, text in enumerate(lines, 1):
        indent = len(text) - len(text.lstrip())
        if skipped is not None and (not text.strip() or indent > skipped):
            continue
        skipped = None
        if code is not None and text.strip() and indent <= code:
            code = None
        if code is not None:
            yield DocumentLine(number, text, headings.titles, "")
            continue
        other = _OTHER_DIRECTIVE.match(text)
        if other:
            skipped = len(other[1])
            continue
        headings.see(text, lines[number] if number < len(lines) else "")
        block = _CODE_DIRECTIVE.match(text)
        if block:
            code = indent
        yield DocumentLine(number, text, headings.titles, None)


class _RstHeadings:
    """The headings around a line; a mark's level is its place of first use."""

    def __init__(self) -> None:
        self._marks: list[str] = []
        self._held: list[tuple[int, str]] = []

    @property
    def titles(self) -> tuple[str, ...]:
        """Return the titles, outermost first."""
        return _titles(self._held)

    def see(self, text: str, below: str) -> None:
        """Take a line that may be a title, and the one below it."""
        if not text.strip() or not _is_underline(text, below):
            return
        if below[0] not in self._marks:
            self._marks.append(below[0])
        level = self._marks.index(below[0])
        self._held = [each for each in self._held if each[0] < level]
        self._held.append((level, text.strip()))


def _is_underline(text: str, below: str) -> bool:
    rule = _RST_RULE.match(below)
    return bool(rule) and len(below.rstrip()) >= len(text.rstrip()) - 1
