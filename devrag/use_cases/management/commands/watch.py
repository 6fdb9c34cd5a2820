"""`watch`: index sources on this machine whenever they change."""

from __future__ import annotations

import contextlib
import signal
from argparse import ArgumentParser
from threading import Event
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.use_cases.watch import Watcher, watchable_folders, watchable_sources


class Command(DevragCommand):
    """Watch folders and repositories until stopped."""

    help = (
        "Watch sources on this machine and index changes: folders when files are "
        "written, repositories when commits are made. Example: devrag watch notes"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "sources", nargs="*", help="Source names; default: all on this machine."
        )
        parser.add_argument(
            "--service",
            action="store_true",
            help="Watch all folders, including those added later (the server runs "
            "this).",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        stop = Event()
        # Both: a shell starts what it puts in the background deaf to Ctrl-C.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        with contextlib.suppress(KeyboardInterrupt):
            self._watcher(options, stop).run()
        self._say("Stopped watching.")

    def _watcher(self, options: dict[str, Any], stop: Event) -> Watcher:
        """Return what watches the named sources, or for good whatever there is."""
        if options["service"]:
            folders = watchable_folders()
            self._say(f"Watching {len(folders)} folders and any added later.")
            return Watcher(folders, self._say, stop, watchable_folders)
        sources = watchable_sources(options["sources"])
        self._say(f"Watching {', '.join(source.name for source in sources)}.")
        return Watcher(sources, self._say, stop)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
