"""A finished page in another language: same citations, names, links and diagrams.

The claims are those of the page it was made from, so both cite the same lines. A line
that three tries do not bring is left as it was and reported, and tried again for who
asks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from devrag.core.hashing import sha256_hex
from devrag.llm.chat import Message
from devrag.llm.fence import Fence
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.checking.shown_names import CODE
from devrag.wiki.checking.validators import HTML, Finding
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    cells_of,
    join_blocks,
    links_in,
    plain,
    split_blocks,
    table_of,
)
from devrag.wiki.evidence.citations import (
    CITATION,
    ClaimDraft,
    after_punctuation,
    bare_sentence,
    before_punctuation,
)
from devrag.wiki.generation.material import ModelWriter
from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.reuse.translations import Memory
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.model.language import is_in_language, is_title_in_language
from devrag.wiki.writing.model.terms import other_form
from devrag.wiki.writing.model.validators import leaks
from devrag.wiki.writing.prompts import fill

_TRIES = 3
TOKENS_AT_ONCE = 700  # the answer may be twice as long, and ends at 2048
_LINE = re.compile(r"^\s*(\d+)\|[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_LETTERS = re.compile(r"[^\W\d_]{2}")


def translate_page(
    writer: ModelWriter,
    page: PlannedPage,
    told: DraftedPage,
    before: DraftedPage | None,
    told_before: DraftedPage | None = None,
    *,
    is_asked: bool = False,
) -> DraftedPage:
    """Return the page that was written in the main language, in the writer's.

    before: the translation that readers see, made of `told_before`; lines that did not
    change are taken from it. is_asked: somebody waits, so that what failed is tried
    again.
    """
    fingerprint = _fingerprint(writer, page, told)
    is_same = before is not None and before.fingerprint == fingerprint
    if before and is_same and not (is_asked and before.is_unfinished):
        return _as_before(before, told)
    blocks = split_blocks(told.markdown)
    pieces = [piece for block in blocks for piece in _pieces(block)]
    lines = {n: b.text for n, b in enumerate(pieces) if _is_wanted(b)}
    lines[len(pieces)] = told.summary
    headings = {n for n, b in enumerate(pieces) if b.kind == "heading"}
    memory = Memory(_pairs(writer, page, told_before, before))
    said, faults = _Lines(writer, headings, memory).translate(lines)
    texts = iter([said.get(n, piece.text) for n, piece in enumerate(pieces)])
    shown = [_with_texts(block, texts) for block in blocks]
    shown[:1] = [MarkdownBlock("heading", page.title, "#")]
    findings = [
        Finding(page.path, "translation", reason, plain(lines[n])[:200])
        for n, reason in faults.items()
    ]
    return replace(
        told,
        title=page.title,
        summary=said.get(len(pieces), told.summary),
        markdown=join_blocks(shown),
        claims=_claims(told.claims, shown),
        findings=tuple(findings),
        fingerprint=fingerprint,
        is_reused=False,
        is_unfinished=bool(faults),
        record=None,
    )


def _pairs(
    writer: ModelWriter,
    page: PlannedPage,
    told: DraftedPage | None,
    before: DraftedPage | None,
) -> Iterator[tuple[str, str]]:
    """Yield lines and their translations if `before` is what was made of `told`."""
    if told is None or before is None:
        return
    if before.fingerprint != _fingerprint(writer, page, told):
        return
    yield told.summary, before.summary
    lines, said = (
        [piece for block in split_blocks(draft.markdown) for piece in _pieces(block)]
        for draft in (told, before)
    )
    if [piece.kind for piece in lines] == [piece.kind for piece in said]:
        yield from ((a.text, b.text) for a, b in zip(lines, said, strict=True))


def _pieces(block: MarkdownBlock) -> list[MarkdownBlock]:
    """Return what is translated by itself: a block, or each cell of a table."""
    if block.kind != "table":
        return [block]
    head, *rows = cells_of(block)
    titles = [MarkdownBlock("heading", cell) for cell in head]
    return [
        *titles,
        *(MarkdownBlock("paragraph", cell) for row in rows for cell in row),
    ]


def _with_texts(block: MarkdownBlock, texts: Iterator[str]) -> MarkdownBlock:
    """Return a block with the next texts, one for each of its pieces."""
    if block.kind != "table":
        return replace(block, text=next(texts))
    return table_of([[next(texts) for _ in row] for row in cells_of(block)])


def _is_wanted(block: MarkdownBlock) -> bool:
    """Return whether there is anything to translate.

    No code, no bare name, no title.
    """
    is_title = block.kind == "heading" and block.lead == "#"
    bare = CODE.sub("", plain(block.text))
    is_prose = block.is_prose or block.kind == "heading"
    return is_prose and not is_title and bool(_LETTERS.search(bare))


def _fingerprint(writer: ModelWriter, page: PlannedPage, told: DraftedPage) -> str:
    made_by = (writer.name, str(writer.version), writer.brief.message().content)
    text = after_punctuation(told.markdown)
    return sha256_hex("\x1f".join([*made_by, page.title, told.summary, text]))


def _as_before(before: DraftedPage, told: DraftedPage) -> DraftedPage:
    """Return the published translation at the present places of its evidence."""
    sentences = {claim.ordinal: claim.sentence for claim in before.claims}
    claims = tuple(
        replace(claim, sentence=sentences.get(claim.ordinal, claim.sentence))
        for claim in told.claims
    )
    return replace(
        before,
        ordinal=told.ordinal,
        files=told.files,
        inputs=told.inputs,
        claims=claims,
        is_reused=True,
    )


def _claims(
    claims: Iterable[ClaimDraft], blocks: Iterable[MarkdownBlock]
) -> tuple[ClaimDraft, ...]:
    bearing: dict[int, str] = {}
    for block in blocks:
        text = before_punctuation(block.text)
        if block.kind in {"fence", "heading"}:
            continue
        for sentence in replace(block, text=text).sentences():
            for number in CITATION.findall(sentence):
                said = bare_sentence(CITATION.sub("", sentence))
                bearing.setdefault(int(number), said)
    return tuple(
        replace(c, sentence=bearing.get(c.ordinal, c.sentence)) for c in claims
    )


class _Lines:
    """Has numbered lines translated, and what is wrong with them put right."""

    def __init__(self, writer: ModelWriter, headings: set[int], memory: Memory) -> None:
        self._memory = memory
        self._brief = writer.brief
        self._headings = headings
        self._asking = Asking(writer.chat, writer.before)

    def translate(
        self, lines: Mapping[int, str]
    ) -> tuple[dict[int, str], dict[int, str]]:
        """Return the good ones by number, and what was wrong with each other one."""
        said = self._known(lines)
        faults: dict[int, str] = {}
        for _ in range(_TRIES):
            left = {n: text for n, text in lines.items() if n not in said}
            told, faults = faults, {}
            for portion in _portions(left):
                good, bad = self._portion(portion, told)
                said |= good
                faults |= bad
            if not faults:
                break
        self._asking.check()
        return said, faults

    def _known(self, lines: Mapping[int, str]) -> dict[int, str]:
        """Return the lines whose published translation is still right."""
        recalled = {n: self._memory.recall(text) for n, text in lines.items()}
        fence = Fence(())
        return {
            n: said
            for n, said in recalled.items()
            if not self._fault(n, lines[n], said, fence)
        }

    def _portion(
        self, lines: Mapping[int, str], told: Mapping[int, str]
    ) -> tuple[dict[int, str], dict[int, str]]:
        numbered = "\n".join(f"{n}| {text}" for n, text in lines.items())
        fence = Fence([numbered])
        wrong = [f"- {n}: {told[n]}" for n in lines if n in told]
        request = fill(
            "translation",
            language=self._brief.language_name,
            fence=fence.word,
            faults="\n".join(["\nThis was wrong before:", *wrong]) if wrong else "",
            lines=fence.around("lines", numbered),
        )
        answer = self._asking.ask([self._brief.message(), Message("user", request)])
        found = {int(n): text for n, text in _LINE.findall(answer.text)}
        good, bad = {}, {}
        for n, text in lines.items():
            fault = self._fault(n, text, found.get(n, ""), fence)
            if fault:
                bad[n] = fault
            else:
                good[n] = found[n]
        return good, bad

    def _fault(self, number: int, text: str, said: str, fence: Fence) -> str:
        if not said:
            return "the line is missing"
        if HTML.search(CODE.sub("", said)) and not HTML.search(CODE.sub("", text)):
            return "raw HTML is not allowed"
        if leaks(said, fence.word):
            return "it repeats the prompt or speaks of the writer"
        if _marks(said) != _marks(text):
            return "citations, names in backticks and link targets must stay"
        if form := other_form(said, self._brief.glossary):
            return f"write “{form[1]}” where it says “{form[0]}”"
        in_language = (
            is_title_in_language if number in self._headings else is_in_language
        )
        if not in_language(said, self._brief.language):
            return f"it is not in {self._brief.language_name}"
        return ""


def _marks(text: str) -> Counter[str]:
    """Return what no translation may change."""
    names = [span for _, span in CODE.findall(text)]
    return Counter([*names, *(f"({target}" for _, target in links_in(text))])


def _portions(lines: Mapping[int, str]) -> Iterator[dict[int, str]]:
    """Yield the lines in portions that one answer has room for."""
    portion: dict[int, str] = {}
    size = 0
    for number, text in lines.items():
        tokens = estimate_tokens(text)
        if portion and size + tokens > TOKENS_AT_ONCE:
            yield portion
            portion, size = {}, 0
        portion[number] = text
        size += tokens
    if portion:
        yield portion
