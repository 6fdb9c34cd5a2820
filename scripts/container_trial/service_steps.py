"""Steps 2: the services start, work, and survive what is killed."""

from __future__ import annotations

import re
import time
from functools import partial

from engine import Prober, TrialError, run, wait_until
from setting import ADMIN, PRODUCT, SOURCE, Setting

SERVICES = ("web", "worker", "writer", "reader", "embed", "beat", "follower", "watch")


def start(setting: Setting) -> str:
    """Start everything; healthy is when web, database, broker and a worker answer."""
    began = time.monotonic()
    # podman older than 4.6 does not wait for health checks: the two first.
    setting.project.compose("up", "-d", "postgres", "valkey")
    setting.project.wait_healthy("postgres", "valkey")
    stores = time.monotonic() - began
    setting.project.compose("up", "-d")
    wait_until("/health", setting.instance.is_healthy, 400)
    setting.project.wait_healthy("web", "worker")
    missing = [name for name in SERVICES if not setting.project.containers(name)]
    if missing:
        raise TrialError(f"not running: {missing}")
    return f"healthy; PostgreSQL and Valkey after {stores:.1f} s"


def look_into_containers(setting: Setting) -> str:
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
    return "read-only, no capabilities, no secret in arguments, loopback only"


def create_administrator(setting: Setting) -> str:
    """Create the administrator, sign in as one, make a token."""
    created = ("devrag", "createsuperuser", "--noinput", "--username", ADMIN)
    setting.project.execute(
        *("web", *created, "--email", "captain@example.invalid"),
        DJANGO_SUPERUSER_PASSWORD=setting.password,
    )
    scopes = ("--scopes", "read,index,wiki,admin")
    said = setting.project.execute("web", "devrag", "token", "create", "trial", *scopes)
    setting.instance.token = said.split()[0]
    return sign_in(setting)


def sign_in(setting: Setting) -> str:
    """Sign in with the password; the page shows the account's name."""
    page = setting.instance.sign_in(ADMIN, setting.password)
    if ADMIN not in page:
        raise TrialError("signed in, and the page does not show it")
    return "signed in"


def index(setting: Setting) -> str:
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
    report = done["report"]
    return f"{report['added']} files in {report['seconds']:.1f} s"


def wait_for_word(setting: Setting, word: str, timeout_seconds: float = 240) -> float:
    """Wait until a search finds a word; return the seconds."""
    finds = partial(setting.instance.finds, word, PRODUCT)
    return wait_until(f"search for {word}", finds, timeout_seconds)


def write_wiki(setting: Setting) -> str:
    """Write the wiki without a model."""
    body = {"productName": PRODUCT}
    job = setting.instance.ask_json("/api/v1/products/wiki", body)
    setting.instance.wait_for_job(job, 1500)
    return f"{setting.instance.wiki_pages()} pages"


def search_and_ask(setting: Setting) -> str:
    """Search in words, and ask a question without a model."""
    began = time.monotonic()
    hits = setting.instance.search("where is the password checked", PRODUCT)
    seconds = time.monotonic() - began
    body = {"question": "Where is the configuration read?", "productNames": [PRODUCT]}
    answer = setting.instance.ask_json("/api/v1/ask", body)
    if not hits or not answer:
        raise TrialError("nothing found, or no answer")
    return f"{len(hits)} hits in {seconds:.2f} s, and an answer"


def kill(service: str, setting: Setting) -> str:
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
    away = len(pages.failures)
    return f"healthy after {healthy:.1f} s; {away} of {pages.asked} requests failed"


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
]
