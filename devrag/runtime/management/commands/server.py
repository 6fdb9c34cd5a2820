"""`manage.py server start|stop|status|restart`: devrag's own processes."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser, OutputWrapper

from devrag.core.errors import InvalidInput
from devrag.core.options import add_config_option
from devrag.runtime import server
from devrag.runtime.configured import configured_port, describe_server
from devrag.runtime.health import server_url
from devrag.runtime.layout import Home
from devrag.runtime.pidfile import running_server
from devrag.runtime.process import ProcessSpec, log_path
from devrag.runtime.services import EmbeddedServices
from devrag.runtime.supervisor import ServerPlan

NOT_RUNNING = 3
# Open requests may finish; a browser that holds a connection must not block a stop.
# Vectors are niced: on a busy machine a batch of seconds takes minutes. What is lost
# with it is done again after the next start.
_STOP_SECONDS = {"web": 10.0, "embed": 20.0}
# With them /health is ok.
_NEEDED_FIRST = frozenset({"web", "worker"})


class Command(BaseCommand):
    """Start, stop, restart the server, or show its state."""

    help = (
        "Run devrag: embedded services, migrations, web server and workers. Exit "
        "codes: 0 success, 1 error, 3 `status` if the server is not running. Example: "
        "devrag server start --port 8090"
    )
    # It must work before there is a database.
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for name, text in (
            ("start", "Start in the background and wait until the server is ready."),
            ("restart", "Stop, then start again on the same port."),
        ):
            action = actions.add_parser(name, help=text)
            action.add_argument("--port", type=int, help="Port of the web server.")
            action.add_argument("--host", help="Address to listen on.")
            add_config_option(action)
            action.add_argument(
                "--log", type=Path, help="Log file of the background server."
            )
            action.add_argument(
                "--foreground", action="store_true", help="Run in the foreground."
            )
        actions.add_parser("stop", help="Stop the server and its services.")
        actions.add_parser("status", help="Show the status of all processes.")
        for action in actions.choices.values():
            action.add_argument(
                "--json", action="store_true", help="Print the result as JSON."
            )

    def handle(self, *_args: Any, **options: Any) -> None:
        home = Home(Path(settings.DEVRAG_HOME))
        action, document = options["action"], self.stdout
        if options["json"]:
            self.stdout = OutputWrapper(sys.stderr)  # what happens is for people
        if action != "status":
            getattr(self, f"_{action}")(home, options)
        if action != "status" and not options["json"]:
            return
        state = server.status(home, _services(home))
        if options["json"]:
            document.write(json.dumps(state.as_json(), indent=2))
        else:
            self._tell(state)
        if action == "status" and not state.is_running:
            sys.exit(NOT_RUNNING)

    def _start(self, home: Home, options: dict[str, Any]) -> None:
        host = options["host"] or settings.HTTP_HOST
        port = options["port"]
        port = configured_port(settings.HTTP_PORT) if port is None else port
        if not 0 < port < 65_536:
            raise InvalidInput(f"Invalid --port {port}. Use 1 to 65535.")
        if options["foreground"]:
            self._run_here(home, host, port)
            return
        log = options["log"] or log_path(home.ensure(), "server")
        argv = [sys.executable, *settings.MANAGE, "server", "start", "--foreground"]
        argv += ["--host", host, "--port", str(port)]
        password = home.run / "admin_password"
        is_known = password.exists()
        record = server.start_in_background(home, argv, log, host, port, self._say)
        self._say(
            f"The server is running at {server_url(host, port)} (pid {record.pid})"
        )
        if not is_known and password.exists():
            self._say(f"Sign in as admin; the password is in {password}")

    def _stop(self, home: Home, _options: dict[str, Any]) -> None:
        record = server.stop(home, self._say)
        self._say("The server was not running" if record is None else "Stopped")

    def _restart(self, home: Home, options: dict[str, Any]) -> None:
        if (record := running_server(home)) is not None:
            options = {
                **options,
                "host": options["host"] or record.host,
                "port": record.port if options["port"] is None else options["port"],
            }
        self._stop(home, options)
        self._start(home, options)

    def _tell(self, state: server.ServerStatus) -> None:
        if state.record is None:
            self._say("not running")
            return
        health = "healthy" if state.is_healthy else "not healthy"
        self._say(
            f"running at {state.url} (pid {state.record.pid}, since"
            f" {state.record.startedAt}), {health}"
        )
        for name, pid in {**state.services, **state.processes}.items():
            self._say(f"  {name}: {f'pid {pid}' if pid else 'not running'}")

    def _run_here(self, home: Home, host: str, port: int) -> None:
        record = describe_server(settings.ENV_FILE, host, port)
        plan = ServerPlan(host, port, _processes(host, port), _prepare())
        server.run_here(home, _services(home), plan, record, self._say)

    def _say(self, message: str) -> None:
        self.stdout.write(message)
        self.stdout.flush()


def _services(home: Home) -> EmbeddedServices:
    return EmbeddedServices.of(
        home,
        has_postgres=settings.IS_EMBEDDED_DATABASE,
        has_valkey=settings.IS_EMBEDDED_BROKER,
    )


def _prepare() -> tuple[str, ...]:
    return (sys.executable, *settings.SERVER_PREPARE)


def _processes(host: str, port: int) -> list[ProcessSpec]:
    places = {"{host}": host, "{port}": str(port)}
    specs = []
    for name, argv, nice in settings.SERVER_PROCESSES:
        words = [sys.executable, *argv]
        for place, value in places.items():
            words = [word.replace(place, value) for word in words]
        spec = ProcessSpec(name, tuple(words), nice=nice)
        seconds = _STOP_SECONDS.get(name, spec.stop_timeout_seconds)
        is_deferred = name not in _NEEDED_FIRST
        specs.append(
            replace(spec, stop_timeout_seconds=seconds, is_deferred=is_deferred)
        )
    return specs
