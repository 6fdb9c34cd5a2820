"""The gates before publishing: what fails is cut and reported, never shown broken.

Per page: citations resolve, backticked names exist, links lead somewhere, no raw HTML,
diagrams parse. Over all pages: planned = written, none empty, none twice.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from devrag.core.diagram_links import without_links
from devrag.core.hashing import sha256_hex
from devrag.wiki.analysis.names import Names, escape
from devrag.wiki.analysis.prose import LEAST_WORDS, count_words, join_sentences
from devrag.wiki.checking.shown_names import (
    CODE,
    NameTest,
    is_shown,
    missing_names,
    names_in,
)
from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    anchors_of,
    join_blocks,
    links_in,
    map_prose,
    plain,
    split_blocks,
    unlink,
    without_empty_headings,
)
from devrag.wiki.evidence.page_evidence import MARKER, EvidenceItem

HTML = re.compile(r"(?<!\\)<[a-zA-Z/!]")
_SHOWN = 200
_TABLE_HEAD = 2  # lines
_UNKNOWN = (
    "`{}` is neither in the cited lines nor a name of this code; cite lines that show "
    "it or leave it out"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a gate cut and why. gate: citation, name, link, html, diagram, page.

    text: for people, plain and short. sentence: as it stands in the Markdown, where
    another sentence may take its place; of a diagram or code the whole fence.
    """

    page: str
    gate: str
    reason: str
    text: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Gates:
    """What a page is checked against. diagram_error: None when the diagram parses.

    shown: what a writer saw of an item beside its path and lines, such as headings.
    """

    page: str
    pages: frozenset[str]
    names: Names
    items: Mapping[str, EvidenceItem]
    broken_items: Mapping[str, str]
    diagram_error: Callable[[str], str | None]
    shown: Mapping[str, str] = field(default_factory=dict)

    def text_of(self, evidence_id: str, excerpt: str = "") -> str:
        """Return an item as a writer saw it, '' where there is none.

        excerpt: these of its lines instead of all.
        """
        item = self.items.get(evidence_id)
        if item is None:
            return ""
        beside = self.shown.get(evidence_id, "")
        return f"{item.source}/{item.path}\n{beside}\n{excerpt or item.excerpt}"

    def has(self, name: str) -> bool:
        """Return whether the index has a name or any evidence of the page shows it."""
        return self.names.knows(name) or any(
            is_shown(name, self.text_of(key), is_indexed=self.names.knows)
            for key in self.items
        )

    def cited(self, sentence: str, block: str) -> list[str]:
        """Return what a sentence cites, else what its block does, as it was shown."""
        ids = MARKER.findall(sentence) or MARKER.findall(block)
        return [text for key in ids if (text := self.text_of(key))]

    def shown_beside(self, sentence: str, block: str) -> Iterator[str]:
        """Yield what may show a sentence's names: what it cites, else all evidence.

        Headings and what only leads to a list cite nothing.
        """
        yield from self.cited(sentence, block) or map(self.text_of, self.items)


def check_page(
    markdown: str, gates: Gates, *, leads_on: bool = False
) -> tuple[str, list[Finding]]:
    """Return the page without what fails, and what failed. leads_on: more follows."""
    findings: list[Finding] = []
    blocks = split_blocks(markdown)
    anchors = anchors_of(blocks)
    kept: list[MarkdownBlock] = []
    for block in blocks:
        if block.kind == "fence":
            checked = _check_fence(block, gates, findings)
        elif block.kind == "heading":
            checked = _check_heading(block, gates, findings)
        else:
            checked = _check_prose(block, gates, anchors, findings)
        if checked is not None:
            kept.append(checked)
    return join_blocks(without_empty_headings(kept, leads_on=leads_on)), findings


def _check_fence(
    block: MarkdownBlock, gates: Gates, found: list[Finding]
) -> MarkdownBlock | None:
    if block.lead != "mermaid":
        return block
    error = gates.diagram_error(block.text)
    if error is None:
        return _with_good_links(block, gates, found)
    again = join_blocks([block]).strip()
    reason = f"it does not parse: {error}"
    found.append(Finding(gates.page, "diagram", reason, block.text[:_SHOWN], again))
    return None


def _with_good_links(
    block: MarkdownBlock, gates: Gates, found: list[Finding]
) -> MarkdownBlock:
    """Return a diagram whose nodes lead to pages of this wiki only."""

    def is_good(target: str) -> bool:
        return linked_page(gates.page, target.partition("#")[0]) in gates.pages

    kept = without_links(block.text, is_good)
    if kept == block.text:
        return block
    reason = "a node of the diagram leads to no page of this wiki"
    found.append(Finding(gates.page, "link", reason, block.text[:_SHOWN]))
    return replace(block, text=kept)


def _check_heading(
    block: MarkdownBlock, gates: Gates, found: list[Finding]
) -> MarkdownBlock:
    """Return a heading, its names as plain words where the index lacks one."""
    shown = gates.shown_beside(block.text, block.text)
    span = unknown_name(block.text, gates.names, shown, gates.has)
    if not span:
        return block
    reason = f"`{span}` is neither in the evidence nor a name of this code"
    found.append(Finding(gates.page, "name", reason, block.text[:_SHOWN]))
    return replace(block, text=CODE.sub(lambda m: escape(m.group(2)), block.text))


def _check_prose(
    block: MarkdownBlock, gates: Gates, anchors: set[str], found: list[Finding]
) -> MarkdownBlock | None:
    kept = []
    pieces = block.sentences()
    for number, piece in enumerate(pieces, 1):
        problem = _problem(piece, block, gates, anchors)
        if problem is None:
            kept.append(piece)
            continue
        found.append(finding_on(gates.page, problem, piece))
        if block.kind == "item" and not kept:
            # What follows would lean on the sentence that was cut.
            found += dependent_findings(gates.page, pieces[number:])
            return None
    if not kept or (block.kind == "table" and len(kept) <= _TABLE_HEAD):
        return None
    text = join_sentences(kept) if block.is_prose else "\n".join(kept)
    return replace(block, text=text)


def finding_on(page: str, problem: tuple[str, str], sentence: str) -> Finding:
    """Return what is wrong with a sentence."""
    return Finding(page, *problem, plain(sentence)[:_SHOWN], sentence)


def dependent_findings(page: str, sentences: Iterable[str]) -> list[Finding]:
    """Return findings on sound sentences that go with the one before them."""
    reason = "the sentence that it continues was cut"
    return [Finding(page, "format", reason, plain(s)[:_SHOWN]) for s in sentences]


def _problem(
    sentence: str, block: MarkdownBlock, gates: Gates, anchors: set[str]
) -> tuple[str, str] | None:
    for evidence_id in MARKER.findall(sentence):
        if evidence_id not in gates.items:
            return "citation", f"{evidence_id} is no evidence of this page"
        if reason := gates.broken_items.get(evidence_id):
            return "citation", reason
    if HTML.search(CODE.sub("", sentence)):
        return "html", "raw HTML is not allowed"
    for _, target in links_in(sentence):
        if not _leads_somewhere(target, gates, anchors):
            return "link", f"{target} leads to no page or heading of this wiki"
    shown = gates.shown_beside(sentence, block.text)
    span = unknown_name(sentence, gates.names, shown, gates.has)
    return ("name", _UNKNOWN.format(span)) if span else None


def unknown_name(
    text: str,
    names: Names,
    cited: Iterable[str],
    exists: NameTest | None = None,
) -> str:
    """Return the first name in backticks that neither index nor cited text has.

    exists: whether there is what the text says is not used; None if not known.
    """
    unknown = [span for span in names_in(text) if not names.knows(span)]
    missing = missing_names(text, cited, exists, names.knows) if unknown else []
    return next((span for span in missing if span in unknown), "")


def _leads_somewhere(target: str, gates: Gates, anchors: set[str]) -> bool:
    path, _, fragment = target.partition("#")
    if not path:
        return fragment in anchors
    return linked_page(gates.page, path) in gates.pages


def linked_page(page: str, target: str) -> str:
    """Return the page path that a relative link on `page` means."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target))


def check_pages(
    pages: Mapping[str, str], planned: Iterable[str]
) -> tuple[dict[str, str], list[Finding]]:
    """Return the pages that may be published, dangling links undone, and findings."""
    findings = [
        Finding(path, "page", "planned but not written")
        for path in planned
        if path not in pages
    ]
    kept = _unique(pages, findings)
    anchors = {path: anchors_of(split_blocks(text)) for path, text in kept.items()}
    return {
        path: _without_dangling(path, text, anchors, findings)
        for path, text in kept.items()
    }, findings


def _unique(pages: Mapping[str, str], findings: list[Finding]) -> dict[str, str]:
    kept: dict[str, str] = {}
    seen: dict[str, str] = {}
    for path, text in pages.items():
        body = [b for b in split_blocks(text) if b.kind != "heading"]
        digest = sha256_hex(join_blocks(body))
        if sum(count_words(block.text) for block in body) < LEAST_WORDS:
            findings.append(Finding(path, "page", "there is nothing on it"))
        elif digest in seen:
            findings.append(Finding(path, "page", f"the same as {seen[digest]}"))
        else:
            seen[digest] = path
            kept[path] = text
    return kept


def _without_dangling(
    path: str, text: str, anchors: Mapping[str, set[str]], findings: list[Finding]
) -> str:
    def is_good(target: str) -> bool:
        if target.startswith("cite:"):
            return True
        page, _, fragment = target.partition("#")
        there = anchors.get(linked_page(path, page) if page else path)
        return there is not None and (not fragment or fragment in there)

    blocks = split_blocks(text)
    for block in blocks:
        for _, target in [] if block.kind == "fence" else links_in(block.text):
            if not is_good(target):
                findings.append(Finding(path, "link", f"{target} leads nowhere"))
    return join_blocks(map_prose(blocks, lambda prose: unlink(prose, is_good)))
