"""Sections of a document, depth 0 to 3, children's content included; memos whole.

A note with a date or tags is one entry, and so is what stands below a dated heading, as
in a changelog. An entry longer than a window has its sections below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from devrag.parsing.chunking import ChunkOptions
from devrag.parsing.documents.dates import read_date
from devrag.parsing.documents.front_matter import FrontMatter
from devrag.parsing.documents.memo import (
    LINES_BELOW_TITLE,
    date_below,
    dated_heading,
)
from devrag.parsing.documents.units import LineRange, solid_windows
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import WHOLE_DOCUMENT, ChunkFacts, ReferenceFacts
from devrag.parsing.windows import Window

MAX_TOKENS_PER_SECTION = 2000  # a longer one stays whole, with a warning
MIN_TOKENS_FOR_SPLIT = 100  # a shorter text has no sections below
MAX_DEPTH = 3  # deeper headings are text of their parent
_JOURNAL = 2  # so many dated headings make a note a journal
HEADING_LIMIT = 300


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading: its text as written, its words alone, and the lines it takes."""

    depth: int
    text: str
    plain: str
    start_line: int
    end_line: int


@dataclass(slots=True)
class Outline:
    """What a format's scanner found. lines: the document's text.

    solid: lines (1-based, inclusive) that are never cut, such as code blocks.
    title: the document's, where the format has one apart from headings. may_be_memo:
    people write notes in this format, so that one with a date or tags is a memo.
    leaves_long: a section over the limit is left to its own text and the sections in it
    instead of being stored whole.
    """

    lines: list[str]
    title: str = ""
    headings: list[Heading] = field(default_factory=list)
    solid: list[LineRange] = field(default_factory=list)
    links: list[ReferenceFacts] = field(default_factory=list)
    meta: FrontMatter = field(default_factory=FrontMatter)
    body_line: int = 1
    may_be_memo: bool = False
    leaves_long: bool = False


@dataclass(eq=False, slots=True)
class HeadingNode:
    """A heading with its own lines and sub-headings; depth 0 is the document.

    heading: as written, inline markup included; plain: its words alone. own_line: the
    1-based line on which the own content (`lines`) begins.
    """

    heading: str
    depth: int
    plain: str = ""
    start_line: int = 1
    end_line: int = 1
    own_line: int = 1
    lines: list[str] = field(default_factory=list)
    children: list[HeadingNode] = field(default_factory=list)

    @property
    def content(self) -> list[str]:
        """Return the parts of the own content; the text between headings is one."""
        text = "\n".join(self.lines).strip("\n")
        return [text.rstrip()] if text.strip() else []


def parse_outline(source: SourceText, outline: Outline) -> Parsed:
    """Return sections, entries and links of a document in any format with headings."""
    root = build_tree(outline)
    first = next((n.plain for n in root.children if n.depth == 1), "")
    title = outline.title or first or outline.meta.title
    meta = replace(outline.meta, title=title, rest=_untold(outline.meta, title))
    if outline.may_be_memo and not meta.date:
        meta = replace(meta, date=_date_of(source.path, root))
    parsed = Parsed(title=title)
    emitter = _Emitter(
        *(source.path, outline.solid, source.chunking, parsed, outline.leaves_long)
    )
    emitter.find_entries(root, is_memo=outline.may_be_memo and meta.is_memo)
    emitter.emit(root, (), None, meta)
    parsed.references = list(dict.fromkeys(outline.links))
    return parsed


def _untold(meta: FrontMatter, title: str) -> str:
    """Return what an entry's fields do not tell, another title included."""
    other = f"title: {meta.title}" if meta.title not in {"", title} else ""
    return f"{other}\n{meta.rest}".strip()


def _date_of(path: str, root: HeadingNode) -> str:
    """Return the date in a note's file name, or in a line below its title."""
    named = read_date(path.rpartition("/")[2])
    return named or date_below(_titled(root).lines, LINES_BELOW_TITLE)


def _titled(root: HeadingNode) -> HeadingNode:
    """Return the heading that everything is under, the root where there is none."""
    is_alone = len(root.children) == 1 and not root.content
    return root.children[0] if is_alone else root


def build_tree(outline: Outline) -> HeadingNode:
    """Return the tree of headings of depth 1-3; deeper ones stay in their text."""
    lines = outline.lines
    # Front matter that says more than chunks carry as fields has a window of its own.
    start = outline.body_line if outline.meta.rest else 1
    root = HeadingNode("", 0, start_line=start, own_line=outline.body_line)
    path = [root]
    for heading in outline.headings:
        if heading.depth > MAX_DEPTH:
            continue
        _close(lines, path, heading.start_line - 1, heading.depth)
        node = HeadingNode(
            heading=heading.text,
            depth=heading.depth,
            plain=heading.plain[:HEADING_LIMIT],
            start_line=heading.start_line,
            own_line=heading.end_line + 1,
        )
        path[-1].children.append(node)
        path.append(node)
    _close(lines, path, len(lines), 0)
    return root


def _close(lines: list[str], path: list[HeadingNode], line: int, depth: int) -> None:
    """Give the open section its own lines, and end those that the heading closes."""
    last = path[-1]
    last.lines = lines[last.own_line - 1 : line]
    end = line
    while end > last.own_line - 1 and not lines[end - 1].strip():
        end -= 1
    for node in path:
        node.end_line = max(end, node.start_line)
    while len(path) > 1 and path[-1].depth >= depth:
        path.pop()


def build_content(node: HeadingNode) -> str:
    """Return a section's text, its children's included."""
    return _built(node).strip()


def _built(node: HeadingNode) -> str:
    text = "\n\n".join(node.content)
    if node.heading:
        text = f"{'#' * max(1, node.depth)} {node.heading}\n\n{text}"
    return text + "".join(f"\n\n{build_content(child)}" for child in node.children)


@dataclass
class _Emitter:
    """entries: title and date of the headings whose parts are entries, by identity."""

    path: str
    solid: Sequence[LineRange]
    options: ChunkOptions
    parsed: Parsed
    leaves_long: bool = False
    entries: dict[int, tuple[str, str]] = field(default_factory=dict)

    def find_entries(self, root: HeadingNode, *, is_memo: bool) -> None:
        """Note which parts are entries: no entry holds another.

        A note with one dated heading is one entry, with several it is a journal.
        """
        for child in root.children:
            self._find_below(child)
        told = self.entries.get(id(_titled(root)))
        if told is None and is_memo and len(self.entries) < _JOURNAL:
            told = ("", "")
        if told is not None:
            self.entries = {id(root): told}

    def _find_below(self, node: HeadingNode) -> bool:
        """Return whether the part is an entry or holds one."""
        inner = [self._find_below(child) for child in node.children]
        found = None if any(inner) else dated_heading(node.plain, node.lines)
        if found:
            self.entries[id(node)] = found
        return any(inner) or found is not None

    def emit(
        self,
        node: HeadingNode,
        above: tuple[str, ...],
        parent: int | None,
        meta: FrontMatter,
    ) -> None:
        """Append a section or an entry, its windows, and what is below it."""
        is_entry = id(node) in self.entries
        # What a dated heading says holds for the sections below it.
        title, date = self.entries.get(id(node), ("", ""))
        meta = replace(meta, title=title or meta.title, date=date or meta.date)
        if is_entry:
            node, text = self._entry(node, meta)
        else:
            text = build_content(node)
        if not text:
            return
        trail = (*above, node.plain) if node.plain else above
        tokens = estimate_tokens(text)
        if self.leaves_long and not is_entry and tokens > MAX_TOKENS_PER_SECTION:
            self._leave(node, trail, parent, meta)
            return
        whole = Window(node.start_line, node.end_line, text)
        kind = "entry" if is_entry else "section"
        section = self._add(kind, node, trail, whole, parent, meta)
        if tokens > MAX_TOKENS_PER_SECTION:
            named = node.plain or WHOLE_DOCUMENT
            self.parsed.warnings.append(
                f"The section “{named}” is long ({tokens} tokens) and is indexed in "
                "parts."
            )
        for piece in self._own_windows(node):
            self._add("window", node, trail, piece, section, meta)
        if self._is_split(tokens, is_entry=is_entry):
            for child in node.children:
                self.emit(child, trail, section, meta)

    def _is_split(self, tokens: int, *, is_entry: bool) -> bool:
        """Return whether the sections in a part are chunks of their own."""
        if is_entry:
            return tokens >= self.options.tokens
        return tokens >= MIN_TOKENS_FOR_SPLIT or bool(self.entries)

    def _leave(
        self,
        node: HeadingNode,
        trail: tuple[str, ...],
        parent: int | None,
        meta: FrontMatter,
    ) -> None:
        """Append windows over a section's heading and own text, then what is in it."""
        lines, first = node.lines, node.own_line
        if node.heading:
            lines = [f"{'#' * node.depth} {node.heading}", *lines]
            first -= 1
        for piece in solid_windows(lines, first, self.solid, self.options):
            self._add("window", node, trail, piece, parent, meta)
        for child in node.children:
            self.emit(child, trail, parent, meta)

    def _entry(self, node: HeadingNode, meta: FrontMatter) -> tuple[HeadingNode, str]:
        """Return what an entry is made of, with its text; a title alone is one, too."""
        first, rest = node.start_line, ""
        if not node.depth:
            first, rest = 1, meta.rest
            titled = _titled(node)
            if titled.plain == self.parsed.title:
                node = titled
        text = f"{build_content(node)}\n\n{rest}".strip()
        plain = node.plain or meta.title
        return replace(node, start_line=first, plain=plain), text or meta.title

    def _add(
        self,
        kind: str,
        node: HeadingNode,
        trail: tuple[str, ...],
        piece: Window,
        parent: int | None,
        meta: FrontMatter,
    ) -> int:
        ordinal = len(self.parsed.chunks)
        chunk = ChunkFacts(
            ordinal=ordinal,
            kind=kind,
            start_line=piece.start_line,
            end_line=piece.end_line,
            text=piece.text,
            tokens=estimate_tokens(piece.text),
            header=" > ".join((self.path, *trail)),
            heading=node.plain,
            title=meta.title,
            depth=node.depth if kind == "section" else None,
            parent=parent,
            date=meta.date,
            tags=meta.tags,
            language=text_language(piece.text),
        )
        self.parsed.chunks.append(chunk)
        return ordinal

    def _own_windows(self, node: HeadingNode) -> Iterator[Window]:
        """Yield windows over a long section's own text, children left out."""
        if sum(map(len, node.content)) > self.options.max_chars:
            yield from solid_windows(
                node.lines, node.own_line, self.solid, self.options
            )
