"""Sentences that gates refuse are asked for again by themselves, all in one request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from devrag.llm.chat import Message
from devrag.llm.fence import Fence, all_around
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.analysis.prose import join_sentences
from devrag.wiki.checking.validators import Finding
from devrag.wiki.evidence.blocks import join_blocks, plain, split_blocks
from devrag.wiki.evidence.page_evidence import MARKER, EvidenceItem
from devrag.wiki.writing.model.citation_spans import terms_of
from devrag.wiki.writing.model.page_request import PageTask
from devrag.wiki.writing.prompts import fill

MOST_SENTENCES = 20
# Nothing is lost with these, or nothing can be put right.
_NOT_REPAIRED = {"repeat", "leak", "empty", "diagram", "html"}
_SHOWN = 200  # characters of a sentence that a finding has
_MOST_EVIDENCE = 5_000  # tokens
_OTHERS_SHOWN = 2
_LINE = re.compile(r"^\s*(\d+)\s*[|:.]\s*(\S.*?)\s*$", re.MULTILINE)
_NONE = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class FaultySentence:
    """A sentence of a section, by the section's number, and what a gate said of it."""

    section: int
    sentence: str
    finding: Finding


def faulty_sentences(
    section: int, text: str, findings: Iterable[Finding]
) -> Iterator[FaultySentence]:
    """Yield the sentences of a text that findings are about and words may repair."""
    wanted = {f.text: f for f in findings if f.gate not in _NOT_REPAIRED and f.text}
    for block in split_blocks(text):
        for sentence in block.sentences() if block.is_prose else ():
            finding = wanted.pop(plain(sentence)[:_SHOWN], None)
            if finding is not None:
                yield FaultySentence(section, sentence, finding)


def repair_request(
    task: PageTask, faulty: Sequence[FaultySentence], items: Iterable[EvidenceItem]
) -> list[Message]:
    """Return what the model is asked about these sentences.

    items: what may be cited; those that a sentence cites or that show its words are
    shown.
    """
    sentences = "\n".join(
        f"{n}| {each.sentence}\n   wrong: {each.finding.reason}"
        for n, each in enumerate(faulty, 1)
    )
    texts = [task.context.labelled(item) for item in _evidence(faulty, list(items))]
    fence = Fence([sentences, *(text for pair in texts for text in pair)])
    content = fill(
        "repair",
        language=task.brief.language_name,
        fence=fence.word,
        sentences=fence.around("sentences", sentences),
        evidence=all_around(fence, texts),
    )
    return [task.brief.message(), Message("user", content)]


def _evidence(
    faulty: Iterable[FaultySentence], items: Sequence[EvidenceItem]
) -> Iterator[EvidenceItem]:
    chosen: dict[str, EvidenceItem] = {}
    for each in faulty:
        cited = set(MARKER.findall(each.sentence))
        terms = terms_of(each.sentence)
        likeness = {item.id: _likeness(terms, item) for item in items}
        others = sorted(
            (item for item in items if item.id not in cited and likeness[item.id]),
            key=lambda item: -likeness[item.id],
        )
        own = [item for item in items if item.id in cited]
        chosen |= {item.id: item for item in [*own, *others[:_OTHERS_SHOWN]]}
    left = _MOST_EVIDENCE
    for item in chosen.values():
        left -= estimate_tokens(item.excerpt)
        if left >= 0:
            yield item


def _likeness(terms: Mapping[str, float], item: EvidenceItem) -> float:
    text = f"{item.path}\n{item.excerpt}".casefold()
    return sum(weight for term, weight in terms.items() if term in text)


def read_repairs(answer: str) -> dict[int, str]:
    """Return the sentences of an answer by number, '' for those it leaves out."""
    found = {int(number): text for number, text in _LINE.findall(answer)}
    return {n: "" if _NONE.fullmatch(text) else text for n, text in found.items()}


def with_sentences(text: str, changed: Mapping[str, str]) -> str:
    """Return a text with sentences replaced; '' takes one out."""
    blocks = []
    for block in split_blocks(text):
        if block.is_prose:
            said = [changed.get(sentence, sentence) for sentence in block.sentences()]
            block = replace(block, text=join_sentences([s for s in said if s]))  # noqa: PLW2901
            if not block.text:
                continue
        blocks.append(block)
    return join_blocks(blocks) if blocks else ""
