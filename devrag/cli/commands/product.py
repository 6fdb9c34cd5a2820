"""`product list|show|add|update|remove`: products and their settings."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from devrag.cli.command import Command, add_deletion_options, follow_deletion
from devrag.cli.interfaces import Backend, ProductChanges
from devrag.core.errors import InvalidInput
from devrag.core.terminal import Terminal
from devrag.products.wiki_settings import read_wiki_setting


def _add_options(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=list(_ACTIONS))
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--title", help="Title shown instead of the name.")
    parser.add_argument(
        "--description",
        help="Description of the product in a sentence or two; '' removes it.",
    )
    parser.add_argument(
        "--external-models",
        choices=["yes", "no"],
        help="no: never send text of this product to an external model.",
    )
    parser.add_argument(
        "--source-roots",
        nargs="*",
        metavar="FOLDER",
        help="Folders on the server where maintainers may add folders as sources; "
        "each must be below SOURCE_ROOTS. Without a value: none.",
    )
    parser.add_argument(
        "--ssh-key",
        choices=["yes", "no"],
        help="yes: maintainers may add repositories that need the server's SSH key.",
    )
    parser.add_argument(
        "--wiki",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="Wiki settings: language=ja, audience=TEXT, notes=TEXT, 'glossary=WORD: "
        "FORM; …' (repeatable).",
    )
    add_deletion_options(parser)


def _run(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    if options.action != "list" and not options.name:
        raise InvalidInput(
            f"Product name missing. Usage: devrag product {options.action} NAME"
        )
    _ACTIONS[options.action](backend, options, terminal)


def _list(backend: Backend, _options: Namespace, terminal: Terminal) -> None:
    rows = backend.products.list()
    lines = [f"{row['name']}  {', '.join(row['sources'])}" for row in rows]
    terminal.answer_lines(rows, lines)


def _show(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    found, size = backend.products.describe(options.name)
    facts = {**found, **size.counts, "sources": found["sources"]}
    lines = [found["name"], *filter(None, [found["description"]]), *found["sources"]]
    if size.counts:
        lines.append("; ".join(size.phrases) or "empty")
    terminal.answer(facts, "\n  ".join(lines))


def _add(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    made = backend.products.create(options.name, _changes(options))
    terminal.answer(made, f"Added {made['name']}.")


def _update(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    changes = _changes(options)
    if changes.is_empty:
        raise InvalidInput(
            "Nothing to change. Give --title TEXT, --description TEXT, --wiki "
            "KEY=VALUE or --external-models no."
        )
    changed = backend.products.update(options.name, changes)
    terminal.answer(changed, f"Updated {changed['name']}.")


def _remove(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    _, found = backend.products.describe(options.name)
    terminal.confirm_deletion(
        f"the product '{options.name}'", found.phrases, is_confirmed=options.yes
    )
    job_id = backend.products.delete(found)
    follow_deletion(backend, options, terminal, job_id)


def _changes(options: Namespace) -> ProductChanges:
    return ProductChanges(
        title=options.title,
        description=options.description,
        allows_external_models=_yes_or_no(options.external_models),
        source_roots=options.source_roots,
        allows_ssh_key=_yes_or_no(options.ssh_key),
        wiki=dict(map(read_wiki_setting, options.wiki)),
    )


def _yes_or_no(answer: str | None) -> bool | None:
    return None if answer is None else answer == "yes"


_ACTIONS = {
    "list": _list,
    "show": _show,
    "add": _add,
    "update": _update,
    "remove": _remove,
}
COMMAND = Command(
    "List, show, add, update and remove products. `remove` shows what will be deleted "
    "and asks for confirmation. Example: devrag product update shop --description "
    "'Takes orders'",
    _add_options,
    _run,
)
