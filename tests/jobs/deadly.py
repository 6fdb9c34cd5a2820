"""The real workflows in a process where the parser of some files is deadly.

Only a worker process of these tests imports this: it changes the parser for good.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from devrag.flows import workflows
from devrag.indexing import parse
from devrag.jobs import tasks
from devrag.jobs.models import Job
from devrag.jobs.run import BatchRun
from devrag.jobs.workflow import BatchPlan, Phase, Workflow
from devrag.parsing.types import FileFacts

KILLS, HANGS = "this file kills", "this file hangs"
HANG_LIMIT_SECONDS = 2.0
STEP_SECONDS = 0.05  # the work of a step, not a wait for anything
_parse_file = parse.parse_file
tasks._SLICE_SECONDS = 0.3


def parse_file(path: str, text: str) -> FileFacts:
    """Parse as ever, but die or never return on the files that say so."""
    if KILLS in text:
        os.kill(os.getpid(), signal.SIGKILL)
    while HANGS in text:
        pass
    return _parse_file(path, text)


parse.parse_file = parse_file


def plan_steps(job: Job) -> Iterable[BatchPlan]:
    return [BatchPlan() for _ in range(job.params["steps"])]


def take_a_moment(_run: BatchRun) -> dict[str, Any]:
    time.sleep(STEP_SECONDS)
    return {}


_index = workflows.WORKFLOWS["index"]
_phases = tuple(
    replace(phase, limit_seconds=HANG_LIMIT_SECONDS) if phase.name == "parse" else phase
    for phase in _index.phases
)
WORKFLOWS = {
    **workflows.WORKFLOWS,
    "index": replace(_index, phases=_phases),
    "steps": Workflow(
        phases=(Phase("steps", "parse", plan_steps, take_a_moment),),
        finish=lambda _job: {},
    ),
}
