"""The examples that come with the code: each program with what it shows."""

from __future__ import annotations

from devrag.wiki.analysis.example_programs import ExampleProgram, example_programs
from devrag.wiki.analysis.prose import cited, first_sentence, only_names
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext

_FEWEST, _SHOWN = 2, 60


def examples_section(ctx: PageContext) -> list[str]:
    """Return the list of example programs, [] where there are hardly any.

    Where a page quotes them, it lists all of them, too.
    """
    programs = example_programs(ctx.analysis)
    if len(programs) < _FEWEST or ctx.plan.page_of_kind("examples"):
        return []
    told = phrase("The sources come with {programs} that show how it is used:")
    count = ctx.counted(len(programs), "example program")
    items = [f"- {example_item(ctx, program)}" for program in programs[:_SHOWN]]
    left = len(programs) - _SHOWN
    more = [ctx.say("There are {count} more of this kind.", count=left)]
    return [
        ctx.say("## Examples"),
        ctx.say(told, programs=count),
        "\n".join(items),
        *(more if left > 0 else []),
    ]


def example_item(ctx: PageContext, program: ExampleProgram) -> str:
    """Return a program's path, cited where it begins, with what is said of it."""
    name = f"`{program.path}`"
    if ctx.analysis.has_several_sources:
        source = program.file.source
        name = ctx.say("`{path}` of {source}", path=program.path, source=source)
    name = f"**{name}**{ctx.cite_file(program.file)}"
    said = program.said
    text = first_sentence(said.text, ctx.analysis.names) if said else ""
    if said is None or not text or only_names(text, program.path.rpartition("/")[2]):
        return name
    marker = ctx.book.cite(program.said_in, said.start_line, said.end_line)
    return f"{name}: {cited(text, marker)}"
