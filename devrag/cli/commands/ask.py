"""`ask`: a question from a terminal, its answer with the lines that it cites."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from devrag.ask.types import MODES
from devrag.cli.answer_output import AnswerPrinter
from devrag.cli.command import Command
from devrag.cli.interfaces import Backend, Question
from devrag.core.exit_codes import NEGATIVE, leave_at_once
from devrag.core.terminal import Terminal


def _add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "question",
        nargs="?",
        default="",
        help="Question in plain words; names from the code help.",
    )
    parser.add_argument(
        "--product",
        action="append",
        default=[],
        dest="products",
        metavar="PRODUCT",
        help="Search only this product (repeatable).",
    )
    parser.add_argument("--source", default="", help="Search only this source.")
    parser.add_argument("--path", default="", help="Search only this file or folder.")
    parser.add_argument(
        "--mode",
        choices=MODES,
        default="quick",
        help="quick: search once; thorough: let a model search several times; trace: "
        "find the call path from one definition to another.",
    )
    parser.add_argument(
        "--no-stream",
        action="store_true",
        help="Print the answer only when it is complete (the default in a pipe).",
    )


def _run(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    question = Question(
        text=options.question,
        products=tuple(options.products),
        source=options.source,
        path=options.path,
        mode=options.mode,
    )
    is_streamed = not (options.no_stream or terminal.is_json) and sys.stdout.isatty()
    printer = AnswerPrinter(terminal)
    try:
        answer = backend.ask(question, printer.show if is_streamed else None)
    except KeyboardInterrupt:
        leave_at_once()
    finally:
        printer.end_progress()
    if terminal.is_json:
        terminal.print_json(answer)
    else:
        printer.finish(answer)
    if answer["outcome"] != "answered":
        sys.exit(NEGATIVE)


COMMAND = Command(
    "Ask a question about the indexed sources. Exits with code 3 if the sources do "
    'not answer it or a name in it is ambiguous. Examples: devrag ask "Where is the '
    'token checked?" --product shop; devrag ask "How does checkout reach charge?" '
    "--mode trace",
    _add_options,
    _run,
)
