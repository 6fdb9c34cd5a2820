"""What each source of a product is, in the words of its README or front page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.passages import is_dangling, is_telling
from devrag.wiki.analysis.prose import clean
from devrag.wiki.analysis.source_kinds import CODE, SOURCE_KINDS
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.tickets import open_tickets
from devrag.wiki.analysis.topics.documents import is_formal
from devrag.wiki.planning.topic_files import root_documents
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.mentions import paragraph

# By which names front pages are known, the surest first.
_FRONTS = (
    *("readme", "project", "home", "index", "_index", "wiki", "overview", "welcome"),
    *("introduction", "about", "start", "ホーム", "トップページ", "はじめに", "概要"),
)
_SENTENCES = 2
_LEAST_WORDS = 3
_LONGEST = 600


def introduce_sources(ctx: PageContext, of_code: Sequence[str]) -> list[str]:
    """Return a heading and a sentence or two for each source, those of code first.

    of_code: what is known of all code; it stands below the sources of code.
    """
    kinds: dict[str, int] = {}
    for file in ctx.analysis.survey.files:
        place = SOURCE_KINDS.index(ctx.analysis.source_kinds[file.id])
        kinds[file.source] = min(place, kinds.get(file.source, place))
    code: list[str] = []
    others: list[str] = []
    for source in sorted(kinds, key=lambda name: (kinds[name], name)):
        is_code = SOURCE_KINDS[kinds[source]] == CODE
        (code if is_code else others).extend(_introduce(ctx, source))
    return [*code, *of_code, *others]


def _introduce(ctx: PageContext, source: str) -> list[str]:
    fronts = front_documents(ctx, source)
    told = ((file, said) for file in fronts if (said := _opening(ctx, file)))
    file, said = next(told, (fronts[0] if fronts else None, ""))
    counted = _counted(ctx, source)
    if not said and not counted:
        return []
    return [f"### {_title(ctx, source, file)}", *filter(None, (said, counted))]


def _title(ctx: PageContext, source: str, file: SurveyFile | None) -> str:
    """Return what a source calls itself, with its name."""
    sections = ctx.analysis.sections(file) if file else []
    title = next((each.title for each in sections if each.title), "")
    title = "" if is_formal(title) else title
    named = clean(title, ctx.analysis.names)
    name = ctx.analysis.names.code(source) if named else source
    return f"{named} ({name})" if named and title != source else source


def front_documents(ctx: PageContext, source: str) -> list[SurveyFile]:
    """Return the documents that may introduce a source, the likeliest first."""
    roots = [f for f in root_documents(ctx.analysis) if f.source == source]
    own = [f for f in ctx.analysis.with_role("doc") if f.source == source]
    named = [f for f in own if f.stem.lower() in _FRONTS and f not in roots]
    if any(ctx.analysis.source_kinds[f.id] == CODE for f in own):
        return roots
    named.sort(key=lambda f: (f.path.count("/"), _FRONTS.index(f.stem.lower()), f.path))
    return roots + named


def _opening(ctx: PageContext, file: SurveyFile) -> str:
    """Return a document's first sentences that say what it is about, cited."""
    for block in _telling_blocks(ctx, file):
        text = paragraph(ctx, file, block, most=_SENTENCES)
        if text and len(text) <= _LONGEST:
            return text
    return ""


def _telling_blocks(ctx: PageContext, file: SurveyFile) -> Iterator[DocumentBlock]:
    """Yield paragraphs without sponsors, badges, licences and bars of links."""
    for section in ctx.analysis.sections(file):
        for block in () if is_formal(section.title) else section.blocks:
            is_fit = block.kind == "text" and is_telling(block.text, _LEAST_WORDS)
            if is_fit and not is_dangling(block.text):
                yield block


def _counted(ctx: PageContext, source: str) -> str:
    """Return how much a wiki or tracker holds, '' for code."""
    own = [f for f in ctx.analysis.survey.files if f.source == source]
    kinds = Counter(f.document_kind or ctx.analysis.source_kinds[f.id] for f in own)
    tickets, pages = kinds["ticket"], kinds["page"]
    documents = kinds["attachment"] + kinds["documents"]
    counts = (
        ctx.counted(pages, "page") if pages else "",
        ctx.counted(documents, "document") if documents else "",
        ctx.counted(tickets, "ticket") if tickets else "",
    )
    held = ctx.listed([count for count in counts if count])
    if not held:
        return ""
    is_open = [t for t in open_tickets(ctx.analysis) if t.file.source == source]
    if not tickets:
        return ctx.say("It holds {documents}.", documents=held)
    said = phrase("It holds {documents}; {count} of the tickets are open.")
    return ctx.say(said, documents=held, count=len(is_open))
