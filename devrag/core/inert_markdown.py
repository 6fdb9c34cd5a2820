"""Markdown of somebody else without links, images, HTML and a title, its code as it is.

What is code is read as CommonMark reads it, so that no viewer sees markup where this
saw code. Nothing is added that could begin another block or span.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

_NEWLINE = re.compile(r"\r\n?")
_CELL_END = re.compile(r"(?<!\\)\|")
_LINE_TAG = re.compile(r"(\n[ \t>]*)<")
# A link is its label where that cannot become markup by itself; its mark is else
# escaped, as are those of definitions, HTML and addresses.
_MARKUP = re.compile(
    r"(?P<escaped>\\.)"
    r"|(?P<ticks>`+)"
    r"|(?P<citation>\[\d+\]\(cite:\d+\))"
    r"|!?\[(?P<label>[^\W\d_][^\[\]\\`<\n]{0,1000})\]\([^()`<\n]*\)"
    r"|(?P<image>!)(?=\[)"
    r"|\](?P<target>[(:])"
    r"|(?P<tag><)(?=[a-zA-Z/!?\[])",
    re.DOTALL,
)


def make_inert(markdown: str) -> str:
    """Return Markdown whose only links are citations, `[2](cite:2)`.

    Its titles are headings of the second level, for a page that has its own.
    """
    text = _NEWLINE.sub("\n", markdown)
    lines = text.split("\n")
    inert: dict[int, str] = {}
    titles: list[int] = []
    for token in _PARSER.parse(text):
        first, end = token.map or (0, 0)
        block = lines[first:end]
        if token.type == "table_open":
            block = [_inert_row(line) for line in block]
        elif token.type == "inline":
            block = _inert_text("\n".join(block)).split("\n")
        elif token.type == "heading_open" and token.tag == "h1":
            titles.append(first if token.markup == "#" else end - 1)
        if token.type in {"table_open", "inline", "fence", "code_block"}:
            for number, line in enumerate(block, first):
                inert.setdefault(number, line)
    whole = [inert.get(at, _inert_text(line)) for at, line in enumerate(lines)]
    for at in titles:
        whole[at] = whole[at].replace("#", "##", 1).replace("=", "-")
    return "\n".join(whole)


def _inert_row(line: str) -> str:
    """Return a row of a table; no code reaches over the end of a cell."""
    return "|".join(_inert_text(cell) for cell in _CELL_END.split(line))


def _inert_text(text: str) -> str:
    pieces, at = [], 0
    while found := _MARKUP.search(text, at):
        pieces.append(text[at : found.start()])
        end = found.end()
        if ticks := found["ticks"]:
            end = _code_end(text, end, len(ticks))
        # HTML at the beginning of a line goes before code that began above.
        kept = _LINE_TAG.sub(r"\1\\<", text[found.start() : end])
        pieces.append(_replacement(found) or kept)
        at = end
    return "".join([*pieces, text[at:]])


def _code_end(text: str, start: int, count: int) -> int:
    """Return where the code that so many backticks begin ends, else `start`."""
    closing = re.compile(rf"(?<!`)`{{{count}}}(?!`)").search(text, start)
    return closing.end() if closing else start


def _replacement(found: re.Match[str]) -> str:
    """Return what stands for markup, "" where it stays."""
    if found["target"]:
        return f"]\\{found['target']}"
    if mark := found["image"] or found["tag"]:
        return f"\\{mark}"
    return found["label"] or ""


def _build_parser() -> MarkdownIt:
    """Return a parser to which HTML and definitions are text, as they are made."""
    parser = MarkdownIt("commonmark", {"html": False})
    return parser.enable("table").disable("reference")


_PARSER = _build_parser()
