"""Steps 4: more hosts on the same database and broker, and a rolling upgrade."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
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
OTHER_SERVICES = tuple(name for name in SERVICES if name not in {"beat", "watch"})
FIRST = "devrag"
# Their names; the first one is in every trial.
OTHERS = ("second", "third", "fourth")[: int(os.environ.get("TRIAL_HOSTS", "2")) - 1]
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
# A small repository has few batches: so many times, for each host to get one.
_FULL_INDEXES = 5 * len(OTHERS)
_BATCHES = (
    "SELECT split_part(worker, '/', 1), count(*) FROM jobs_batch WHERE {} GROUP BY 1"
)


def add_hosts(setting: Setting) -> Figures:
    """Start the other hosts; all of them do the work and find what was committed."""
    for name in OTHERS:
        host_project(setting, name).compose("up", "-d", "--no-deps", *OTHER_SERVICES)
        wait_until_healthy(setting, name)
        host_project(setting, name).wait_healthy("worker")
    jobs = []
    for _ in range(_FULL_INDEXES):
        jobs.append(setting.request_index(is_full=True))
        setting.instance.wait_for_job(jobs[-1], 1500)
    ids = ", ".join(f"'{job['jobID']}'" for job in jobs)
    batches = batches_by_host(setting, f"job_id IN ({ids})")
    if set(batches) != {FIRST, *OTHERS}:
        raise TrialError(f"the work was done by {batches}")
    return {"batches": batches, "same_words_seconds": wait_for_same_words(setting)}


def host_project(setting: Setting, name: str) -> Project:
    """Return the project of a host; the others are in the network of the first."""
    if name == FIRST:
        return setting.project
    folder = setting.folder / name
    folder.mkdir(exist_ok=True)
    network = f"{setting.project.name}_default"
    text = f"networks:\n  default:\n    external: true\n    name: {network}\n"
    (folder / "overrides.yml").write_text(text)
    port = int(setting.project.settings["HTTP_PORT"]) + 1 + OTHERS.index(name)
    settings = {"HOST_NAME": name, "HTTP_PORT": str(port)}
    own = setting.project.settings | settings
    return Project(f"{setting.project.name}-{name}", folder, own)


def host_instance(setting: Setting, name: str) -> Instance:
    """Return the server of a host."""
    port = host_project(setting, name).settings["HTTP_PORT"]
    return replace(setting.instance, address=f"http://127.0.0.1:{port}")


def wait_until_healthy(setting: Setting, name: str) -> None:
    """Wait for a host's server."""
    wait_until(f"/health of {name}", host_instance(setting, name).is_healthy, 300)


def batches_by_host(setting: Setting, condition: str) -> dict[str, int]:
    """Return how many batches of jobs each host holds or has done."""
    query = _BATCHES.format(condition)
    words = ("psql", "-tAF", " ", "-U", "devrag", "-c", query)
    lines = setting.project.execute("postgres", *words).splitlines()
    pairs = [line.rsplit(" ", 1) for line in lines]
    return {host: int(count) for host, count in pairs if host}


def wait_for_same_words(setting: Setting) -> float:
    """Wait until every host finds every word that was committed."""
    began = time.monotonic()
    for name in OTHERS:
        host = replace(setting, instance=host_instance(setting, name))
        for word in setting.words:
            wait_for_word(host, word)
    return round(time.monotonic() - began, 1)


def kill_host(name: str, setting: Setting) -> Figures:
    """Kill all containers of a host while it works; start it again; nothing is lost."""
    project = host_project(setting, name)
    services = SERVICES if name == FIRST else OTHER_SERVICES
    other = host_instance(setting, OTHERS[0] if name == FIRST else FIRST)
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
    for each in (FIRST, *OTHERS):
        wait_until_healthy(setting, each)
    wait_for_word(setting, word)
    wait_for_same_words(setting)
    # Files of wikis are written on the host that generates them.
    for each in OTHERS:
        host_project(setting, each).execute("web", "devrag", "doctor", "--repair")
    return {
        "job_seconds_after": round(seconds, 1),
        "requests_to_another": pages.asked,
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
    hosts = {name: host_project(setting, name) for name in (*OTHERS, FIRST)}
    ports = [int(each.settings["HTTP_PORT"]) for each in hosts.values()]
    former = setting.instance.version()
    front_port = max(ports) + 1
    front = replace(setting.instance, address=f"http://127.0.0.1:{front_port}")
    for each in hosts.values():
        each.settings["DEVRAG_IMAGE"] = NEWEST_IMAGE
    with Proxy(front_port, ports) as proxy:
        wait_until("all servers", lambda: len(proxy.ready) == len(ports), 60)
        with Prober(partial(front.ask_json, "/api/v1/products")) as pages:
            began = time.monotonic()
            # The old version serves over the new tables.
            setting.project.compose("run", "--rm", "--no-deps", "-T", "prepare")
            job = setting.request_index(is_full=True)
            for name, project in hosts.items():
                if setting.instance.version() != former:
                    raise TrialError("the first host is to be replaced last")
                project.compose("up", "-d", "--no-deps", "web")
                wait_ready(proxy, host_instance(setting, name), len(ports))
            for name, project in hosts.items():
                services = SERVICES if name == FIRST else OTHER_SERVICES
                project.compose("up", "-d", "--no-deps", *services)
            setting.instance.wait_for_job(job, 1500)
            seconds = time.monotonic() - began
    check_data(setting)
    wait_for_same_words(setting)
    if pages.failures:
        raise TrialError(f"{len(pages.failures)} requests failed: {pages.failures[:3]}")
    return {"seconds_to_replace": round(seconds, 1), "requests": pages.asked}


def wait_ready(proxy: Proxy, server: Instance, count: int) -> None:
    """Wait until a server is of the newest version and the proxy has all again."""
    is_newest = partial(is_version, server, NEWEST_VERSION)
    wait_until("the newer version", is_newest, 300)
    wait_until("all servers", lambda: len(proxy.ready) == count, 60)


def remove_hosts(setting: Setting) -> Figures:
    """Remove the other hosts with their volumes; the first goes on alone."""
    for name in OTHERS:
        host_project(setting, name).remove()
    check_data(setting)
    return {}


HOST_STEPS: list[tuple[str, Callable[[Setting], Figures]]] = [
    ("add hosts", add_hosts),
    *((f"kill the {name} host", partial(kill_host, name)) for name in OTHERS),
    ("kill the first host", partial(kill_host, FIRST)),
    ("rolling upgrade", roll),
    ("remove the other hosts", remove_hosts),
]
