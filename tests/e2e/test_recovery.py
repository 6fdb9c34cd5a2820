"""Whatever is killed or emptied: nothing is lost, and the work goes on."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable

import psutil
import psycopg
import pytest
import redis

from tests.conftest import Repository
from tests.waiting import wait_until

from .instance import Instance, is_running

pytestmark = [pytest.mark.xdist_group("e2e"), pytest.mark.slow]
FILES = 300
_RUNNING_PHASE = re.compile(r'phase-running">.*?</(?:span|svg)>\s*<span>(\w+)', re.S)
FUNCTION = '''
def step_{n}(value: int, limit: int = {n}) -> int:
    """Count to {n} and give up above the limit."""
    for number in range(value):
        if number > limit:
            raise ValueError(number)
    return value * {n}
'''


def module(number: int) -> str:
    """Return a module of about 300 lines that no other is like."""
    return "".join(FUNCTION.format(n=number * 1000 + n) for n in range(40))


@pytest.fixture(scope="module")
def works(instance: Instance) -> Repository:
    made = Repository(instance.sources / "works")
    made.commit({f"works/part_{n:03}.py": module(n) for n in range(FILES)})
    return made


def service(instance: Instance, key: str) -> str:
    return str(json.loads((instance.home / "run" / "services.json").read_text())[key])


def begin(instance: Instance, works: Repository, name: str) -> str:
    """Ask for a full index into a product of that name; return at phase parse."""
    job = instance.ask(
        *("index", str(works.path), "--product", name, "--source", name, "--no-wait")
    )
    path = f"/jobs/{job['jobID']}/"

    def is_parsing() -> bool:
        found = _RUNNING_PHASE.search(instance.http(path).text)
        return found is not None and found[1] == "Parse"

    wait_until(is_parsing, 60, "phase parse")
    return str(job["jobID"])


def rows(instance: Instance, source: str) -> tuple[int, ...]:
    """Return counts and a checksum of what is indexed of a source."""
    query = """
        SELECT count(DISTINCT f.id), count(DISTINCT r.id), count(c.id),
               sum(hashtextextended(f.path || c.ordinal || c.text, 0))::text::numeric
          FROM sources s
          JOIN sources_file f ON f.source_id = s.id
          JOIN sources_chunk c ON c.file_id = f.id
          JOIN sources_reffile r ON r.file_id = f.id AND r.until IS NULL
         WHERE s.name = %s"""
    with psycopg.connect(service(instance, "database_url")) as connection:
        found = connection.execute(query, [source]).fetchone()
    assert found is not None
    return tuple(found)


@pytest.fixture(scope="module")
def undisturbed(instance: Instance, works: Repository) -> tuple[int, ...]:
    """Return the rows of a run that nobody disturbed."""
    argv = ("index", str(works.path), "--product", "calm", "--source", "calm")
    assert instance.ask(*argv)["added"] == FILES
    return rows(instance, "calm")


def prove(instance: Instance) -> None:
    """Demand that search answers and that the workers do a job."""
    wait_until(instance.is_healthy, 60, "health")
    wait_until(lambda: instance.finds("checkout", "cart.py"), 30, "search")
    accepted = instance.api("/sources/index", {"sourceName": "shop"}).json()
    assert instance.wait_job(accepted["jobID"])["status"] == "completed"


def kill(instance: Instance, name: str) -> None:
    """Kill a process of the status list; return when another has its place."""
    pid = instance.pids()[name]
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_running(pid))
    wait_until(lambda: instance.pids().get(name, pid) != pid, 30, f"a new {name}")


@pytest.mark.parametrize(
    "name",
    ["web", "worker", "writer", "follower", "embed", "beat", "Valkey", "PostgreSQL"],
)
def test_a_killed_process_comes_back(
    instance: Instance, shop: Repository, name: str
) -> None:
    before = instance.products()
    kill(instance, name)
    prove(instance)
    assert instance.products() == before


def test_a_killed_child_of_the_worker_comes_back(
    instance: Instance, shop: Repository
) -> None:
    worker = psutil.Process(instance.pids()["worker"])
    worker.children()[0].kill()
    prove(instance)
    assert worker.is_running()


def test_a_killed_server_starts_again_with_everything(
    instance: Instance, shop: Repository
) -> None:
    before, pids = instance.products(), instance.pids()
    for pid in [pids.pop("server"), *pids.values()]:
        if is_running(pid):
            os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not any(map(is_running, pids.values())))
    instance.start()
    prove(instance)
    assert instance.products() == before


def kill_workers(instance: Instance) -> None:
    """Kill the worker and its children in the same moment."""
    worker = psutil.Process(instance.pids()["worker"])
    for process in [worker, *worker.children(recursive=True)]:
        process.kill()


def empty_broker(instance: Instance) -> None:
    with redis.Redis.from_url(service(instance, "redis_url")) as client:
        client.flushall()


@pytest.mark.parametrize(
    "disturb",
    [
        pytest.param(kill_workers, id="worker"),
        pytest.param(empty_broker, id="flushall"),
        pytest.param(lambda instance: kill(instance, "PostgreSQL"), id="database"),
        pytest.param(lambda instance: kill(instance, "Valkey"), id="broker"),
    ],
)
def test_a_disturbed_job_ends_with_the_same_rows(
    instance: Instance,
    works: Repository,
    undisturbed: tuple[int, ...],
    disturb: Callable[[Instance], None],
    request: pytest.FixtureRequest,
) -> None:
    name = f"disturbed-{request.node.callspec.id}"
    job = begin(instance, works, name)
    disturb(instance)
    ended = instance.wait_job(job, 180)
    assert ended["status"] == "completed", ended["error"]
    assert rows(instance, name) == undisturbed


def test_a_job_goes_on_after_an_ordered_stop(
    instance: Instance, works: Repository, undisturbed: tuple[int, ...]
) -> None:
    # Running tasks finish, the job goes on at the next start.
    job = begin(instance, works, "stopped")
    assert instance.run("server", "stop").returncode == 0
    assert instance.pids() == {}
    instance.start()
    assert instance.wait_job(job, 120)["status"] == "completed"
    assert rows(instance, "stopped") == undisturbed
