"""`token create|list|revoke`: Bearer tokens for REST, MCP and CI."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.utils import timezone

from devrag.access.models import ApiToken
from devrag.access.own_tokens import MAX_DAYS
from devrag.access.services import create_token, revoke_token
from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.products.services import get_visible_product


class Command(DevragCommand):
    """Manage API tokens."""

    help = (
        "Create, list and revoke API tokens. A secret is shown only once. Examples: "
        "devrag token create ci --scopes read,index --product shop --days 90; devrag "
        "token revoke devrag_Xy12Ab…"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("action", choices=["list", "create", "revoke"])
        parser.add_argument(
            "name",
            nargs="?",
            default="",
            help="Name of a new token, or the prefix of the token to revoke.",
        )
        parser.add_argument(
            "--scopes",
            default="read",
            help="Comma-separated: read, index, wiki, admin.",
        )
        parser.add_argument(
            "--product",
            action="append",
            default=[],
            help="Limit it to this product; repeatable.",
        )
        parser.add_argument(
            "--days", type=int, help="Days until it expires; default: never."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        getattr(self, f"_{options['action']}")(options)

    def _create(self, options: dict[str, Any]) -> None:
        days, name = options["days"], options["name"] or "token"
        _check(name, days)
        token, secret = create_token(
            name=name,
            scopes=[s.strip() for s in options["scopes"].split(",") if s.strip()],
            products=[get_visible_product(n, SYSTEM) for n in options["product"]],
            expires_at=timezone.now() + timedelta(days=days) if days else None,
        )
        if options["json"]:
            self.write_json({"token": secret, "prefix": token.prefix})
        else:
            self.stdout.write(secret)
            self.stderr.write("Copy it now: it will not be shown again.")

    def _list(self, options: dict[str, Any]) -> None:
        tokens = ApiToken.objects.all()
        if options["json"]:
            self.write_json([_as_json(token) for token in tokens])
            return
        for token in tokens:
            is_usable = token.state == "active"
            state = ",".join(token.scopes) if is_usable else token.state
            self.stdout.write(f"{token.prefix}…  {token.name}  {state}")

    def _revoke(self, options: dict[str, Any]) -> None:
        if not options["name"]:
            raise InvalidInput(
                "Token prefix missing. `devrag token list` shows the prefixes."
            )
        token = revoke_token(prefix=options["name"])
        if options["json"]:
            self.write_json(_as_json(token))
        else:
            self.stdout.write(f"Revoked {token}.")


def _check(name: str, days: int | None) -> None:
    longest = ApiToken._meta.get_field("name").max_length
    if longest is not None and len(name) > longest:
        raise InvalidInput(f"Token names can have at most {longest} characters.")
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise InvalidInput(
            f"--days must be 1 to {MAX_DAYS:,}. Leave it out for a token that does "
            "not expire."
        )


def _as_json(token: ApiToken) -> dict[str, Any]:
    return {
        "name": token.name,
        "prefix": token.prefix,
        "scopes": token.scopes,
        "expiresAt": token.expires_at,
        "lastUsedAt": token.last_used_at,
        "isRevoked": token.is_revoked,
        "state": token.state,
    }
