"""`embedding_server`: the local model over gRPC, until it is told to stop."""

from __future__ import annotations

import logging
import signal
import socket
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from devrag.core.errors import ConfigurationError
from devrag.core.logs import add_log_file
from devrag.llm.local_model import LocalEmbedder, choose_device, has_cuda
from devrag.llm.serving import Listener, ModelCache, ServerConfig, read_server_config


class Command(BaseCommand):
    """Serve embeddings over gRPC; needs neither database nor broker."""

    requires_system_checks: list[str] = []
    help = (
        "Serve the local embedding model to other machines over gRPC. "
        "Example: devrag embedding_server embedding-server.yaml"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            help="Configuration file; see embedding-server.example.yaml.",
        )
        parser.add_argument(
            "--host", help="Address to listen on, instead of `server.host`."
        )
        parser.add_argument(
            "--port", type=int, help="Port, instead of `server.port`; 0: any free port."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        config = _configure(options)
        device = choose_device(config.device, has_cuda=has_cuda())
        _set_up_logging(config)
        models = ModelCache(
            config,
            lambda name: LocalEmbedder(
                name, models_dir=settings.MODELS_DIR, device=device
            ),
        )
        signals = _stop_signals()
        listener = Listener(config, models)
        self.stdout.write(f"Serving embeddings on {listener.address} ({device}).")
        self.stdout.flush()
        listener.start()
        signals.recv(1)
        listener.stop()


def _configure(options: dict[str, Any]) -> ServerConfig:
    file = options["file"]
    config = read_server_config(Path(file)) if file else ServerConfig()
    given = {key: options[key] for key in ("host", "port") if options[key] is not None}
    return replace(config, **given)


def _set_up_logging(config: ServerConfig) -> None:
    logging.getLogger("devrag").setLevel(config.logging_level)
    if not config.logging_file:
        return
    try:
        add_log_file(Path(config.logging_file))
    except OSError as error:
        raise ConfigurationError(
            f"Cannot write the `logging_file` {config.logging_file}: "
            f"{error.strerror}. Set another one, or none."
        ) from error


def _stop_signals() -> socket.socket:
    """Return a socket that can be read once SIGTERM or SIGINT has arrived.

    The C handler writes to it. A handler in Python alone could run only after the main
    thread, which may be about to wait without a limit, has something else to wake it.
    """
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.detach())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    return reader
