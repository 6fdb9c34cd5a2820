"""Sections of a document, depth 0 to 3, children's content included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from devrag.parsing.chunking import ChunkOptions
from devrag.parsing.documents.front_matter import FrontMatter
from devrag.parsing.documents.memo import release
from devrag.parsing.documents.units import LineRange, solid_windows
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import ChunkFacts, ReferenceFacts
from devrag.parsing.windows import Window

MAX_TOKENS_PER_SECTION = 2000  # a longer one stays whole, with a warning
MIN_TOKENS_FOR_SPLIT = 100  # a shorter text has no sections below
MAX_DEPTH = 3  # deeper headings are text of their parent
_ROOT = "(document root)"
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
    title: the document's, where the format has one apart from headings.
    """

    lines: list[str]
    title: str = ""
    headings: list[Heading] = field(default_factory=list)
    solid: list[LineRange] = field(default_factory=list)
    links: list[ReferenceFacts] = field(default_factory=list)
    meta: FrontMatter = field(default_factory=FrontMatter)
    body_line: int = 1


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
    """Return the sections and links of a document in any format with headings."""
    root = build_tree(outline)
    first = next((n.plain for n in root.children if n.depth == 1), "")
    parsed = section_chunks(
        source,
        root,
        outline.title or first or outline.meta.title,
        outline.meta,
        outline.solid,
    )
    parsed.references = list(dict.fromkeys(outline.links))
    return parsed


def build_tree(outline: Outline) -> HeadingNode:
    """Return the tree of headings of depth 1-3; deeper ones stay in their text."""
    lines = outline.lines
    # Front matter with more than what chunks carry as fields has a window of its own.
    start = outline.body_line if outline.meta.has_more else 1
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


def section_chunks(
    source: SourceText,
    root: HeadingNode,
    title: str,
    meta: FrontMatter,
    solid: Sequence[LineRange] = (),
) -> Parsed:
    """Return a chunk per section, and warnings for those over the token limit."""
    parsed = Parsed(title=title)
    emitter = _Emitter(source.path, solid, source.chunking, parsed)
    emitter.emit(root, (), None, replace(meta, title=title))
    return parsed


@dataclass
class _Emitter:
    path: str
    solid: Sequence[LineRange]
    options: ChunkOptions
    parsed: Parsed

    def emit(
        self,
        node: HeadingNode,
        above: tuple[str, ...],
        parent: int | None,
        meta: FrontMatter,
    ) -> None:
        text = build_content(node)
        if not text:
            return
        tokens = estimate_tokens(text)
        if tokens > MAX_TOKENS_PER_SECTION:
            self.parsed.warnings.append(
                f'Section "{node.plain or _ROOT}" in {self.path} exceeds '
                f"maxTokensPerSection ({tokens} > {MAX_TOKENS_PER_SECTION})"
            )
        # What a release's heading says holds for the sections below it.
        if found := release(node.plain):
            meta = replace(meta, title=found[0], date=found[1])
        trail = (*above, node.plain) if node.plain else above
        whole = Window(node.start_line, node.end_line, text)
        section = self._add(node, trail, whole, parent, meta, tokens)
        for piece in self._own_windows(node):
            self._add(node, trail, piece, section, meta)
        if tokens >= MIN_TOKENS_FOR_SPLIT:
            for child in node.children:
                self.emit(child, trail, section, meta)

    def _add(
        self,
        node: HeadingNode,
        trail: tuple[str, ...],
        piece: Window,
        parent: int | None,
        meta: FrontMatter,
        tokens: int | None = None,
    ) -> int:
        """Append a section, or without its tokens a window of one."""
        ordinal = len(self.parsed.chunks)
        is_window = tokens is None
        chunk = ChunkFacts(
            ordinal=ordinal,
            kind="window" if is_window else "section",
            start_line=piece.start_line,
            end_line=piece.end_line,
            text=piece.text,
            tokens=estimate_tokens(piece.text) if tokens is None else tokens,
            header=" > ".join((self.path, *trail)),
            heading=node.plain,
            title=meta.title,
            depth=None if is_window else node.depth,
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
