"""Markdown by markdown-it's tokens: sections, title, front matter, links.

Block structure comes from one pass without inline parsing, where the time would go;
only headings and blocks that may hold a link have their inline text parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from devrag.parsing.documents.front_matter import read_front_matter
from devrag.parsing.documents.links import resolve_link
from devrag.parsing.documents.memo import entry_chunks, find_entries
from devrag.parsing.documents.sections import Heading, Outline, parse_outline
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import ChunkFacts, ReferenceFacts

_SECTION_TAGS = {"h1": 1, "h2": 2, "h3": 3}
_SOLID = {"fence", "table_open"}
_CONTAINER_BLOCKS = ["paragraph", "reference", "blockquote", "list"]
_INLINE_LIMIT = 20_000
_LINES_PER_CHECK = 64
# Only a reason to look closer: blocks whose links all leave the source are not parsed.
_MAY_BE_LOCAL = re.compile(r"\]\((?!\s*<?(?:https?:|mailto:|#))", re.IGNORECASE)


def parse_markdown(source: SourceText, *, is_office: bool = False) -> Parsed:
    """Return a Markdown file's sections, dated entries and links.

    is_office: made of an Office document, which has headings and may be very long, and
    is no memo.
    """
    env: dict[str, Any] = {"source": source}
    tokens = _markdown().parse(source.text, env)
    outline = Outline(source.lines, may_be_memo=not is_office, leaves_long=is_office)
    if tokens and tokens[0].type == "front_matter":
        outline.meta = read_front_matter(source, tokens[0].content)
        outline.body_line = (tokens[0].map or [0, 0])[1] + 1
    outline.headings = list(extract_headings(source, tokens, env))
    outline.solid = [
        (token.map[0] + 1, token.map[1])
        for token in tokens
        if token.type in _SOLID and token.map
    ]
    outline.links = _links(source, tokens, env)
    parsed = parse_outline(source, outline)
    if outline.body_line > 1 and not any(c.start_line == 1 for c in parsed.chunks):
        last = len(parsed.chunks)
        parsed.chunks.append(_front_matter_window(source, outline.body_line, last))
    if is_office:
        return parsed
    entries = find_entries(source.lines)
    parsed.chunks += entry_chunks(source.path, entries, first=len(parsed.chunks))
    return parsed


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    markdown.core.ruler.disable(["inline", "text_join"])
    ruler = markdown.block.ruler
    ruler.before("table", "deadline", _check_deadline, {"alt": _CONTAINER_BLOCKS})
    return markdown


def _check_deadline(state: StateBlock, start: int, _end: int, _silent: bool) -> bool:
    """Stop the block parser once the file's time is up; asked at each line it tries."""
    if start % _LINES_PER_CHECK == 0:
        state.env["source"].check_deadline()
    return False


def extract_headings(
    source: SourceText, tokens: Sequence[Token], env: dict[str, Any]
) -> Iterator[Heading]:
    """Yield H1-H3 outside lists and quotes; H4-H6 stay in their section's text."""
    for index, token in enumerate(tokens):
        depth = _SECTION_TAGS.get(token.tag, 0)
        if token.type != "heading_open" or token.level or not depth or not token.map:
            continue
        inline = tokens[index + 1]
        start, end = token.map
        written = " ".join(inline.content.split())
        yield Heading(depth, written, _plain(inline, env), start + 1, end)


def _front_matter_window(
    source: SourceText, body_line: int, ordinal: int
) -> ChunkFacts:
    lines = source.lines[: body_line - 1]
    text = "\n".join(lines)
    return ChunkFacts(
        ordinal=ordinal,
        kind="window",
        start_line=1,
        end_line=len(lines),
        text=text,
        tokens=estimate_tokens(text),
        header=source.path,
        language=text_language(text),
    )


def _inline_children(token: Token, env: dict[str, Any]) -> list[Token]:
    """Parse one block's inline text, unless it is too long to be prose."""
    if len(token.content) > _INLINE_LIMIT:
        return []
    env["source"].check_deadline()
    children: list[Token] = []
    markdown = _markdown()
    markdown.inline.parse(token.content, markdown, env, children)
    return children


def _plain(token: Token, env: dict[str, Any]) -> str:
    """Return a heading's words without markup."""
    if token.content.isalnum():
        return token.content
    children = _inline_children(token, env)
    words = (c.content for c in children if c.type in {"text", "code_inline"})
    return " ".join("".join(words).split()) or token.content.strip()


def _links(
    source: SourceText, tokens: Sequence[Token], env: dict[str, Any]
) -> list[ReferenceFacts]:
    """Return links and images that lead to files of the same source."""
    found: dict[tuple[str, int], None] = {}
    named = env.get("references", {}).values()
    mark = "[" if any(resolve_link(source.path, ref["href"]) for ref in named) else "]("
    for token in tokens:
        if token.type != "inline" or mark not in token.content:
            continue
        if mark == "](" and not _MAY_BE_LOCAL.search(token.content):
            continue
        line = (token.map or [0, 0])[0] + 1
        for child in _inline_children(token, env):
            if child.type in {"softbreak", "hardbreak"}:
                line += 1
            target = child.attrGet("href") or child.attrGet("src")
            name = resolve_link(source.path, str(target)) if target else ""
            if name:
                found[name, line] = None
    return [ReferenceFacts("link", name, line) for name, line in found]
