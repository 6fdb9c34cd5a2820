"""Answer from the published wiki of a product, without a model.

    wiki_answer(request) -> Answer | None

What a function does is told by the steps that a page of the wiki has of it; what a
product is for, how it is installed, built, tested and configured by the pages on that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django.utils import translation
from django.utils.translation import gettext

from devrag.ask.comparing.definitions import tell_definition
from devrag.ask.from_wiki.errors import asks_for_error, choose_error
from devrag.ask.from_wiki.pages import CitedSections, FoundSection, WikiOfProduct
from devrag.ask.from_wiki.question import Subject, read_subject
from devrag.ask.from_wiki.settings import (
    asks_for_setting,
    asks_for_variables,
    sections_on_settings,
)
from devrag.ask.from_wiki.topics import choose_steps
from devrag.ask.language import language_of
from devrag.ask.named.definitions import find_definitions
from devrag.ask.named.question import read_names
from devrag.ask.reasons import read_words
from devrag.ask.scoped_sources import visible_sources
from devrag.ask.trace.citations import Citations
from devrag.ask.types import Answer, AskRequest
from devrag.core.text import escape_markdown
from devrag.products.models import Product
from devrag.sources.models import Symbol
from devrag.wiki.api import WORDINGS

_HOW = re.compile(
    r"\bhow\s+(?:does|do|is|are)\b|\bwhat\s+happens\b|\bwhat\s+(?:does|do)\b"
    r"|\b(?:explain|describe|walk\s+me\s+through|steps?|flow)\b"
    r"|どのよう|どうやって|どう(?:動|処理|な|実装)|何が(?:起|行)|何を(?:し|行)|なにをし"
    r"|流れ|仕組み|手順|動作|処理|説明",
    re.IGNORECASE,
)
# How something works, not how it is done.
_WORKS = re.compile(
    r"^\s*how\s+(?:does|do(?!\s+(?:i|we|you|one)\b)|is|are)\b|\bwhat\s+happens\b"
    r"|どのように|どうやって|仕組み|流れ",
    re.IGNORECASE,
)
_CALL = re.compile(r"`([\w.$]+\(\))`")
_STEPS_OF = "()"  # in the heading of the steps of a function
_MOST_LINKS = 5
_MOST_STEPS, _MOST_LINES, _MOST_SECTIONS = 20, 14, 3
# The page that tells of a subject, and which of its sections do; none: all of them.
_PLACES: Mapping[Subject, tuple[str, tuple[str, ...]]] = {
    "purpose": ("index.md", ()),
    "install": ("build-and-run.md", ("## Getting started",)),
    "build": (
        "build-and-run.md",
        (
            "## Building and developing",
            "## Make targets",
            "## Scripts",
            "## Scripts and other build files",
        ),
    ),
    "tests": ("testing.md", ("## How to run them",)),
    "configuration": ("configuration.md", ()),
}


def wiki_answer(request: AskRequest) -> Answer | None:
    """Return what the wiki says with its evidence, None where it says nothing.

    Raises NotFound for a scope that the asker cannot see.
    """
    scope = request.scope
    if scope.path or scope.lines is not None or request.history:
        return None
    with translation.override(language_of(request)):
        return _of_subject(request) or _of_steps(request)


def _of_subject(request: AskRequest) -> Answer | None:
    """Answer what a whole product is for, how it is installed, built and run, or set.

    None for another question.
    """
    if len(request.scope.products) != 1 and not request.scope.source:
        return None
    sources = list(
        visible_sources(request.scope, request.principal).select_related("product")
    )
    products = {each.product_id: each.product for each in sources}
    if len(products) != 1:
        return None
    (product,) = products.values()
    names = {product.name, product.title, *(each.name for each in sources)}
    wiki = WikiOfProduct(product, language_of(request))
    source_ids = [each.pk for each in sources]
    subject = read_subject(request.question, names)
    if subject is None and (
        answer := _of_error(request.question, product, wiki, source_ids)
    ):
        return answer
    sections = _sections_for(request.question, subject, names, wiki)
    most = _MOST_STEPS if subject is None else _MOST_LINES
    return _told(product, source_ids, sections, most=most)


def _sections_for(
    question: str, subject: Subject | None, names: set[str], wiki: WikiOfProduct
) -> list[FoundSection]:
    """Return what the wiki has on a subject, on a setting, or on how something works.

    names: of the product and its sources, which all of the wiki is about.
    """
    if subject:
        sections = _sections_on(subject, wiki)
        if subject == "configuration" and asks_for_variables(question):
            sections = _of_variables(sections, wiki) or sections
        return sections
    if asks_for_setting(question):
        page, _ = _PLACES["configuration"]
        return sections_on_settings(question, wiki.sections(page=page))
    if _WORKS.search(question) and read_names(question) is None:
        words = read_words(question).without(names).telling
        steps = choose_steps(words, wiki.sections(within=_STEPS_OF))
        return [steps] if steps else []
    return []


def _sections_on(subject: Subject, wiki: WikiOfProduct) -> list[FoundSection]:
    """Return what the wiki has on a subject: of its front page what comes first."""
    page, titles = _PLACES[subject]
    found = wiki.sections(page=page)
    if subject == "purpose":
        return [each for each in found if each.level <= 1]
    wording = WORDINGS.get(wiki.language, WORDINGS["en"])
    wanted = {wording.say(title).lstrip("# ") for title in titles}
    below = [each for each in found if each.level > 1]
    return [each for each in below if not wanted or each.heading in wanted]


def _of_variables(
    sections: Sequence[FoundSection], wiki: WikiOfProduct
) -> list[FoundSection]:
    wording = WORDINGS.get(wiki.language, WORDINGS["en"])
    heading = wording.say("## Environment variables").lstrip("# ")
    return [each for each in sections if each.heading == heading]


def _told(
    product: Product,
    source_ids: Sequence[int],
    sections: Sequence[FoundSection],
    *,
    most: int,
) -> Answer | None:
    citations = Citations()
    cited = CitedSections(product, source_ids, citations)
    blocks: list[str] = []
    for section in sections:
        if said := cited.markdown(section, most=most):
            blocks += [f"**{section.shown}**", said]
            blocks += [_links([section])]
        if len(blocks) >= 3 * _MOST_SECTIONS:
            break
    return _answer(blocks, citations) if blocks else None


def _of_steps(request: AskRequest) -> Answer | None:
    """Answer how a function works by its steps, then show where it begins."""
    asked = read_names(request.question)
    if asked is None or asked.is_about_uses or asked.is_about_place:
        return None
    if len(asked.names) != 1 or not _HOW.search(request.question):
        return None
    named = find_definitions(request)
    for each in named.found if named else ():
        if answer := _steps_of(request, each.body):
            return answer
    return None


def _errors_of(wiki: WikiOfProduct) -> list[FoundSection]:
    wording = WORDINGS.get(wiki.language, WORDINGS["en"])
    heading = wording.say("## Errors").lstrip("# ")
    return wiki.sections(headings=[heading])


def _of_error(
    question: str, product: Product, wiki: WikiOfProduct, source_ids: list[int]
) -> Answer | None:
    """Answer what happens by the error that it leads to, and by what raises that.

    None for another question, and for one that names a definition.
    """
    if not asks_for_error(question) or read_names(question) is not None:
        return None
    words = read_words(question)
    error = choose_error(words.telling, _errors_of(wiki))
    if error is None:
        return None
    citations = Citations()
    said = CitedSections(product, source_ids, citations).markdown(error, most=1)
    if not said:
        return None
    blocks = [f"**{error.shown}**", said]
    if raiser := _raiser(citations, source_ids):
        message, _, _ = error.lines[-1].rstrip("| ").rpartition("|")
        telling = read_words(f"{question} {message}")
        blocks += tell_definition(raiser, citations, telling)
    return _answer([*blocks, _links([error])], citations)


def _raiser(citations: Citations, source_ids: list[int]) -> Symbol | None:
    """Return the innermost definition around the first lines that are cited."""
    place = citations.passages[0]
    around = Symbol.objects.filter(
        file__source__in=source_ids,
        file__source__name=place.source,
        file__path=place.path,
        file__content_hash=place.content_hash,
        start_line__lte=place.start_line,
        end_line__gte=place.end_line,
    )
    rows = around.select_related("file__source__product")
    return rows.order_by("-start_line", "pk").first()


def _steps_of(request: AskRequest, symbol: Symbol) -> Answer | None:
    product = symbol.file.source.product
    wiki = WikiOfProduct(product, language_of(request))
    begin = f"{symbol.qualified_name}()"
    sections = [each for each in wiki.sections(begin=begin) if each.heading != begin]
    rows = visible_sources(request.scope, request.principal)
    source_ids = list(rows.filter(product=product).values_list("pk", flat=True))
    citations = Citations()
    cited = CitedSections(product, source_ids, citations)
    words = read_words(request.question)
    is_on_error = asks_for_error(request.question)
    errors = _errors_of(wiki) if is_on_error else []
    error = choose_error(words.telling, errors, raiser=begin)
    row = cited.markdown(error, most=1) if error else ""
    first = [f"**{error.shown}**", row] if error and row else []
    for section in sections:
        if said := cited.markdown(section, most=_MOST_STEPS):
            head = f"**{section.shown}**"
            called = {f"{name}{section.heading[len(begin) :]}" for name in _calls(said)}
            others = wiki.sections(headings=called) if called else []
            links = _links([section, *(e for e in others if e.url != section.url)])
            citations.load([symbol.file_id])
            definition = tell_definition(symbol, citations, words)
            return _answer([*first, head, said, links, *definition], citations)
    if error and first:
        definition = tell_definition(symbol, citations, words)
        return _answer([*first, _links([error]), *definition], citations)
    return None


def _calls(said: str) -> set[str]:
    """Return the functions that steps name, with their brackets."""
    return set(_CALL.findall(said))


def _links(sections: Sequence[FoundSection]) -> str:
    """Return links to sections: by their headings where there are several."""
    linked = gettext(", ").join(
        f"[{each.shown if len(sections) > 1 else escape_markdown(each.page.title)}]"
        f"({each.url})"
        for each in sections[:_MOST_LINKS]
    )
    return gettext("More in the wiki: %(pages)s") % {"pages": linked}


def _answer(blocks: Sequence[str], citations: Citations) -> Answer:
    passages = tuple(citations.passages)
    return Answer("\n\n".join(blocks) + "\n", passages, passages, "answered")
