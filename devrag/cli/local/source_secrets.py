"""`source credentials|hook`: secrets of sources, on their own machine only."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from devrag.cli.command import Action
from devrag.cli.commands.source import add_name, add_username, read_token
from devrag.cli.interfaces import Backend
from devrag.cli.local.sources import describe_source, find_source
from devrag.core.principal import SYSTEM
from devrag.core.terminal import Terminal
from devrag.sources.api import renew_hook_secret, store_credentials
from devrag.sources.connectors.types import Credentials
from devrag.use_cases.api import HOSTS, replace_token, takes_token


def _make_hook(_backend: Backend, options: Namespace, terminal: Terminal) -> None:
    source = find_source(options.name)
    secret = renew_hook_secret(principal=SYSTEM, source=source)
    paths = [f"/api/v1/hooks/{kind}/{source.pk}" for kind in HOSTS]
    text = "\n".join([f"Secret (shown only once): {secret}", *paths])
    terminal.answer({"secret": secret, "paths": paths}, text)


def _change_credentials(
    _backend: Backend, options: Namespace, terminal: Terminal
) -> None:
    source = find_source(options.name)
    token = "" if options.remove else read_token()
    username = "" if options.remove else options.username or ""
    if token and takes_token(source) and not options.untested:
        given = Credentials(username, token)
        replace_token(principal=SYSTEM, source=source, credentials=given)
    else:
        changes = {"username": username, "token": token}
        store_credentials(source=source, changes=changes)
    verb = "removed from" if options.remove else "stored for"
    text = f"Credentials {verb} {source.name}."
    terminal.answer(describe_source(source), text)


def _add_credentials_options(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="Name of the source.")
    add_username(parser)
    parser.add_argument(
        "--untested",
        action="store_true",
        help="Store the token without testing it.",
    )
    does = parser.add_mutually_exclusive_group(required=True)
    does.add_argument(
        "--token-stdin", action="store_true", help="Read the token from standard input."
    )
    does.add_argument(
        "--remove", action="store_true", help="Remove the stored credentials."
    )


ACTIONS = {
    "hook": Action(
        "Create a new secret for push hooks and show their URLs.",
        _make_hook,
        add_name,
    ),
    "credentials": Action(
        "Store or remove the credentials of a source.",
        _change_credentials,
        _add_credentials_options,
    ),
}
