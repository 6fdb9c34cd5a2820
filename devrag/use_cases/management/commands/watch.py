"""`watch`: index sources on this machine whenever they change."""

from __future__ import annotations

import contextlib
import signal
from argparse import ArgumentParser
from threading import Event
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.use_cases.watch import Watcher, watchable_sources


class Command(DevragCommand):
    """Watch folders and repositories until stopped."""

    help = (
        "Watch sources on this machine and index what changes: folders as files are"
        " written, repositories as commits are made. Example: devrag watch notes"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "sources", nargs="*", help="Source names; default: all on this machine."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        sources = watchable_sources(options["sources"])
        stop = Event()
        # Both: a shell starts what it puts in the background deaf to Ctrl-C.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        self._say(f"Watching {', '.join(source.name for source in sources)}.")
        with contextlib.suppress(KeyboardInterrupt):
            Watcher(sources, self._say, stop).run()
        self._say("Stopped watching.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
