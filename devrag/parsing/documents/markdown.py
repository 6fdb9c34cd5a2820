"""Markdown by markdown-it's tokens: sections, title, front matter, links.

Block structure comes from one pass without inline parsing, where the time would go;
only headings and blocks that may hold a link have their inline text parsed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Any
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from devrag.parsing.documents.front_matter import FrontMatter, read_front_matter
from devrag.parsing.documents.memo import entry_chunks, find_entries
from devrag.parsing.documents.sections import HeadingNode, section_chunks
from devrag.parsing.source import Parsed, Source
from devrag.parsing.types import ReferenceFacts

_SECTION_TAGS = {"h1": 1, "h2": 2, "h3": 3}
_CONTAINER_BLOCKS = ["paragraph", "reference", "blockquote", "list"]
_INLINE_LIMIT = 20_000
_HEADING_LIMIT = 300
_LINES_PER_CHECK = 64
# Only a reason to look closer: blocks whose links all leave the source are not parsed.
_MAY_BE_LOCAL = re.compile(r"\]\((?!\s*<?(?:https?:|mailto:|#))", re.IGNORECASE)


def parse_markdown(source: Source) -> Parsed:
    """Return a Markdown file's sections, dated entries and links."""
    env: dict[str, Any] = {"source": source}
    tokens = _markdown().parse(source.text, env)
    meta = FrontMatter()
    body_line = 1
    if tokens and tokens[0].type == "front_matter":
        meta = read_front_matter(source, tokens[0].content)
        body_line = (tokens[0].map or [0, 0])[1] + 1
    root = extract_heading_structure(source, tokens, env, body_line)
    title = next((n.plain for n in root.children if n.depth == 1), meta.title)
    parsed = section_chunks(source.path, root, title or meta.title, meta)
    entries = find_entries(source.lines)
    parsed.chunks += entry_chunks(source.path, entries, first=len(parsed.chunks))
    parsed.references = _links(source, tokens, env)
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


def extract_heading_structure(
    source: Source, tokens: Sequence[Token], env: dict[str, Any], body_line: int = 1
) -> HeadingNode:
    """Return the tree of H1-H3 headings; H4-H6 stay in their section's text."""
    root = HeadingNode("", 0, start_line=body_line, own_line=body_line)
    path = [root]
    for index, token in enumerate(tokens):
        depth = _SECTION_TAGS.get(token.tag, 0)
        if token.type != "heading_open" or token.level or not depth or not token.map:
            continue
        inline = tokens[index + 1]
        start, end = token.map
        _close(source, path, start, depth)
        node = HeadingNode(
            heading=" ".join(inline.content.split()),
            depth=depth,
            plain=_plain(inline, env),
            start_line=start + 1,
            own_line=end + 1,
        )
        path[-1].children.append(node)
        path.append(node)
    _close(source, path, len(source.lines), 0)
    return root


def _close(source: Source, path: list[HeadingNode], line: int, depth: int) -> None:
    """Give the open section its own lines, and end those that the heading closes."""
    last = path[-1]
    last.lines = source.lines[last.own_line - 1 : line]
    end = line
    while end > last.start_line and not source.lines[end - 1].strip():
        end -= 1
    for node in path:
        node.end_line = max(end, node.start_line)
    while len(path) > 1 and path[-1].depth >= depth:
        path.pop()


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
    text = " ".join("".join(words).split()) or token.content.strip()
    return text[:_HEADING_LIMIT]


def _links(
    source: Source, tokens: Sequence[Token], env: dict[str, Any]
) -> list[ReferenceFacts]:
    """Return links and images that lead to files of the same source."""
    found: dict[tuple[str, int], None] = {}
    named = env.get("references", {}).values()
    mark = "[" if any(_resolve(source.path, ref["href"]) for ref in named) else "]("
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
            name = _resolve(source.path, str(target)) if target else ""
            if name:
                found[name, line] = None
    return [ReferenceFacts("link", name, line) for name, line in found]


def _resolve(path: str, target: str) -> str:
    """Return the path in the source that a link leads to, '' for anything else."""
    try:
        parts = urlsplit(target)
    except ValueError:
        return ""
    if parts.scheme or parts.netloc or not parts.path:
        return ""
    written = unquote(parts.path)
    if written.startswith("/"):
        resolved = normpath(written.lstrip("/"))
    else:
        resolved = normpath(str(PurePosixPath(path).parent / written))
    return "" if resolved.startswith("..") or resolved == "." else resolved
