"""Steps 3: an upgrade, a backup and its restore, more workers."""

from __future__ import annotations

import time

from engine import STORES, TrialError, run, wait_until
from instance import Instance
from service_steps import sign_in, wait_for_word
from setting import NEXT_IMAGE, NEXT_VERSION, Figures, Setting

BACKUP = "/var/lib/dev-rag/trial.devrag"


def upgrade(setting: Setting) -> Figures:
    """Start a newer image over the data: it migrates, and everything is there."""
    former = setting.instance.version()
    setting.project.settings["DEVRAG_IMAGE"] = NEXT_IMAGE
    began = time.monotonic()
    setting.project.up()
    wait_until(
        "the newer version", lambda: is_version(setting.instance, NEXT_VERSION), 300
    )
    wait_until("/health", setting.instance.is_healthy, 300)
    seconds = time.monotonic() - began
    shell = "SELECT to_regclass('trial_upgrade_1') IS NOT NULL"
    told = setting.project.execute("postgres", "psql", "-tAU", "devrag", "-c", shell)
    if told.strip() != "t":
        raise TrialError("the migration has not run")
    check_data(setting)
    return {"from": former, "to": NEXT_VERSION, "healthy_seconds": round(seconds, 1)}


def is_version(server: Instance, version: str) -> bool:
    """Return whether the web process that answers is of a version."""
    try:
        return server.version() == version
    except (OSError, ValueError, TrialError):
        return False


def check_data(setting: Setting) -> None:
    """Find every word that was ever committed, sign in, and index one more."""
    for word in setting.words:
        wait_for_word(setting, word)
    sign_in(setting)
    word = setting.commit_word()
    setting.instance.wait_for_job(setting.request_index())
    wait_for_word(setting, word)


def back_up(setting: Setting) -> Figures:
    """Write an encrypted backup while everything runs, and take it out."""
    setting.project.execute("web", "devrag", "backup", BACKUP, "--encrypt")
    container = setting.project.container("web")
    copy = setting.folder / "trial.devrag"
    run("podman", "cp", f"{container}:{BACKUP}", str(copy))
    copy.chmod(0o644)  # it is encrypted, and the container's user reads it
    return {"megabytes": round(copy.stat().st_size / 1e6, 1)}


def restore(setting: Setting) -> Figures:
    """Lose all containers and volumes; bring everything back from the backup."""
    wiki_before = setting.instance.wiki_pages()
    setting.project.remove()
    setting.project.compose("up", "-d", "--no-deps", *STORES)
    setting.project.wait_healthy(*STORES)
    setting.project.compose(
        *("run", "--rm", "--no-deps", "-T", "--volume", f"{setting.folder}:/backup:ro"),
        *("prepare", "devrag", "restore", "/backup/trial.devrag", "--yes"),
    )
    setting.project.up()
    wait_until("/health", setting.instance.is_healthy, 300)
    setting.project.execute("web", "devrag", "doctor", "--repair")
    check_data(setting)
    if setting.instance.wiki_pages() != wiki_before:
        raise TrialError("the wiki has other pages than before")
    return {"commits_found": len(setting.words), "wiki_pages": wiki_before}


def scale(setting: Setting) -> Figures:
    """Run four workers, and see each of them take part."""
    setting.project.compose("up", "-d", "--no-deps", "--scale", "worker=4", "worker")
    wait_until(
        "four workers", lambda: len(setting.project.containers("worker")) == 4, 60
    )
    setting.project.wait_healthy("worker")
    setting.instance.wait_for_job(setting.request_index(is_full=True), 1500)
    return {"workers": 4}


UPGRADE_STEPS = [("upgrade to a newer image", upgrade)]
DATA_STEPS = [
    ("back up", back_up),
    ("lose everything, restore", restore),
    ("scale to 4 workers", scale),
]
