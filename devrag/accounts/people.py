"""Accounts as administrators look after them: role, state, address, ways in.

Nobody does any of it to themselves: the administrator who acts stays one, so that there
is always another way than the database.
"""

from __future__ import annotations

import structlog
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext

from devrag.access.sessions import end_other_sessions
from devrag.accounts.models import ExternalIdentity, Invitation, Passkey, SecondFactor
from devrag.audit.api import record_event
from devrag.core.errors import Conflict, InvalidInput, NotFound, PermissionDenied
from devrag.core.principal import Principal

log = structlog.get_logger(__name__)
_Role = Invitation.Role
# Role in the installation → may add products, is an administrator.
_FLAGS = {
    _Role.VIEWER: (False, False),
    _Role.CREATOR: (True, False),
    _Role.ADMINISTRATOR: (True, True),
}
INSTALLATION_ROLES = tuple(_FLAGS)
_MAX_WORDS = 5


def role_of(user: User) -> str:
    """Return a user's role in the installation."""
    if user.is_superuser:
        return _Role.ADMINISTRATOR
    return _Role.CREATOR if user.is_staff else _Role.VIEWER


def list_people(principal: Principal, text: str = "") -> QuerySet[User]:
    """Return accounts by name, with `has_two_steps`, `is_external`, `product_count`.

    text: words that names or address have. Raises PermissionDenied.
    """
    _check(principal)
    app = SecondFactor.objects.filter(user=OuterRef("pk"), confirmed_at__isnull=False)
    rows = User.objects.annotate(
        has_two_steps=Exists(app) | Exists(Passkey.objects.filter(user=OuterRef("pk"))),
        is_external=Exists(ExternalIdentity.objects.filter(user=OuterRef("pk"))),
        product_count=Count("memberships"),
    )
    for word in text.split()[:_MAX_WORDS]:
        rows = rows.filter(
            Q(username__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
            | Q(email__icontains=word)
        )
    return rows.order_by("username")


@transaction.atomic
def change_person(*, principal: Principal, user_id: int, role: str, email: str) -> User:
    """Set the role and the address of somebody else.

    Raises PermissionDenied, NotFound, InvalidInput, and Conflict for oneself or a role
    that a group of the sign-in provider gave.
    """
    user = _lock(principal, user_id)
    if role not in _FLAGS:
        raise InvalidInput(gettext("Unknown role. Choose one of the list."))
    if role != role_of(user):
        _check_other(principal, user)
        _check_by_hand(user, role)
    user.is_staff, user.is_superuser = _FLAGS[_Role(role)]
    user.email = _checked_address(user, email.strip())
    user.save(update_fields=["is_staff", "is_superuser", "email"])
    return user


@transaction.atomic
def set_active(*, principal: Principal, user_id: int, is_active: bool) -> User:
    """Deactivate somebody else, which ends sessions and tokens, or undo that."""
    user = _lock(principal, user_id)
    _check_other(principal, user)
    user.is_active = is_active
    user.save(update_fields=["is_active"])
    if not is_active:
        end_other_sessions(user_id=user.pk, current_key=None)
    return user


@transaction.atomic
def reset_second_step(*, principal: Principal, user_id: int) -> User:
    """Remove somebody's app, passkeys and recovery codes: the password is enough."""
    user = _lock(principal, user_id)
    _check_other(principal, user)
    SecondFactor.objects.filter(user=user).delete()
    Passkey.objects.filter(user=user).delete()
    record_event(
        "user.second_step_reset", principal=principal, target=user.get_username()
    )
    log.info("second_factor_reset", user_id=user.pk, user_name=principal.name)
    return user


@transaction.atomic
def make_password_link(*, principal: Principal, user_id: int) -> tuple[User, str, str]:
    """Return an account with the two parts of a link by which it gets a new password.

    It is of use for an hour, once, and replaces none that exists until it is used.
    """
    user = _lock(principal, user_id)
    _check_other(principal, user)
    if not user.is_active:
        raise Conflict(gettext("The account is deactivated. Activate it first."))
    record_event(
        "user.password_link_made", principal=principal, target=user.get_username()
    )
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return user, uid, default_token_generator.make_token(user)


def _check(principal: Principal) -> None:
    if not principal.is_admin or principal.product_ids is not None:
        raise PermissionDenied(gettext("Only administrators can do this."))


def _lock(principal: Principal, user_id: int) -> User:
    """Return an account. Of two administrators who act at once the second one waits."""
    _check(principal)
    acting = User.objects.select_for_update().filter(is_superuser=True, is_active=True)
    if principal.user_id is not None and not any(
        each.pk == principal.user_id for each in acting.order_by("pk")
    ):
        raise PermissionDenied(gettext("Only administrators can do this."))
    user = User.objects.select_for_update().filter(pk=user_id).first()
    if user is None:
        raise NotFound(gettext("There is no such account. Reload the page."))
    return user


def _check_other(principal: Principal, user: User) -> None:
    if user.pk == principal.user_id:
        raise Conflict(
            gettext("This is your own account. Ask another administrator to do this.")
        )


def _check_by_hand(user: User, role: str) -> None:
    """Raise Conflict where groups gave what the role takes away."""
    is_staff, is_superuser = _FLAGS[_Role(role)]
    for identity in ExternalIdentity.objects.filter(user=user):
        if (identity.gave_administrator and not is_superuser) or (
            identity.gave_creator and not is_staff
        ):
            raise Conflict(
                gettext(
                    "The role of %(name)s comes from a group of the sign-in provider. "
                    "Change it there; it counts from the next sign-in on."
                )
                % {"name": user.get_username()}
            )


def _checked_address(user: User, email: str) -> str:
    if not email:
        return ""
    try:
        validate_email(email)
    except ValidationError as error:
        raise InvalidInput(gettext("Enter a valid email address.")) from error
    others = User.objects.filter(email__iexact=email).exclude(pk=user.pk)
    if email.lower() != user.email.lower() and others.exists():
        raise InvalidInput(gettext("Another account has this email address."))
    return email
