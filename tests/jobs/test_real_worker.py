"""A real worker process: files that kill it, files that hang, fair turns."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
import redis
from django.db import connection

from devrag.core.principal import SYSTEM
from devrag.jobs.models import Batch, Job, JobState
from devrag.jobs.services import enqueue_job
from devrag.products.models import Product
from devrag.sources.models import Chunk, File, StagedChange, Symbol
from devrag.use_cases.add_repository import add_repository
from tests.conftest import SHOP, Repository
from tests.parsing import hostile
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
CHECKOUT = Path(__file__).parents[2]
HARMLESS = ("shop/cart.py",)
_BROKER_OF_ITS_OWN = "/7"  # so that the messages of other tests are not read here


def worker_environment(settings: Any) -> dict[str, str]:
    """Return the environment of a process that shares this test's database."""
    config = connection.settings_dict
    broker = urlsplit(settings.BROKER_URL)._replace(path=_BROKER_OF_ITS_OWN)
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{config['NAME']}")
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.jobs.worker_settings",
        "PYTHONPATH": str(CHECKOUT),
        "DATABASE_URL": urlunsplit(database),
        "REDIS_URL": urlunsplit(broker),
        "GIT_CLONE_DIR": str(settings.GIT_CLONE_DIR),
    }


@pytest.fixture
def worker(settings: Any, tmp_path: Path, transactional_db: None) -> Iterator[None]:
    """One worker process with one child, as `server start` runs it."""
    environment = worker_environment(settings)
    queues = f"tick,plan,plan.{settings.HOST_NAME},parse"
    argv = (
        *(sys.executable, "-m", "celery", "-A", "devrag", "--quiet", "worker"),
        *("-Q", queues, "-c", "1", "-n", f"test-{os.getpid()}@%h", "-l", "WARNING"),
        *("-B", "-s", str(tmp_path / "beat"), "--without-gossip", "--without-mingle"),
    )
    log = (tmp_path / "worker.log").open("w")
    process = subprocess.Popen(
        argv, env=environment, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT
    )
    yield
    process.send_signal(signal.SIGQUIT)  # what still runs is not waited for
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    log.close()
    with redis.Redis.from_url(environment["REDIS_URL"]) as client:
        client.flushdb()


def wait_for_end(job: Job) -> Job:
    def has_ended() -> bool:
        job.refresh_from_db()
        return not job.is_open

    wait_until(has_ended, 240, lambda: f"the end of {list(job.batches.values())}")
    return job


def index(repository: Repository, text: str) -> Job:
    files = {path: SHOP[path] for path in HARMLESS}
    repository.commit({**files, "shop/poison.py": f'"""Odd: {text}."""\n\nX = 1\n'})
    job = add_repository(
        principal=SYSTEM,
        location=str(repository.path),
        product_name="tea",
        is_wiki_wanted=False,
        is_local_user=True,
    )
    return wait_for_end(job)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["this file kills", "this file hangs"])
def test_a_deadly_file_becomes_windows_and_the_job_ends(
    worker: None, repository: Repository, text: str
) -> None:
    job = index(repository, text)
    assert job.state == JobState.COMPLETED, job.error
    assert job.report["asWindows"] == {"parser_crash": 1}
    assert File.objects.filter(state=File.State.PARSED).count() == len(HARMLESS) + 1
    poison = File.objects.get(path="shop/poison.py")
    assert poison.warnings == [
        "shop/poison.py is indexed as plain text: its parser crashed"
    ]
    chunk = Chunk.objects.get(file=poison)
    assert (chunk.kind, chunk.text.count(text)) == ("window", 1)
    assert not Symbol.objects.filter(file=poison).exists()
    assert Symbol.objects.filter(file__path="shop/cart.py", name="checkout").exists()
    assert job.events.filter(message__contains="its parser crashed").exists()
    assert not StagedChange.objects.exists()


@pytest.mark.slow
def test_a_hostile_file_costs_no_worker(worker: None, repository: Repository) -> None:
    path, make = hostile.MEMORY
    repository.commit({**SHOP, path: make()})
    job = add_repository(
        principal=SYSTEM,
        location=str(repository.path),
        product_name="tea",
        is_wiki_wanted=False,
        is_local_user=True,
    )
    wait_for_end(job)
    assert job.state == JobState.COMPLETED, job.error
    assert job.report["asWindowsPaths"] == {"parser_memory": [path]}
    assert not job.batches.filter(losses__gt=0).exists()
    assert Symbol.objects.filter(file__path="shop/cart.py", name="checkout").exists()


@pytest.mark.slow
def test_a_small_job_takes_turns_with_a_big_one(worker: None) -> None:
    product = Product.objects.create(name="shop")
    big = enqueue_job(kind="steps", lane="big", product=product, params={"steps": 40})
    wait_until(big.batches.filter(attempts__gt=0).exists, 60, "a first step")
    small = enqueue_job(
        kind="steps", lane="small", product=product, params={"steps": 3}
    )
    wait_for_end(small)
    big.refresh_from_db()
    assert big.is_open
    wait_for_end(big)
    turns = Batch.objects.order_by("started_at").values_list("job__lane", flat=True)
    assert turns.first() == "big"
    assert turns.last() == "big"
