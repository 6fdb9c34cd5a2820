"""The page on building, running and checking: make targets, scripts, images, CI."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from devrag.wiki.analysis.product_form import is_aside
from devrag.wiki.analysis.prose import cited, first_sentence
from devrag.wiki.analysis.roles import is_of_build
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.first_steps import first_steps
from devrag.wiki.writing.structural.shell import (
    LONGEST_SCRIPT,
    abbreviated,
    is_telling,
    of_recipe,
)
from devrag.wiki.writing.structural.start import section_about, start_section
from devrag.wiki.writing.structural.workflows import workflow_table

_DEVELOPING = re.compile(
    r"build|develop|compil|^commands$|from source|ビルド|開発", re.IGNORECASE
)
_BRINGING_OUT = re.compile(r"contribut|deploy|docker|デプロイ", re.IGNORECASE)
_TARGETS_SHOWN = 16
_DEPENDENCIES_SHOWN = 14
_OTHERS_SHOWN = 14
_SCRIPTS_SHOWN = 20
_NAMES = ("Node.js", "Python", "Go", "PHP", "npm", "Ruby", "Rust", "Java", "Dart")
_PLATFORMS = {name.lower().removesuffix(".js"): name for name in _NAMES}
_AT_LEAST = re.compile(r"(?P<mark>>=)?\s*v?(?P<version>\d+(?:\.\d+)*)$")
# What the product runs with; a catalogue says it for all modules of a Gradle build.
_RUNNING = {"", "runtime", "catalogue"}


def write_build(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    blocks = [f"# {ctx.page.title}"]
    start = start_section(ctx) or first_steps(ctx)
    if start:
        blocks += [ctx.say("## Getting started"), *start]
    building = _with_code(section_about(ctx, _DEVELOPING)) or _with_code(
        section_about(ctx, _BRINGING_OUT)
    )
    if building and building != start:
        blocks += [ctx.say("## Building and developing"), *building]
    return [
        *blocks,
        *make_targets(
            ctx, ctx.analysis.facts("make_target"), ctx.say("## Make targets")
        ),
        *_scripts(ctx),
        *_installed(ctx),
        *_dependencies(ctx),
        *_ci(ctx),
        *_others(ctx),
    ]


def _with_code(blocks: list[str]) -> list[str]:
    """Return quoted blocks with commands; prose alone is for those who contribute."""
    return blocks if any(block.startswith("```") for block in blocks) else []


def make_targets(
    ctx: PageContext, facts: Sequence[SurveyFact], title: str
) -> list[str]:
    """Return targets with what their comments say, else run; the rest by name."""
    items: list[str] = []
    bare: list[str] = []
    for fact in facts:
        marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
        name = f"make {fact.name}"
        said = first_sentence(str(fact.data.get("help") or ""), ctx.analysis.names)
        if said and len(items) < _TARGETS_SHOWN:
            items.append(f"- **`{name}`**: {cited(said, marker)}")
        elif (run := _main_command(fact)) and len(items) < _TARGETS_SHOWN:
            told = phrase("**`{asked}`**: {command}")
            text = ctx.say(told, asked=name, command=run)
            items.append(f"- {cited(text, marker)}")
        elif len(bare) < _TARGETS_SHOWN:
            bare.append(f"`{name}`{marker}")
    if not items and not bare:
        return []
    told = (
        phrase("There are also {targets}.")
        if items
        else phrase("The targets are {targets}.")
    )
    rest = ctx.say(told, targets=ctx.listed(bare)) if bare else ""
    return [title, "\n".join(items), rest]


def _main_command(fact: SurveyFact) -> str:
    """Return the command of a recipe that builds or checks something, as code."""
    recipe = of_recipe([str(line) for line in fact.data.get("run") or []])
    telling = next(filter(is_telling, recipe), "")
    return abbreviated(telling or "".join(recipe[:1]), LONGEST_SCRIPT)


def _scripts(ctx: PageContext) -> list[str]:
    items: list[str] = []
    bare: list[str] = []
    for fact in filter(is_of_build, ctx.analysis.facts("command")):
        marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
        run = abbreviated(str(fact.data.get("run") or ""), LONGEST_SCRIPT)
        asked = f"{fact.data.get('framework')} run {fact.name}"
        if run and len(items) < _TARGETS_SHOWN:
            told = phrase("**`{asked}`**: {command}")
            text = ctx.say(told, asked=asked, command=run)
            items.append(f"- {cited(text, marker)}")
        else:
            bare.append(f"`{asked}`{marker}")
    rest = [ctx.say("There are also {names}.", names=ctx.listed(bare))] if bare else []
    blocks = ["\n".join(items), *rest]
    return [ctx.say("## Scripts"), *blocks] if items or bare else []


def _installed(ctx: PageContext) -> list[str]:
    items = []
    for fact in ctx.analysis.facts("entry_point"):
        if fact.data.get("type") == "console_script":
            marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
            target = ctx.code(str(fact.data.get("target") or ""))
            told = (
                phrase("**`{name}`** is installed as a command and calls {target}.")
                if target
                else phrase("**`{name}`** is installed as a command.")
            )
            text = ctx.say(told, name=fact.name, target=target)
            items.append("- " + cited(text, marker))
    return [ctx.say("## Installed commands"), "\n".join(items)] if items else []


def _dependencies(ctx: PageContext) -> list[str]:
    by_file: dict[int, list[SurveyFact]] = defaultdict(list)
    listed: dict[int, list[SurveyFact]] = defaultdict(list)
    platforms: dict[int, list[SurveyFact]] = defaultdict(list)
    for fact in ctx.analysis.facts("dependency"):
        group = str(fact.data.get("group") or "")
        if group == "platform":
            platforms[fact.file].append(fact)
        elif group in _RUNNING:
            by_file[fact.file].append(fact)
        elif "requirements" in group:
            listed[fact.file].append(fact)
    by_file = by_file or listed
    own = [file for file in by_file if not is_aside(ctx.analysis.files[file].path)]
    items = [f"- {_needs(ctx, file, by_file[file])}" for file in own[:_OTHERS_SHOWN]]
    items += [f"- {_runs_on(ctx, file, facts)}" for file, facts in platforms.items()]
    return [ctx.say("## What it needs"), "\n".join(sorted(items))] if items else []


def _runs_on(ctx: PageContext, file: int, facts: Sequence[SurveyFact]) -> str:
    """Return the sentence on interpreters, compilers and their extensions."""
    shown = [_platform(ctx, fact) for fact in facts]
    marker = ctx.book.cite(file, facts[0].start_line, facts[-1].end_line)
    told = ctx.say(
        "Requires {names} ({path}).",
        path=ctx.path(ctx.analysis.files[file]),
        names=ctx.listed(shown),
    )
    return cited(told, marker)


def _platform(ctx: PageContext, fact: SurveyFact) -> str:
    """Return `Node.js 18 or later`, of a less plain version as it is written."""
    spec = str(fact.data.get("spec") or "").replace("`", "")
    name = _PLATFORMS.get(fact.name) or ctx.code(fact.name)
    plain = _AT_LEAST.match(spec)
    if plain and (plain["mark"] or fact.name == "go"):
        least = phrase("{name} {version} or later")
        return ctx.say(least, name=name, version=plain["version"])
    return name if spec in {"", "*"} else f"{name} `{spec}`"


def _needs(ctx: PageContext, file: int, facts: Sequence[SurveyFact]) -> str:
    shown = [ctx.code(fact.name) for fact in facts[:_DEPENDENCIES_SHOWN]]
    marker = ctx.cite_lines(file, facts[0].start_line, facts[-1].end_line)
    told = ctx.say(
        "Dependencies in {path}: {names}.",
        path=ctx.path(ctx.analysis.files[file]),
        names=ctx.listed(shown, len(facts) - len(shown)),
    )
    return cited(told, marker)


def _ci(ctx: PageContext) -> list[str]:
    workflows = workflow_table(ctx)
    return [ctx.say("## Continuous integration"), *workflows] if workflows else []


def _others(ctx: PageContext) -> list[str]:
    """Return the scripts and build files that say what they are for."""
    build = [f for f in ctx.analysis.with_role("build") if not f.path.startswith(".")]
    build += [f for f in ctx.analysis.with_role("code") if _is_script(f)]
    build.sort(key=lambda file: (file.source, file.path.count("/"), file.path))
    items = [
        f"- **{ctx.path(file)}**: {text}"
        for file in build
        if file.lines > 1 and (text := ctx.file_purpose(file)) and "://" not in text
    ]
    blocks = ["\n".join(items[:_OTHERS_SHOWN])] if items else []
    if scripts := [f for f in _started_scripts(ctx) if not ctx.file_purpose(f)]:
        names = [ctx.path(f) + ctx.book.cite(f.id, 1, 3) for f in scripts]
        also = phrase("Other scripts are {names}.")
        blocks.append(ctx.say(also, names=ctx.listed(names[:_SCRIPTS_SHOWN])))
    return [ctx.say("## Scripts and other build files"), *blocks] if blocks else []


def _started_scripts(ctx: PageContext) -> list[SurveyFile]:
    """Return the files that are started as they are, by path."""
    facts = ctx.analysis.facts("entry_point")
    own = {fact.file for fact in facts if fact.data.get("type") == "script"}
    return sorted((ctx.analysis.files[f] for f in own), key=lambda f: f.path)


def _is_script(file: SurveyFile) -> bool:
    return is_aside(file.path) and file.directory.count("/") < 2
