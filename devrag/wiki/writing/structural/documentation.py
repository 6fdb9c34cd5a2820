"""The page on what else there is to read: documents of the sources.

What the pages of topics quote is named with the page that quotes it, not told again.
"""

from __future__ import annotations

import re
from collections import defaultdict

from devrag.wiki.analysis.passages import is_telling, stands_alone
from devrag.wiki.analysis.prose import cited, clean, full_stop, told_sentences
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topic_documents import sections_of
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.planning.topic_files import documents, root_documents
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.examples import examples_section

_CHANGES = re.compile(r"(history|change(s|log)?|news|release[-_ ]?notes)$", re.I)
_RULES = re.compile(r"(contributing|security|support|(code_of_)?conduct)$", re.I)
_VERSION = re.compile(r"\d+\.\d+|unreleased", re.IGNORECASE)
_SHOWN_PER_FOLDER = 80
_TOPICS_SHOWN = 4
_LONGEST = 320


def write_documentation(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    docs = _listed(ctx)
    folders: dict[tuple[str, str], list[SurveyFile]] = defaultdict(list)
    for file in docs:
        folders[file.source, file.directory].append(file)
    count = ctx.counted(len(docs), "document")
    told = phrase("This page lists {documents}; licences and forms are left out.")
    size = ctx.say(told, documents=count)
    topics = _topics_by_document(ctx)
    blocks = [f"# {ctx.page.title}", size]
    for (_, folder), files in sorted(folders.items()):
        blocks += _folder(ctx, folder, files, topics)
    return [*blocks, *examples_section(ctx)]


def count_documents(ctx: PageContext) -> Places:
    """Return the number of documents for the summary."""
    return {"count": ctx.counted(len(_listed(ctx)), "document")}


def _listed(ctx: PageContext) -> list[SurveyFile]:
    """Return the documents, READMEs at the top included."""
    return [*root_documents(ctx.analysis), *documents(ctx.analysis)]


def _topics_by_document(ctx: PageContext) -> dict[int, list[int]]:
    """Return document → the topics whose pages tell a section of it."""
    found: dict[int, list[int]] = defaultdict(list)
    for index in range(len(ctx.analysis.topics)):
        for section in sections_of(ctx.analysis, index):
            if index not in found[section.file]:
                found[section.file].append(index)
    return found


def _folder(
    ctx: PageContext,
    folder: str,
    files: list[SurveyFile],
    told: dict[int, list[int]],
) -> list[str]:
    ordered = sorted(files, key=lambda f: (f.stem.lower() != "index", f.path))
    items = [f"- {_item(ctx, file, told)}" for file in ordered[:_SHOWN_PER_FOLDER]]
    silent = len(ordered) - len(items)
    title = f"`{folder}/`" if folder else ctx.say("At the top")
    left = ctx.counted(silent, "more document")
    more = ctx.say("This folder has {documents}.", documents=left) if silent else ""
    return [f"## {title}", "\n".join(items), more]


def _item(ctx: PageContext, file: SurveyFile, told: dict[int, list[int]]) -> str:
    """Return a document's title with where it is told, else its first sentence."""
    topics = told.get(file.id, [])
    if _CHANGES.match(file.stem):
        return _changes(ctx, file)
    if file in root_documents(ctx.analysis):
        introduction = phrase("**{path}**: the introduction to the sources.")
        return ctx.say(introduction, path=ctx.path(file))
    if not topics:
        said = "" if _RULES.match(file.stem) else _opening(ctx, file)
        return said or _titled(ctx, file) or f"**{ctx.path(file)}**"
    links = [ctx.topic(index) for index in topics[:_TOPICS_SHOWN]]
    where = ctx.listed(links, len(topics) - len(links))
    title, marker = _title(ctx, file)
    if not title:
        return ctx.say("**{path}**: see {pages}.", path=ctx.path(file), pages=where)
    said = ctx.say("**{path}**, “{title}”.", path=ctx.path(file), title=title)
    return f"{cited(said, marker)} {ctx.say('See {pages}.', pages=where)}"


def _changes(ctx: PageContext, file: SurveyFile) -> str:
    """Return what a list of changes is, with its newest entry."""
    sections = [s for s in ctx.analysis.sections(file) if s.title]
    newest = next((s for s in sections if _VERSION.search(s.title)), None)
    if newest is None:
        return ctx.say("**{path}**: the list of changes.", path=ctx.path(file))
    title = clean(newest.title, ctx.analysis.names)
    told = phrase("**{path}**: the list of changes; its first entry is “{title}”.")
    marker = ctx.book.cite(file.id, newest.line, newest.line)
    return cited(ctx.say(told, path=ctx.path(file), title=title), marker)


def _opening(ctx: PageContext, file: SurveyFile) -> str:
    """Return the first sentence of a document that can be read alone."""
    for section in ctx.analysis.sections(file):
        for block in section.blocks:
            if block.kind != "text" or not is_telling(block.text):
                continue
            for sentence in told_sentences(block.text, ctx.analysis.names)[:2]:
                if stands_alone(sentence) and len(sentence) <= _LONGEST:
                    marker = ctx.book.cite(file.id, block.start_line, block.end_line)
                    said = cited(full_stop(sentence), marker)
                    return f"**{ctx.path(file)}**: {said}"
    return ""


def _titled(ctx: PageContext, file: SurveyFile) -> str:
    title, marker = _title(ctx, file)
    told = ctx.say("**{path}**, “{title}”.", path=ctx.path(file), title=title)
    return cited(told, marker) if title else ""


def _title(ctx: PageContext, file: SurveyFile) -> tuple[str, str]:
    """Return a document's first heading and the marker of its line."""
    sections = ctx.analysis.sections(file)
    titled = next((s for s in sections if s.title), None)
    if titled is None:
        return "", ""
    name = clean(titled.title, ctx.analysis.names)
    return name, ctx.book.cite(file.id, titled.line, titled.line)
