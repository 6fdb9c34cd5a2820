"""`health`: ask the running web process; for container health checks."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from devrag.core.commands import DevragCommand
from devrag.core.errors import ServiceError
from devrag.runtime.api import check_server_health


class Command(DevragCommand):
    """Exit 0 when GET /health says ok, 1 otherwise."""

    help = (
        "Check that the web server on this host is healthy. Exit code 0 or 1. "
        "Example: devrag health --port 8090"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--port",
            type=int,
            default=settings.HTTP_PORT,
            help="Port of the web server; default: HTTP_PORT.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if not check_server_health("127.0.0.1", options["port"]):
            raise ServiceError(
                f"No healthy server on port {options['port']}. See log/web.log and "
                "log/worker.log in DEVRAG_HOME."
            )
        if options["json"]:
            self.write_json({"status": "ok"})
        else:
            self.stdout.write("ok")
