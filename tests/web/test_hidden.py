"""Every address that names a product, or what is in one, hides what one may not see.

A new address has to be added here: to `OPEN` when it names nothing of a product, else
its parameters to `places`. REST is walked in tests/api, the tools in tests/mcp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from devrag.ask.models import Conversation
from devrag.jobs.models import Job
from devrag.labels.models import Label
from devrag.products.models import Membership
from devrag.search.models import SearchLog
from devrag.sources.models import Symbol
from devrag.wiki.models import Claim, Feedback, Note, Page, Wiki
from tests.stored import add_conflict, add_outdated, add_secret

from .conftest import Harbour
from .drafts import write_draft

OPEN = {
    *("account_login", "account_logout"),
    *("favicon.ico", "health", "ready", "metrics", "api/v1/", "^api/v1/"),
    *("v1/", "^v1/", "web:ask_all"),
    *("web:add_source", "web:connection_test", "web:location_test", "web:upload"),
    *(
        "web:folders",
        "web:dashboard",
        "web:add",
        "web:palette",
        "web:searches",
        "web:llms",
    ),
    *("web:search", "web:search_slash", "web:search_complete", "web:search_opened"),
    *("web:jobs", "web:jobs_ended", "web:sign_in", "web:sign_out", "web:preferences"),
    *("web:settings", "web:settings_tokens", "web:settings_connect"),
    *("web:settings_models", "web:settings_health", "web:settings_account"),
    *("web:settings_monitoring", "web:settings_measure", "web:settings_preferences"),
    *("web:settings_audit", "web:settings_audit_export"),
    *("web:session_end", "web:sessions_end", "web:identity_unlink"),
    *("web:oidc_start", "web:oidc_callback", "web:invitation"),
    *("web:forgot_password", "web:password_reset"),
    *("web:second_step", "web:second_factor"),
    *("web:passkeys", "web:passkey_sign_in"),
    *("web:settings_people", "web:person_change"),
    *("web:settings_invitations", "web:invitation_revoke"),
    *("web:token_revoke", "web:model_test", "web:mermaid_frame"),
    *("web:model_change", "web:model_try"),
}
# What they answer, asked for what is in the harbour without its name.
LISTS = [
    *("/", "/llms.txt", "/jobs/", "/search?q=greet", "/palette", "/settings/tokens/"),
    *("/palette?q=harb", "/palette?q=greet", "/palette?q=Architecture"),
    *("/search/complete?word=product:h", "/search/complete?word=path:s"),
    *(
        "/settings/connect/",
        "/settings/health/",
        "/settings/invitations/",
        "/settings/models/",
    ),
]
# Only for those who maintain a product.
_REFUSED = {"/settings/invitations/"}
_QUERIES = {"web:wiki_note_add": "?language=en"}
# Of a folder, and of a commit of a mirror, which the harbour lacks.
NOWHERE = {"web:folder_changes", "web:commit"}
# REST, the chat API and the administration have tests of their own.
_OTHER_ROOMS = {"api", "chat", "admin"}
# Addresses whose uuid is that of a conversation, not of a definition.
_OF_CONVERSATIONS = (
    *("web:conversation", "web:turn", "web:later_turns", "web:ask_citation"),
)


def _walk(patterns: list[Any], space: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            name = f"{space}:{pattern.name}" if space else pattern.name
            yield name if pattern.name else str(pattern.pattern), pattern
        elif isinstance(pattern, URLResolver):
            inner = pattern.namespace or space
            if inner not in _OTHER_ROOMS:
                yield from _walk(pattern.url_patterns, inner)


ADDRESSES = dict(_walk(get_resolver().url_patterns))
HIDDEN = sorted(ADDRESSES.keys() - OPEN)


@pytest.fixture
def places(
    indexed: Harbour,
    wiki: Wiki,
    make_job: Callable[..., Job],
    alice: Client,
    asked: Conversation,
) -> dict[str, Any]:
    """Return a name or an id of everything there is in the harbour."""
    page = Page.objects.get(path="index.md")
    note = Note.objects.create(wiki=wiki, page_path=page.path, text="x")
    label = Label.objects.create(product=indexed.product, name="greetings")
    doubt = Feedback.objects.create(wiki=wiki, page_path=page.path, paragraph="x")
    answer = Page.objects.create(
        version=page.version,
        path="notes/x.md",
        ordinal=9,
        kind=Page.NOTE,
        title="X",
        markdown="# X\n",
        fingerprint="f",
    )
    turn = asked.turns.get()
    asked.turns.update(rating=-1)
    run = make_job(kind="wiki", lane="wiki:harbour")
    write_draft(run, "architecture.md", "Architecture", "It greets [1](cite:1).")
    return {
        "name": "harbour",
        "source": "harbour-code",
        "version": "current",
        "kind": "md",
        "commit": "0" * 40,
        "path": "src/greeter.py",
        "uuid": Symbol.objects.get(name="greet").uuid,
        "job_id": make_job(requested_by="charlie").pk,
        "member_id": Membership.objects.get(role="maintainer").pk,
        "claim": Claim.objects.get().pk,
        "number": page.version.number,
        "label_id": label.pk,
        "note_id": note.pk,
        "feedback_id": doubt.pk,
        "page_id": answer.pk,
        "block": 0,
        "page": "architecture",
        "language": "en",
        "ordinal": turn.ordinal,
        "conversation": asked.uuid,
        "turn_id": turn.pk,
        "citation_id": turn.citations.get().pk,
        "conflict_id": add_conflict(indexed.source).pk,
        "document_id": add_outdated(indexed.source).pk,
        "finding_id": add_secret(next(iter(indexed.files.values()))).pk,
    }


def _address(name: str, places: dict[str, Any]) -> str:
    return fill_address(name, ADDRESSES[name], places)


def fill_address(name: str, pattern: URLPattern, places: dict[str, Any]) -> str:
    """Return an address of what is in the harbour."""
    wanted = pattern.pattern.converters
    if not pattern.name or name.startswith("^") or name.endswith("/"):
        return f"/{pattern.pattern}"
    named = {key: places[key] for key in wanted}
    if name.endswith("audit_export"):
        named["kind"] = "csv"
    if name.startswith(_OF_CONVERSATIONS):
        named["uuid"] = places["conversation"]
    address = reverse(name, kwargs=named)
    return address + _QUERIES.get(name, "")


def _statuses(client: Client, url: str) -> set[int]:
    """Return what both methods answer, but that there is no such method."""
    return {client.get(url).status_code, client.post(url).status_code} - {405}


def test_there_are_addresses_to_walk() -> None:
    assert len(HIDDEN) > 40
    assert ADDRESSES.keys() >= OPEN


def test_what_one_may_not_see_does_not_exist(
    charlie: Client, places: dict[str, Any]
) -> None:
    # Nothing is changed by who is refused: one harbour serves for all addresses.
    found = {name: _statuses(charlie, _address(name, places)) for name in HIDDEN}
    assert found == {name: {404} for name in HIDDEN}


def test_who_maintains_it_is_shown_it(alice: Client, places: dict[str, Any]) -> None:
    # Else the test above would pass for addresses that lead nowhere.
    for name in set(HIDDEN) - NOWHERE:
        status = alice.get(_address(name, places)).status_code
        assert status not in {404, 500}, name


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(HIDDEN) - NOWHERE))
def test_who_maintains_it_is_let_in(
    alice: Client, places: dict[str, Any], name: str
) -> None:
    assert not _statuses(alice, _address(name, places)) & {404, 500}


def test_no_list_names_what_one_may_not_see(
    charlie: Client, places: dict[str, Any]
) -> None:
    for url in LISTS:
        answer = charlie.get(url)
        assert answer.status_code == (403 if url in _REFUSED else 200), url
        assert b"harbour" not in answer.content.lower(), url


def test_the_lists_name_it_to_its_members(bob: Client, places: dict[str, Any]) -> None:
    pages = [bob.get(url).content.lower() for url in LISTS]
    assert sum(b"harbour" in page for page in pages) > 8


def test_no_toast_tells_of_a_job_of_what_is_hidden(
    charlie: Client, places: dict[str, Any]
) -> None:
    Job.objects.update(state="completed")
    answer = charlie.get("/jobs/ended/", {"jobs": str(places["job_id"])})
    assert answer.status_code == 200
    assert not answer.content
    assert "HX-Trigger" not in answer


def test_searches_of_what_is_hidden_are_nobodys(
    charlie: Client, places: dict[str, Any], indexed: Harbour
) -> None:
    SearchLog.objects.create(
        query="harbour",
        words="harbour",
        product=indexed.product,
        hit_count=0,
        latency_ms=1,
    )
    assert charlie.get("/searches/").status_code == 403
    User.objects.filter(username="charlie").update(is_staff=True)
    assert b"harbour" not in charlie.get("/searches/").content


def test_hidden_and_unknown_are_answered_alike(
    charlie: Client, places: dict[str, Any]
) -> None:
    hidden, unknown = (
        charlie.get(f"/p/{name}/")
        .content.decode()
        .partition("<main")[2]
        .partition("<form")[0]
        for name in ("harbour", "nowhere")
    )
    assert "There is no product" in hidden
    assert hidden == unknown.replace("nowhere", "harbour")
