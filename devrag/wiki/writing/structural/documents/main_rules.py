"""The strictest rules of a topic's documents, which a reader looks for first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from devrag.wiki.analysis.document_facts import INDEX_STEMS
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.documents import is_formal
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.chapters import (
    QuotableSection,
    quotable_sections,
)
from devrag.wiki.writing.structural.documents.left_out import document_name, title_at
from devrag.wiki.writing.structural.documents.rules import STRONG, Rule, rules_of

_WANTED, _FEWEST = 12, 4
_LEAST_OF_DOCUMENT, _OF_DOCUMENT = 4, 12
_LONGEST = 160  # characters; what is short is remembered


def main_rules(ctx: PageContext, files: Sequence[SurveyFile]) -> list[str]:
    """Return the list of the strictest rules, [] where documents have hardly any.

    One of each chapter comes before a second one. What an overview recommends, such as
    which edition to use, comes first.
    """
    ordered = sorted(files, key=lambda f: f.stem.lower() not in INDEX_STEMS)
    seen: set[str] = set()
    ranked = {file: _ranked(ctx, file, seen) for file in ordered}
    ruling = {file: rules for file, rules in ranked.items() if len(rules) > 1}
    share = max(_LEAST_OF_DOCUMENT, _WANTED // max(1, len(ruling)))
    most = min(_OF_DOCUMENT, share)
    found = {
        file: [_item(ctx, file, *each) for each in rules[:most]]
        for file, rules in ranked.items()
        if rules
    }
    if sum(map(len, found.values())) < _FEWEST:
        return []
    return [ctx.say("## Main rules"), "\n".join(_listed(ctx, found))]


def _listed(ctx: PageContext, found: dict[SurveyFile, list[str]]) -> Iterator[str]:
    if len(found) == 1:
        yield from chain.from_iterable(found.values())
        return
    for file, items in found.items():
        yield f"- {document_name(ctx, file)}"
        yield from (f"  {item}" for item in items)


def _item(
    ctx: PageContext, file: SurveyFile, section: QuotableSection, rule: Rule
) -> str:
    title = _path(ctx, file, section)
    said = rule.cited(ctx, file)
    return f"- **{title}**: {said}" if title else f"- {said}"


def _path(ctx: PageContext, file: SurveyFile, section: QuotableSection) -> str:
    """Return the title of a section behind that of its chapter, where it has none."""
    title = title_at(ctx, file, section.place)
    if section.chapter < 0 or section.chapter == section.place or not title:
        return title
    chapter = title_at(ctx, file, section.chapter)
    is_named = title.casefold().startswith(chapter.casefold())
    return title if is_named else f"{chapter} › {title}"


def _ranked(
    ctx: PageContext, file: SurveyFile, seen: set[str]
) -> list[tuple[QuotableSection, Rule]]:
    """Return a document's strict rules, those of each chapter in turn."""
    chapters: dict[int, list[tuple[QuotableSection, Rule]]] = {}
    sections = ctx.analysis.sections(file)
    for section in quotable_sections(ctx, file):
        path = (*section.above, section.place)
        if section.is_preamble or any(is_formal(sections[n].title) for n in path):
            continue
        rules = [r for r in rules_of(ctx, file, section.blocks) if _is_main(r, seen)]
        if rules:
            rule = max(rules, key=lambda rule: rule.strength)
            seen.add(rule.whole.casefold())
            chapters.setdefault(section.chapter, []).append((section, rule))
    for own in chapters.values():
        own.sort(key=lambda each: -each[1].strength)
    turns = chain.from_iterable(zip_longest(*chapters.values()))
    return [each for each in turns if each is not None]


def _is_main(rule: Rule, seen: set[str]) -> bool:
    is_short = len(rule.whole) <= _LONGEST
    return rule.strength >= STRONG and is_short and rule.whole.casefold() not in seen
