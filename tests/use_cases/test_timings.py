"""`--verbose` of `search` and `index`: all items that are listed."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from devrag.core.timings import measured, timed
from devrag.jobs.models import Job
from devrag.use_cases.timed_job import describe_timings
from tests.conftest import SHOP, Repository, run_job
from tests.indexing.test_index import index

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_index_run_tells_counts_times_and_files(shop: Repository) -> None:
    job = index(shop.path)
    run_job(Job.objects.get(pk=job.report["embedJobID"]))
    told = list(describe_timings(job))
    assert told[0] == f"files scanned: {len(SHOP)}"
    assert told[1] == f"new: {len(SHOP)}, updated: 0, deleted: 0, unchanged: 0"
    text = "\n".join(told)
    for item in (
        r"^chunks: \d+, \d\.\d per file$",
        r"^hashing: \d+\.\d ms \(\d+\.\d\d ms per file\)$",
        r"^database write: [1-9]\d*\.\d ms",
        r"^plan: \d+\.\d ms$",
        r"^parse: \d+\.\d ms$",
        r"^total: \d+\.\d ms$",
        r"^  shop/till\.py: \d+ chunks, \d+ characters per chunk$",
        r"^embedding: \d+ API calls, \d+\.\d ms each, \d+\.\d texts per call$",
        r"^embedding: \d+ texts sent, 0 reused$",
    ):
        assert re.search(item, text, re.M), (item, text)
    assert text.count(" characters per chunk") == len(SHOP)


@pytest.mark.slow
def test_a_second_run_tells_only_what_changed(shop: Repository) -> None:
    index(shop.path)
    shop.commit({"shop/till.py": "def charge(amount):\n    return amount\n"})
    told = list(describe_timings(index(shop.path)))
    assert told[1] == f"new: 0, updated: 1, deleted: 0, unchanged: {len(SHOP) - 1}"
    assert next(line for line in told if "per chunk" in line).startswith("  shop/till")
    assert any(line.startswith("embedding: pending") for line in told)
    nothing = list(describe_timings(index(shop.path)))
    assert nothing[1].startswith("new: 0, updated: 0, deleted: 0")


def test_a_search_tells_its_stages_and_hits(
    shop: Repository, follow: Callable[[], Any]
) -> None:
    job = index(shop.path)
    run_job(Job.objects.get(pk=job.report["embedJobID"]))
    follow()
    out, err = io.StringIO(), io.StringIO()
    call_command("search", "charge", "--verbose", stdout=out, stderr=err)
    for item in (
        r"^query: 'charge'$",
        r"^query embedding: \d+\.\d ms$",
        r"^vector search: [\d.]*[1-9][\d.]* ms$",
        r"^total: \d+\.\d ms$",
        r"^chunks: \d+$",
        r"^  [01]\.\d{4} shop/till\.py:\d+$",
    ):
        assert re.search(item, err.getvalue(), re.M), (item, err.getvalue())
    assert "total:" not in out.getvalue()
    quiet = io.StringIO()
    call_command("search", "charge", stdout=io.StringIO(), stderr=quiet)
    assert quiet.getvalue() == ""


def test_nothing_is_measured_for_nobody() -> None:
    with timed("write"):
        pass

    @measured
    def work() -> dict[str, Any]:
        for _ in range(2):
            with timed("write"):
                sum(range(10_000))
        return {"files": 2}

    result = work()
    assert result["files"] == 2
    assert set(result) == {"files", "writeMilliseconds"}
