"""Try docker-compose.yml on this machine from the first build to the last restore.

Run by scripts/container_trial.sh. It prints each step with its seconds and, at the end,
its figures as JSON; docs/guide/production.md has the last ones. Everything it makes but
images is removed at the end, however it ends. `--only upgrade hosts data`: the parts to
do after the image and the services. Variables:

TRIAL_BUILD_OPTIONS  further options of `podman build` (volumes with certificates, …)
TRIAL_SOURCE         the git repository to index; default: this one
TRIAL_HOSTS          how many hosts there are at the end, at most 4; default: 2
TRIAL_PORT           the first of its ports on loopback, one more than hosts; default:
                     8981
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from data_steps import DATA_STEPS, UPGRADE_STEPS
from engine import ROOT, Project, TrialError, run
from host_steps import HOST_STEPS, OTHERS, host_project
from image_steps import IMAGE_STEPS
from instance import Instance
from service_steps import SERVICE_STEPS
from setting import IMAGE, Figures, Setting, plain_git

PORT = int(os.environ.get("TRIAL_PORT", "8981"))
# What follows the first start and use, in this order.
PARTS = {"upgrade": UPGRADE_STEPS, "hosts": HOST_STEPS, "data": DATA_STEPS}
_OVERRIDES = """\
# The folder that is indexed, where a folder of the machine would be mounted.
services:
{services}
"""
_SERVICE = """\
  {name}:
    volumes:
      - {folder}:/srv/sources:ro
"""


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    return parser.parse_args()


def make_setting(folder: Path) -> Setting:
    """Prepare secrets, a copy of the repository to index and the overrides."""
    folder.chmod(0o755)
    source = folder / "sources" / "product"
    origin = os.environ.get("TRIAL_SOURCE", str(ROOT))
    run("git", "clone", "--quiet", "--depth", "1", f"file://{origin}", str(source))
    plain_git(source)
    services = "".join(
        _SERVICE.format(name=name, folder=source.parent)
        for name in ("web", "reader", "watch")
    )
    (folder / "overrides.yml").write_text(_OVERRIDES.format(services=services))
    settings = {
        "POSTGRES_PASSWORD": secrets.token_hex(24),
        "VALKEY_PASSWORD": secrets.token_hex(24),
        "SECRET_KEY": secrets.token_urlsafe(50),
        "CREDENTIALS_KEYS": secrets.token_urlsafe(50),
        "BACKUP_PASSPHRASE": secrets.token_urlsafe(24),
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "SOURCE_ROOTS": "/srv/sources",
        "API_RATE_PER_MINUTE": "0",
        "HTTP_PORT": str(PORT),
        "DEVRAG_IMAGE": IMAGE,
    }
    project = Project("devrag-trial", folder, settings)
    instance = Instance(f"http://127.0.0.1:{PORT}")
    return Setting(folder, source, project, instance)


def run_steps(
    setting: Setting, steps: list[tuple[str, Callable[[Setting], Figures]]]
) -> None:
    """Run the steps in order; print each with its seconds and what it measured."""
    for title, step in steps:
        sys.stdout.write(f"{title} … ")
        sys.stdout.flush()
        began = time.monotonic()
        measured = step(setting)
        seconds = round(time.monotonic() - began, 1)
        sys.stdout.write(f"{seconds} s {measured or ''}\n")
        setting.figures[title] = {"seconds": seconds, **measured}


def print_logs(project: Project) -> None:
    """Print the last words of each container, for whoever has to find out why."""
    for container in project.containers(is_running=False):
        name = project.inspect(container)["Name"]
        sys.stderr.write(f"\n== {name}\n")
        shown = run("sh", "-c", f"podman logs --tail 15 {container} 2>&1")
        sys.stderr.write(re.sub(r"(?m)^(.{400}).*$", r"\1…", shown))


def clean_up(setting: Setting) -> Figures:
    """Remove everything but images, and say what could not be removed."""
    left = []
    others = [host_project(setting, name) for name in OTHERS]
    for project in (*others, setting.project):
        project.remove()
        left += project.left_over()
    if left:
        raise TrialError(f"not removed: {', '.join(left)}")
    return {}


def main(parts: Sequence[str]) -> int:
    """Run the steps of the parts; 0 when each of them worked."""
    # SIGTERM ends as Ctrl+C does: through what cleans up.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = Path(tempfile.mkdtemp(prefix="devrag-trial-"))
    setting = None
    try:
        setting = make_setting(folder)
        clean_up(setting)  # of a trial that the machine did not survive
        run_steps(setting, [*IMAGE_STEPS, *SERVICE_STEPS])
        for part in parts:
            run_steps(setting, PARTS[part])
        run_steps(setting, [("remove everything", clean_up)])
        sys.stdout.write(f"\n{json.dumps(setting.figures, indent=2)}\n")
    except (TrialError, KeyboardInterrupt, OSError) as error:
        sys.stderr.write(f"\n{type(error).__name__}: {error}\n")
        if setting and isinstance(error, TrialError):
            print_logs(setting.project)
        return 1
    finally:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        if setting:
            clean_up(setting)
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(_options().only))
