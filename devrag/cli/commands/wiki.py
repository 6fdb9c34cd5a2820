"""`wiki generate|export|status|diff|conflicts|outdated|show|…`: a product's wiki."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from devrag.cli.command import Action, add_no_wait, command_of_actions
from devrag.cli.interfaces import Backend, WikiExport, WikiName
from devrag.cli.sentences import (
    conflict_lines,
    difference_lines,
    estimate_sentence,
    exported_sentence,
    outdated_lines,
    pinned_sentence,
    shown_sentence,
    status_lines,
    version_sentence,
    wiki_sentence,
)
from devrag.core.conflict_names import CONFLICT_KINDS, CONFLICT_STATES
from devrag.core.terminal import Terminal
from devrag.products.wiki_settings import LANGUAGES


def _generate(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    wiki = _name(options)
    backend.wikis.check_language(wiki)
    is_wanted = options.force or options.redesign
    version = None if is_wanted else backend.wikis.unchanged_version(wiki)
    if version is not None:
        text = f"Nothing changed since {version_sentence(version)}"
        terminal.answer(version, text)
        return
    job_id = backend.wikis.generate(
        wiki, is_forced=options.force, is_redesigned=options.redesign
    )
    if options.no_wait:
        terminal.answer({"jobID": job_id}, job_id)
        return
    job = backend.jobs.wait(job_id)
    data = {"jobID": job["jobID"], **job["report"]}
    terminal.answer(data, wiki_sentence(job["report"]))


def _status(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    found = backend.wikis.status(_name(options))
    terminal.answer(found, "\n".join(status_lines(found)))


def _diff(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    pages = backend.wikis.diff(_name(options), options.before, options.after)
    lines = difference_lines(pages, is_full=options.full)
    terminal.answer(pages, "\n".join(lines))


def _export(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    wanted = WikiExport(options.format, options.version, options.output)
    found = backend.wikis.export(_name(options), wanted)
    terminal.answer(found, exported_sentence(found))


def _estimate(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    wiki = _name(options)
    backend.wikis.check_language(wiki)
    found = backend.wikis.estimate(wiki)
    terminal.answer(found, estimate_sentence(found))


def _show(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    found, newest = backend.wikis.publish(_name(options), options.number)
    terminal.answer(found, shown_sentence(found, newest))


def _pin(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    is_pinned = options.action == "pin"
    found = backend.wikis.pin(_name(options), options.number, is_pinned=is_pinned)
    terminal.answer(found, pinned_sentence(found))


def _conflicts(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    found = backend.wikis.conflicts(
        options.product, kind=options.kind, state=options.state
    )
    terminal.answer(found, "\n".join(conflict_lines(found)))


def _outdated(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    found = backend.wikis.outdated(options.product, state=options.state)
    terminal.answer(found, "\n".join(outdated_lines(found)))


def _add_outdated_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--state",
        choices=["open", "checked"],
        default="open",
        help="State; default: open. checked: marked as still correct.",
    )


def _add_conflict_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--kind", choices=list(CONFLICT_KINDS), default="", help="Kind; default: all."
    )
    parser.add_argument(
        "--state",
        choices=list(CONFLICT_STATES),
        default="open",
        help="State; default: open.",
    )


def _name(options: Namespace) -> WikiName:
    return WikiName(options.product, options.language)


def _add_to_all(parser: ArgumentParser) -> None:
    parser.add_argument("--product", required=True, help="Product name.")
    parser.add_argument(
        "--language",
        choices=list(LANGUAGES),
        help="Wiki language; default: the main one.",
    )


def _add_generate_options(parser: ArgumentParser) -> None:
    add_no_wait(parser)
    parser.add_argument(
        "--force", action="store_true", help="Write every page, even unchanged ones."
    )
    parser.add_argument(
        "--redesign",
        action="store_true",
        help="Choose the pages again instead of keeping the current ones.",
    )


def _add_export_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=["md", "html", "zip"], default="md", help="Default: md."
    )
    parser.add_argument(
        "--output",
        type=Path,
        help=(
            "Folder, or file for zip. Generated files are overwritten; other "
            "files are kept."
        ),
    )
    parser.add_argument("--version", type=int, help="Default: the published version.")


def _add_diff_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "before", type=int, nargs="?", help="Default: the previous version."
    )
    parser.add_argument(
        "after", type=int, nargs="?", help="Default: the published version."
    )
    parser.add_argument("--full", action="store_true", help="Also print changed lines.")


def _add_number(parser: ArgumentParser) -> None:
    parser.add_argument("number", type=int, help="Version number.")


COMMAND = command_of_actions(
    "Generate, export and compare a product's wiki. Example: devrag wiki generate "
    "--product shop",
    {
        "generate": Action(
            "Generate the wiki and wait for it.", _generate, _add_generate_options
        ),
        "export": Action(
            "Export a version to a folder or a zip file.", _export, _add_export_options
        ),
        "status": Action(
            "Show the published version, its claims and the stored versions.", _status
        ),
        "diff": Action(
            "List the pages that differ between two versions.", _diff, _add_diff_options
        ),
        "estimate": Action("Estimate the pages, tokens and cost of a run.", _estimate),
        "conflicts": Action(
            "List where documents contradict the code.",
            _conflicts,
            _add_conflict_options,
        ),
        "outdated": Action(
            "List documents whose code changed after they were written.",
            _outdated,
            _add_outdated_options,
        ),
        "show": Action(
            "Publish another stored version (roll back or forward).",
            _show,
            _add_number,
        ),
        "pin": Action("Keep a version permanently.", _pin, _add_number),
        "unpin": Action(
            "Allow a version to be deleted when newer ones replace it.",
            _pin,
            _add_number,
        ),
    },
    _add_to_all,
)
