"""The page of a product's weekly digest, and REST."""

from __future__ import annotations

from datetime import date
from unittest.mock import patch

from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from devrag.products.models import DigestDelivery, WeeklyDigest
from devrag.sources.hosts import AddressRules
from tests.people import bearer
from tests.stored import add_outdated
from tests.webhook_server import webhook_server

from .conftest import Harbour

PAGE = "/p/harbour/digest/"
RULES = AddressRules(allow_http=True, allow_loopback=True)


def test_a_preview_stands_on_the_page(alice: Client, harbour: Harbour) -> None:
    add_outdated(harbour.source, found_at=timezone.now())
    text = alice.get(PAGE).content.decode()
    assert "README.md: 12 lines of its code changed" in text
    assert (
        'href="/p/harbour/digest/"'
        in alice.get("/p/harbour/settings/").content.decode()
    )


def test_readers_may_not_see_or_change_it(bob: Client, harbour: Harbour) -> None:
    assert bob.get(PAGE).status_code == 403
    assert bob.post(f"{PAGE}change/", {"channel": "email"}).status_code == 403
    assert bob.post(f"{PAGE}send/").status_code == 403
    assert bob.post(f"{PAGE}retry/").status_code == 403


def test_the_secret_of_a_webhook_is_shown_once(alice: Client, harbour: Harbour) -> None:
    with (
        webhook_server() as server,
        patch("devrag.use_cases.digest.options.address_rules", lambda: RULES),
    ):
        form = {"channel": "webhook", "webhook": server.url}
        answer = alice.post(f"{PAGE}change/", form).content.decode()
    assert "whsec_" in answer
    later = alice.get(PAGE).content.decode()
    assert "whsec_" not in later
    assert "/hooks/abc" not in later
    assert "An address at 127.0.0.1 is stored" in later


def test_a_wrong_address_is_said(alice: Client, harbour: Harbour) -> None:
    answer = alice.post(f"{PAGE}change/", {"channel": "webhook", "webhook": "ftp://x"})
    assert answer.status_code == 422
    assert "must begin with https://" in answer.content.decode()
    assert not WeeklyDigest.objects.exists()


def test_one_is_sent_to_who_asks(
    alice: Client, harbour: Harbour, settings: Settings
) -> None:
    settings.EMAIL_HOST = "mail.example.com"
    form = {"channel": "email", "recipients": "a@example.com, b@example.com"}
    assert alice.post(f"{PAGE}change/", form).status_code == 303
    assert WeeklyDigest.objects.get().recipients == ["a@example.com", "b@example.com"]
    alice.post(f"{PAGE}send/")
    page = alice.get(PAGE).content.decode()
    assert "Your account has no email address" in page
    user = harbour.product.memberships.get(user__username="alice").user
    user.email = "alice@example.com"
    user.save()
    alice.post(f"{PAGE}send/")
    (message,) = mail.outbox
    assert message.bcc == ["alice@example.com"]


def test_why_a_digest_was_not_sent_is_shown(alice: Client, harbour: Harbour) -> None:
    row = DigestDelivery.objects.create(
        product=harbour.product,
        week=date(2026, 3, 2),
        state="failed",
        next_try_at=timezone.now(),
        error="chat.example.com rejected the message (HTTP 404).",
    )
    assert "rejected the message (HTTP 404)" in alice.get(PAGE).content.decode()
    alice.post(f"{PAGE}retry/")
    row.refresh_from_db()
    assert row.state == "pending"


def test_rest_chooses_and_previews(
    client: Client, harbour: Harbour, settings: Settings
) -> None:
    settings.EMAIL_HOST = "mail.example.com"
    base = f"/api/v1/products/{harbour.product.pk}/digest"
    headers = bearer("admin", products=(harbour.product,))
    body = {"channel": "email", "recipients": ["a@example.com"]}
    kind = "application/json"
    chosen = client.put(base, body, content_type=kind, headers=headers).json()
    assert (chosen["channel"], chosen["last"]) == ("email", None)
    assert client.get(base, headers=headers).json() == chosen
    add_outdated(harbour.source, found_at=timezone.now())
    preview = client.get(f"{base}/preview", headers=headers).json()
    assert [each["key"] for each in preview["sections"]] == ["outdated"]
    refused = client.get(base, headers=bearer("read", products=(harbour.product,)))
    assert refused.status_code == 403
