"""The page on what else there is to read: documents and examples of the sources."""

from __future__ import annotations

from collections import defaultdict

from devrag.wiki.analysis.prose import cited, clean
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.planning.topic_files import documents
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.mentions import first_of, paragraph

_SHOWN_PER_FOLDER = 12


def write_documentation(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    docs = documents(ctx.analysis)
    folders: dict[tuple[str, str], list[SurveyFile]] = defaultdict(list)
    for file in docs:
        folders[file.source, file.directory].append(file)
    count = ctx.counted(len(docs), "document")
    size = ctx.say("The sources bring {documents}.", documents=count)
    blocks = [f"# {ctx.page.title}", size]
    for (_, folder), files in sorted(folders.items()):
        blocks += _folder(ctx, folder, files)
    return blocks


def count_documents(ctx: PageContext) -> Places:
    """Return the number of documents for the summary."""
    return {"count": ctx.counted(len(documents(ctx.analysis)), "document")}


def _folder(ctx: PageContext, folder: str, files: list[SurveyFile]) -> list[str]:
    items: list[str] = []
    silent = 0
    for file in sorted(files, key=lambda f: (f.stem.lower() != "index", f.path)):
        text = _item(ctx, file) if len(items) < _SHOWN_PER_FOLDER else ""
        if text:
            items.append(text)
        else:
            silent += 1
    if not items:
        return []
    title = f"`{folder}/`" if folder else ctx.say("At the top")
    left = ctx.counted(silent, "more document")
    more = ctx.say("This folder has {documents}.", documents=left) if silent else ""
    return [f"## {title}", "\n".join(items), more]


def _item(ctx: PageContext, file: SurveyFile) -> str:
    sections = ctx.analysis.sections(file)
    title = next((s for s in sections if s.title), None)
    for section in sections:
        for block in section.blocks:
            if block.kind != "text":
                continue
            if said := paragraph(ctx, file, block):
                return f"- **{ctx.path(file)}**: {first_of(said)}"
    if title is None:
        return ""
    name = clean(title.title, ctx.analysis.names)
    marker = ctx.book.cite(file.id, title.line, title.line)
    return "- " + cited(
        ctx.say("**{path}**, “{title}”.", path=ctx.path(file), title=name), marker
    )
