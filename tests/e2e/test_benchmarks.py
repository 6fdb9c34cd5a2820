"""The benchmarks that need a server run at their smallest size."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from .instance import CHECKOUT, Instance

pytestmark = pytest.mark.xdist_group("e2e")


def measure(instance: Instance, name: str, *argv: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(CHECKOUT / "benchmarks" / name), *argv],
        cwd=instance.root,
        env=instance.env,
        check=False,
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_mixed_load_finds_every_commit(instance: Instance) -> None:
    before = instance.products()
    sizes = ("--seconds", "3", "--sources", "1", "--files", "3", "--every", "1")
    report = measure(instance, "mixed_load.py", *sizes, "--searchers", "1")
    freshness = report["freshness"]
    assert freshness["commits"] > 0
    assert freshness["missing"] == 0
    assert set(report["searches"]["statuses"]) <= {"200", "503"}
    assert report["searches"]["unavailable_without_retry_after"] == 0
    assert instance.products() == before  # it leaves nothing behind


@pytest.mark.slow
def test_recovery_brings_the_web_process_back(instance: Instance) -> None:
    report = measure(instance, "recovery.py", "--times", "1", "--only", "web")
    assert report["web"]["searchable"]["max_seconds"] > 0
    assert set(report["web"]["statuses"]) <= {"0", "200", "503"}
