"""One or two sentences on a finished page, for the pages above it."""

from __future__ import annotations

from devrag.core.text import clean_text
from devrag.llm.chat import Message
from devrag.llm.fence import Fence
from devrag.wiki.analysis.prose import sentences
from devrag.wiki.checking.shown_names import CODE
from devrag.wiki.evidence.blocks import join_blocks, plain, split_blocks, unlink
from devrag.wiki.evidence.citations import CITATION
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.language import is_in_language
from devrag.wiki.writing.model.section import Desk
from devrag.wiki.writing.model.validators import Rules, check_section
from devrag.wiki.writing.prompts import fill

_LONGEST = 400
_PAGE_CHARACTERS = 12_000


def summarise(desk: Desk, markdown: str) -> str:
    """Return what the page tells as plain text; '' when no answer could be used."""
    text = _shown(markdown)
    brief, fence = desk.topic.brief, Fence([text])
    said = desk.asking.ask(_request(text, brief, fence))
    if said.finish_reason != "stop" or len(said.text) > 2 * _LONGEST:
        return ""
    answer = " ".join(plain(unlink(clean_text(said.text), lambda _: False)).split())
    rules = Rules(desk.gates, fence.word, glossary=desk.glossary)
    return _checked(answer, text, rules, brief.language)


def summary_request(markdown: str, brief: Brief) -> list[Message]:
    """Return what the model is asked about a page."""
    text = _shown(markdown)
    return _request(text, brief, Fence([text]))


def _shown(markdown: str) -> str:
    """Return the introduction and what the sections are about; without one, all."""
    blocks = split_blocks(CITATION.sub("", MARKER.sub("", markdown)))
    headings = [n for n, b in enumerate(blocks) if b.kind == "heading" and n]
    first = headings[0] if headings else len(blocks)
    if first > 1:
        blocks = [*blocks[:first], *(blocks[n] for n in headings)]
    return join_blocks(blocks)[:_PAGE_CHARACTERS]


def _request(text: str, brief: Brief, fence: Fence) -> list[Message]:
    request = fill(
        "summary",
        language=brief.language_name,
        fence=fence.word,
        page=fence.around("page", text),
    )
    return [brief.message(), Message("user", request)]


def _checked(answer: str, page: str, rules: Rules, language: str) -> str:
    if not is_in_language(answer, language) or answer.startswith(("#", "-", "```")):
        return ""
    if any(span not in page for _, span in CODE.findall(answer)):
        return ""
    # No evidence is asked of a summary, all else is.
    _, findings = check_section(answer, rules)
    if any(finding.gate != "uncited" for finding in findings):
        return ""
    whole = sentences(answer)
    while whole and len(" ".join(whole)) > _LONGEST:
        whole.pop()
    return " ".join(whole)
