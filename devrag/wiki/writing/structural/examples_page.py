"""The page that teaches by the example programs: what their authors explain in them.

Programs on one concept of the product stand together under its name.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from textwrap import dedent

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.example_concepts import Concept, concepts_of
from devrag.wiki.analysis.example_parts import (
    ExamplePart,
    example_parts,
    whole_program,
)
from devrag.wiki.analysis.example_programs import ExampleProgram, example_programs
from devrag.wiki.analysis.prose import (
    cited,
    clean,
    first_sentence,
    full_stop,
    told_sentences,
    upper_first,
)
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.evidence.blocks import fenced
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.examples import example_item

_FEWEST_PROGRAMS, _FEWEST_PARTS = 2, 3
_PROGRAMS_SHOWN = 40
_LONGEST_TITLE = 80

_Explained = tuple[ExampleProgram, tuple[ExamplePart, ...]]


def write_examples(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    explained = _explained(ctx.analysis)[:_PROGRAMS_SHOWN]
    told = phrase(
        "The sources come with {programs}. This page quotes what their authors explain "
        "in them, with the code that it is about."
    )
    every = example_programs(ctx.analysis)
    count = ctx.counted(len(every), "example program")
    parts = {program.path: parts for program, parts in explained}
    blocks = [f"# {ctx.page.title}", ctx.say(told, programs=count)]
    for concept in _told(concepts_of(ctx.analysis, every), parts):
        blocks += _concept(ctx, concept, parts)
    return blocks


def _told(concepts: Sequence[Concept], paths: Container[str]) -> list[Concept]:
    """Return the concepts of programs with these paths, all other programs last."""
    told = [
        concept
        for concept in concepts
        if concept.title and any(program.path in paths for program in concept.programs)
    ]
    left = tuple(p for c in concepts if c not in told for p in c.programs)
    return [*told, *([Concept("", left)] if left else [])]


def example_files(analysis: Analysis) -> list[SurveyFile]:
    """Return the programs that explain themselves, where they are enough for a page."""
    return [program.file for program, _ in _explained(analysis)]


def count_examples(ctx: PageContext) -> Places:
    """Return the number of programs for the summary."""
    count = len(example_programs(ctx.analysis))
    return {"count": ctx.counted(count, "example program")}


@cached_by_analysis
def _explained(analysis: Analysis) -> tuple[_Explained, ...]:
    """Return the programs with what explains them, () where these are too few."""
    lines = {p.path: analysis.lines.of(p.file.id) for p in example_programs(analysis)}
    told = {path: example_parts(each) for path, each in lines.items()}
    count = sum(len(parts) for parts in told.values())
    if count < _FEWEST_PARTS or sum(map(bool, told.values())) < _FEWEST_PROGRAMS:
        return ()
    found = []
    for program in example_programs(analysis):
        parts = told[program.path]
        whole = whole_program(lines[program.path]) if program.said else None
        if shown := parts or ([whole] if whole else []):
            found.append((program, tuple(shown)))
    return tuple(found)


def _concept(
    ctx: PageContext,
    concept: Concept,
    parts: dict[str, tuple[ExamplePart, ...]],
) -> list[str]:
    """Return a concept's programs: those that explain something, then the others."""
    blocks = [f"## {concept.title or ctx.say('Other examples')}"]
    for program in concept.programs:
        if program.path in parts:
            blocks += _program(ctx, program, parts[program.path])
    rest = [program for program in concept.programs if program.path not in parts]
    items = "\n".join(f"- {example_item(ctx, program)}" for program in rest)
    is_mixed = rest and len(rest) < len(concept.programs)
    more = [f"### {ctx.say('More programs')}"] if is_mixed else []
    return [*blocks, *more, *([items] if rest else [])]


def _program(
    ctx: PageContext, program: ExampleProgram, parts: Sequence[ExamplePart]
) -> list[str]:
    """Return a program's title, where it stands, and what it explains."""
    said = program.said
    sentence = first_sentence(said.text, ctx.analysis.names) if said else ""
    name = program.path.rpartition("/")[2].partition(".")[0]
    is_title = 0 < len(sentence) <= _LONGEST_TITLE and not sentence.startswith(name)
    title = sentence.rstrip(".。") if is_title else f"`{program.path}`"
    marker = (
        ctx.book.cite(program.said_in, said.start_line, said.end_line)
        if said and sentence
        else ""
    )
    told = [] if is_title or not sentence else [cited(upper_first(sentence), marker)]
    marker = "" if told else marker
    where = ctx.say(phrase("From {path}:"), path=ctx.path(program.file))
    for part in parts:  # those without a sentence of their own to cite
        if not part.text:
            marker += ctx.book.cite(program.file.id, part.start, part.end)
    blocks = [f"### {title}", *told, cited(where, marker)]
    for part in parts:
        blocks += _part(ctx, program.file, part)
    return blocks


def _part(ctx: PageContext, file: SurveyFile, part: ExamplePart) -> list[str]:
    lines = ctx.book.lines(file.id)[part.start - 1 : part.end]
    code = fenced(dedent("\n".join(lines)), file.language)
    names = ctx.analysis.names
    sentences = [upper_first(clean(s, names)) for s in told_sentences(part.text, names)]
    if not sentences:
        return [code]
    marker = ctx.book.cite(file.id, part.said[0], part.end)
    sentences[-1] = full_stop(sentences[-1])
    told = [*sentences[:-1], cited(sentences[-1], marker)]
    return [ctx.joined(told), code]
