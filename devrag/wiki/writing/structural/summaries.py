"""One sentence per page: for the contents and for whoever links to it."""

from __future__ import annotations

from devrag.wiki.analysis.glossary import terms_of
from devrag.wiki.analysis.packages import Part
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.planning.plan import PlannedPage, documents
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.inventory import counts, counts_of
from devrag.wiki.writing.structural.mentions import (
    first_of,
    first_paragraphs,
    mention_of,
    readme_of,
)
from devrag.wiki.writing.structural.part_summary import essence

_KINDS = {
    "interfaces": phrase("What can be called from outside: {found}."),
    "data-model": phrase("Which data there is, and in which shape: {found}."),
    "configuration": phrase("What can be set, and where it is read: {found}."),
}
_SENTENCES = {
    "architecture": phrase(
        "The parts, their layers, and how a call travels through them."
    ),
    "build": phrase("How it is built, started and checked."),
    "operations": phrase(
        "What is started, who may do what, and where secrets come in."
    ),
}


def purpose(ctx: PageContext, part: Part) -> list[str]:
    """Return paragraphs saying what the part is for, best source first."""
    said: list[str] = []
    front = front_file(ctx, part)
    if front is not None and (text := ctx.file_opening(front)):
        said.append(text)
    readme = readme_of(ctx, part)
    if readme is not None:
        said += first_paragraphs(ctx, readme, 2)
    if len(said) < 2 and (text := mention_of(ctx, part)):
        said.append(text)
    return said or essence(ctx, part)


def front_file(ctx: PageContext, part: Part) -> SurveyFile | None:
    """Return the file that speaks for the part: its `__init__`, or its namesake.

    In Go any file of a package may bear the words on all of it.
    """
    for file in part.files:
        if len(part.files) == 1 or file.path == part.path:
            return file
    fronts = ("__init__.py", "mod.rs", "lib.rs", "index.ts", "index.js", "doc.go")
    for file in part.files:
        if file.directory == part.path and file.name in fronts:
            return file
    own = (f for f in part.files if f.language == "go" and f.directory == part.path)
    return next((file for file in own if _is_on_package(ctx, file)), None)


def _is_on_package(ctx: PageContext, file: SurveyFile) -> bool:
    said = ctx.analysis.purpose(file)
    return said is not None and said.text.startswith("Package ")


def part_summary(ctx: PageContext, part: int) -> str:
    """Return the first sentence of what a part is for, cited; '' when unknown."""
    said = purpose(ctx, ctx.analysis.parts[part])
    if not said:
        return ""
    first = first_of(said[0])
    name = ctx.analysis.parts[part].name
    head, colon, rest = first.partition(": ")
    is_own_name = colon and head.lower() in {name.lower(), f"the {name.lower()}"}
    return rest[0].upper() + rest[1:] if is_own_name and rest else first


def part_item(ctx: PageContext, part: int) -> str:
    """Return an item of a list: the part, and what it is for where that is known."""
    said = part_summary(ctx, part)
    return f"- **{ctx.part(part)}**" + (f": {said}" if said else ".")


def topic_summary(ctx: PageContext, page: PlannedPage) -> str:
    """Return one sentence on what a page that is no feature holds."""
    analysis = ctx.analysis
    if page.kind == "interfaces":
        return ctx.say(
            _KINDS[page.kind], found=counts_of(ctx, ctx.analysis.entry_points)
        )
    if page.kind == "data-model":
        return ctx.say(_KINDS[page.kind], found=counts(ctx, "model"))
    if page.kind == "configuration":
        files = ctx.counted(len(page.files), "configuration file")
        return ctx.say(_KINDS[page.kind], found=counts(ctx, "setting") or files)
    if page.kind == "testing":
        return ctx.say(
            "How it is tested: {tests}, what they exercise and what they do not.",
            tests=ctx.counted(len(analysis.with_role("test")), "test file"),
        )
    if page.kind == "documentation":
        count = ctx.counted(len(documents(analysis)), "document")
        return ctx.say("What else there is to read: {count}.", count=count)
    if page.kind == "glossary":
        count = ctx.counted(len(terms_of(analysis)), "term")
        return ctx.say("What words mean here: {count}.", count=count)
    return ctx.say(_SENTENCES.get(page.kind, _SENTENCES["architecture"]))
