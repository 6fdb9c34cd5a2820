"""Answers and their events as JSON documents, under the keys of the REST interface."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from devrag.ask.types import (
    Answer,
    AskEvent,
    Checked,
    Draft,
    EvidenceFound,
    Passage,
    Progress,
)

Document = dict[str, Any]
# Returns the address of a passage's page, "" where there is none.
Link = Callable[[Passage], str]
_CITATION = re.compile(r"\[(\d+)\]\(cite:\1\)")
_LINKED = re.compile(r"\[(\d+)\]\(https?://[^()\s]*\)")


def without_links(_passage: Passage) -> str:
    """Return "": for readers without a browser."""
    return ""


def link_citations(markdown: str, citations: Sequence[Passage], link: Link) -> str:
    """Return Markdown in which `[2](cite:2)` leads to the lines that it cites.

    Without an address it is `[2]`.
    """

    def linked(found: re.Match[str]) -> str:
        number = int(found[1])
        known = 0 < number <= len(citations)
        url = link(citations[number - 1]) if known else ""
        return f"[{number}]({url_in_markdown(url)})" if url else f"[{number}]"

    return _CITATION.sub(linked, markdown)


def unlink_citations(markdown: str) -> str:
    """Return an answer that a client sends back as it was before its links."""
    return _LINKED.sub(r"[\1](cite:\1)", markdown)


def url_in_markdown(url: str) -> str:
    """Return an address that no parenthesis in it ends."""
    return url.replace("(", "%28").replace(")", "%29")


def answer_document(answer: Answer, link: Link) -> Document:
    """Return a whole answer. Texts of evidence are those of its citations only."""
    return {
        "answer": link_citations(answer.markdown, answer.citations, link),
        "outcome": answer.outcome,
        "isExtractive": answer.is_extractive,
        "isComplete": answer.is_complete,
        "citations": _citations(answer.citations, link),
        "evidence": [passage_document(each, link) for each in answer.evidence],
        "notes": list(answer.notes),
        "removed": [
            {"sentence": each.sentence, "reason": each.reason}
            for each in answer.removed
        ],
        "diagram": answer.diagram,
        "model": answer.model,
        "usage": {
            "inputTokens": answer.input_tokens,
            "outputTokens": answer.output_tokens,
        },
    }


def event_document(event: AskEvent, link: Link) -> tuple[str, Document]:
    """Return the name of an event and what it says."""
    if isinstance(event, EvidenceFound):
        passages = [_with_text(each, link) for each in event.passages]
        return "evidence", {"passages": passages}
    if isinstance(event, Progress):
        return "progress", {"text": event.text}
    if isinstance(event, Draft):
        return "draft", {"text": event.text}
    if isinstance(event, Checked):
        return "checked", {
            "answer": link_citations(event.markdown, event.citations, link),
            "citations": _citations(event.citations, link),
            "isSettled": event.is_settled,
        }
    return "done", answer_document(event.answer, link)


def passage_document(passage: Passage, link: Link) -> Document:
    """Return where a passage is and what it shows, without its text."""
    return {
        "id": passage.id,
        "productName": passage.product,
        "sourceName": passage.source,
        "path": passage.path,
        "startLine": passage.start_line,
        "endLine": passage.end_line,
        "version": passage.version_identifier,
        "contentHash": passage.content_hash,
        "kind": passage.kind,
        "language": passage.language,
        "title": passage.title,
        "why": passage.why,
        "symbolID": str(passage.symbol_uuid or ""),
        "url": link(passage),
        "document": passage.document and passage.document.to_json(),
    }


def _with_text(passage: Passage, link: Link) -> Document:
    return {**passage_document(passage, link), "text": passage.text}


def _citations(citations: Sequence[Passage], link: Link) -> list[Document]:
    return [
        {"number": number, **_with_text(passage, link)}
        for number, passage in enumerate(citations, 1)
    ]


class GrowingText:
    """An answer that is shown piece by piece and cannot be taken back."""

    def __init__(self) -> None:
        self._shown = ""

    def add(self, text: str) -> str:
        """Return what the answer so far has more; "" where it became another one."""
        if not text.startswith(self._shown):
            return ""
        new = text[len(self._shown) :]
        self._shown = text
        return new

    def finish(self, text: str) -> str:
        """Return the rest of the whole answer.

        An answer that became another one follows what was shown, below a rule.
        """
        rest = self.add(text)
        if rest or text == self._shown:
            return rest
        return f"\n\n---\n\n{text}"
