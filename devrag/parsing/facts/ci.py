"""What continuous integration runs: GitLab, GitHub, and a repository's own script."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.located_values import Placed
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts
from devrag.parsing.yaml_data import require_yaml

# Keys of .gitlab-ci.yml that are no jobs even when they hold a script.
_NO_JOBS = {
    "default",
    "workflow",
    "variables",
    "include",
    "stages",
    "image",
    "services",
}


def gitlab_ci(source: SourceText) -> Iterator[FactFacts]:
    """Yield a job per top-level key with a script; hidden templates are none."""
    for name, job in require_yaml(source).items():
        script = job.get("script")
        if script is None or name in _NO_JOBS or name.startswith("."):
            continue
        stage = job.get("stage")
        found = {
            "system": "gitlab",
            "run": script.texts(),
            "stage": stage.text() if stage is not None else "",
        }
        yield FactFacts("ci", name, job.start_line, job.end_line, found)


def github_workflow(source: SourceText) -> Iterator[FactFacts]:
    """Yield a job per entry of `jobs`, with what its steps run or use."""
    data = require_yaml(source)
    planned = data.at("on", "schedule").listed()
    times = [text for item in planned if (text := item.at("cron").text())]
    for name, job in data.at("jobs").items():
        found: dict[str, str | list[str]] = {
            "system": "github",
            "run": list(_steps(job)),
            "workflow": data.at("name").text(),
        }
        if times:
            found["schedule"] = times
        yield FactFacts("ci", name, job.start_line, job.end_line, found)


def _steps(job: Placed) -> Iterator[str]:
    """Yield what the steps run or use; a job may be another workflow as a whole."""
    for step in (job, *job.at("steps").listed()):
        for key in ("run", "uses"):
            value = step.get(key)
            if value is not None and value.text():
                yield value.text()


def run_script(source: SourceText) -> Iterator[FactFacts]:
    """Yield the script of `.ci/run` as one job."""
    lines = [line.strip() for line in source.lines]
    run = [line for line in lines if line and not line.startswith("#")]
    if run:
        data = {"system": "script", "run": run}
        yield FactFacts("ci", source.path, 1, len(source.lines), data)
