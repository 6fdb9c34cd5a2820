"""The recipes of the guide, run as they are written, against a running server."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator

import pytest
from pytest_django.live_server_helper import LiveServer

from devrag.access.services import create_token
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.models import Source
from tests.architecture.modules import ROOT

COMMIT = "bffeb74224043ba2feb48d137756c8a9331c449a"
# What the hosts set, and what the guide asks people to set.
VARIABLES = {
    "CI_COMMIT_SHA": COMMIT,
    "CI_COMMIT_BRANCH": "main",
    "CI_JOB_ID": "4711",
    "GITHUB_SHA": COMMIT,
    "GITHUB_REF_NAME": "main",
    "GITHUB_RUN_ID": "4712",
    "GITHUB_RUN_ATTEMPT": "1",
    "SOURCE_ID": "7",
}


def recipes() -> Iterator[str]:
    """Yield each call of curl in the guide, those folded in YAML joined."""
    for name in ("ci.md", "rest.md"):
        text = (ROOT / "docs" / "guide" / name).read_text()
        for kind, block in re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL):
            if "curl " not in block:
                continue
            call = "curl " + block.partition("curl ")[2]
            yield " ".join(call.split()) if kind == "yaml" else call


RECIPES = list(recipes())


@pytest.fixture
def environment(live_server: LiveServer) -> dict[str, str]:
    product = Product.objects.create(name="shop")
    Source.objects.create(
        pk=7,
        product=product,
        name="backend-api",
        source_type="git",
        metadata={"url": "https://git.example/shop.git"},
    )
    _, secret = create_token(name="gitlab", scopes=["index", "wiki", "read"])
    address = {"DEVRAG_URL": live_server.url, "DEVRAG_API_TOKEN": secret}
    return {**VARIABLES, **address}


def run(call: str, environment: dict[str, str]) -> dict[str, object]:
    there = call.replace("https://devrag.example", environment["DEVRAG_URL"])
    done = subprocess.run(
        ["/bin/sh", "-c", there],
        env={**environment, "PATH": "/usr/bin:/bin", "NO_PROXY": "*"},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_every_recipe_works_as_written(environment: dict[str, str]) -> None:
    answers = [run(call, environment) for call in RECIPES]
    kinds = [sorted(answer) for answer in answers]
    assert kinds.count(["jobID", "status"]) == 3  # curl, GitLab, GitHub
    assert ["hookURLs", "secret", "sourceID"] in kinds
    assert answers[-3].get("indexEveryMinutes") == 30
    assert "hits" in answers[-2]
    assert "citations" in answers[-1]
    for job in Job.objects.filter(kind="index"):
        assert (job.params["commit"], job.params["ref"]) == (COMMIT, "main")
        assert job.params["generateWiki"] is True


def test_a_recipe_that_is_sent_again_starts_no_second_job(
    environment: dict[str, str],
) -> None:
    keyed = [call for call in RECIPES if "Idempotency-Key" in call]
    assert len(keyed) == 2
    for call in keyed:
        assert run(call, environment) == run(call, environment)
    assert Job.objects.count() == 2
