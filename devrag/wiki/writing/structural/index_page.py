"""The front page: what the product is, its topics, where to start reading."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from devrag.core.languages import spell_language
from devrag.wiki.analysis.leads import (
    FRONT_FILES,
    is_conditional,
    is_namesake,
    lead_of,
)
from devrag.wiki.analysis.passages import is_dangling
from devrag.wiki.analysis.prose import cited, clean
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.planning.page_kind import INDEX
from devrag.wiki.planning.plan import introduction_place
from devrag.wiki.planning.topic_files import root_documents
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.front_page import write_front
from devrag.wiki.writing.structural.examples import examples_section
from devrag.wiki.writing.structural.first_steps import first_steps
from devrag.wiki.writing.structural.lead import opening_of
from devrag.wiki.writing.structural.mentions import first_of, first_paragraphs
from devrag.wiki.writing.structural.readme_parts import readme_parts
from devrag.wiki.writing.structural.source_introductions import introduce_sources
from devrag.wiki.writing.structural.summaries import (
    front_file,
    page_summary,
    topic_item,
)
from devrag.wiki.writing.structural.ticket_tables import tickets_by_topic
from devrag.wiki.writing.structural.topic_summary import weight

_PARAGRAPHS = 3
_SYMBOLS_SHOWN = 8
_LANGUAGES_SHOWN = 3
_NO_FRONT = 99  # directories
_STEP_OF_WORDS = 200


def write_index(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    if ctx.analysis.is_of_documents:
        return write_front(ctx)
    overview = _overview(ctx, _of_code(ctx))
    return [
        f"# {ctx.page.title}",
        *overview,
        *readme_parts(ctx, overview),
        *_start(ctx),
        *_examples(ctx),
        *_topics(ctx),
        *tickets_by_topic(ctx),
        *_central(ctx),
        *_pages(ctx),
    ]


def _overview(ctx: PageContext, of_code: list[str]) -> list[str]:
    """Introduce the product, each source of several, in the words of its README.

    of_code: what is known of all code.
    """
    if ctx.analysis.has_several_kinds:
        return introduce_sources(ctx, of_code)
    readmes = {file.source: file for file in root_documents(ctx.analysis)}
    sources = sorted({file.source for file in ctx.analysis.survey.files})
    is_several = len(sources) > 1
    blocks: list[str] = []
    for source in sources:
        readme = readmes.get(source)
        said = (
            first_paragraphs(ctx, readme, _PARAGRAPHS, is_one_of_several=is_several)
            if readme
            else []
        )
        said = [*said[:1], *(text for text in said[1:] if _follows(text))]
        said = said or _from_code(ctx, source)
        if is_several and said:
            title = _title(ctx, readme) if readme else source
            blocks.append(f"### {clean(title, ctx.analysis.names)}")
        blocks += said
    return blocks + of_code


def _follows(text: str) -> bool:
    """Return whether a paragraph needs nothing that stood before it."""
    return not is_dangling(text) and not text.lower().startswith("which ")


def _title(ctx: PageContext, file: SurveyFile) -> str:
    sections = ctx.analysis.sections(file)
    return next((s.title for s in sections if s.title), file.source)


def _from_code(ctx: PageContext, source: str) -> list[str]:
    """Without a README, let the source's outermost package speak."""
    own = [topic for topic in ctx.analysis.topics if topic.source == source]
    own.sort(key=lambda topic: (topic.directory.count("/"), topic.directory))
    for topic in own[:1]:
        front = front_file(ctx, topic)
        if front is not None and (text := ctx.file_opening(front)):
            return [text]
    return []


def _of_code(ctx: PageContext) -> list[str]:
    """Return one paragraph on languages and licence, [] where neither is known."""
    told = ctx.joined([*_languages(ctx), *_licence(ctx)])
    return [told] if told else []


def _languages(ctx: PageContext) -> list[str]:
    lines = Counter[str]()
    for file in ctx.analysis.with_role("code"):
        lines[file.language] += file.lines
    most = [name for name, _ in lines.most_common(_LANGUAGES_SHOWN) if name]
    named = ctx.listed([spell_language(name) for name in most])
    return [ctx.say("It is written in {languages}.", languages=named)] if most else []


def _licence(ctx: PageContext) -> list[str]:
    """Say which licence the files at the top name; its text counts first."""
    facts = [
        fact
        for fact in ctx.analysis.facts("licence")
        if "/" not in ctx.analysis.files[fact.file].path
        and (fact.data.get("spdx") or fact.data.get("declared"))
    ]
    texts = [fact for fact in facts if fact.data.get("spdx")]
    named = {fact.name: fact for fact in reversed(texts or facts)}
    if not named:
        return []
    markers = [ctx.book.cite(f.file, f.start_line, f.end_line) for f in named.values()]
    told = (
        phrase("It is licensed under {names}.")
        if len(named) == 1
        else phrase("Its licences are {names}.")
    )
    names = ctx.listed(sorted(named))
    return [cited(ctx.say(told, names=names), "".join(markers))]


def _start(ctx: PageContext) -> list[str]:
    """Return how to begin; the page on building has the rest."""
    commands = first_steps(ctx)
    link = ctx.link_to("build")
    more = [ctx.say("More on this: {link}.", link=link)] if link.startswith("[") else []
    return [ctx.say("## Getting started"), *commands, *more] if commands else []


def _examples(ctx: PageContext) -> list[str]:
    """Return the example programs, where no page on the documents lists them."""
    has_page = ctx.plan.page_of_kind("documentation") is not None
    return [] if has_page else examples_section(ctx)


def _topics(ctx: PageContext) -> list[str]:
    """Return the topics as a reading list, the most used first."""
    below: dict[str, list[int]] = defaultdict(list)
    for index in range(len(ctx.analysis.topics)):
        if page := ctx.plan.page_of_topic(index):
            below[page.parent].append(index)
    if not below[INDEX]:
        return []
    intro = ctx.say(
        "{link} shows how the topics depend on each other.",
        link=ctx.link_to("architecture"),
    )
    listed: dict[str, list[str]] = defaultdict(list)
    sources = {topic.source for topic in ctx.analysis.topics if topic.source}
    only = next(iter(sources)) if len(sources) == 1 else ""
    for index in _reading_order(ctx, below[INDEX]):
        items = listed[ctx.analysis.topics[index].source or only]
        items.append(topic_item(ctx, index))
        page = ctx.plan.page_of_topic(index)
        inside = _most_used(ctx, below[page.path]) if page else []
        items += [f"  {topic_item(ctx, part)}" for part in inside]
    blocks = [ctx.say("## Topics"), intro]
    for source, items in sorted(listed.items()):
        title = [f"### {source}"] if len(listed) > 1 and source else []
        blocks += [*title, "\n".join(items)]
    return blocks


def _reading_order(ctx: PageContext, topics: Iterable[int]) -> list[int]:
    """Return topics from the one at which the code is entered to the utilities.

    Between them those come first of which the documents tell most; documents that
    introduce the product come before all.
    """
    told = {n: _words_of_documents(ctx, n) for n in topics}
    ranked = sorted(_most_used(ctx, told), key=lambda n: -told[n])
    fronts = {n: _depth_of_front(ctx, n) for n in ranked}
    nearest = min(fronts.values(), default=0)
    first = [n for n in ranked if fronts[n] == nearest]
    opening = first if len(first) == 1 and nearest < _NO_FRONT else []
    found = ctx.analysis.topics
    last = [n for n in ranked if found[n].title == "Utilities"]
    return sorted(
        ranked,
        key=lambda n: (
            introduction_place(found[n]),
            not found[n].files,
            n not in opening,
            n in last,
        ),
    )


def _words_of_documents(ctx: PageContext, index: int) -> int:
    """Return how much documents tell of a topic, in steps of many words."""
    words = sum(section.words for section in ctx.analysis.topics[index].sections)
    return words // _STEP_OF_WORDS


def _depth_of_front(ctx: PageContext, index: int) -> int:
    """Return how deep the front file of a package in a topic is."""
    files = ctx.analysis.topics[index].files
    fronts = [f.path.count("/") for f in files if f.name in FRONT_FILES]
    return min(fronts, default=_NO_FRONT)


def _most_used(ctx: PageContext, topics: Iterable[int]) -> list[int]:
    rank = {
        index: sum(
            ctx.analysis.file_rank[f.id] for f in ctx.analysis.topics[index].files
        )
        for index in topics
    }
    return sorted(rank, key=lambda index: (-rank[index], index))


def _central(ctx: PageContext) -> list[str]:
    analysis = ctx.analysis
    ranked = sorted(
        (
            s
            for s in analysis.survey.symbols
            if s.file in analysis.topic_of and s.is_public and s.docstring
            if s.kind != "module"
            and ctx.is_top_level(s)
            and is_exposed(analysis, s)
            and s.id not in analysis.exceptions
        ),
        key=lambda s: (-weight(ctx, s), s.id),
    )
    items: list[str] = []
    per_file = Counter[int]()
    for symbol in ranked[: _SYMBOLS_SHOWN * 3]:
        if per_file[symbol.file] == 2 or len(items) == _SYMBOLS_SHOWN:
            continue
        text = ctx.symbol_purpose(symbol) or _of_topic(ctx, symbol)
        if text and not is_conditional(text):
            where = ctx.path(analysis.files[symbol.file])
            name = f"**{ctx.symbol_name(symbol)}**"
            place = ctx.say("{name} in {path}", name=name, path=where)
            items.append(f"- {place}: {text}")
            per_file[symbol.file] += 1
    if len(items) < 3:
        return []
    intro = ctx.say("The rest of the code uses these definitions most.")
    return [ctx.say("## Where to start reading"), intro, "\n".join(items)]


def _of_topic(ctx: PageContext, symbol: SurveySymbol) -> str:
    """Return what the documents say of a type whose own words are only a sample."""
    index = ctx.analysis.topic_of[symbol.file]
    topic = ctx.analysis.topics[index]
    is_own = is_namesake(ctx.analysis, topic, symbol)
    is_said = is_own and lead_of(ctx.analysis, index)
    return first_of(opening_of(ctx, index)) if is_said else ""


def _pages(ctx: PageContext) -> list[str]:
    items = [
        f"- {ctx.link(page.title, page.path)}: {page_summary(ctx, page)}"
        for page in ctx.plan.pages
        if page.topic is None and page.path != INDEX
    ]
    return [ctx.say("## More pages"), "\n".join(items)]
