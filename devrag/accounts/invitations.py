"""Invitations: links that let one person in, once, with a role.

Administrators invite with any role, maintainers into their products. A link is worth
what its maker may give at the moment it is used.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

import structlog
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from devrag.access.auth import principal_of_user
from devrag.accounts.models import Invitation
from devrag.accounts.new_accounts import make_account
from devrag.audit.api import bind_caller, record_event
from devrag.core.errors import DevragError, InvalidInput, NotFound, PermissionDenied
from devrag.core.hashing import sha256_hex
from devrag.core.principal import Principal
from devrag.products.members import give_role
from devrag.products.models import Product
from devrag.products.services import get_maintained_product

log = structlog.get_logger(__name__)
Role = Invitation.Role
PRODUCT_ROLES = (Role.VIEWER, Role.MAINTAINER)
INSTALLATION_ROLES = (Role.VIEWER, Role.CREATOR, Role.ADMINISTRATOR)
MAX_DAYS = 90
_MOST_LISTED = 200


@transaction.atomic
def create_invitation(
    *,
    principal: Principal,
    role: str,
    product_name: str = "",
    days: int = 7,
    note: str = "",
) -> tuple[Invitation, str]:
    """Make a link; return it with its secret, which is never shown again.

    product_name: '' for a role in the installation, which administrators give.
    Raises InvalidInput, PermissionDenied, or NotFound for a product one may not see.
    """
    if principal.user_id is None:
        raise PermissionDenied(gettext("Sign in with an account to invite people."))
    if not 1 <= days <= MAX_DAYS:
        raise InvalidInput(
            gettext("An invitation is valid for 1 to %(days)s days.")
            % {"days": MAX_DAYS}
        )
    product = _check_may_invite(principal, role, product_name)
    secret = secrets.token_urlsafe(32)
    made = Invitation.objects.create(
        sha256=sha256_hex(secret),
        note=note.strip()[:100],
        product=product,
        role=role,
        created_by_id=principal.user_id,
        expires_at=timezone.now() + timedelta(days=days),
    )
    _record("invitation.created", made, principal)
    log.info("invitation_created", user_name=principal.name, role=role)
    return made, secret


def list_invitations(principal: Principal) -> QuerySet[Invitation]:
    """Return what a caller may revoke, the newest first. Queries: 1."""
    rows = Invitation.objects.select_related("product", "created_by", "used_by")
    if not principal.is_admin:
        maintained = Product.objects.maintained_by(principal)
        rows = rows.filter(
            Q(product__in=maintained)
            | Q(created_by_id=principal.user_id, product__isnull=True)
        )
    return rows[:_MOST_LISTED]


@transaction.atomic
def revoke_invitation(*, principal: Principal, invitation_id: int) -> Invitation:
    """End a link. Raises NotFound for what the caller may not revoke or is over."""
    found = next(
        (row for row in list_invitations(principal) if row.pk == invitation_id), None
    )
    if found is None or found.state != "open":
        raise NotFound(gettext("This invitation is no longer open. Reload the page."))
    found.is_revoked = True
    found.save(update_fields=["is_revoked"])
    _record("invitation.revoked", found, principal)
    log.info("invitation_revoked", user_name=principal.name)
    return found


def open_invitation(secret: str) -> Invitation:
    """Return the invitation of a link that can still be used. Raises NotFound."""
    rows = Invitation.objects.select_related("product", "created_by")
    return _checked(rows.filter(sha256=sha256_hex(secret)).first())


def accept_with_password(secret: str, *, name: str, password: str) -> User:
    """Make the account of a link. Raises NotFound, and InvalidInput for a bad name.

    password: validated by the caller.
    """
    open_invitation(secret)
    make = make_account(name=name, password=password)  # hashed before anything is held
    try:
        with transaction.atomic():
            invitation = _locked(secret)
            user = make()
            bind_caller(principal_of_user(user))  # what follows is their doing
            _use(invitation, user)
    except IntegrityError as error:
        raise InvalidInput(
            gettext("There is a user with this name. Choose another one.")
        ) from error
    return user


def accept_for(secret: str, user: User) -> None:
    """Give an account that exists the role of a link. Raises NotFound."""
    with transaction.atomic():
        _use(_locked(secret), user)


def _use(invitation: Invitation, user: User) -> None:
    invitation.used_at, invitation.used_by = timezone.now(), user
    invitation.save(update_fields=["used_at", "used_by"])
    if invitation.product is not None:
        give_role(product=invitation.product, user=user, role=invitation.role)
    elif invitation.role != Role.VIEWER:
        user.is_staff = True
        user.is_superuser |= invitation.role == Role.ADMINISTRATOR
        user.save(update_fields=["is_staff", "is_superuser"])
    _record("invitation.used", invitation, principal_of_user(user))
    log.info("invitation_used", user_name=user.get_username(), role=invitation.role)


def _record(action: str, invitation: Invitation, principal: Principal) -> None:
    record_event(
        action,
        principal=principal,
        product=invitation.product,
        details={"invitation": invitation.pk, "role": invitation.role},
    )


def _locked(secret: str) -> Invitation:
    """Two who use a link at once: the second one waits and finds it used."""
    rows = Invitation.objects.select_for_update(of=("self",)).select_related("product")
    return _checked(rows.filter(sha256=sha256_hex(secret)).first())


def _checked(invitation: Invitation | None) -> Invitation:
    if invitation is None or invitation.state != "open" or not _is_backed(invitation):
        raise NotFound(
            gettext(
                "This invitation was used, revoked or has expired. Ask whoever sent "
                "it for a new one."
            )
        )
    return invitation


def _is_backed(invitation: Invitation) -> bool:
    """Return whether its maker may still give what it gives."""
    if invitation.created_by is None:
        return False
    name = invitation.product.name if invitation.product else ""
    try:
        _check_may_invite(
            principal_of_user(invitation.created_by), invitation.role, name
        )
    except DevragError:
        return False
    return True


def _check_may_invite(
    principal: Principal, role: str, product_name: str
) -> Product | None:
    if role not in (PRODUCT_ROLES if product_name else INSTALLATION_ROLES):
        raise InvalidInput(
            gettext("There is no role “%(role)s” there.") % {"role": role[:20]}
        )
    if product_name:
        return get_maintained_product(product_name, principal)
    if not principal.is_admin:
        raise PermissionDenied(
            gettext("Only administrators invite without a product. Choose a product.")
        )
    return None
