"""Markdown from repositories and wikis to sanitised HTML with a table of contents.

Raw HTML stays text or goes (`drops_html`), the result passes nh3 as a second gate, and
nothing in it carries an inline style or script. Links are the caller's business:
relative ones go through `resolve_link`, `[1](cite:7)` through `resolve_citation`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import nh3
from django.utils.html import escape
from markdown_it import MarkdownIt
from markdown_it.token import Token

from devrag.core.callouts import add_callouts
from devrag.core.citation_rows import RowLabel, fold_rows
from devrag.core.diagram_links import NodeLink, links_of, nodes_of
from devrag.core.diagram_size import estimate_size
from devrag.core.highlight import highlight_lines
from devrag.core.line_breaks import as_code, with_breaks
from devrag.core.table_labels import label_cells

# Ids that start so belong to the page around the content.
CHROME_ID_PREFIX = "dr-"

_ID = re.compile(r'(<h[1-6]) id="[^"]*"')
_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]+")
_NEWLINE = re.compile(r"\r\n?|\n")  # as the parser counts lines
_ABSOLUTE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_ALIGNMENT = re.compile(r"text-align:(left|center|right)")

_ATTRIBUTES = {
    "a": {
        "class",
        "href",
        "id",
        "lang",
        "title",
        "aria-label",
        "data-preview",
        "data-node",
    },
    "button": {"class", "lang", "popovertarget", "type"},
    "code": {"class"},
    "div": {"class"},
    "figure": {"class"},
    "figcaption": {"class"},
    "ol": {"start"},
    "pre": {"class", "tabindex"},
    "span": {"class", "id", "popover", "title"},
    "td": {"class", "data-label"},
    "th": {"class"},
    "ul": {"class"},
    **{f"h{level}": {"id"} for level in range(1, 7)},
}
_PLAIN_TAGS = "p br wbr hr em strong s li blockquote table thead tbody tr"
_TAGS = {*_ATTRIBUTES, *_PLAIN_TAGS.split()}


@dataclass(frozen=True, slots=True)
class TocEntry:
    """One entry of the table of contents."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a `cite:` link leads and what its chip says on hover.

    preview: the address of the cited lines, '' where none are shown. stale: what to say
    of lines that are no longer there, in that language, '' while they are. kind: of
    source, as the chip's class has it.
    """

    url: str
    title: str
    preview: str = ""
    stale: str = ""
    language: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class MarkdownSection:
    """A heading with what follows it, up to the next one.

    level: of the heading, 0 for what stands before the first. anchor: the one that
    `render_markdown` gives it. text: its words without markup and citations; start_line
    and end_line count from 1, the heading's own included.
    """

    level: int
    heading: str
    anchor: str
    start_line: int
    end_line: int
    text: str


@dataclass(frozen=True, slots=True)
class RenderedBlock:
    """What stands at the top level of a page. html: sanitised, may be marked safe.

    kind: heading, paragraph, bullet_list, table, fence and the like. source: its
    Markdown. anchor: a heading's id. first, last: its lines in the text, from 1.
    """

    kind: str
    html: str
    source: str
    anchor: str = ""
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as its blocks, one after the other."""

    blocks: tuple[RenderedBlock, ...]
    toc: tuple[TocEntry, ...]
    has_mermaid: bool

    @property
    def html(self) -> str:
        """The whole page: sanitised, may be marked safe."""
        return "".join(block.html for block in self.blocks)


LinkResolver = Callable[[str], str | None]
NodeResolver = Callable[[str], str | None]
CitationResolver = Callable[[str], Citation | None]


def render_markdown(
    text: str,
    *,
    resolve_link: LinkResolver | None = None,
    resolve_citation: CitationResolver | None = None,
    row_label: RowLabel | None = None,
    drops_html: bool = False,
    resolve_node: NodeResolver | None = None,
) -> RenderedPage:
    """Render CommonMark with tables and strikethrough.

    resolve_link: relative href → URL, None removes the link and keeps its text.
    resolve_citation: what follows `cite:` → its target, None removes the chip.
    row_label: names long rows of chips, which are folded then.
    resolve_node: label of a diagram's node → where it leads, for nodes without a link.
    drops_html: of tags only the words between them stay, as in READMEs, whose logos
    and badges are HTML; else tags are text like any other.
    """
    env: dict[str, Any] = {}
    tokens = (_HTML_PARSER if drops_html else _PARSER).parse(text, env)
    toc = _add_anchors(tokens)
    label_cells(tokens)
    row_ids = (f"{CHROME_ID_PREFIX}cites-{n}" for n in itertools.count(1))
    for token in tokens:
        if token.children:
            token.children = _resolve(token.children, resolve_link, resolve_citation)
        if token.children and row_label:
            token.children = fold_rows(token.children, row_label, row_ids)
        if _is_mermaid(token):
            token.meta["links"] = [
                *_diagram_links(token.content, resolve_link),
                *_node_links(token.content, resolve_node),
            ]
        _style_to_class(token)
    lines = _NEWLINE.split(text)
    return RenderedPage(
        blocks=tuple(_render_block(own, lines, env) for own in _top_level(tokens)),
        toc=toc,
        has_mermaid=any(_is_mermaid(token) for token in tokens),
    )


def without_ids(html: str) -> str:
    """Return rendered HTML for a place beside others like it: no id stands twice."""
    return _ID.sub(r"\1", html)


def source_blocks(text: str) -> list[str]:
    """Return the Markdown of each top-level block, as `render_markdown` cuts them."""
    lines = _NEWLINE.split(text)
    return [_source(own[0], lines) for own in _top_level(_PARSER.parse(text))]


def split_sections(text: str, *, deepest: int = 3) -> list[MarkdownSection]:
    """Return the sections of a page in order, one for each heading up to a level.

    Deeper headings belong to the section that they stand in. Diagrams are left out.
    """
    tokens = _PARSER.parse(text)
    toc = iter(_add_anchors(tokens))
    last_line = len(_NEWLINE.split(text.rstrip()))
    sections = [MarkdownSection(0, "", "", 1, last_line, "")]
    words: list[str] = []
    is_title = False
    for token in tokens:
        if token.type == "heading_open":
            entry = next(toc)
            is_title = entry.level <= deepest and token.level == 0
            if is_title:
                line = (token.map or [0])[0] + 1
                _end_section(sections, words, line - 1)
                names = (entry.level, entry.text, entry.anchor)
                sections.append(MarkdownSection(*names, line, last_line, ""))
        elif token.type == "heading_close":
            is_title = False
        elif not is_title:
            words += _words_of(token)
    _end_section(sections, words, last_line)
    return [section for section in sections if section.level or section.text]


def _end_section(
    sections: list[MarkdownSection], words: list[str], end_line: int
) -> None:
    text = "\n".join(words)
    sections[-1] = replace(sections[-1], end_line=end_line, text=text)
    words.clear()


def _words_of(token: Token) -> list[str]:
    if token.type == "inline":
        return [_plain(token.children or [])]
    is_code = token.type in {"fence", "code_block"} and not _is_mermaid(token)
    return [token.content.rstrip()] if is_code else []


def make_anchor(text: str, taken: set[str]) -> str:
    """Return a readable id, unique within `taken`, which it joins.

    Letters of every script stay, so that Japanese headings keep their words.
    """
    base = _NOT_IN_ANCHOR.sub("", text.strip().lower()).replace(" ", "-") or "section"
    if base.startswith(CHROME_ID_PREFIX):
        base = f"section-{base}"
    anchor, count = base, 0
    while anchor in taken:
        count += 1
        anchor = f"{base}-{count}"
    taken.add(anchor)
    return anchor


def _top_level(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    own: list[Token] = []
    for token in tokens:
        own.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield own
            own = []


def _render_block(
    tokens: list[Token], lines: Sequence[str], env: dict[str, Any]
) -> RenderedBlock:
    first = tokens[0]
    start, end = first.map or (0, 0)
    return RenderedBlock(
        kind=first.type.removesuffix("_open"),
        html=_sanitise(_PARSER.renderer.render(tokens, _PARSER.options, env)),
        source=_source(first, lines),
        anchor=str(first.attrGet("id") or "") if first.type == "heading_open" else "",
        first=start + 1,
        last=end,
    )


def _source(token: Token, lines: Sequence[str]) -> str:
    start, end = token.map or (0, 0)
    return "\n".join(lines[start:end]).strip()


def _add_anchors(tokens: Sequence[Token]) -> tuple[TocEntry, ...]:
    taken: set[str] = set()
    toc: list[TocEntry] = []
    for token, inline in itertools.pairwise(tokens):
        if token.type != "heading_open":
            continue
        text = _plain(inline.children or [])
        anchor = make_anchor(text, taken)
        token.attrSet("id", anchor)
        toc.append(TocEntry(level=int(token.tag[1]), text=text, anchor=anchor))
    return tuple(toc)


def _plain(tokens: Sequence[Token]) -> str:
    """Return the words of inline tokens, citations left out."""
    words: list[str] = []
    in_citation = False
    for token in tokens:
        if token.type == "link_open":
            in_citation = str(token.attrGet("href") or "").startswith("cite:")
        elif token.type == "link_close":
            in_citation = False
        elif token.type in {"softbreak", "hardbreak"}:
            words.append(" ")
        elif not in_citation:
            words.append(token.content)
    return "".join(words).strip()


def _resolve(
    tokens: list[Token],
    resolve_link: LinkResolver | None,
    resolve_citation: CitationResolver | None,
) -> list[Token]:
    kept: list[Token] = []
    dropping = ""  # what the open link loses: its tags, or all of it
    said = ""  # what its chip says to those who do not see it
    for token in tokens:
        if token.type == "link_open":
            dropping = _resolve_one(token, resolve_link, resolve_citation)
            said = str(token.meta.get("said", ""))
        elif token.type == "link_close" and said:
            kept += _hidden(f", {said}")
        is_tag = token.type in {"link_open", "link_close"}
        if not (dropping == "all" or (dropping == "tags" and is_tag)):
            kept.append(token)
        if token.type == "link_close":
            dropping = ""
    return kept


def _resolve_one(
    token: Token,
    resolve_link: LinkResolver | None,
    resolve_citation: CitationResolver | None,
) -> str:
    href = str(token.attrGet("href") or "")
    if href.startswith("cite:"):
        citation = resolve_citation(href[5:]) if resolve_citation else None
        if citation is None:
            return "all"
        _make_chip(token, citation)
        return ""
    if href.startswith("#") or _ABSOLUTE.match(href) or resolve_link is None:
        return ""
    url = resolve_link(href)
    if url is None:
        return "tags"
    token.attrSet("href", url)
    return ""


def _make_chip(token: Token, citation: Citation) -> None:
    token.attrSet("href", citation.url)
    of_kind = f" cite-{citation.kind}" if citation.kind else ""
    token.attrSet("class", f"cite{of_kind}")
    token.attrSet("title", citation.title)
    if citation.preview:
        token.attrSet("data-preview", citation.preview)
    if citation.stale:
        token.attrSet("class", f"cite cite-stale{of_kind}")
        token.attrSet("title", f"{citation.title}, {citation.stale}")
        token.attrSet("lang", citation.language)
        token.meta["said"] = citation.stale


def _hidden(text: str) -> list[Token]:
    """Return words that only a screen reader says."""
    attrs: dict[str, str | int | float] = {"class": "visually-hidden"}
    return [
        Token("span_open", "span", 1, attrs=attrs),
        Token("text", "", 0, content=text),
        Token("span_close", "span", -1),
    ]


def _style_to_class(token: Token) -> None:
    # Column alignment comes as a style attribute, which the CSP forbids.
    if token.type in {"th_open", "td_open"}:
        match = _ALIGNMENT.search(str(token.attrs.pop("style", "")))
        if match:
            token.attrSet("class", f"align-{match[1]}")


def _is_mermaid(token: Token) -> bool:
    return token.type == "fence" and token.info.strip().lower() == "mermaid"


def _render_fence(token: Token) -> str:
    if _is_mermaid(token):
        return (
            f'<figure class="mermaid-figure {estimate_size(token.content).css}">'
            '<pre class="mermaid-source" tabindex="0">'
            f"{escape(token.content)}</pre>{_link_list(token)}</figure>\n"
        )
    language = token.info.strip().split(" ")[0].lower()
    code = "\n".join(highlight_lines(token.content, language))
    return f'<pre class="code" tabindex="0"><code>{code}\n</code></pre>\n'


def _diagram_links(
    diagram: str, resolve_link: LinkResolver | None
) -> list[tuple[NodeLink, str]]:
    """Return the nodes of a diagram that lead to pages, with the addresses."""
    if resolve_link is None:
        return []
    links = (link for link in links_of(diagram) if not _ABSOLUTE.match(link.target))
    found = ((link, resolve_link(link.target)) for link in links)
    return [(link, url) for link, url in found if url is not None]


def _node_links(
    diagram: str, resolve_node: NodeResolver | None
) -> list[tuple[NodeLink, str]]:
    """Return the nodes that have no link of their own, but a label that leads on."""
    if resolve_node is None:
        return []
    linked = {link.node for link in links_of(diagram)}
    nodes = (node for node in nodes_of(diagram) if node.node not in linked)
    found = ((node, resolve_node(node.label)) for node in nodes)
    return [(node, url) for node, url in found if url]


def _link_list(token: Token) -> str:
    """Return what a diagram links to, for its script and for those without scripts."""
    items = "".join(
        f'<li><a data-node="{escape(link.node)}" href="{escape(url)}">'
        f"{escape(link.label)}</a></li>"
        for link, url in token.meta.get("links", ())
    )
    return f'<ul class="mermaid-links">{items}</ul>' if items else ""


def _render_image(token: Token) -> str:
    # A repository's images are elsewhere (badges) or untrusted (SVG): show words.
    words = escape(token.content or "image")
    source = escape(str(token.attrGet("src") or ""))
    return f'<span class="md-image" title="{source}">{words}</span>'


def _render_html_block(token: Token) -> str:
    words = nh3.clean(token.content, tags=set()).strip()
    return f"<p>{words}</p>\n" if words else ""


def _sanitise(html: str) -> str:
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )


_RULES: dict[str, Callable[[Token], str]] = {
    "fence": _render_fence,
    "image": _render_image,
    "html_block": _render_html_block,
    "html_inline": lambda _token: "",
    "code_inline": lambda token: as_code(token.content),
    "text": lambda token: with_breaks(token.content),
}


def _as_rule(render: Callable[[Token], str]) -> Callable[..., str]:
    """Return a rule for the parser, which tells more than ours ask for."""
    return lambda _renderer, tokens, index, *_: render(tokens[index])


def _build_parser(*, has_html: bool = False) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": has_html})
    parser.enable(["table", "strikethrough"])
    add_callouts(parser)
    for kind, render in _RULES.items():
        parser.add_render_rule(kind, _as_rule(render))
    return parser


_PARSER = _build_parser()
_HTML_PARSER = _build_parser(has_html=True)
