"""Writes a tree of HTML elements as Markdown, with its tables, code and lists.

The tree is one of xml.etree with plain tag names. A connector adds what its wiki has
beside HTML: handlers for its own elements. Depth is bounded: what is nested deeper
keeps its text alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from xml.etree.ElementTree import Element

from devrag.sources.connectors.pages.tables import write_rows, write_table

_MAX_DEPTH = 60
_SPACES = re.compile(r"[ \t\r\n\f]+")
# What Markdown would take for the beginning of something else.
_MARKER = re.compile(r"(?=(?:#{1,6}|[-+>]|\d{1,9}[.)])(?:\s|$))")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_NUMBER = re.compile(r"[0-9]{1,9}")
# What browsers drop from an address, or from its beginning.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_FENCES = re.compile(r"`+")
_IN_ADDRESS = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\n": "", "\r": ""}
)
Block = Callable[[Element, int], list[str]]
Inline = Callable[[Element, int], str]


class MarkdownWriter:
    """Writes one page. blocks, inlines: by tag, what is made of an element."""

    def __init__(self) -> None:
        self._cells = 0  # how many table cells we are in
        self.blocks: dict[str, Block] = {
            **{f"h{level}": self._heading for level in range(1, 7)},
            "blockquote": self._quote,
            **dict.fromkeys(("ul", "ol"), self._list),
            "pre": self._pre,
            "table": self._table,
            "hr": lambda _, __: ["---"],
            "dt": lambda each, depth: [f"**{self.inline(each, depth)}**"],
            **dict.fromkeys(_CONTAINERS, self.inside),
            **dict.fromkeys(_DROPPED, lambda _, __: []),
        }
        self.inlines: dict[str, Inline] = {
            "br": lambda _, __: " " if self._cells else "  \n",
            **dict.fromkeys(("strong", "b"), self._marked("**")),
            **dict.fromkeys(("em", "i", "cite"), self._marked("*")),
            **dict.fromkeys(("s", "del", "strike"), self._marked("~~")),
            **dict.fromkeys(("code", "kbd", "samp", "tt"), self._code),
            "a": lambda each, depth: link(
                self.inline(each, depth), each.get("href", "")
            ),
            "img": lambda each, _: image(each.get("alt", ""), each.get("src", "")),
        }

    def write(self, root: Element) -> str:
        """Return the Markdown of everything in a root element."""
        return "\n\n".join(self.inside(root, 0))

    def inside(self, parent: Element, depth: int) -> list[str]:
        """Return the blocks in an element; words between them are paragraphs."""
        if depth > _MAX_DEPTH:
            return _paragraphs(["".join(parent.itertext())])
        found: list[str] = []
        words = [parent.text or ""]
        for child in parent:
            block = self.blocks.get(child.tag)
            if block is None:
                words.append("\0" + self._inlined(child, depth + 1) + "\0")
            else:
                found += _paragraphs(words)
                words = []
                found += block(child, depth + 1)
            words.append(child.tail or "")
        return found + _paragraphs(words)

    def inline(self, parent: Element, depth: int) -> str:
        """Return what is in an element as one run of words."""
        return _joined(self._words(parent, depth))

    # -- pieces -----------------------------------------------------------------

    def _words(self, parent: Element, depth: int) -> Iterator[str]:
        if depth > _MAX_DEPTH:
            yield "".join(parent.itertext())
            return
        yield parent.text or ""
        for child in parent:
            block = self.blocks.get(child.tag)
            if block is None:
                yield "\0" + self._inlined(child, depth + 1) + "\0"
            else:
                yield "\0 " + " ".join(block(child, depth + 1)) + " \0"
            yield child.tail or ""

    def _inlined(self, child: Element, depth: int) -> str:
        handler = self.inlines.get(child.tag)
        return handler(child, depth) if handler else self.inline(child, depth)

    def _marked(self, mark: str) -> Inline:
        def write(each: Element, depth: int) -> str:
            text = self.inline(each, depth)
            words = text.strip()
            if not words:
                return text
            before, _, after = text.partition(words)
            return f"{before}{mark}{words}{mark}{after}"

        return write

    def _code(self, each: Element, depth: int) -> str:
        del depth
        return inline_code("".join(each.itertext()))

    def _heading(self, each: Element, depth: int) -> list[str]:
        words = _SPACES.sub(" ", self.inline(each, depth)).strip()
        return [f"{'#' * int(each.tag[1])} {words}"] if words else []

    def _quote(self, each: Element, depth: int) -> list[str]:
        return [quoted(self.inside(each, depth))]

    def _pre(self, each: Element, depth: int) -> list[str]:
        del depth
        return self.fenced("".join(each.itertext()), each.get("data-language", ""))

    def fenced(self, code: str, language: str) -> list[str]:
        """Return a block of code; within a table cell one line of it."""
        code = code.strip("\n")
        if not code.strip():
            return []
        if self._cells:
            return [inline_code(" ".join(code.split()))]
        fence = "`" * max(3, _longest(code) + 1)
        return [f"{fence}{language}\n{code}\n{fence}"]

    def _list(self, each: Element, depth: int) -> list[str]:
        items = [child for child in each if child.tag == "li"]
        written = each.get("start", "1")
        start = int(written) if _NUMBER.fullmatch(written) else 1
        marks = [
            f"{start + n}." if each.tag == "ol" else "-" for n in range(len(items))
        ]
        return self.items(zip(marks, items, strict=True), depth)

    def items(self, marked: Iterable[tuple[str, Element]], depth: int) -> list[str]:
        """Return a list of elements, each with its mark."""
        lines = []
        for mark, item in marked:
            inside = "\n".join(self.inside(item, depth + 1))
            indent = " " * (len(mark.partition(" ")[0]) + 1)
            lines.append(f"{mark} " + inside.replace("\n", f"\n{indent}"))
        return ["\n".join(lines)] if lines else []

    def _table(self, each: Element, depth: int) -> list[str]:
        def cell(found: Element) -> str:
            self._cells += 1
            try:
                return " ".join(" ".join(self.inside(found, depth + 1)).split())
            finally:
                self._cells -= 1

        return write_rows(each, cell) if self._cells else write_table(each, cell)


def quoted(blocks: list[str]) -> str:
    """Return blocks as a quotation."""
    lines = "\n\n".join(blocks).split("\n")
    return "\n".join(f"> {line}".rstrip() for line in lines)


def link(text: str, address: str) -> str:
    """Return a link, or its text alone where there is no address."""
    words = _SPACES.sub(" ", text).strip()
    address = _CONTROLS.sub("", address).strip()
    if not address or address.lower().startswith(("javascript:", "data:")):
        return words
    return f"[{words or address}]({in_link(address)})"


def in_link(address: str) -> str:
    """Return an address as it stands in a link."""
    return address.translate(_IN_ADDRESS)


def image(text: str, address: str) -> str:
    """Return an image by its address, '' where there is none."""
    address = _CONTROLS.sub("", address).strip()
    if not address or address.lower().startswith(("javascript:", "data:")):
        return text
    words = _SPACES.sub(" ", text).strip().replace("[", "(").replace("]", ")")
    return f"![{words}]({address.translate(_IN_ADDRESS)})"


def inline_code(text: str) -> str:
    """Return code within a line."""
    code = _SPACES.sub(" ", text).strip()
    if not code:
        return ""
    fence = "`" * (_longest(code) + 1)
    space = " " if code[0] == "`" or code[-1] == "`" else ""
    return f"{fence}{space}{code}{space}{fence}"


def _longest(code: str) -> int:
    return max(map(len, _FENCES.findall(code)), default=0)


def _joined(words: Iterable[str]) -> str:
    """Join plain words and, between NULs, what is Markdown already."""
    parts = "".join(words).split("\0")
    for at in range(0, len(parts), 2):
        parts[at] = _TAG.sub(r"\\<", _SPACES.sub(" ", parts[at]))
    return "".join(parts)


def _paragraphs(words: list[str]) -> list[str]:
    text = _joined(words).strip(" \n")
    if not text:
        return []
    return [_MARKER.sub(r"\\", text, count=1) if _MARKER.match(text) else text]


_CONTAINERS = (
    *("p", "div", "section", "article", "header", "footer", "main", "aside", "nav"),
    *("center", "address", "details", "summary", "figure", "figcaption", "dl", "dd"),
    *("fieldset", "form", "body", "html"),
)
_DROPPED = ("script", "style", "colgroup", "head", "template", "noscript")
