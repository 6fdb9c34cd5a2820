"""Sections of a document, depth 0 to 3, children's content included (S3-ADR-011)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from devrag.parsing.documents.front_matter import FrontMatter
from devrag.parsing.source import Parsed
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import ChunkFacts
from devrag.parsing.windows import WHOLE_CHARACTERS, Window, text_windows

MAX_TOKENS_PER_SECTION = 2000  # S3-ADR-003-2
MIN_TOKENS_FOR_SPLIT = 100  # S3-ADR-003-3
_ROOT = "(document root)"


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


def build_content(node: HeadingNode) -> str:
    """Return a section's text, its children's included (S3-ADR-011-2)."""
    return _built(node).strip()


def _built(node: HeadingNode) -> str:
    text = "\n\n".join(node.content)
    if node.heading:
        text = f"{'#' * max(1, node.depth)} {node.heading}\n\n{text}"
    return text + "".join(f"\n\n{build_content(child)}" for child in node.children)


def section_chunks(
    path: str, root: HeadingNode, title: str, meta: FrontMatter
) -> Parsed:
    """Return a chunk per section, and warnings for those over the token limit."""
    parsed = Parsed(title=title)
    emitter = _Emitter(path, title, meta, parsed)
    emitter.emit(root, (), None)
    return parsed


@dataclass
class _Emitter:
    path: str
    title: str
    meta: FrontMatter
    parsed: Parsed

    def emit(
        self, node: HeadingNode, above: tuple[str, ...], parent: int | None
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
        trail = (*above, node.plain) if node.plain else above
        section = self._add(node, trail, "section", text, tokens, parent)
        for piece in _own_windows(node):
            lines = (piece.start_line, piece.end_line)
            self._add(node, trail, "window", piece.text, None, section, lines)
        if tokens >= MIN_TOKENS_FOR_SPLIT:
            for child in node.children:
                self.emit(child, trail, section)

    def _add(
        self,
        node: HeadingNode,
        trail: tuple[str, ...],
        kind: str,
        text: str,
        tokens: int | None,
        parent: int | None,
        lines: tuple[int, int] | None = None,
    ) -> int:
        start, end = lines or (node.start_line, node.end_line)
        ordinal = len(self.parsed.chunks)
        chunk = ChunkFacts(
            ordinal=ordinal,
            kind=kind,
            start_line=start,
            end_line=end,
            text=text,
            tokens=estimate_tokens(text) if tokens is None else tokens,
            header=" > ".join((self.path, *trail)),
            heading=node.plain,
            title=self.title,
            depth=node.depth if kind == "section" else None,
            parent=parent,
            date=self.meta.date,
            tags=self.meta.tags,
            language=text_language(text),
        )
        self.parsed.chunks.append(chunk)
        return ordinal


def _own_windows(node: HeadingNode) -> Iterator[Window]:
    """Yield windows over a long section's own text, children left out (C14)."""
    if sum(map(len, node.content)) > WHOLE_CHARACTERS:
        yield from text_windows(node.lines, node.own_line)
