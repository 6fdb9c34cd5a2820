"""Background tasks and schedules: Spring, Sidekiq, ActiveJob, Laravel, Oban, cron."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.code.definitions import CALLABLE, Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.facts.calls import read_call
from devrag.parsing.facts.marks import marks_of
from devrag.parsing.types import FactFacts

# language: (what is imported, the mark of a scheduled method, framework)
_MARKS = {
    "java": ("org.springframework.scheduling", "Scheduled", "spring"),
    "kotlin": ("org.springframework.scheduling", "Scheduled", "spring"),
    "typescript": ("@nestjs.schedule", "Cron", "nestjs"),
}
# language: what a class inherits or implements, its framework, the method that runs.
_CLASSES = {
    "ruby": {
        "ApplicationJob": ("activejob", "perform"),
        "ActiveJob.Base": ("activejob", "perform"),
        "Sidekiq.Job": ("sidekiq", "perform"),
        "Sidekiq.Worker": ("sidekiq", "perform"),
    },
    "php": {"Illuminate.Contracts.Queue.ShouldQueue": ("laravel", "handle")},
}
# language: (what is imported, the call that plans, framework)
_CALLS = {
    "go": (("github.com.robfig.cron", "AddFunc", "cron"),),
    "javascript": (("node-cron", "schedule", "node-cron"),),
    "typescript": (("node-cron", "schedule", "node-cron"),),
}
# Five or six fields, or a word: `0 3 * * *`, `@daily`, `@every 5m`.
_WHEN = re.compile(r"@[a-z]+|\S+( \S+){4,5}$")
_SCHEDULES = ("cron", "fixedRate", "fixedRateString", "fixedDelay", "fixedDelayString")


def tasks(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a task per scheduled method, job class and planned function."""
    package, mark, framework = _MARKS.get(analysis.language, ("", "", ""))
    if package and _imports(analysis, package):
        for definition in analysis.definitions:
            if definition.kind in CALLABLE:
                yield from _scheduled(definition, mark, framework)
    classes = _CLASSES.get(analysis.language, {})
    for definition in analysis.definitions if classes else ():
        yield from _job(analysis, definition, classes)
    for package, last, framework in _CALLS.get(analysis.language, ()):
        if _imports(analysis, package):
            yield from _planned(analysis, last, framework)
    if analysis.language == "elixir":
        yield from _workers(analysis)


def _imports(analysis: CodeAnalysis, package: str) -> bool:
    paths = (f"{item.path}." for item in analysis.uses.imports)
    return any(path.startswith(f"{package}.") for path in paths)


def _task(definition: Definition, framework: str, **data: str) -> FactFacts:
    lines = definition.start_line, definition.end_line
    name = definition.qualified_name
    return FactFacts("task", name, *lines, {"framework": framework, **data})


def _scheduled(
    definition: Definition, name: str, framework: str
) -> Iterator[FactFacts]:
    for mark in marks_of(definition):
        if mark.name == name:
            key = next((k for k in _SCHEDULES if k in mark.arguments), "")
            schedule = mark.text(key) or mark.written(key)
            when = f"{key} {schedule}" if key.startswith("fixed") else schedule
            function = definition.qualified_name
            yield _task(definition, framework, function=function, schedule=when)


def _job(
    analysis: CodeAnalysis, definition: Definition, classes: dict[str, tuple[str, str]]
) -> Iterator[FactFacts]:
    """Yield a class whose objects a queue runs; it must have the method that runs."""
    about = definition.about
    for name, _ in (*about.bases, *about.interfaces):
        framework, method = classes.get(analysis.uses.resolve(name), ("", ""))
        if any(m.about.name == method for m in definition.members):
            function = f"{definition.qualified_name}.{method}"
            yield _task(definition, framework, function=function)
            return


def _planned(analysis: CodeAnalysis, last: str, framework: str) -> Iterator[FactFacts]:
    for use in analysis.uses.ending("call", last):
        call = read_call(analysis.source, use)
        schedule = call.text(0)
        if schedule and _WHEN.match(schedule) and len(call.positional) > 1:
            function = call.named(1)
            data = {"framework": framework, "schedule": schedule, "function": function}
            lines = call.start_line, call.end_line
            yield FactFacts("task", function or schedule, *lines, data)


def _workers(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield the modules that `use Oban.Worker`."""
    owners = analysis.uses.import_owners
    for item, owner in zip(analysis.uses.imports, owners, strict=True):
        if item.path == "Oban.Worker" and owner is not None:
            function = f"{owner.qualified_name}.perform"
            yield _task(owner, "oban", function=function)
