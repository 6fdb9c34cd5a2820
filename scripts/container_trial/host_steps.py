"""Steps 4: a second host on the same database and broker, and a rolling upgrade."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from functools import partial

from data_steps import check_data, is_version
from engine import (
    SERVICES,
    Prober,
    Project,
    TrialError,
    run,
    wait_until,
)
from instance import Instance
from proxy import Proxy
from service_steps import wait_for_word
from setting import NEWEST_IMAGE, NEWEST_VERSION, Figures, Setting

# beat runs once, and watch sees folders of the first host only.
SECOND_SERVICES = tuple(name for name in SERVICES if name not in {"beat", "watch"})
FIRST, SECOND = "devrag", "second"
# Ends with an error after ten seconds. In the database, as a batch may take a second.
_WAIT_FOR_WORK = """\
DO $$ BEGIN
  FOR i IN 1..500 LOOP
    IF EXISTS (SELECT FROM jobs_batch WHERE state = 'running' AND queue = 'parse'
               AND worker LIKE '{host}/%') THEN RETURN; END IF;
    COMMIT;
    PERFORM pg_sleep(0.02);
  END LOOP;
  RAISE EXCEPTION 'no work';
END $$
"""
_LONGEST_SEARCH = 20
# A small repository has few batches: so many times, for both hosts to get one.
_FULL_INDEXES = 5
_BATCHES = (
    "SELECT split_part(worker, '/', 1), count(*) FROM jobs_batch WHERE {} GROUP BY 1"
)


def add_host(setting: Setting) -> Figures:
    """Start a second host; both of them do the work and find what was committed."""
    second = second_project(setting)
    second.compose("up", "-d", "--no-deps", *SECOND_SERVICES)
    wait_until("/health of the second host", second_instance(setting).is_healthy, 300)
    second.wait_healthy("worker")
    jobs = []
    for _ in range(_FULL_INDEXES):
        jobs.append(setting.request_index(is_full=True))
        setting.instance.wait_for_job(jobs[-1], 1500)
    ids = ", ".join(f"'{job['jobID']}'" for job in jobs)
    batches = batches_by_host(setting, f"job_id IN ({ids})")
    if set(batches) != {FIRST, SECOND}:
        raise TrialError(f"the work was done by {batches}")
    return {"batches": batches, "same_words_seconds": wait_for_same_words(setting)}


def second_project(setting: Setting) -> Project:
    """Return the project of the second host, in the network of the first."""
    folder = setting.folder / SECOND
    folder.mkdir(exist_ok=True)
    network = f"{setting.project.name}_default"
    text = f"networks:\n  default:\n    external: true\n    name: {network}\n"
    (folder / "overrides.yml").write_text(text)
    settings = setting.project.settings | {
        "HOST_NAME": SECOND,
        "HTTP_PORT": str(int(setting.project.settings["HTTP_PORT"]) + 1),
    }
    return Project(f"{setting.project.name}-{SECOND}", folder, settings)


def second_instance(setting: Setting) -> Instance:
    """Return the server of the second host."""
    port = second_project(setting).settings["HTTP_PORT"]
    return replace(setting.instance, address=f"http://127.0.0.1:{port}")


def batches_by_host(setting: Setting, condition: str) -> dict[str, int]:
    """Return how many batches of jobs each host holds or has done."""
    query = _BATCHES.format(condition)
    words = ("psql", "-tAF", " ", "-U", "devrag", "-c", query)
    lines = setting.project.execute("postgres", *words).splitlines()
    pairs = [line.rsplit(" ", 1) for line in lines]
    return {host: int(count) for host, count in pairs if host}


def wait_for_same_words(setting: Setting) -> float:
    """Wait until the second host finds every word that was committed."""
    began = time.monotonic()
    second = replace(setting, instance=second_instance(setting))
    for word in setting.words:
        wait_for_word(second, word)
    return round(time.monotonic() - began, 1)


def kill_host(name: str, setting: Setting) -> Figures:
    """Kill all containers of a host while it works; start it again; nothing is lost."""
    second = second_project(setting)
    project = second if name == SECOND else setting.project
    services = SECOND_SERVICES if name == SECOND else SERVICES
    other = setting.instance if name == SECOND else second_instance(setting)
    word = setting.commit_word()
    killed = [each for s in services for each in project.containers(s)]
    pids = [project.inspect(each)["State"]["Pid"] for each in killed]
    with Prober(partial(other.ask_json, "/ready")) as pages:
        job = index_until_work_of(name, setting)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        began = time.monotonic()
        run("podman", "rm", "--force", "--time", "0", *killed)  # a host is gone
        if name == FIRST:  # it has the folder, and no other host can read it
            project.compose("up", "-d", "--no-deps", *services)
        setting.instance.wait_for_job(job, 1500)
        seconds = time.monotonic() - began
    project.compose("up", "-d", "--no-deps", *services)
    wait_until("/health", setting.instance.is_healthy, 300)
    wait_until("/health of the second host", second_instance(setting).is_healthy, 300)
    wait_for_word(setting, word)
    wait_for_same_words(setting)
    # Files of wikis are written on the host that generates them.
    second.execute("web", "devrag", "doctor", "--repair")
    return {
        "job_seconds_after": round(seconds, 1),
        "requests_to_the_other": pages.asked,
        "failed": len(pages.failures),
    }


def index_until_work_of(name: str, setting: Setting) -> dict[str, str]:
    """Request full indexes until the host is at work; return that job."""
    words = ("psql", "-qU", "devrag", "-c", _WAIT_FOR_WORK.format(host=name))
    for _ in range(_LONGEST_SEARCH):
        job = setting.request_index(is_full=True)
        try:
            setting.project.execute("postgres", *words)
        except TrialError:  # the other host was quicker
            setting.instance.wait_for_job(job, 1500)
        else:
            return job
    raise TrialError(f"no work of {name} in {_LONGEST_SEARCH} jobs")


def roll(setting: Setting) -> Figures:
    """Replace all containers by a newer image, while a proxy's requests go on."""
    second, port = second_project(setting), int(setting.project.settings["HTTP_PORT"])
    former = setting.instance.version()
    front = replace(setting.instance, address=f"http://127.0.0.1:{port + 2}")
    setting.project.settings["DEVRAG_IMAGE"] = NEWEST_IMAGE
    second.settings["DEVRAG_IMAGE"] = NEWEST_IMAGE
    with Proxy(port + 2, [port, port + 1]) as proxy:
        wait_until("both servers", lambda: len(proxy.ready) == 2, 60)
        with Prober(partial(front.ask_json, "/api/v1/products")) as pages:
            began = time.monotonic()
            # The old version serves over the new tables.
            setting.project.compose("run", "--rm", "--no-deps", "-T", "prepare")
            second.compose("up", "-d", "--no-deps", "web")
            wait_ready(proxy, second_instance(setting), NEWEST_VERSION)
            if setting.instance.version() != former:
                raise TrialError("the first host was not to be replaced yet")
            job = setting.request_index(is_full=True)
            setting.project.compose("up", "-d", "--no-deps", "web")
            wait_ready(proxy, setting.instance, NEWEST_VERSION)
            second.compose("up", "-d", "--no-deps", *SECOND_SERVICES)
            setting.project.compose("up", "-d", "--no-deps", *SERVICES)
            setting.instance.wait_for_job(job, 1500)
            seconds = time.monotonic() - began
    check_data(setting)
    wait_for_same_words(setting)
    if pages.failures:
        raise TrialError(f"{len(pages.failures)} requests failed: {pages.failures[:3]}")
    return {"seconds_to_replace": round(seconds, 1), "requests": pages.asked}


def wait_ready(proxy: Proxy, server: Instance, version: str) -> None:
    """Wait until a server is of a version and the proxy has both again."""
    of_version = partial(is_version, server, version)
    wait_until("the newer version", of_version, 300)
    wait_until("both servers", lambda: len(proxy.ready) == 2, 60)


def remove_host(setting: Setting) -> Figures:
    """Remove the second host with its volume; the first goes on alone."""
    second_project(setting).remove()
    check_data(setting)
    return {}


HOST_STEPS = [
    ("add a second host", add_host),
    ("kill the second host", partial(kill_host, SECOND)),
    ("kill the first host", partial(kill_host, FIRST)),
    ("rolling upgrade", roll),
    ("remove the second host", remove_host),
]
