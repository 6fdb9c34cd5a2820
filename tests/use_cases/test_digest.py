"""The weekly digest: what it tells, and that each week is sent once."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from pytest_django import Settings

from devrag.access.preferences import change_preferences
from devrag.ask.models import Conversation, Turn
from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.products.models import (
    DigestDelivery,
    Membership,
    Product,
    SourceLimit,
    WeeklyDigest,
)
from devrag.sources.hosts import AddressRules
from devrag.sources.models import FileChange, Source
from devrag.use_cases.digest import deliveries
from devrag.use_cases.digest.contents import build_digest
from devrag.use_cases.digest.deliveries import send_due_digests
from devrag.use_cases.digest.options import (
    change_digest,
    send_again,
    send_test_digest,
)
from devrag.use_cases.digest.rendering import as_text
from devrag.wiki.models import DocumentConflict
from tests.people import People, principal
from tests.smtp_server import smtp_server
from tests.stored import add_conflict, add_outdated
from tests.webhook_server import Posted, WebhookServer, webhook_server

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 3, 9, 6, tzinfo=UTC)
WITHIN = MONDAY - timedelta(days=3)
LATER = MONDAY + timedelta(minutes=11)


@pytest.fixture
def product() -> Product:
    product = Product.objects.create(name="shop", title="The shop")
    source = Source.objects.create(product=product, name="code", source_type="git")
    change_of(source, WITHIN)
    return product


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebhookServer]:
    rules = AddressRules(allow_http=True, allow_loopback=True)
    for module in ("options", "sending"):
        name = f"devrag.use_cases.digest.{module}.address_rules"
        monkeypatch.setattr(name, lambda: rules)
    with webhook_server() as found:
        yield found


def change_of(source: Source, moment: datetime) -> None:
    FileChange.objects.create(
        source=source, path="a.py", commit=str(moment), committed_at=moment, lines=3
    )


def choose(
    product: Product,
    channel: str,
    *,
    webhook: str = "",
    recipients: Sequence[str] = (),
) -> str:
    """Choose a channel, as if it were chosen long ago; return the new secret."""
    found = change_digest(
        principal=SYSTEM,
        product=product,
        channel=channel,
        webhook=webhook,
        recipients=recipients,
    )
    row = WeeklyDigest.objects.filter(product=product)
    row.update(begins_at=MONDAY - timedelta(days=30))
    return found.secret


def delivery() -> DigestDelivery:
    return DigestDelivery.objects.get()


def is_signed(posted: Posted, secret: str) -> bool:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    stamp = f"{posted.headers['webhook-id']}.{posted.headers['webhook-timestamp']}."
    digest = hmac.digest(key, stamp.encode() + posted.body, hashlib.sha256)
    expected = f"v1,{base64.b64encode(digest).decode()}"
    return posted.headers["webhook-signature"] == expected


def test_nothing_is_sent_unless_somebody_chose_it(product: Product) -> None:
    assert send_due_digests(MONDAY) == 0
    assert not DigestDelivery.objects.exists()


def test_a_signed_webhook_is_sent_once_a_week(
    product: Product, server: WebhookServer
) -> None:
    secret = choose(product, "webhook", webhook=server.url)
    assert send_due_digests(MONDAY) == 1
    assert send_due_digests(MONDAY + timedelta(days=2)) == 0
    (posted,) = server.posted
    assert is_signed(posted, secret)
    message = json.loads(posted.body)
    assert (message["type"], message["product"]) == ("devrag.weekly_digest", "shop")
    assert (message["since"], message["until"]) == ("2026-03-02", "2026-03-08")
    assert "code: 1 commit changed 1 file" in message["text"]
    change_of(Source.objects.get(), MONDAY)
    assert send_due_digests(MONDAY + timedelta(days=7)) == 1
    assert [row.week for row in DigestDelivery.objects.order_by("week")] == [
        date(2026, 3, 2),
        date(2026, 3, 9),
    ]


def test_a_week_without_news_is_not_sent(
    product: Product, server: WebhookServer
) -> None:
    FileChange.objects.all().delete()
    choose(product, "webhook", webhook=server.url)
    assert send_due_digests(MONDAY) == 0
    assert (delivery().state, server.posted) == ("empty", [])


def test_the_week_before_it_was_chosen_is_not_sent(
    product: Product, server: WebhookServer
) -> None:
    change_digest(
        principal=SYSTEM, product=product, channel="webhook", webhook=server.url
    )
    WeeklyDigest.objects.update(begins_at=MONDAY - timedelta(hours=1))
    assert send_due_digests(MONDAY) == 0
    assert send_due_digests(MONDAY + timedelta(days=7)) == 0
    assert delivery().week == date(2026, 3, 9)


def test_what_is_known_not_to_have_arrived_is_tried_again_ever_later(
    product: Product, server: WebhookServer
) -> None:
    choose(product, "webhook", webhook=server.url)
    server.statuses = [503, 429]
    assert send_due_digests(MONDAY) == 0
    row = delivery()
    assert (row.state, row.attempts) == ("pending", 1)
    assert "HTTP 503" in row.error
    assert row.next_try_at == MONDAY + timedelta(minutes=1)
    assert send_due_digests(MONDAY + timedelta(seconds=30)) == 0
    send_due_digests(MONDAY + timedelta(minutes=1))
    assert delivery().next_try_at == MONDAY + timedelta(minutes=6)
    assert send_due_digests(MONDAY + timedelta(minutes=6)) == 1
    assert (delivery().state, delivery().error) == ("sent", "")
    assert len({each.headers["webhook-id"] for each in server.posted}) == 1


def test_a_refusal_is_final_until_somebody_asks_again(
    product: Product, server: WebhookServer
) -> None:
    choose(product, "webhook", webhook=server.url)
    server.statuses = [404]
    send_due_digests(MONDAY)
    assert send_due_digests(LATER) == 0
    assert (delivery().state, len(server.posted)) == ("failed", 1)
    assert "HTTP 404" in delivery().error
    send_again(principal=SYSTEM, product=product)
    DigestDelivery.objects.update(next_try_at=LATER)
    assert send_due_digests(LATER) == 1


def test_a_message_that_may_have_arrived_is_not_sent_again(
    product: Product, server: WebhookServer
) -> None:
    choose(product, "webhook", webhook=server.url)
    server.statuses = [0]
    send_due_digests(MONDAY)
    assert send_due_digests(LATER) == 0
    assert (delivery().state, len(server.posted)) == ("unconfirmed", 1)


def test_a_server_that_is_not_there_is_tried_again(
    product: Product, server: WebhookServer
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        choose(product, "webhook", webhook=f"http://127.0.0.1:{port}/")
        send_due_digests(MONDAY)
    assert (delivery().state, delivery().attempts) == ("pending", 1)
    assert "Cannot reach 127.0.0.1" in delivery().error


def test_it_is_given_up_in_the_end(product: Product, server: WebhookServer) -> None:
    choose(product, "webhook", webhook=server.url)
    server.statuses = [500] * 20
    for hours in range(0, 24 * 6, 24):
        for minutes in (0, 10, 60, 300, 700):
            send_due_digests(MONDAY + timedelta(hours=hours, minutes=minutes))
    assert (delivery().state, delivery().attempts) == ("failed", 8)


@pytest.mark.django_db(transaction=True)
def test_a_process_that_ends_before_sending_loses_nothing(
    product: Product, server: WebhookServer
) -> None:
    choose(product, "webhook", webhook=server.url)
    with (
        patch.object(deliveries, "build_digest", side_effect=SystemExit),
        pytest.raises(SystemExit),
    ):
        send_due_digests(MONDAY)
    assert send_due_digests(LATER) == 1
    assert len(server.posted) == 1


@pytest.mark.django_db(transaction=True)
def test_a_process_that_ends_while_sending_sends_nothing_twice(
    product: Product, server: WebhookServer
) -> None:
    choose(product, "webhook", webhook=server.url)
    with (
        patch.object(deliveries, "_end", side_effect=SystemExit),
        pytest.raises(SystemExit),
    ):
        send_due_digests(MONDAY)
    assert delivery().state == "sending"
    DigestDelivery.objects.update(claimed_at=MONDAY)
    assert send_due_digests(LATER) == 0
    assert (delivery().state, len(server.posted)) == ("unconfirmed", 1)


@pytest.mark.django_db(transaction=True)
def test_two_processes_send_one(product: Product, server: WebhookServer) -> None:
    choose(product, "webhook", webhook=server.url)

    def send(_: int) -> int:
        try:
            return send_due_digests(MONDAY)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(send, range(4))) == 1
    assert len(server.posted) == 1


def test_addresses_that_sources_may_not_use_are_refused(product: Product) -> None:
    for url in ("http://example.com/", "https://127.0.0.1/", "x", "https://a:b@c.de/"):
        with pytest.raises(InvalidInput):
            choose(product, "webhook", webhook=url)
    assert not WeeklyDigest.objects.exists()


def test_the_address_is_stored_encrypted(
    product: Product, server: WebhookServer
) -> None:
    choose(product, "webhook", webhook=server.url)
    row = WeeklyDigest.objects.get()
    assert b"hooks" not in bytes(row.target or b"")
    assert row.host == "127.0.0.1"


def test_email_has_text_and_html_and_no_list_of_recipients(
    product: Product, settings: Settings
) -> None:
    settings.EMAIL_HOST = "mail.example.com"
    Product.objects.update(title="<b>Shop</b>")
    choose(product, "email", recipients=["a@example.com", "b@example.com"])
    assert send_due_digests(MONDAY) == 1
    (message,) = mail.outbox
    assert isinstance(message, mail.EmailMultiAlternatives)
    assert message.bcc == ["a@example.com", "b@example.com"]
    assert message.to == []
    assert "code: 1 commit changed 1 file" in message.body
    ((html, kind),) = message.alternatives
    assert kind == "text/html"
    assert "&lt;b&gt;Shop&lt;/b&gt;" in str(html)
    assert "<style" not in str(html)


def test_a_real_mail_server_gets_it(product: Product, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    with smtp_server() as server:
        settings.EMAIL_PORT = server.port
        choose(product, "email", recipients=["a@example.com"])
        server.refusal = "451 later"
        assert send_due_digests(MONDAY) == 0
        assert delivery().state == "pending"
        server.refusal = "550 unknown"
        assert send_due_digests(MONDAY + timedelta(minutes=1)) == 0
        assert delivery().state == "failed"
        server.refusal = ""
        send_again(principal=SYSTEM, product=product)
        DigestDelivery.objects.update(next_try_at=MONDAY)
        assert send_due_digests(LATER) == 1
        assert server.recipients == ["a@example.com"]
        assert f"Message-ID: <digest-{product.pk}-2026-03-02" in server.messages[0]
        server.is_rude = True
        change_of(Source.objects.get(), MONDAY)
        send_due_digests(MONDAY + timedelta(days=7))
        last = DigestDelivery.objects.latest("week")
        assert last.state == "unconfirmed"
    settings.EMAIL_PORT = server.port
    DigestDelivery.objects.all().delete()
    send_due_digests(MONDAY)
    assert delivery().state == "pending"


def test_who_chose_a_language_gets_the_mail_in_it(
    product: Product, settings: Settings
) -> None:
    settings.EMAIL_HOST = "mail.example.com"
    reader = User.objects.create_user("reader", "a@example.com")
    change_preferences(user=reader, language="ja")
    choose(product, "email", recipients=["a@example.com", "b@example.com"])
    assert send_due_digests(MONDAY) == 1
    sent = {message.bcc[0]: message for message in mail.outbox}
    assert "1 commit changed" in sent["b@example.com"].body
    assert "1 commit changed" not in sent["a@example.com"].body
    assert not sent["a@example.com"].subject.isascii()


def test_email_needs_a_server_and_addresses(
    product: Product, settings: Settings
) -> None:
    with pytest.raises(InvalidInput, match="EMAIL_HOST"):
        choose(product, "email", recipients=["a@example.com"])
    settings.EMAIL_HOST = "mail.example.com"
    for recipients in ([], ["nobody"], ["a@b.c\nBcc: d@e.f"]):
        with pytest.raises(InvalidInput):
            choose(product, "email", recipients=recipients)


def test_only_maintainers_choose_and_test(product: Product, people: People) -> None:
    Membership.objects.create(product=product, user=people.bob, role="viewer")
    bob = principal(people.bob)
    with pytest.raises(PermissionDenied):
        change_digest(principal=bob, product=product, channel="")
    with pytest.raises(PermissionDenied):
        send_test_digest(principal=bob, product=product, to="b@example.com")


def test_a_test_is_marked_and_is_none_of_the_weekly_ones(
    product: Product, server: WebhookServer
) -> None:
    choose(product, "webhook", webhook=server.url)
    assert send_test_digest(principal=SYSTEM, product=product) == "127.0.0.1"
    assert json.loads(server.posted[0].body)["isTest"] is True
    assert not DigestDelivery.objects.exists()


def test_it_tells_conflicts_outdated_documents_and_open_questions(
    product: Product,
) -> None:
    source = Source.objects.get()
    add_conflict(source)
    DocumentConflict.objects.update(found_at=WITHIN)
    add_outdated(source, "docs/cart.md", found_at=WITHIN)
    add_outdated(source, "docs/old.md", found_at=WITHIN - timedelta(days=20))
    talk = Conversation.objects.create(product=product)
    turn = Turn.objects.create(
        conversation=talk, ordinal=0, question="Salary of Bob?", outcome="not_found"
    )
    Turn.objects.filter(pk=turn.pk).update(created_at=WITHIN)
    digest = build_digest(product, MONDAY)
    counts = {each.key: each.count for each in digest.sections}
    assert counts == {"changes": 1, "conflicts": 1, "outdated": 1, "unanswered": 1}
    text = as_text(digest)
    assert "README.md:1 gone.py" in text
    assert "docs/cart.md: 12 lines of its code changed" in text
    assert "Salary" not in text
    assert "/p/shop/outdated/" in text


def test_limited_sources_take_no_part(product: Product) -> None:
    source = Source.objects.get()
    add_outdated(source, "docs/cart.md", found_at=WITHIN)
    SourceLimit.objects.create(product=product, source_id=source.pk)
    assert build_digest(product, MONDAY).is_empty


def test_it_is_in_the_language_of_the_wiki(product: Product) -> None:
    product.wiki_settings = {"language": "ja,en"}
    assert build_digest(product, MONDAY).language == "ja"
