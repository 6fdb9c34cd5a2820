"""What a command is: its options, and what it does with a backend."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from devrag.cli.interfaces import Backend
from devrag.core.options import add_json_option
from devrag.core.terminal import Terminal

AddOptions = Callable[[ArgumentParser], None]
Run = Callable[[Backend, Namespace, Terminal], None]


@dataclass(frozen=True, slots=True)
class Command:
    """A command. has_actions: its options are those of the action that is named."""

    help: str
    add_options: AddOptions
    run: Run
    has_actions: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a command can do, such as `wiki export`."""

    help: str
    run: Run
    add_options: AddOptions | None = None


def command_of_actions(
    help_text: str, actions: Mapping[str, Action], add_to_all: AddOptions | None = None
) -> Command:
    """Return a command that has options for each of its actions.

    add_to_all: adds what every action takes.
    """

    def add_options(parser: ArgumentParser) -> None:
        subparsers = parser.add_subparsers(dest="action", required=True)
        for name, action in actions.items():
            options = subparsers.add_parser(
                name, help=action.help, description=action.help
            )
            add_json_option(options)
            for add in (add_to_all, action.add_options):
                if add is not None:
                    add(options)

    def run(backend: Backend, options: Namespace, terminal: Terminal) -> None:
        actions[options.action].run(backend, options, terminal)

    return Command(help_text, add_options, run, has_actions=True)


def add_no_wait(parser: ArgumentParser) -> None:
    """Add the option not to wait for the job that is asked for."""
    parser.add_argument(
        "--no-wait", action="store_true", help="Print the job id instead of waiting."
    )


def add_wiki_language(parser: ArgumentParser) -> None:
    """Add the language in which a new product's wiki is written."""
    parser.add_argument(
        "--wiki-language",
        metavar="LANGUAGE",
        help="Language of a new product's wiki: en (default), ja or ja,en.",
    )


def add_deletion_options(parser: ArgumentParser) -> None:
    """Add the options not to be asked, and not to wait."""
    parser.add_argument(
        "--yes", action="store_true", help="Do not ask for confirmation."
    )
    add_no_wait(parser)


def follow_deletion(
    backend: Backend, options: Namespace, terminal: Terminal, job_id: str
) -> None:
    """Wait until a deletion is complete, unless `--no-wait` was given."""
    if options.no_wait:
        terminal.answer({"jobID": job_id}, job_id)
        return
    report = backend.jobs.wait(job_id)["report"]
    terminal.answer({"jobID": job_id, **report}, f"Removed {options.name}.")
