"""Steps 2: the services start, work, and survive what is killed."""

from __future__ import annotations

import re
import time
from functools import partial

from engine import SERVICES, STORES, Prober, TrialError, run, wait_until
from setting import ADMIN, PRODUCT, SOURCE, Figures, Setting


def start(setting: Setting) -> Figures:
    """Start everything; healthy is when web, database, broker and a worker answer."""
    setting.project.up()
    wait_until("/health", setting.instance.is_healthy, 400)
    setting.project.wait_healthy("web", "worker")
    missing = [name for name in SERVICES if not setting.project.containers(name)]
    if missing:
        raise TrialError(f"not running: {missing}")
    return {}


def look_into_containers(setting: Setting) -> Figures:
    """Read-only, no capabilities, limits, one port on loopback, no password shown."""
    project = setting.project
    for name in SERVICES:
        host = project.inspect(project.container(name))["HostConfig"]
        if not host["ReadonlyRootfs"] or not host["Memory"]:
            raise TrialError(f"{name} can be written, or has no memory limit")
        status = project.execute(name, "cat", "/proc/1/status")
        if not re.search(r"^CapEff:\s0+$", status, re.M):
            raise TrialError(f"{name} has capabilities")
    tried = "touch /x /opt/devrag/x 2>/dev/null && exit 1; touch /tmp/x && rm /tmp/x"
    project.execute("web", "sh", "-c", tried)
    arguments = project.arguments()
    shown = [
        name
        for name, value in project.settings.items()
        if re.search("PASSWORD|KEY|PASSPHRASE", name) and value in arguments
    ]
    if shown or "valkey-server" not in arguments:
        raise TrialError(f"in the arguments of processes: {shown}")
    ports = run(
        "podman", "ps", "--format", "{{.Ports}}", "--filter", "name=devrag-trial"
    )
    published = [line for line in ports.split("\n") if line.strip()]
    if len(published) != 1 or not published[0].startswith("127.0.0.1:"):
        raise TrialError(f"published: {published}")
    return {"containers": len(SERVICES), "published": published}


def create_administrator(setting: Setting) -> Figures:
    """Create the administrator, sign in as one, make a token."""
    created = ("devrag", "createsuperuser", "--noinput", "--username", ADMIN)
    setting.project.execute(
        *("web", *created, "--email", "captain@example.invalid"),
        DJANGO_SUPERUSER_PASSWORD=setting.password,
    )
    scopes = ("--scopes", "read,index,wiki,admin")
    said = setting.project.execute("web", "devrag", "token", "create", "trial", *scopes)
    setting.instance.token = said.split()[0]
    sign_in(setting)
    return {}


def sign_in(setting: Setting) -> None:
    """Sign in with the password; the page shows the account's name."""
    page = setting.instance.sign_in(ADMIN, setting.password)
    if ADMIN not in page:
        raise TrialError("signed in, and the page does not show it")


def index(setting: Setting) -> Figures:
    """Index the repository and find a word of its newest commit."""
    word = setting.commit_word()
    body = {
        "sourceURL": f"/srv/sources/{SOURCE}",
        "productName": PRODUCT,
        "sourceName": SOURCE,
    }
    job = setting.instance.ask_json("/api/v1/sources", body)
    done = setting.instance.wait_for_job(job, 1500)
    wait_for_word(setting, word)
    return {"files": done["report"]["added"]}


def wait_for_word(setting: Setting, word: str, timeout_seconds: float = 240) -> float:
    """Wait until a search finds a word; return the seconds."""
    finds = partial(setting.instance.finds, word, PRODUCT)
    return wait_until(f"search for {word}", finds, timeout_seconds)


def write_wiki(setting: Setting) -> Figures:
    """Write the wiki without a model."""
    body = {"productName": PRODUCT}
    job = setting.instance.ask_json("/api/v1/products/wiki", body)
    setting.instance.wait_for_job(job, 1500)
    return {"pages": setting.instance.wiki_pages()}


def search_and_ask(setting: Setting) -> Figures:
    """Search in words, and ask a question without a model."""
    began = time.monotonic()
    hits = setting.instance.search("where is the password checked", PRODUCT)
    seconds = time.monotonic() - began
    body = {"question": "Where is the configuration read?", "productNames": [PRODUCT]}
    answer = setting.instance.ask_json("/api/v1/ask", body)
    if not hits or not answer:
        raise TrialError("nothing found, or no answer")
    return {"hits": len(hits), "search_seconds": round(seconds, 2)}


def kill(service: str, setting: Setting) -> Figures:
    """Kill a service while a commit is being indexed: the job ends all the same."""
    project = setting.project
    word = setting.commit_word()
    job = setting.request_index()
    with Prober(partial(setting.instance.ask_json, "/ready")) as pages:
        before = project.containers(service)[0]
        restarts = project.inspect(before)["RestartCount"]
        began = time.monotonic()
        project.kill(service)
        wait_until(
            f"{service} starts again",
            lambda: (
                project.inspect(before)["RestartCount"] > restarts
                and project.inspect(before)["State"]["Running"]
            ),
            60,
        )
        wait_until("/health", setting.instance.is_healthy, 240)
        healthy = time.monotonic() - began
        setting.instance.wait_for_job(job)
        wait_for_word(setting, word)
    return {
        "healthy_seconds": round(healthy, 1),
        "requests": pages.asked,
        "failed": len(pages.failures),
    }


def measure_memory(setting: Setting) -> Figures:
    """Return the most megabytes that each container has used, of its limit."""
    shell = (
        "cat /sys/fs/cgroup/memory.peak 2>/dev/null"
        " || cat /sys/fs/cgroup/memory/memory.max_usage_in_bytes"
    )
    used = {}
    for name in (*SERVICES, *STORES):
        peak = int(setting.project.execute(name, "sh", "-c", shell))
        container = setting.project.container(name)
        limit = setting.project.inspect(container)["HostConfig"]["Memory"]
        used[name] = f"{peak / 1e6:.0f} of {limit / 1e6:.0f}"
    return used


SERVICE_STEPS = [
    ("start", start),
    ("look into containers", look_into_containers),
    ("administrator", create_administrator),
    ("index a repository", index),
    ("write its wiki", write_wiki),
    ("search and ask", search_and_ask),
    *(
        (f"kill {name} while indexing", partial(kill, name))
        for name in ("web", "worker", "postgres", "valkey")
    ),
    ("megabytes of memory", measure_memory),
]
