"""Asks whether the lines that a page's new sentences will cite support them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest

from devrag.core.text import shorten
from devrag.llm.chat import ChatModel
from devrag.wiki.checking.support import SupportClaim
from devrag.wiki.checking.validators import Gates
from devrag.wiki.evidence.blocks import MarkdownBlock, plain, split_blocks
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.citation_spans import CitationSpans
from devrag.wiki.writing.model.support import MOST_TOKENS, check_support
from devrag.wiki.writing.model.validators import leads_away, said_as

_LEADS_IN = (":", "：")
_LONGEST_CONTEXT = 160


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence is held against. context: the headings and leads above it.

    before: the sentence before it in its paragraph.
    """

    excerpts: tuple[str, ...]
    context: str = ""
    before: str = ""

    def alone(self) -> Claim:
        """Return the claim as it is judged without those around it."""
        parts = (part for part in (self.context, self.before) if part)
        return replace(self, context=" / ".join(parts))


@dataclass(frozen=True, slots=True)
class Judged:
    """What a check found. failed: sentence → why its lines do not support it.

    checked: how many have a verdict. unknown: those that have none, since no answer
    came or it did not confirm that it checked all.
    """

    failed: Mapping[str, str]
    checked: int = 0
    unknown: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SupportJudge:
    """Who judges support. before: called ahead of it. most_tokens: of a request."""

    chat: ChatModel
    before: Callable[[], None]
    most_tokens: int = MOST_TOKENS

    def judge(self, claims: Mapping[str, Claim]) -> Judged:
        """Have claims judged. claims: by their sentences."""
        if not claims:
            return Judged({})
        self.before()
        numbered = [
            SupportClaim(number, sentence, claim.excerpts, context=claim.context)
            for number, (sentence, claim) in enumerate(claims.items(), 1)
        ]
        verdicts = check_support(self.chat, numbered, self.most_tokens)
        failed = {
            claim.sentence: verdict.reason
            for claim, verdict in zip(numbered, verdicts, strict=True)
            if verdict.support == "unsupported"
        }
        unknown = frozenset(
            claim.sentence
            for claim, verdict in zip(numbered, verdicts, strict=True)
            if verdict.support == "unknown"
        )
        return Judged(failed, len(numbered) - len(unknown), unknown)


def claims_of(
    blocks: Iterable[MarkdownBlock],
    gates: Gates,
    spans: CitationSpans,
    known: frozenset[str],
    title: str = "",
) -> dict[str, Claim]:
    """Return sentence → what it is held against, for those that need a check.

    What leads to a list or code, or only to another page, claims nothing. known:
    sentences, as `said_as` has them, that need no check. title: of the section.
    """
    found: dict[str, Claim] = {}
    for placed in _cited_sentences(list(blocks), title):
        sentence = placed.sentence
        is_known = said_as(sentence) in known
        if not is_known and not leads_away(MARKER.sub("", sentence)):
            excerpts = tuple(_excerpts(sentence, placed.block, gates, spans))
            found[sentence] = Claim(excerpts, placed.context, placed.before)
    return found


def widened(
    sentence: str, claim: Claim, gates: Gates, spans: CitationSpans
) -> Claim | None:
    """Return a claim that is held against all that it cites, None if that is no more.

    It is judged without those around it.
    """
    cited = [gates.items[k] for k in MARKER.findall(sentence) if k in gates.items]
    shown = spans.excerpts(sentence, cited, is_wide=True)
    excerpts = tuple(gates.text_of(item.id, lines) for item, lines in shown)
    if _size(excerpts) <= _size(claim.excerpts):
        return None
    return replace(claim, excerpts=excerpts).alone()


def _size(excerpts: Iterable[str]) -> int:
    """Return how many lines of files excerpts have, without those above them."""
    return sum(text.count("\n") - 1 for text in excerpts)


def _excerpts(
    sentence: str, block: MarkdownBlock, gates: Gates, spans: CitationSpans
) -> Iterator[str]:
    """Yield what readers will be shown for a sentence, as its writer was shown it.

    A sentence without a marker is held to what the others of its block cite.
    """
    citing = [sentence] if MARKER.search(sentence) else block.sentences()
    for each in citing:
        ids = [key for key in MARKER.findall(each) if key in gates.items]
        for item, lines in spans.excerpts(each, [gates.items[key] for key in ids]):
            yield gates.text_of(item.id, lines)


def sentences_known(texts: Iterable[str]) -> frozenset[str]:
    """Return the sentences of texts, as `said_as` has them."""
    return frozenset(
        said_as(sentence)
        for text in texts
        for block in split_blocks(text)
        if block.is_prose
        for sentence in block.sentences()
    )


@dataclass(frozen=True, slots=True)
class _Placed:
    """A sentence and where it stands."""

    sentence: str
    block: MarkdownBlock
    context: str
    before: str


def _cited_sentences(blocks: list[MarkdownBlock], title: str) -> Iterator[_Placed]:
    """Yield the sentences that have evidence, without those that lead to a list."""
    heading, leads = title, dict[int, str]()
    for block, following in zip_longest(blocks, blocks[1:]):
        depth = _depth(block)
        leads = {at: lead for at, lead in leads.items() if at < depth}
        if block.kind == "heading":
            heading = f"{title} > {plain(block.text)}" if title else plain(block.text)
        if not block.is_prose:
            continue
        leads_on = following is not None and following.kind != "heading"
        context = " > ".join(filter(None, [heading, *leads.values()]))
        sentences = block.sentences()
        leads[depth] = _lead(sentences, is_item=block.kind == "item")
        if not MARKER.search(block.text):
            continue
        before = ""
        for sentence in sentences:
            bare = plain(sentence)
            if not (leads_on and bare.rstrip(" .。").endswith(_LEADS_IN)):
                yield _Placed(sentence, block, context, before)
            before = shorten(bare, _LONGEST_CONTEXT)


def _depth(block: MarkdownBlock) -> int:
    """Return how deep a block stands in lists, 0 outside of them."""
    if block.kind != "item":
        return 0
    return 1 + len(block.lead) - len(block.lead.lstrip())


def _lead(sentences: list[str], *, is_item: bool) -> str:
    """Return what gives the entries below a text their subject, '' if nothing does."""
    said = plain(sentences[0 if is_item else -1]) if sentences else ""
    is_lead = is_item or said.rstrip(" .。").endswith(_LEADS_IN)
    return shorten(said, _LONGEST_CONTEXT) if is_lead else ""
