"""The order of a page: the model may rename, group and order facts, never drop them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from devrag.core.text import shorten
from devrag.llm.chat import Message
from devrag.llm.fence import Fence, all_around
from devrag.wiki.analysis.names import escape
from devrag.wiki.checking.validators import Finding
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.model.language import is_title_in_language
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.sections import FactSection
from devrag.wiki.writing.model.terms import other_form
from devrag.wiki.writing.prompts import fill

MOST_SECTIONS = 10
_TRIES = 3
_LONGEST_TITLE, _LONGEST_ABOUT = 80, 300
_FACTS_SHOWN, _LINE_SHOWN = 600, 120


_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_ENTRY = {"title": _TEXT, "about": _TEXT, "covers": _TEXTS, "evidence": _TEXTS}


def object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has all of these and nothing else."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_SCHEMA = object_schema({"sections": {"type": "array", "items": object_schema(_ENTRY)}})


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """A section to write: the facts it takes in and further evidence."""

    title: str
    about: str
    facts: tuple[FactSection, ...]
    evidence: tuple[str, ...] = ()

    @property
    def is_navigation(self) -> bool:
        """Return whether its facts only list pages."""
        return bool(self.facts) and all(f.is_navigation for f in self.facts)


def plan_sections(
    page: PlannedPage,
    sections: Sequence[FactSection],
    page_context: ModelPageContext,
    brief: Brief,
    asking: Asking,
) -> tuple[list[SectionPlan], list[Finding]]:
    """Return the page's sections, the introduction first."""
    first, rest = sections[0], sections[1:]
    lead = SectionPlan("", "", (first,))
    if not needs_outline(rest, page_context):
        return as_they_are(sections), []
    request = outline_request(page, rest, page_context, brief)
    error = ""
    for _ in range(_TRIES):
        said = asking.ask(request, schema=_SCHEMA)
        try:
            found = read_outline(said.text, rest, page_context, brief)
        except ValueError as problem:
            error = str(problem)
            fault = fill("correction", errors=f"- {error}", language="JSON")
            answer = Message("assistant", shorten(said.text, 2000) or "-")
            request = [*request[:2], answer, Message("user", fault)]
            continue
        return [lead, *found], []
    finding = Finding(page.path, "outline", f"{error}; the order of the facts is kept")
    return as_they_are(sections), [finding]


def needs_outline(rest: Sequence[FactSection], page_context: ModelPageContext) -> bool:
    """Return whether there is anything to order behind the introduction."""
    return len(rest) >= 2 or bool(page_context.found)


def as_they_are(sections: Sequence[FactSection]) -> list[SectionPlan]:
    """Return the facts in their own order, the introduction without a title."""
    return [SectionPlan("", "", (sections[0],)), *_as_they_are(sections[1:])]


def outline_request(
    page: PlannedPage,
    rest: Iterable[FactSection],
    page_context: ModelPageContext,
    brief: Brief,
) -> list[Message]:
    texts = [("page", f"{page.title} ({page.kind})")]
    texts += [
        (f"facts {s.id} “{s.title}”", shorten(plain(s.markdown), _FACTS_SHOWN))
        for s in rest
    ]
    texts += [
        (f"evidence {i.id} {i.path}", shorten(i.excerpt, _LINE_SHOWN))
        for i in page_context.found
    ]
    fence = Fence(text for pair in texts for text in pair)
    content = fill(
        "outline",
        fence=fence.word,
        material=all_around(fence, texts),
        language=brief.language_name,
        most=MOST_SECTIONS,
    )
    return [brief.message(), Message("user", content)]


def _as_they_are(sections: Iterable[FactSection]) -> list[SectionPlan]:
    return [SectionPlan(s.title, "", (s,)) for s in sections]


def read_outline(
    text: str,
    sections: Sequence[FactSection],
    page_context: ModelPageContext,
    brief: Brief,
) -> list[SectionPlan]:
    """Return the sections of an answer; facts it forgot follow. Raises ValueError."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise ValueError("The answer holds no JSON object")
    try:
        data = json.loads(text[start : end + 1])
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"The answer is not valid JSON: {error}") from error
    entries = data.get("sections")
    if not isinstance(entries, list) or not entries:
        raise ValueError('"sections" must be a list with at least one entry')
    left = {section.id: section for section in sections}
    known = {item.id for item in page_context.book.items}
    found = [_section(entry, left, known) for entry in entries[:MOST_SECTIONS]]
    planned = [section for section in found if section is not None]
    _check_titles(planned, {**page_context.spellings, **brief.glossary}, brief.language)
    if not planned:
        raise ValueError("No section has a title and covers facts or evidence")
    return [*planned, *_as_they_are(left.values())]


def _check_titles(
    planned: Iterable[SectionPlan], glossary: Mapping[str, str], language: str
) -> None:
    """Raise ValueError on a title in another language or with a word's other form."""
    for section in planned:
        if not is_title_in_language(section.title, language):
            raise ValueError(f"The title “{section.title}” is in another language")
        if form := other_form(section.title, glossary):
            found, wanted = form
            raise ValueError(
                f"The title “{section.title}” says “{found}”, write “{wanted}”"
            )


def _section(
    entry: Any, left: dict[str, FactSection], known: set[str]
) -> SectionPlan | None:
    """Return one section, taking its facts from what is left."""
    if not isinstance(entry, dict):
        return None
    title = shorten(plain(str(entry.get("title") or "")).strip("# "), _LONGEST_TITLE)
    evidence = tuple(e for e in _strings(entry.get("evidence")) if e in known)
    covers = [c for c in _strings(entry.get("covers")) if c in left]
    if not title or not (covers or evidence):
        return None
    facts = tuple(left.pop(c) for c in dict.fromkeys(covers))
    about = shorten(str(entry.get("about") or ""), _LONGEST_ABOUT)
    return SectionPlan(escape(title), about, facts, evidence)


def _strings(value: Any) -> list[str]:
    return [str(v) for v in value] if isinstance(value, list) else []
