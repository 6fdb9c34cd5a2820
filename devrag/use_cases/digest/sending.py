"""Send a digest by webhook or e-mail; say of each failure whether it was sent."""

from __future__ import annotations

import smtplib
from collections.abc import Sequence
from email.utils import parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.utils.translation import gettext

from devrag.core.encryption import decrypt_secrets
from devrag.core.errors import ConfigurationError, SourceError
from devrag.products.models import WeeklyDigest
from devrag.sources.api import Unconfirmed, post_webhook
from devrag.sources.services import address_rules
from devrag.use_cases.digest.contents import Digest
from devrag.use_cases.digest.rendering import as_html, as_message, as_text, subject_of


def send_digest(target: WeeklyDigest, digest: Digest, message_id: str) -> None:
    """Send a digest where its product's maintainers want it.

    message_id: the same whenever the same digest is sent. Raises SourceError, permanent
    or not; Unconfirmed where it may have arrived; other DevragErrors for settings.
    """
    if target.channel == WeeklyDigest.Channel.EMAIL:
        send_email(digest, target.recipients, message_id)
    else:
        _post(target, digest, message_id, is_test=False)


def send_test(target: WeeklyDigest, digest: Digest, message_id: str, to: str) -> None:
    """Send a digest as a test: to one address, or marked as a test to the webhook."""
    if target.channel == WeeklyDigest.Channel.EMAIL:
        send_email(digest, [to], message_id)
    else:
        _post(target, digest, message_id, is_test=True)


def _post(
    target: WeeklyDigest, digest: Digest, message_id: str, *, is_test: bool
) -> None:
    if target.target is None:
        raise ConfigurationError(gettext("No webhook URL is set for the digest."))
    stored = decrypt_secrets(target.target)
    body = as_message(digest, is_test=is_test)
    post_webhook(stored["url"], stored["secret"], message_id, body, address_rules())


def send_email(digest: Digest, recipients: Sequence[str], message_id: str) -> None:
    """Send a digest as text and HTML; recipients do not see each other."""
    if not settings.EMAIL_HOST:
        raise ConfigurationError(
            gettext(
                "Email is not set up on this server. Ask an administrator to set it "
                "up (setting EMAIL_HOST)."
            )
        )
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].partition("@")[2] or "localhost"
    message = EmailMultiAlternatives(
        subject_of(digest),
        as_text(digest),
        bcc=list(recipients),
        headers={"Message-ID": f"<{message_id}@{domain}>"},
    )
    message.attach_alternative(as_html(digest), "text/html")
    message.connection = get_connection()
    try:
        message.connection.open()
    except (OSError, smtplib.SMTPException) as error:
        raise _not_sent(error) from error
    _hand_over(message)


def _hand_over(message: EmailMultiAlternatives) -> None:
    """Give a message to the server that answers already."""
    try:
        message.send()
    except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as error:
        raise _not_sent(error) from error
    except (OSError, smtplib.SMTPException) as error:
        raise Unconfirmed(
            gettext(
                "The mail server did not confirm the message; it may have been "
                "delivered."
            )
        ) from error
    finally:
        message.connection.close()


def _not_sent(error: Exception) -> SourceError:
    """Return that the mail server refused, or is not there. 5xx answers are final."""
    codes = [0]
    if isinstance(error, smtplib.SMTPResponseException):
        codes = [error.smtp_code]
    elif isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    return SourceError(
        gettext("The mail server rejected the message: %(reason)s")
        % {"reason": str(error)[:200]},
        permanent=min(codes) >= 500,
    )
