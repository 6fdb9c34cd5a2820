"""One sentence per page: for the contents and for whoever links to it."""

from __future__ import annotations

from devrag.wiki.analysis.packages import Part
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.mentions import (
    first_of,
    first_paragraphs,
    mention_of,
    readme_of,
)
from devrag.wiki.writing.structural.part_summary import essence


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
    kind = ctx.kind(page.kind)
    return ctx.say(kind.summary, **kind.summary_places(ctx))
