"""A source that only some members see exists for nobody else, at any address.

Addresses are those of the walk over hidden products; REST is walked in tests/api, the
tools in tests/mcp.
"""

from __future__ import annotations

from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from devrag.ask.models import Conversation
from devrag.core.hashing import sha256_hex
from devrag.core.threads import DatabaseThreads
from devrag.labels.models import LabelCorrection
from devrag.products.models import Membership
from devrag.wiki.models import Wiki
from tests.vault import CODE, QUESTION, VERSION, WORD, Vault, add_vault

from .conftest import Harbour
from .test_hidden import ADDRESSES, HIDDEN, LISTS, NOWHERE, _address, places  # noqa: F401

OF_SOURCES = sorted(
    name
    for name in HIDDEN
    if {"source", "job_id"} & ADDRESSES[name].pattern.converters.keys()
)
# One is for the index job of a new product only, the other asks the network.
_NOT_WALKED = {"web:first_run", "web:source_test", *NOWHERE}
QUERIES = [
    *(f"/search?q={QUESTION}", f"/search?q={QUESTION}&mode=semantic"),
    *(f"/search?q=exact:{QUESTION}", "/search?q=/zebra.*/", "/search?q=kind:page"),
    *("/search?q=zebrafsh", "/search?q=count_zebrafsh", "/search?q=label:api"),
    *("/search?q=after:2000", f"/search?q={QUESTION}&product=harbour"),
    *("/palette?q=zebra", "/palette?q=tank", "/palette?q=README"),
    *("/search/complete?word=path:q", "/search/complete?word=author:"),
    *("/search/complete?word=status:", "/search/complete?word=lang:"),
    *("/", "/jobs/", "/llms.txt", "/p/harbour/", "/p/harbour/ask/"),
]


# How pages write the sizes of the vault.
SIZES = ("777,777", "77,777", "7,777", "778k", "77.8k", "7.8k")


@pytest.fixture
def vault(harbour: Harbour, alice: Client, bob: Client) -> Vault:
    return add_vault(harbour.product, User.objects.get(username="alice"))


def sign_in_dana(harbour: Harbour) -> Client:
    """Sign in who maintains the product and is no member of the vault."""
    user = User.objects.create_user("dana")
    Membership.objects.create(product=harbour.product, user=user, role="maintainer")
    client = Client(HTTP_HOST="localhost")
    client.force_login(user)
    return client


def _places(places: dict[str, Any], vault: Vault) -> dict[str, Any]:  # noqa: F811
    return {
        **places,
        "source": vault.source.name,
        "path": vault.path,
        "uuid": vault.symbol.uuid,
        "job_id": vault.job.pk,
    }


def _statuses(client: Client, url: str) -> set[int]:
    return {client.get(url).status_code, client.post(url).status_code} - {405}


def test_what_is_limited_to_others_is_answered_like_nothing(
    bob: Client,
    places: dict[str, Any],  # noqa: F811
    vault: Vault,
) -> None:
    # Nothing is changed by who is refused: one vault serves for all addresses.
    limited = _places(places, vault)
    nothing = {**limited, "source": "no-such", "job_id": uuid4()}
    for name in OF_SOURCES:
        statuses = _statuses(bob, _address(name, limited))
        assert statuses == _statuses(bob, _address(name, nothing)), name
        assert statuses <= {403, 404}, name


def test_members_are_shown_it(
    alice: Client,
    places: dict[str, Any],  # noqa: F811
    vault: Vault,
) -> None:
    # Else the test above would pass for addresses that lead nowhere.
    limited = _places(places, vault)
    for name in set(OF_SOURCES) - _NOT_WALKED:
        assert alice.get(_address(name, limited)).status_code != 404, name


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(OF_SOURCES) - _NOT_WALKED))
def test_members_are_let_in(
    alice: Client,
    places: dict[str, Any],  # noqa: F811
    vault: Vault,
    name: str,
) -> None:
    assert 404 not in _statuses(alice, _address(name, _places(places, vault)))


def test_no_page_of_the_product_names_what_is_limited(
    bob: Client,
    harbour: Harbour,
    places: dict[str, Any],  # noqa: F811
    vault: Vault,
) -> None:
    names = sorted(set(HIDDEN) - set(OF_SOURCES))
    for client in (bob, sign_in_dana(harbour)):
        _assert_not_named(client, [_address(name, places) for name in names])


def test_no_list_and_no_search_names_what_is_limited(
    bob: Client, harbour: Harbour, wiki: Wiki, vault: Vault
) -> None:
    for client in (bob, sign_in_dana(harbour)):
        _assert_not_named(client, [*LISTS, *QUERIES])


def _assert_not_named(client: Client, urls: list[str]) -> None:
    """Read the pages, which changes nothing; none has a word or size of the vault."""
    for url in urls:
        text = _text(client.get(url))
        assert WORD not in text, url
        assert not any(size in text for size in SIZES), url


@pytest.mark.parametrize("url", [QUERIES[0], "/palette?q=zebra", "/jobs/"])
def test_members_find_it(
    alice: Client, indexed: Harbour, vault: Vault, url: str
) -> None:
    assert WORD in _text(alice.get(url))


def _text(answer: Any) -> str:
    content = _joined(answer) if answer.streaming else answer.content
    return content.decode(errors="replace").lower()


def _joined(answer: Any) -> bytes:
    """Return the content of a stream, read on the connection of the test."""

    async def run(_threads: Any, function: Any, *given: Any) -> Any:
        return await sync_to_async(function)(*given)

    async def read() -> bytes:
        return b"".join([part async for part in answer])

    if not answer.is_async:
        return b"".join(answer)
    with patch.object(DatabaseThreads, "run", run):
        return async_to_sync(read)()


# -- answers ------------------------------------------------------------------------


@pytest.fixture
def shared(harbour: Harbour, alice: Client, vault: Vault) -> Conversation:
    """An answer of Alice's about what Bob may not see, and its link."""
    made = Conversation.objects.create(
        owner=User.objects.get(username="alice"),
        title="What is counted?",
        product=harbour.product,
        products=["harbour"],
        share_key="k" * 43,
    )
    turn = made.turns.create(
        ordinal=1,
        question="What is counted?",
        mode="quick",
        state="done",
        outcome="answered",
        markdown="The quokka counts. [1](cite:1)\n\nIt greets. [2](cite:2)\n",
        diagram="sequenceDiagram\n  quokka->>b: c",
        notes=["quokka"],
        removed=[{"sentence": "quokka", "reason": "x"}],
    )
    for number, (source, path) in enumerate(
        [(vault.source, vault.path), (harbour.source, "src/greeter.py")], start=1
    ):
        turn.citations.create(
            ordinal=number,
            number=number,
            product=harbour.product,
            source_name=source.name,
            source_id=source.pk,
            path=path,
            start_line=1,
            end_line=3,
            version_identifier=VERSION,
            content_hash=sha256_hex(CODE),
            kind="definition",
            excerpt="quokka" if number == 1 else "greets",
        )
    return made


def test_a_shared_answer_hides_what_its_reader_may_not_see(
    bob: Client, alice: Client, shared: Conversation
) -> None:
    link = f"/ask/{shared.uuid}/?key={shared.share_key}"
    for url in (
        link,
        reverse("web:turn_markdown", args=[shared.uuid, 1])
        + f"?key={shared.share_key}",
        reverse("web:turn_still_true", args=[shared.uuid, 1])
        + f"?key={shared.share_key}",
        reverse("web:turn", args=[shared.uuid, 1]) + f"?key={shared.share_key}",
    ):
        answer = bob.get(url)
        assert answer.status_code == 200
        assert WORD not in _text(answer), url
    assert "1 passage is hidden" in bob.get(link).content.decode()
    assert "it greets" in _text(bob.get(link))
    assert WORD in _text(alice.get(link))


def test_it_stays_hidden_under_another_name_and_when_it_is_gone(
    bob: Client, shared: Conversation, vault: Vault
) -> None:
    link = f"/ask/{shared.uuid}/?key={shared.share_key}"
    vault.source.name = "renamed"
    vault.source.save()
    assert WORD not in _text(bob.get(link))
    vault.source.delete()
    assert WORD not in _text(bob.get(link))


def test_such_an_answer_does_not_become_a_page(
    alice: Client, wiki: Wiki, shared: Conversation
) -> None:
    place = reverse("web:turn_page", args=[shared.uuid, 1])
    answer = alice.post(place, {"title": "Counting"})
    assert answer.status_code in {403, 409, 422}
    assert "some readers of the wiki cannot see" in answer.content.decode()
    assert not wiki.current.pages.filter(kind="note").exists()  # type: ignore[union-attr]


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_made_of_what_its_asker_sees(
    bob: Client, alice: Client, indexed: Harbour, vault: Vault
) -> None:
    asked = {"question": f"Who counts every {QUESTION} in the tank?"}
    for client, is_member in ((bob, False), (alice, True)):
        sent = client.post("/p/harbour/ask/", asked)
        page = _text(client.get(sent.headers["Location"]))
        assert (WORD in page) is is_member


# -- setting it ----------------------------------------------------------------------


def test_a_maintainer_limits_a_source_and_opens_it_again(
    alice: Client, bob: Client, harbour: Harbour
) -> None:
    place = "/p/harbour/s/harbour-code/"
    limited = {"limit": "some", "members": ["alice"]}
    assert bob.post(f"{place}members/", limited).status_code == 403
    assert bob.get(place).status_code == 200
    assert alice.post(f"{place}members/", limited).status_code == 303
    assert bob.get(place).status_code == 404
    assert "Only 1 member may see this source" in alice.get(place).content.decode()
    both = {"limit": "some", "members": ["alice", "bob"]}
    alice.post(f"{place}members/", both)
    assert bob.get(place).status_code == 200
    alice.post(f"{place}members/", {"limit": "all"})
    assert "All readers of the product" in bob.get(place).content.decode()


def test_what_the_wiki_says_of_a_source_goes_when_it_is_limited(
    alice: Client, bob: Client, harbour: Harbour, wiki: Wiki
) -> None:
    assert "It greets" in bob.get("/p/harbour/wiki/architecture").content.decode()
    limited = {"limit": "some", "members": ["alice"]}
    alice.post("/p/harbour/s/harbour-code/members/", limited)
    wiki.refresh_from_db()
    assert wiki.current is None
    assert not wiki.versions.exists()
    assert "It greets" not in bob.get("/p/harbour/wiki/architecture").content.decode()


def test_only_readers_of_the_product_are_let_in(
    alice: Client, charlie: Client, harbour: Harbour
) -> None:
    place = "/p/harbour/s/harbour-code/members/"
    for name, said in (
        ("charlie", "charlie cannot read &#x27;harbour&#x27;"),
        ("nobody-of-that-name", "not found. Use names"),
    ):
        answer = alice.post(place, {"limit": "some", "members": [name]})
        assert answer.status_code == 400
        assert said in answer.content.decode()


def test_corrections_of_labels_name_no_hidden_file(
    alice: Client, harbour: Harbour, vault: Vault
) -> None:
    label = vault.source.product.labels.first()
    LabelCorrection.objects.create(
        source=vault.source,
        path=vault.path,
        label=label,
        is_assigned=True,
        content_hash="c",
        author_name="alice",
    )
    page = "/p/harbour/labels/"
    assert WORD in _text(alice.get(page))
    vault.source.product.limits.get().members.clear()
    assert WORD not in _text(alice.get(page))
