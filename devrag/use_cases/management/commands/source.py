"""`source list|show|add|update|remove|credentials|hook`: what products read from."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.options import add_json_option
from devrag.core.principal import SYSTEM
from devrag.sources.api import renew_hook_secret, rotate_credentials, store_credentials
from devrag.sources.connectors.types import Credentials
from devrag.sources.models import GitRef, Source
from devrag.sources.schedule import set_schedule
from devrag.sources.services import update_source
from devrag.use_cases.add_repository import add_repository, move_source
from devrag.use_cases.arguments import (
    SOURCE_HELP,
    SOURCE_SETTINGS,
    add_removal_options,
    add_source_options,
    describe_update,
    update_source_options,
)
from devrag.use_cases.deletion.request import delete_source
from devrag.use_cases.deletion.size import measure_source
from devrag.use_cases.follow import Follower
from devrag.use_cases.push_events import HOSTS


class Command(DevragCommand):
    """Register sources and change what is known of them."""

    help = SOURCE_HELP
    is_remote = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        actions = parser.add_subparsers(dest="action", required=True)
        for name, text in _ACTIONS.items():
            action = actions.add_parser(name, help=text, description=text)
            add_json_option(action)
            if name == "credentials":
                action.add_argument("name", nargs="?", help="Name of the source.")
            elif name not in {"add", "list"}:
                action.add_argument("name", help="Name of the source.")
            if name in _ARGUMENTS:
                _ARGUMENTS[name](action)

    def handle(self, *_args: Any, **options: Any) -> None:
        actions = {
            "add": self._add,
            "list": self._list,
            "show": self._show,
            "update": self._update,
            "credentials": self._credentials,
            "hook": self._hook,
            "remove": self._remove,
        }
        actions[options["action"]](options)

    def _add(self, options: dict[str, Any]) -> None:
        job = add_repository(
            principal=SYSTEM,
            location=options["location"],
            product_name=options["product"],
            source_name=options["name"],
            source_type=options["type"],
            ref=options["ref"],
            is_ref_default=True,
            credentials=_given_credentials(options),
            is_wiki_wanted=False,
            is_local_user=True,
        )
        data = {"name": job.source_name, "jobID": str(job.pk)}
        self._answer(options, data, f"{job.source_name} is being indexed: job {job.pk}")

    def _list(self, options: dict[str, Any]) -> None:
        sources = Source.objects.select_related("product")
        if options["json"]:
            self.write_json([_facts(source) for source in sources])
            return
        for source in sources:
            kind, product = source.source_type, source.product.name
            self.stdout.write(f"{source.name}  {kind}  {product}  {source.location}")

    def _show(self, options: dict[str, Any]) -> None:
        facts = _facts(_source(options["name"]))
        lines = (f"{key}: {_as_text(value)}" for key, value in facts.items())
        self._answer(options, facts, "\n".join(lines))

    def _update(self, options: dict[str, Any]) -> None:
        source = _source(options["name"])
        settings = {
            key: options[key] for key in SOURCE_SETTINGS if options[key] is not None
        }
        others = tuple(options[key] for key in ("rename", "url", "every", "wiki"))
        if not settings and all(option is None for option in others):
            raise InvalidInput("Nothing to change; see source update --help.")
        if options["url"] is not None:
            move_source(principal=SYSTEM, source=source, url=options["url"])
        update_source(source=source, settings=settings, name=options["rename"])
        _set_schedule(source, options)
        self._answer(options, _facts(source), describe_update(source.name, settings))

    def _hook(self, options: dict[str, Any]) -> None:
        source = _source(options["name"])
        secret = renew_hook_secret(principal=SYSTEM, source=source)
        paths = [f"/api/v1/hooks/{kind}/{source.pk}" for kind in HOSTS]
        text = "\n".join([f"secret, shown this once: {secret}", *paths])
        self._answer(options, {"secret": secret, "paths": paths}, text)

    def _remove(self, options: dict[str, Any]) -> None:
        source = _source(options["name"])
        lines = measure_source(source).lines()
        self.confirm(options, f"the source '{source.name}'", lines)
        job = delete_source(principal=SYSTEM, source=source)
        if not options["no_wait"]:
            Follower().wait(job)
        done = str(job.pk) if options["no_wait"] else f"Removed {options['name']}."
        self._answer(options, {"jobID": str(job.pk)}, done)

    def _credentials(self, options: dict[str, Any]) -> None:
        if options["rotate"]:
            count = rotate_credentials()
            text = f"Credentials of {count} sources are encrypted with the first key."
            self._answer(options, {"rotated": count}, text)
            return
        source = _source(options["name"] or "")
        if options["remove"]:
            store_credentials(source=source, changes={"username": "", "token": ""})
        else:
            given = _given_credentials({**options, "token_stdin": True})
            changes = {"username": given.username, "token": given.secret}
            store_credentials(source=source, changes=changes)
        verb = "removed from" if options["remove"] else "stored for"
        text = f"Credentials are {verb} {source.name}."
        self._answer(options, _facts(source), text)

    def _answer(self, options: dict[str, Any], data: Mapping[str, Any], s: str) -> None:
        if options["json"]:
            self.write_json(data)
        else:
            self.stdout.write(s)


def _credentials_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--username", help="User name for https; default: git.")
    does = parser.add_mutually_exclusive_group(required=True)
    does.add_argument(
        "--token-stdin", action="store_true", help="Read the token from standard input."
    )
    does.add_argument(
        "--remove", action="store_true", help="Remove the stored credentials."
    )
    does.add_argument(
        "--rotate",
        action="store_true",
        help="Encrypt all credentials again with the first of CREDENTIALS_KEYS.",
    )


_ACTIONS = {
    "add": "Register a repository or folder and start indexing it.",
    "list": "List all sources.",
    "show": "Show a source, its settings and what is indexed of it.",
    "update": "Change the settings of a source.",
    "hook": "Make a new secret for push hooks, and show their addresses.",
    "remove": "Remove a source with its index; asks first, saying how much goes.",
    "credentials": "Store, remove or encrypt anew what a source's host asks for.",
}
_ARGUMENTS = {
    "add": add_source_options,
    "update": update_source_options,
    "credentials": _credentials_arguments,
    "remove": add_removal_options,
}


def _source(name: str) -> Source:
    source = Source.objects.select_related("product").filter(name=name).first()
    if source is None:
        raise NotFound(f"There is no source {name!r}; see source list.")
    return source


def _given_credentials(options: Mapping[str, Any]) -> Credentials:
    if not options["token_stdin"]:
        if options["username"]:
            raise InvalidInput("A user name needs its token: add --token-stdin.")
        return Credentials()
    token = sys.stdin.readline().strip()
    if not token or not token.isprintable():
        raise InvalidInput("There is no token on standard input. Pipe it in, one line.")
    return Credentials(options["username"] or "", token)


def _set_schedule(source: Source, options: dict[str, Any]) -> None:
    every, wiki = options["every"], options["wiki"]
    if every is None and wiki is None:
        return
    set_schedule(
        principal=SYSTEM,
        source=source,
        every_minutes=source.index_every_minutes if every is None else every or None,
        is_wiki_wanted=wiki,
    )


def _facts(source: Source) -> dict[str, Any]:
    refs = GitRef.objects.filter(source=source).select_related("snapshot")
    return {
        "name": source.name,
        "product": source.product.name,
        "type": source.source_type,
        "location": source.location,
        "host": source.host,
        "settings": {k: v for k, v in source.metadata.items() if k in SOURCE_SETTINGS},
        "indexEveryMinutes": source.index_every_minutes,
        "generateWiki": source.is_wiki_scheduled,
        "hasCredentials": bool(source.credentials),
        "indexed": {r.name: r.snapshot and r.snapshot.version_identifier for r in refs},
    }


def _as_text(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key} {_as_text(item)}" for key, item in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)
