"""A small searchable product, and questions asked of it to their end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.conf import settings
from django.db import connection

from devrag.ask.api import add_turn, owner_of, run_turn
from devrag.ask.models import Conversation, Turn
from devrag.ask.types import AskEvent, AskRequest, Scope
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.search.lexical.follower import catch_up
from devrag.sources.models import GitRef, Snapshot, Source
from tests.web.conftest import COMMIT, Harbour

CODE = '''"""Greets."""


class Greeter:
    def greet(self, name):
        return f"Hello {name}"
'''


def make_product(name: str, *, visibility: str = "everyone") -> Harbour:
    """Return an indexed product of one file that is searched by words."""
    product = Product.objects.create(name=name, visibility=visibility)
    source = Source.objects.create(
        product=product,
        name=f"{name}-code",
        source_type="git",
        metadata={"url": f"https://git.example/{name}.git"},
    )
    snapshot = Snapshot.objects.create(
        source=source, version_identifier=COMMIT, is_indexed=True
    )
    ref = GitRef.objects.create(
        source=source,
        name="main",
        kind="branch",
        snapshot=snapshot,
        sequence=1,
        is_current=True,
    )
    made = Harbour(product, source, ref)
    made.add_file("src/greeter.py", CODE, "python", "code")
    catch_up(Path(settings.LEXICAL_DIR))
    return made


@contextmanager
def held_up() -> Iterator[None]:
    """Let nothing that searches come to its end."""
    target = connection.settings_dict
    with psycopg.connect(
        dbname=target["NAME"],
        host=target["HOST"],
        port=target["PORT"] or None,
        user=target["USER"],
        password=target["PASSWORD"] or None,
    ) as other:
        other.execute("LOCK TABLE sources IN ACCESS EXCLUSIVE MODE")
        yield


def ask(
    principal: Principal,
    question: str,
    *products: str,
    conversation: Conversation | None = None,
    secret: str = "",
) -> Turn:
    """Keep a question, to be answered."""
    request = AskRequest(question, principal, Scope(products=products))
    owner = owner_of(principal, secret)
    return add_turn(owner=owner, request=request, conversation=conversation)


def answer(turn: Turn, principal: Principal) -> list[AskEvent]:
    """Answer a question to its end."""

    async def collect() -> list[AskEvent]:
        return [event async for event in run_turn(turn, principal)]

    events = asyncio.run(collect())
    turn.refresh_from_db()
    return events
