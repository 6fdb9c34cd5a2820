"""Pages and tickets in the browser: hits, their text, citations, completion."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch
from urllib.parse import quote

import pytest
from django.conf import settings as configured
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from devrag.ask.models import Citation, Conversation
from devrag.search.lexical.follower import catch_up
from devrag.sources.api import Change
from devrag.sources.models import RefFile
from tests.documents import PAY, TRACKER, index_documents
from tests.people import bearer

from .conftest import COMMIT, Harbour
from .markup import squeeze

QUESTION = "What does the checkout charge twice?"


@pytest.fixture
def tracker(harbour: Harbour, tmp_path: Path) -> Harbour:
    index_documents(tmp_path / "tracker", "harbour", TRACKER)
    catch_up(Path(configured.LEXICAL_DIR))
    return harbour


def test_a_hit_says_where_it_lies_and_leads_to_the_original(
    bob: Client, tracker: Harbour
) -> None:
    page = squeeze(bob.get("/search", {"q": "checkout author:jane kind:ticket"}))
    assert "<b>Checkout charges twice</b>" in page
    assert "Shop ›" in page
    assert "In Progress" in page
    assert f'href="{PAY.url}"' in page
    assert "customer reported" in page
    # What the text begins with is said in other words.
    assert "is_closed" not in page
    assert "2026-03-04T05:06:07Z" not in page


@pytest.mark.slow
def test_filters_stand_in_the_form(bob: Client, tracker: Harbour) -> None:
    asked = {"q": "checkout", "status": "closed", "before": "2026-01-01"}
    page = squeeze(bob.get("/search", asked))
    assert "Checkout forgets the voucher" in page
    assert "Checkout charges twice" not in page
    assert "status: closed" in page


@pytest.mark.slow
def test_kinds_of_documents_are_offered_where_there_are_any(
    bob: Client, harbour: Harbour, tmp_path: Path
) -> None:
    assert 'value="ticket"' not in squeeze(bob.get("/search"))
    index_documents(tmp_path / "tracker", "harbour", TRACKER)
    assert 'value="ticket"' in squeeze(bob.get("/search"))


def test_filters_of_documents_complete(bob: Client, tracker: Harbour) -> None:
    for word, offered in {
        "status:": ["status:open", "status:closed"],
        "status:res": ["status:Resolved"],
        "author:j": ['author:"Jane Doe"'],
        "author:sa": ['author:"Ken Sato"'],
        "author:zzz": [],
        "aut": ["author:"],
    }.items():
        page = bob.get("/search/complete", {"word": word}).content.decode()
        page = page.replace("&quot;", '"')
        assert all(each in page for each in offered), word
        assert page.count('role="option"') >= len(offered), word
        if not offered:
            assert 'role="option"' not in page, word


def test_names_of_hidden_products_are_not_offered(
    charlie: Client, tracker: Harbour
) -> None:
    page = charlie.get("/search/complete", {"word": "author:j"}).content.decode()
    assert "Jane" not in page


def test_the_text_of_a_ticket_leads_to_the_original(
    bob: Client, tracker: Harbour
) -> None:
    page = squeeze(bob.get("/p/harbour/s/tracker/-/current/issues/7.md"))
    assert '<h1 lang="">Checkout charges twice</h1>' in page
    assert f'href="{PAY.url}"' in page
    assert "Open the original" in page
    code = squeeze(bob.get("/p/harbour/s/harbour-code/-/current/src/greeter.py"))
    assert "Open the original" not in code


def _asked(client: Client) -> tuple[Conversation, str]:
    sent = client.post("/p/harbour/ask/", {"question": QUESTION})
    assert sent.status_code == 303
    page = squeeze(client.get(sent.headers["Location"]))
    return Conversation.objects.get(), page


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_citation_opens_the_original_while_it_is_there(
    alice: Client, tracker: Harbour
) -> None:
    conversation, page = _asked(alice)
    cited = Citation.objects.get(path="issues/7.md", number__gt=0)
    assert cited.facts is not None
    assert cited.facts.version == "12"
    assert f'href="{PAY.url}"' in page
    assert "Open the original" in page
    RefFile.objects.filter(file__path="issues/7.md").update(until=99)
    page = squeeze(alice.get(f"/ask/{conversation.uuid}/"))
    assert "The original was deleted" in page
    assert "charges the card twice" in page
    assert f'href="{PAY.url}"' not in page


@pytest.mark.slow
def test_rest_says_what_is_known_of_a_ticket(client: Client, tracker: Harbour) -> None:
    headers = bearer("read", products=(tracker.product,))
    body = {"query": "checkout", "status": "open", "after": "2026-01"}
    found = client.post(
        "/api/v1/search",
        json.dumps(body),
        content_type="application/json",
        headers=headers,
    ).json()
    (hit,) = found["hits"]
    assert hit["document"]["originalURL"] == PAY.url
    assert hit["document"]["labels"] == ["payments", "customer reported"]
    source = RefFile.objects.get(file__path="issues/7.md").file.source
    path = quote("issues/7.md")
    text = client.get(
        f"/api/v1/sources/{source.pk}/files/{path}", headers=headers
    ).json()
    assert text["document"]["title"] == PAY.title


def test_a_file_leads_to_what_mentions_it(
    bob: Client, charlie: Client, harbour: Harbour, tmp_path: Path
) -> None:
    later = {
        "issues/7.md": (PAY, "As #3, see `greet()`.\n"),
        "issues/3.md": TRACKER["issues/3.md"],
    }
    index_documents(tmp_path / "tracker", "harbour", later)
    address = "/p/harbour/s/tracker/mentions/issues/3.md"
    page = squeeze(bob.get("/p/harbour/s/tracker/-/current/issues/3.md"))
    assert f'hx-get="{address}"' in page
    part = squeeze(bob.get(address))
    assert "Checkout charges twice" in part
    assert "In Progress" in part
    assert 'href="/p/harbour/s/tracker/-/current/issues/7.md#L' in part
    assert charlie.get(address).status_code == 404
    assert bob.get(f"{address}x").status_code == 404


def test_what_nothing_mentions_says_so(bob: Client, tracker: Harbour) -> None:
    page = squeeze(bob.get("/p/harbour/s/tracker/mentions/issues/3.md"))
    assert "No ticket, document or other file mentions this file" in page


def test_owners_and_last_changes_without_names_where_they_are_not_wanted(
    bob: Client, harbour: Harbour, settings: Settings
) -> None:
    harbour.add_file("CODEOWNERS", "*.py @harbour/crew\n", "text", "doc")
    change = Change("c" * 40, "Ann Bo", timezone.now(), "greet twice, fixes #3")
    address = "/p/harbour/s/harbour-code/mentions/src/greeter.py"
    with patch("devrag.web.pages.mentions.file_history", return_value=(change,)) as git:
        page = squeeze(bob.get(address))
        settings.SHOW_AUTHORS = False
        without = squeeze(bob.get(address))
    assert git.call_args.args[1:] == (COMMIT, "src/greeter.py")
    for each in ("@harbour/crew", "Ann Bo"):
        assert each in page
        assert each not in without
    assert "greet twice, fixes #3" in page
    assert "greet twice, fixes #3" in without


def test_last_changes_lead_to_the_tickets_that_they_name(
    bob: Client, tracker: Harbour
) -> None:
    change = Change("c" * 40, "Ann Bo", timezone.now(), "<b>greet</b> twice, refs #3")
    with patch("devrag.web.pages.mentions.file_history", return_value=(change,)):
        page = squeeze(bob.get("/p/harbour/s/harbour-code/mentions/src/greeter.py"))
    assert "&lt;b&gt;greet&lt;/b&gt; twice, refs<a" in page
    assert 'href="/p/harbour/s/tracker/-/current/issues/3.md"' in page


def test_a_page_is_shown_as_text_and_its_lines_on_demand(
    bob: Client, tracker: Harbour
) -> None:
    address = f"/p/harbour/s/tracker/-/current/wiki/{quote('Payment flow.md')}"
    page = squeeze(bob.get(address))
    assert "<p>The checkout asks the bank.</p>" in page
    assert 'data-first="14" data-last="14"' in page
    assert "is_closed" not in page
    # Its title stands above the text already.
    assert page.count(">Payment flow<") == 1
    lines = squeeze(bob.get(address, {"view": "lines"}))
    assert 'id="L14"' in lines
    assert "data-article" not in lines


def test_a_preview_marks_what_was_found_in_the_text(
    bob: Client, tracker: Harbour
) -> None:
    address = f"/p/harbour/s/tracker/preview/current/wiki/{quote('Payment flow.md')}"
    page = squeeze(bob.get(address, {"first": 14, "last": 14}))
    assert 'article-block is-marked" data-first="14"' in page
    assert ">Payment flow<" in page


def test_a_folder_of_tickets_has_their_titles(bob: Client, tracker: Harbour) -> None:
    page = squeeze(bob.get("/p/harbour/s/tracker/-/current/issues/"))
    assert "<bdi>7.md</bdi>" in page
    assert "<bdi>Checkout charges twice</bdi>" in page
    # A page is called as its file.
    pages = squeeze(bob.get("/p/harbour/s/tracker/-/current/wiki/"))
    assert pages.count(">Payment flow") == 1
