"""Settings of a worker process for tests: ticks every second, deadly parsers."""

from __future__ import annotations

from typing import Any, cast

from devrag import settings as real
from devrag.settings import *  # noqa: F403

_beat = cast("dict[str, dict[str, Any]]", real.CELERY["beat_schedule"])
CELERY = {
    **real.CELERY,
    "beat_schedule": {"tick": {**_beat["tick"], "schedule": 1.0}},
}
JOB_WORKFLOWS = "tests.jobs.deadly.WORKFLOWS"
