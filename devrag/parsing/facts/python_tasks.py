"""Background tasks of Celery: `@shared_task` and `@app.task`."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.facts.calls import read_call
from devrag.parsing.types import FactFacts


def tasks(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a task per decorated function, by the name that workers know it by."""
    found = analysis.uses.ending("decorator", "shared_task")
    if any("celery" in item.path.split(".") for item in analysis.uses.imports):
        found = found + analysis.uses.ending("decorator", "task")
    for use in found:
        owner = use.owner
        resolved = analysis.uses.resolve(use.name)
        if owner is None or owner.kind != "function":
            continue
        if "." not in resolved:
            continue
        call = read_call(analysis.source, use)
        name = call.text(99, "name") or f"{analysis.module}.{owner.about.name}"
        data = {"framework": "celery", "function": owner.qualified_name}
        yield FactFacts("task", name, owner.start_line, owner.end_line, data)
