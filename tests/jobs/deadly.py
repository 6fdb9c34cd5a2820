"""The real workflows in a process that some files end, as no parser process can.

Only a worker process of these tests imports this: it changes the parser for good.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from devrag.indexing import parse
from devrag.jobs import tasks
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job
from devrag.jobs.workflow import BatchPlan, Phase, Workflow
from devrag.parsing.isolated.process import ParserProcess
from devrag.parsing.types import FileFacts
from devrag.use_cases import workflows

KILLS, HANGS = "this file kills", "this file hangs"
HANG_LIMIT_SECONDS = 4.0
STEP_SECONDS = 0.05  # the work of a step, not a wait for anything
tasks._SLICE_SECONDS = 0.3


class DeadlyParser(ParserProcess):
    """Parses as ever, but dies or never returns on the files that say so."""

    def parse_files(
        self, files: Iterable[tuple[str, str]], *sizes: Any, **options: Any
    ) -> Generator[FileFacts]:
        found = list(files)
        if not options["windows_code"]:
            if any(KILLS in text for _, text in found):
                os.kill(os.getpid(), signal.SIGKILL)
            while any(HANGS in text for _, text in found):
                pass
        yield from super().parse_files(found, *sizes, **options)


parse.parser = cache(DeadlyParser)


def plan_steps(job: Job) -> Iterable[BatchPlan]:
    return [BatchPlan() for _ in range(job.params["steps"])]


def take_a_moment(_run: BatchRun) -> dict[str, Any]:
    """Work for a while, so that the process can be killed in the middle of a batch."""
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
