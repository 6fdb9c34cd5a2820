"""`demo`: start everything, index a repository, write its wiki, say where to look."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from devrag.core.commands import DevragCommand
from devrag.core.errors import ServiceError
from devrag.core.installation import IS_CHECKOUT
from devrag.core.text import slugify_ascii
from devrag.sources.addresses import source_name_from_url

_MANAGE = (sys.executable, *settings.MANAGE)
_STOP = "make stop" if IS_CHECKOUT else "devrag server stop"


class Command(DevragCommand):
    """The first minute with devrag; `make demo` runs it."""

    help = (
        "Start the server, index a repository (default: this one) and generate its "
        "wiki. Example: devrag demo ~/src/shop --name shop"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("location", nargs="?", default=".")
        parser.add_argument("--name", default="", help="Product name.")

    def handle(self, *_args: Any, **options: Any) -> None:
        began = float(os.environ.get("DEMO_BEGAN", time.time()))
        times = {"install": time.time() - began}
        location = _absolute(options["location"])
        name = options["name"] or slugify_ascii(source_name_from_url(location))
        times["start"] = self._start()
        steps = {
            "index": ("index", location, "--product", name),
            "wiki": ("wiki", "generate", "--product", name),
            "vectors": ("embeddings", "status", "--product", name),
        }
        for title, argv in steps.items():
            self.stdout.write(f"\n── {title} ──")
            self.stdout.flush()
            times[title] = _run(argv)
        self._say_where(name, times, time.time() - began)

    def _start(self) -> float:
        """Start the server unless it runs; return the seconds."""
        self.stdout.write("\n── start ──")
        self.stdout.flush()
        if url := _running_url():
            self.stdout.write(f"The server is already running at {url}")
            return 0.0
        return _run(("server", "start"))

    def _say_where(self, name: str, times: dict[str, float], total: float) -> None:
        url = _running_url()
        spent = " · ".join(f"{key} {seconds:.1f} s" for key, seconds in times.items())
        self.stdout.write(
            f"\n{spent} · total {total:.1f} s\n\n"
            f"  Wiki    {url}/p/{name}/wiki/\n"
            f"  Search  {url}/search?product={name}\n"
            f"  Admin   {url}/admin/ ({_login()})\n\n"
            f"devrag keeps running in the background; `{_STOP}` stops it."
        )


def _login() -> str:
    """Return the admin login: the password itself on the first run only."""
    path = settings.DEVRAG_HOME / "run" / "admin_password"
    shown = settings.DEVRAG_HOME / "run" / "admin_password.shown"
    if not path.exists():  # a database of one's own: nobody was made for it
        return "create a user with `devrag createsuperuser`"
    if shown.exists():
        return f"user admin, password in {path}"
    password = path.read_text(encoding="ascii")
    shown.touch(mode=0o600)
    return f"user admin, password {password}, stored in {path}"


def _running_url() -> str:
    """Return the address of the running server, or '' when there is none."""
    command = [*_MANAGE, "server", "status", "--json"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return str(json.loads(found.stdout)["url"]) if found.returncode == 0 else ""


def _absolute(location: str) -> str:
    """Paths become absolute; URLs stay as they are."""
    path = Path(location).expanduser()
    is_path = location.startswith(("/", ".", "~")) or path.is_dir()
    return str(path.resolve()) if is_path else location


def _run(argv: tuple[str, ...]) -> float:
    """Run a step as its own process, so that it sees the services that run by now."""
    began = time.monotonic()
    if subprocess.run([*_MANAGE, *argv], check=False).returncode:
        raise ServiceError(
            f"The step '{' '.join(argv)}' failed; see the error above. Fix it and run "
            "the same command again: finished steps are not repeated."
        )
    return time.monotonic() - began
