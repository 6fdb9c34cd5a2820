"""A forgotten password is replaced by a link in an email.

Nothing tells whether an account has an address: the page answers the same at once, and
a worker looks for accounts and sends the message. A link is of use for an hour, once,
and not after another sign-in or change of the password (Django's signed tokens).
"""

from __future__ import annotations

import smtplib

import structlog
from celery import current_app
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.translation import gettext, override
from kombu.exceptions import OperationalError

from devrag.access.preferences import preferences_of
from devrag.access.sessions import end_other_sessions
from devrag.core.errors import NotFound, ServiceUnavailable

log = structlog.get_logger(__name__)
_LATE_SECONDS = 1800
# Of one address; more than a few accounts of one person are somebody's mistake.
_MOST_ACCOUNTS = 5


def is_reset_possible() -> bool:
    """Return whether email is set up, so that links can be sent."""
    return bool(settings.EMAIL_HOST)


def request_reset_links(address: str, language: str) -> None:
    """Let a worker send links. Raises ServiceUnavailable while the broker is away."""
    try:
        current_app.send_task(
            "accounts.send_reset_links",
            args=[address, language],
            queue="plan",
            expires=_LATE_SECONDS,
            retry=False,
        )
    except OperationalError as error:
        raise ServiceUnavailable(
            gettext("Email cannot be sent at the moment. Try again in a minute.")
        ) from error


def send_reset_links(address: str, language: str) -> int:
    """Send a link for each account with an address that has a password.

    language: for people who have chosen none. Returns the number of messages; failures
    are logged, for nobody waits for them.
    """
    rows = User.objects.select_related("preferences")
    users = rows.filter(email__iexact=address, is_active=True)
    if settings.OIDC_ONLY:
        users = users.filter(is_superuser=True)
    sent = 0
    for user in users[:_MOST_ACCOUNTS]:
        if user.has_usable_password():
            sent += _send(user, preferences_of(user).language or language)
    return sent


def user_of_link(uid: str, token: str) -> User:
    """Return whose password a link replaces. Raises NotFound when it is over."""
    return _checked(uid, token, is_locked=False)


def reset_password(uid: str, token: str, password: str) -> User:
    """Replace a password and end all sessions. Raises NotFound when the link is over.

    password: validated by the caller.
    """
    user_of_link(uid, token)
    hashed = make_password(password)  # before anything is held
    with transaction.atomic():
        user = _checked(uid, token, is_locked=True)
        user.password = hashed
        user.save(update_fields=["password"])
        end_other_sessions(user_id=user.pk, current_key=None)
    log.info("password_reset", user_name=user.get_username())
    return user


def _checked(uid: str, token: str, *, is_locked: bool) -> User:
    try:
        user_id = int(urlsafe_base64_decode(uid))
    except (ValueError, OverflowError):
        user_id = 0
    rows = User.objects.select_for_update() if is_locked else User.objects.all()
    user = rows.filter(pk=user_id, is_active=True).first() if user_id < 2**31 else None
    if user is None or not default_token_generator.check_token(user, token):
        raise NotFound(
            gettext("This link was used already or has expired. Ask for a new one.")
        )
    return user


def _send(user: User, language: str) -> int:
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    url = f"{settings.PUBLIC_URL}/sign-in/reset/{uid}/{token}/"
    with override(language or settings.LANGUAGE_CODE):
        message = EmailMessage(
            gettext("Reset your devrag password"),
            gettext(
                "Somebody, probably you, asked to reset the password of %(name)s at "
                "%(where)s.\n\nChoose a new one here, within an hour:\n%(url)s\n\nIf "
                "it was not you, ignore this message; nothing has changed."
            )
            % {"name": user.get_username(), "where": settings.PUBLIC_URL, "url": url},
            to=[user.email],
        )
    try:
        message.send()
    except (OSError, smtplib.SMTPException) as error:
        log.warning(
            "password_reset_not_sent",
            user_name=user.get_username(),
            error=str(error)[:200],
        )
        return 0
    log.info("password_reset_sent", user_name=user.get_username())
    return 1
