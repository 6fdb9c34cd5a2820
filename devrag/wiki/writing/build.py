"""The page on building, running and checking: make targets, scripts, images, CI."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any

from devrag.wiki.prose import cited, clean, full_stop, join_names
from devrag.wiki.survey import SurveyFile
from devrag.wiki.writing.context import PageContext
from devrag.wiki.writing.start import section_about, start_section
from devrag.wiki.writing.surfaces import cite_start

_TARGET = re.compile(r"^([A-Za-z0-9][\w.-]*)\s*:(?![=:])[^#]*(?:##\s*(.*))?$")
_BUILDING = re.compile(
    r"build|develop|contribut|deploy|docker|compil|ビルド|開発|デプロイ", re.IGNORECASE
)
_DOCKER = re.compile(r"^(FROM|EXPOSE|CMD|ENTRYPOINT)\s+(.+)$", re.IGNORECASE)
_WORKFLOW_NAME = re.compile(r"^name:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)
_TARGETS_SHOWN = 16
_DEPENDENCIES_SHOWN = 14


def write_build(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    build = ctx.analysis.with_role("build")
    build.sort(key=lambda file: (file.source, file.path.count("/"), file.path))
    blocks = ["# Build and run"]
    if found := start_section(ctx):
        blocks += ["## Getting started", *found]
    if found := section_about(ctx, _BUILDING):
        blocks += ["## Building and developing", *found]
    for file in build:
        name = file.name.lower()
        if name in {"makefile", "gnumakefile"}:
            blocks += _make(ctx, file)
        elif name == "pyproject.toml":
            blocks += _pyproject(ctx, file)
        elif name.startswith("dockerfile"):
            blocks += _docker(ctx, file)
    return [*blocks, *_others(ctx, build), *_workflows(ctx)]


def _make(ctx: PageContext, file: SurveyFile) -> list[str]:
    lines = ctx.analysis.texts.text(file.id).split("\n")
    items, bare = [], []
    for number, line in enumerate(lines, 1):
        match = _TARGET.match(line)
        if match is None or match.group(1) in {"%", ".PHONY"}:
            continue
        comment = match.group(2) or _comment_above(lines, number)
        marker = ctx.book.cite(file.id, number, _recipe_end(lines, number))
        if comment and len(items) < _TARGETS_SHOWN:
            said = full_stop(clean(comment, ctx.analysis.names))
            items.append(f"- **`make {match.group(1)}`**: {cited(said, marker)}")
        elif len(bare) < _TARGETS_SHOWN:
            bare.append(f"`make {match.group(1)}`{marker}")
    blocks = [f"## Make targets of {ctx.path(file)}"] if items or bare else []
    blocks += ["\n".join(items)] if items else []
    if bare:
        also = "There are also" if items else "It has"
        blocks.append(f"{also} {join_names(bare)}.")
    return blocks


def _comment_above(lines: list[str], number: int) -> str:
    above = lines[number - 2].strip() if number >= 2 else ""
    return above.lstrip("# ").strip() if above.startswith("#") else ""


def _recipe_end(lines: list[str], number: int) -> int:
    end = number
    while end < len(lines) and lines[end].startswith("\t"):
        end += 1
    return end


def _pyproject(ctx: PageContext, file: SurveyFile) -> list[str]:
    try:
        data = tomllib.loads(ctx.analysis.texts.text(file.id))
    except tomllib.TOMLDecodeError:
        return []  # the file is someone else's; a broken one just says nothing
    project: dict[str, Any] = data.get("project") or {}
    sentences = []
    if version := project.get("requires-python"):
        text = f"It needs Python `{version}`."
        sentences.append(cited(text, _cite_line(ctx, file, "requires-python")))
    if scripts := project.get("scripts"):
        names = join_names(
            [f"`{name}` (`{to}`)" for name, to in sorted(scripts.items())]
        )
        text = (
            f"Installing it gives the command{'s' if len(scripts) > 1 else ''} {names}."
        )
        sentences.append(cited(text, _cite_line(ctx, file, "scripts]")))
    if needed := _dependency_names(project.get("dependencies") or []):
        shown = [f"`{name}`" for name in needed[:_DEPENDENCIES_SHOWN]]
        more = len(needed) - len(shown)
        names = join_names([*shown, f"{more} more"] if more else shown)
        text = f"At run time it depends on {names}."
        sentences.append(cited(text, _cite_line(ctx, file, "dependencies", 20)))
    name = clean(
        str(project.get("name") or file.directory or "here"), ctx.analysis.names
    )
    return [f"## The Python package {name}", " ".join(sentences)] if sentences else []


def _dependency_names(requirements: Iterable[str]) -> list[str]:
    names = [re.match(r"[\w.-]+", str(r).strip()) for r in requirements]
    return [match.group() for match in names if match]


def _cite_line(ctx: PageContext, file: SurveyFile, needle: str, height: int = 3) -> str:
    lines = ctx.analysis.texts.text(file.id).split("\n")
    for number, line in enumerate(lines, 1):
        if needle in line and not line.strip().startswith("#"):
            return ctx.book.cite(file.id, number, min(number + height - 1, len(lines)))
    return ""


def _docker(ctx: PageContext, file: SurveyFile) -> list[str]:
    said: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(ctx.analysis.texts.text(file.id).split("\n"), 1):
        if match := _DOCKER.match(line.strip()):
            said[match.group(1).upper()] = (match.group(2).strip(), number)
    phrases = {
        "FROM": "is built on `{}`",
        "EXPOSE": "listens on port `{}`",
        "ENTRYPOINT": "enters through `{}`",
        "CMD": "starts `{}`",
    }
    parts = []
    for key, phrase in phrases.items():
        if key in said:
            value, number = said[key]
            marker = ctx.book.cite(file.id, number, number)
            parts.append(phrase.format(value.replace("`", "")) + marker)
    if not parts:
        return []
    return [
        "## The container image",
        f"The image of {ctx.path(file)} {join_names(parts)}.",
    ]


def _others(ctx: PageContext, build: list[SurveyFile]) -> list[str]:
    items = [
        f"- **{ctx.path(file)}**: {text}"
        for file in build
        if file.lines > 1 and (text := ctx.file_purpose(file))
    ]
    return ["## Other build files", "\n".join(items)] if items else []


def _workflows(ctx: PageContext) -> list[str]:
    items = []
    for file in ctx.analysis.with_role("ci"):
        match = _WORKFLOW_NAME.search(ctx.analysis.texts.text(file.id))
        purpose = ctx.file_purpose(file)
        if purpose:
            items.append(f"- **{ctx.path(file)}**: {purpose}")
        elif match:
            name = clean(match.group(1), ctx.analysis.names)
            items.append(
                "- " + cite_start(ctx, file, f"{ctx.path(file)} runs “{name}”.")
            )
    if not items:
        return []
    return ["## Continuous integration", "\n".join(items)]
