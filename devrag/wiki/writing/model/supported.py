"""Asks once whether the evidence of a page's new sentences supports them.

A sentence is held against all of the lines that its writer was shown, not against the
part of them that is cited in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from devrag.llm.chat import ChatModel
from devrag.wiki.checking.support import SupportClaim
from devrag.wiki.checking.validators import Gates
from devrag.wiki.evidence.blocks import MarkdownBlock, plain, split_blocks
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.citation_spans import CitationSpans
from devrag.wiki.writing.model.support import MOST_TOKENS, check_support
from devrag.wiki.writing.model.validators import leads_away, said_as

_LEADS_IN = (":", "：")


@dataclass(frozen=True, slots=True)
class SupportJudge:
    """Who judges support. before: called ahead of it. most_tokens: of a request."""

    chat: ChatModel
    before: Callable[[], None]
    most_tokens: int = MOST_TOKENS

    def unsupported(self, claims: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
        """Return sentence → why its excerpts do not support it, for those that fail."""
        if not claims:
            return {}
        self.before()
        numbered = [
            SupportClaim(number, sentence, excerpts)
            for number, (sentence, excerpts) in enumerate(claims.items(), 1)
        ]
        verdicts = check_support(self.chat, numbered, self.most_tokens)
        return {
            claim.sentence: verdict.reason
            for claim, verdict in zip(numbered, verdicts, strict=True)
            if verdict.support == "unsupported"
        }


def claims_of(
    blocks: Iterable[MarkdownBlock],
    gates: Gates,
    spans: CitationSpans,
    known: frozenset[str],
) -> dict[str, tuple[str, ...]]:
    """Return sentence → the excerpts it will cite, for those that need a check.

    What leads to a list or code, or only to another page, claims nothing. known:
    sentences, as `said_as` has them, that need no check.
    """
    return {
        sentence: tuple(_excerpts(sentence, block.text, gates, spans))
        for block, sentence in _cited_sentences(list(blocks))
        if said_as(sentence) not in known and not leads_away(MARKER.sub("", sentence))
    }


def _excerpts(
    sentence: str, block: str, gates: Gates, spans: CitationSpans
) -> list[str]:
    """Return what readers will be shown for a sentence, as its writer was shown it.

    A sentence without a marker is held to all that its block cites.
    """
    ids = [key for key in MARKER.findall(sentence) if key in gates.items]
    if not ids:
        return gates.cited(sentence, block)
    shown = spans.excerpts(sentence, [gates.items[key] for key in ids])
    return [gates.text_of(item.id, lines) for item, lines in shown]


def sentences_known(texts: Iterable[str]) -> frozenset[str]:
    """Return the sentences of texts, as `said_as` has them."""
    return frozenset(
        said_as(sentence)
        for text in texts
        for block in split_blocks(text)
        if block.is_prose
        for sentence in block.sentences()
    )


def _cited_sentences(
    blocks: list[MarkdownBlock],
) -> Iterator[tuple[MarkdownBlock, str]]:
    """Yield the sentences that have evidence, without those that lead to a list."""
    for block, following in zip_longest(blocks, blocks[1:]):
        if not block.is_prose or not MARKER.search(block.text):
            continue
        leads_on = following is not None and following.kind in {"item", "fence"}
        for sentence in block.sentences():
            if not (leads_on and plain(sentence).rstrip(" .。").endswith(_LEADS_IN)):
                yield block, sentence
