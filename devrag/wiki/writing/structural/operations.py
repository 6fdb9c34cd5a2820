"""The page on running and guarding: what starts, who may do what, what is secret."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from devrag.wiki.analysis.operations import (
    Operations,
    logger_of,
    operations_of,
)
from devrag.wiki.analysis.prose import cited
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile, SurveyReference
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.mentions import first_of, first_paragraphs
from devrag.wiki.writing.structural.shell import publishes, shortened
from devrag.wiki.writing.structural.start import section_about
from devrag.wiki.writing.structural.summaries import summarise_topic
from devrag.wiki.writing.structural.topic_summary import weight
from devrag.wiki.writing.structural.workflows import workflow_table

_OPERATING = re.compile(
    r"\bdeploy(ing|ment)?\b|\bproduction|self-?host|\bhosting|\boperat(ing|ions?)\b"
    r"|\bmonitor|\bbackup|運用|本番|デプロイ",
    re.IGNORECASE,
)
_PARAGRAPHS = 2
_SHOWN = 12
_NAMES_SHOWN = 8
_FILES_NAMED = 3
_OBJECT = re.compile(r"^kind:\s*([A-Z]\w+)\s*$", re.MULTILINE)
_OBJECT_NAME = re.compile(r"^metadata:\s*\n(?:  .*\n)*?  name:\s*([\w.-]+)\s*$", re.M)
_PROBE = re.compile(
    r"^\s*-?\s*(HEALTHCHECK\b(?! NONE)|healthcheck:"
    r"|(?:liveness|readiness|startup)Probe:)"
)
_SERVICES = {
    "runs": (
        phrase("The service `{name}` of {path} runs {what}."),
        phrase("The service `{name}` of {path} runs {what}, on the ports {ports}."),
    ),
    "built": (
        phrase("The service `{name}` of {path} is built here."),
        phrase("The service `{name}` of {path} is built here, on the ports {ports}."),
    ),
    "own": (
        phrase("The service `{name}` of {path} has its own command."),
        phrase(
            "The service `{name}` of {path} has its own command, on the ports {ports}."
        ),
    ),
}
_STARTS = {
    "process": phrase("The process `{name}` of {path} is {command}."),
    "container": phrase("The image of {path} starts {command}."),
    "unit": phrase("The unit of {path} starts {command}."),
}


def write_operations(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    found = operations_of(ctx.analysis)
    return [
        f"# {ctx.page.title}",
        *_documented(ctx, found),
        *_section(ctx.say("## What is started"), _started(ctx, found.started)),
        *_section(ctx.say("## Deployment files"), _manifests(ctx, found.manifests)),
        *_published(ctx),
        *_section(ctx.say("## Health checks"), _health(ctx, found)),
        *_section(ctx.say("## Logs and monitoring"), _logging(ctx, found)),
        *_section(ctx.say("## Who may do what"), _guards(ctx, found)),
        *_secrets(ctx, found.secrets),
        *_policies(ctx, found.policies),
    ]


def _section(title: str, items: Iterable[str]) -> list[str]:
    listed = [f"- {item}" for item in items]
    return [title, "\n".join(listed)] if listed else []


def _documented(ctx: PageContext, found: Operations) -> list[str]:
    said = section_about(ctx, _OPERATING)
    items = [
        f"**{ctx.path(file)}**: {first_of(paragraphs[0])}"
        for file in found.documents[:_SHOWN]
        if (paragraphs := first_paragraphs(ctx, file, 1))
    ]
    documents = _section(ctx.say("## Documents on it"), items)
    return [*([ctx.say("## In its own words"), *said] if said else []), *documents]


def _published(ctx: PageContext) -> list[str]:
    """Return what workflows publish or deploy, by the commands that do it."""
    workflows = workflow_table(ctx, publishes)
    return [ctx.say("## What CI publishes"), *workflows] if workflows else []


def _started(ctx: PageContext, facts: Sequence[SurveyFact]) -> Iterable[str]:
    for fact in facts:
        marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
        path = ctx.path(ctx.analysis.files[fact.file])
        kind = fact.data.get("type")
        command = shortened(str(fact.data.get("command") or ""))
        if kind == "service":
            yield cited(_service(ctx, fact, path, command), marker)
        elif command:
            told = _STARTS.get(str(kind), _STARTS["unit"])
            said = ctx.say(told, name=fact.name, path=path, command=command)
            yield cited(said, marker)


def _service(ctx: PageContext, fact: SurveyFact, path: str, command: str) -> str:
    what = command or shortened(str(fact.data.get("image") or ""))
    built = "built" if fact.data.get("build") else "own"
    alone, at_ports = _SERVICES["runs" if what else built]
    ports = ctx.listed([f"`{port}`" for port in fact.data.get("ports") or []])
    told = at_ports if ports else alone
    return ctx.say(told, name=fact.name, path=path, what=what, ports=ports)


def _manifests(ctx: PageContext, files: Sequence[SurveyFile]) -> Iterable[str]:
    for file in files[:_SHOWN]:
        text = ctx.analysis.texts.text(file.id)
        objects = _objects(ctx, text)
        if said := ctx.file_purpose(file):
            yield f"**{ctx.path(file)}**: {said}"
        elif objects:
            marker = ctx.book.cite(file.id, 1, file.lines)
            told = phrase("**{path}** declares {objects}.")
            declared = ctx.listed(objects)
            said = ctx.say(told, path=ctx.path(file), objects=declared)
            yield cited(said, marker)
    if (more := len(files) - _SHOWN) > 0:
        left = ctx.counted(more, "more file")
        yield ctx.say("There are {files} of this kind.", files=left)


def _objects(ctx: PageContext, text: str) -> list[str]:
    """Return Kubernetes objects as `Deployment web`; templated names stay out."""
    found = []
    for document in re.split(r"^---\s*$", text, flags=re.MULTILINE):
        kind, name = _OBJECT.search(document), _OBJECT_NAME.search(document)
        if "apiVersion:" in document and kind:
            what = kind.group(1)
            found.append(
                ctx.say("a {kind} `{name}`", kind=what, name=name.group(1))
                if name
                else ctx.say("a {kind}", kind=what)
            )
    return found[:_NAMES_SHOWN]


def _health(ctx: PageContext, found: Operations) -> Iterable[str]:
    for fact in found.health[:_SHOWN]:
        marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
        path = ctx.path(ctx.analysis.files[fact.file])
        told = phrase("{route} is a route of {path}.")
        yield cited(ctx.say(told, route=ctx.code(fact.name), path=path), marker)
    files = {fact.file: ctx.analysis.files[fact.file] for fact in found.started}
    files |= {file.id: file for file in found.manifests}
    for file in files.values():
        yield from _probes(ctx, file)


def _probes(ctx: PageContext, file: SurveyFile) -> Iterator[str]:
    """Yield each kind of probe that a file sets, with the first one's lines."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(ctx.analysis.texts.text(file.id).split("\n"), 1):
        if match := _PROBE.match(line):
            found[match.group(1).rstrip(":")].append(number)
    for what, numbers in found.items():
        marker = "".join(ctx.book.cite(file.id, n, n + 5) for n in numbers[:_SHOWN])
        told = (
            phrase("{path} sets `{what}` {count} times.")
            if 1 < len(numbers) <= _SHOWN
            else phrase("{path} sets `{what}`.")
        )
        said = ctx.say(told, path=ctx.path(file), what=what, count=len(numbers))
        yield cited(said, marker)


def _logging(ctx: PageContext, found: Operations) -> Iterable[str]:
    names = _once(found.logging)
    if names:
        shown = ctx.listed([_read(ctx, fact) for fact in names[:_NAMES_SHOWN]])
        yield ctx.say("By their names these settings concern it: {names}.", names=shown)
    users: dict[str, dict[int, int]] = defaultdict(dict)
    for reference in found.loggers:
        package = reference.name[: len(logger_of(reference.name))]
        users[package].setdefault(reference.file, reference.line)
    for package, files in sorted(users.items()):
        places = list(files.items())
        users_named = ctx.listed_cited(
            [ctx.path(ctx.analysis.files[file]) for file in files],
            partial(_cite_place, ctx, places),
            1,
            "other file",
        )
        told = phrase("{package} is imported by {files}.")
        yield ctx.say(told, package=ctx.code(package), files=users_named)


def _guards(ctx: PageContext, found: Operations) -> Iterable[str]:
    marks: dict[str, list[SurveyReference]] = defaultdict(list)
    for reference in found.marks:
        marks[reference.name.rpartition(".")[2]].append(reference)
    for name, uses in sorted(marks.items(), key=lambda m: (-len(m[1]), m[0])):
        places = list({use.file: use.line for use in reversed(uses)}.items())
        files = ctx.listed_cited(
            [ctx.path(ctx.analysis.files[file]) for file, _ in places],
            partial(_cite_place, ctx, places),
            _FILES_NAMED,
            "other file",
        )
        told = phrase("`{name}` marks definitions in {files}.")
        yield ctx.say(told, name=name, files=files)
    guards = {file.id for file in found.guards}
    parts = [
        index
        for index, topic in enumerate(ctx.analysis.topics)
        if topic.files and 2 * len(_within(topic, guards)) >= len(topic.files)
    ]
    for index in parts:
        if said := summarise_topic(ctx, index):
            yield f"**{ctx.topic(index)}**: {said}"
    others = [f for f in found.guards if ctx.analysis.topic_of.get(f.id) not in parts]
    yield from islice(_guarding(ctx, others), max(0, _SHOWN - len(parts)))


def _cite_place(
    ctx: PageContext, places: Sequence[tuple[int, int]], number: int
) -> str:
    """Cite one of several places, each a file and a line."""
    file, line = places[number]
    return ctx.book.cite(file, line, line + 1)


def _within(topic: Topic, files: set[int]) -> list[SurveyFile]:
    return [file for file in topic.files if file.id in files]


def _guarding(ctx: PageContext, files: Iterable[SurveyFile]) -> Iterator[str]:
    for file in ctx.by_rank(files):
        if said := ctx.file_purpose(file) or _documented_symbol(ctx, file):
            yield f"**{ctx.path(file)}**: {said}"


def _documented_symbol(ctx: PageContext, file: SurveyFile) -> str:
    """Return the words of a file's weightiest documented definition."""
    own = [s for s in ctx.analysis.symbols_of.get(file.id, []) if s.is_public]
    for symbol in sorted(own, key=lambda s: (-weight(ctx, s), s.start_line)):
        if said := ctx.symbol_purpose(symbol):
            return f"{ctx.symbol_name(symbol)}: {said}"
    return ""


def _secrets(ctx: PageContext, facts: Sequence[SurveyFact]) -> list[str]:
    once = _once(facts)
    if not once:
        return []
    shown = [_read(ctx, fact) for fact in once[: _SHOWN * 2]]
    names = ctx.listed(shown)
    link = ctx.link_to("configuration")
    told = ctx.say("By their names these settings hold secrets: {names}.", names=names)
    where = ctx.say("Where each is read: {link}.", link=link)
    return [ctx.say("## Secrets"), f"{told} {where}"]


def _once(facts: Sequence[SurveyFact]) -> list[SurveyFact]:
    """Return one fact a name; where code reads it counts more than where it is set."""
    found: dict[str, SurveyFact] = {}
    for fact in sorted(facts, key=lambda f: bool(f.data.get("set_in"))):
        found.setdefault(fact.name, fact)
    return sorted(found.values(), key=lambda fact: fact.name)


def _read(ctx: PageContext, fact: SurveyFact) -> str:
    marker = ctx.book.cite(fact.file, fact.start_line, fact.start_line)
    return ctx.code(fact.name) + marker


def _policies(ctx: PageContext, files: Sequence[SurveyFile]) -> list[str]:
    blocks = [
        text for file in files[:1] for text in first_paragraphs(ctx, file, _PARAGRAPHS)
    ]
    return [ctx.say("## Reporting a weakness"), *blocks] if blocks else []
