"""`source list|show|add|test|upload|update|remove`: what products read from."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path

from devrag.cli.command import (
    Action,
    add_deletion_options,
    add_wiki_language,
    command_of_actions,
    follow_deletion,
)
from devrag.cli.interfaces import (
    SOURCE_SETTINGS,
    Backend,
    Document,
    SourceChanges,
    SourceRequest,
    UploadRequest,
)
from devrag.core.errors import InvalidInput
from devrag.core.terminal import Terminal

_NUMBERS = {
    "max-file-bytes": "Skip files larger than this",
    "chunk-tokens": "Chunk size in tokens",
    "chunk-overlap-tokens": "Tokens repeated from the previous chunk",
    "chunk-max-chars": "Maximum length of a text that stays one chunk",
}
_SWITCHES = {
    "read-restricted": "Wikis and trackers: include pages, issues and notes with "
    "restricted visibility.",
    "read-comments": "Wikis: include comments on pages. Trackers: include issue "
    "notes; included by default.",
    "read-attachments": "Wikis and trackers: include attachments; included by default.",
    "read-news": "Redmine projects: include news.",
}
_COLUMNS = ("name", "type", "product", "location")


def _list(backend: Backend, _options: Namespace, terminal: Terminal) -> None:
    rows = backend.sources.list()
    lines = ["  ".join(row[key] for key in _COLUMNS) for row in rows]
    terminal.answer_lines(rows, lines)


def _show(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    found = backend.sources.get(options.name)
    lines = (f"{key}: {_as_text(value)}" for key, value in found.items())
    terminal.answer(found, "\n".join(lines))


def _add(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    if options.username and not options.token_stdin:
        raise InvalidInput("--username requires a token. Add --token-stdin.")
    made = backend.sources.add(
        SourceRequest(
            location=options.location,
            product=options.product,
            name=options.name,
            type=options.type,
            ref=options.ref,
            username=options.username or "",
            read_token=read_token if options.token_stdin else None,
            members=options.members,
            wiki_language=options.wiki_language,
            visibility=options.visibility,
        )
    )
    terminal.answer(made, f"Indexing {made['name']}: job {made['jobID']}")


def _test(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    found = backend.sources.test(
        SourceRequest(
            location=options.location,
            product=options.product,
            name=None,
            type=options.type,
            ref=None,
            username=options.username or "",
            read_token=read_token if options.token_stdin else None,
        )
    )
    terminal.answer(found, "\n".join(_describe_connection(found)))


def _describe_connection(found: Document) -> Iterator[str]:
    title = found["title"] or found["sourceURL"]
    yield f"Connected to {title} ({found['sourceType']})"
    for each in found["counts"]:
        count = "unknown" if each["count"] is None else f"{each['count']:,}"
        yield f"{each['name']}: {count}"
    yield from found["notes"]


def _upload(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    files = [Path(each) for each in options.files]
    if missing := [path for path in files if not path.is_file()]:
        raise InvalidInput(
            f"File not found: {missing[0]}. To add a folder, use source add."
        )
    if options.replace and options.wiki_language:
        raise InvalidInput(
            "--wiki-language is for new products. Run `devrag product update NAME "
            "--wiki language=ja`."
        )
    made = backend.sources.upload(
        UploadRequest(
            files=files,
            product=options.product,
            name=options.name,
            replaced=options.replace,
            members=options.members,
            is_wiki_wanted=bool(options.wiki),
            wiki_language=options.wiki_language,
        )
    )
    left_out = f", {made['leftOut']:,} skipped" if made["leftOut"] else ""
    terminal.answer(
        made,
        f"{made['name']}: {made['files']:,} files stored{left_out}; indexing: job "
        f"{made['jobID']}",
    )


def _update(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    given = vars(options)
    changes = SourceChanges(
        settings={key: given[key] for key in SOURCE_SETTINGS if given[key] is not None},
        name=options.rename,
        url=options.url,
        every_minutes=options.every,
        is_wiki_wanted=options.wiki,
        members=options.members,
    )
    if changes.is_empty:
        raise InvalidInput(
            "Nothing to change. Run `devrag source update --help` to see the options."
        )
    changed = backend.sources.update(options.name, changes)
    terminal.answer(changed, _describe_update(changed["name"], changes.settings))


def _remove(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    found = backend.sources.measure(options.name)
    terminal.confirm_deletion(
        f"the source '{options.name}'", found.phrases, is_confirmed=options.yes
    )
    job_id = backend.sources.delete(found)
    follow_deletion(backend, options, terminal, job_id)


def _add_source_options(parser: ArgumentParser) -> None:
    parser.add_argument("location", help="Git URL or path.")
    _add_place_options(parser)
    parser.add_argument("--name", help="Default: last part of the location.")
    parser.add_argument("--ref", help="Branch to follow; default: main, else HEAD.")
    parser.add_argument(
        "--members", nargs="+", metavar="USER", help="Only these users can see it."
    )
    parser.add_argument(
        "--visibility",
        choices=("everyone", "members"),
        help="Who can see a new product; default: everyone.",
    )
    add_wiki_language(parser)


def _add_test_options(parser: ArgumentParser) -> None:
    parser.add_argument("location", help="URL or path, or the name of a source.")
    _add_place_options(parser)


def _add_upload_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="A zip or tar archive, or PDFs, Office files and text files.",
    )
    parser.add_argument("--product", help="Default: the name of the first file.")
    parser.add_argument("--name", help="Source name; default: the file name.")
    parser.add_argument(
        "--replace", metavar="SOURCE", help="Replace the files of this source."
    )
    parser.add_argument(
        "--members", nargs="+", metavar="USER", help="Only these users can see it."
    )
    parser.add_argument(
        "--wiki", action="store_true", help="Also generate the wiki afterwards."
    )
    add_wiki_language(parser)


def _add_place_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--product", help="Product name; default: derived from the location."
    )
    parser.add_argument(
        "--type",
        help="git, local, pdf, confluence, redmine, github, gitlab or notion; "
        "default: detected.",
    )
    add_username(parser)
    parser.add_argument(
        "--token-stdin", action="store_true", help="Read the token from standard input."
    )


def _add_update_options(parser: ArgumentParser) -> None:
    add_name(parser)
    for key in ("include", "exclude", "exclude-exts"):
        parser.add_argument(
            f"--{key}",
            nargs="*",
            help="Path patterns; without a value: reset to the default.",
        )
    for key, text in _NUMBERS.items():
        parser.add_argument(
            f"--{key}",
            type=_number,
            metavar="NUMBER",
            help=f"{text}; '' for the default.",
        )
    for key, text in _SWITCHES.items():
        parser.add_argument(f"--{key}", action=BooleanOptionalAction, help=text)
    parser.add_argument("--default-branch", help="Branch to follow; '' for main.")
    parser.add_argument(
        "--every",
        type=int,
        metavar="MINUTES",
        help="Index at this interval; 0: only on request.",
    )
    parser.add_argument(
        "--wiki",
        action=BooleanOptionalAction,
        help="Also generate the wiki after scheduled runs and pushes.",
    )
    parser.add_argument(
        "--members",
        nargs="*",
        metavar="USER",
        help=(
            "Only these users can see it; without a value: everyone who can read "
            "its product."
        ),
    )
    parser.add_argument("--rename", metavar="NAME", help="New name.")
    parser.add_argument("--url", help="New URL of the repository.")


def _add_removal_options(parser: ArgumentParser) -> None:
    add_name(parser)
    add_deletion_options(parser)


def add_name(parser: ArgumentParser) -> None:
    """Add the name of the source that an action is about."""
    parser.add_argument("name", help="Name of the source.")


def add_username(parser: ArgumentParser) -> None:
    """Add the user name that belongs to a token."""
    parser.add_argument(
        "--username",
        help="User name for the token, if the host requires one.",
    )


def read_token() -> str:
    """Return the token that is piped in; InvalidInput when there is none."""
    token = sys.stdin.readline().strip()
    if not token or not token.isprintable():
        raise InvalidInput("No token on standard input. Pipe it in as one line.")
    return token


def _number(text: str) -> int | str:
    """Read a number; an empty text stands for the default."""
    return int(text) if text else ""


def _describe_update(name: str, settings: Iterable[str]) -> str:
    """Return what follows from a change of a source's settings."""
    if any(key.startswith("chunk_") for key in settings):
        return (
            f"Updated {name}. The next index run splits all files into chunks again; "
            "until then, search uses the current chunks."
        )
    return f"Updated {name}. The change takes effect with the next index run."


def _as_text(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key} {_as_text(item)}" for key, item in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


HELP = (
    "Add, list, show, update and remove sources. Secrets are read from standard "
    "input. Example: devrag source add https://host/group/app.git --token-stdin < "
    "token.txt"
)
ACTIONS = {
    "add": Action(
        "Add a repository or folder and start indexing it.",
        _add,
        _add_source_options,
    ),
    "test": Action(
        "Test a location or source: show what would be read without storing anything.",
        _test,
        _add_test_options,
    ),
    "upload": Action(
        "Upload files as a new source and index them, or replace the files of a "
        "source.",
        _upload,
        _add_upload_options,
    ),
    "list": Action("List all sources.", _list),
    "show": Action("Show a source, its settings and its index.", _show, add_name),
    "update": Action("Update the settings of a source.", _update, _add_update_options),
    "remove": Action(
        "Remove a source and its index. Shows what will be deleted and asks for "
        "confirmation.",
        _remove,
        _add_removal_options,
    ),
}
COMMAND = command_of_actions(HELP, ACTIONS)
