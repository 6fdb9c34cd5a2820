"""Whose account a person of an OpenID provider has here: known, linked or new.

Decision 37 says why: a subject is the only lasting name; an account that exists is
linked by itself only through an address that the provider has verified, and never that
of an administrator.
"""

from __future__ import annotations

import structlog
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from devrag.accounts.errors import SignInRefused
from devrag.accounts.models import ExternalIdentity
from devrag.accounts.oidc.claims import Claims
from devrag.accounts.oidc.configuration import Configuration
from devrag.accounts.oidc.group_grants import Grants, grants_of
from devrag.accounts.oidc.memberships import apply_grants
from devrag.core.errors import Conflict

log = structlog.get_logger(__name__)
_MOST_NAMES = 1_000


def sign_in_user(claims: Claims, configuration: Configuration) -> User:
    """Return the account of a person, with names and roles as the provider has them.

    Raises SignInRefused with the reason and the way out.
    """
    grants = grants_of(claims.groups, configuration.groups)
    if configuration.is_group_required and not grants.is_known:
        raise SignInRefused(
            gettext(
                "You are signed in with %(name)s, but in no group that may use this "
                "installation. Ask an administrator."
            )
            % {"name": configuration.name}
        )
    try:
        with transaction.atomic():
            return _sign_in(claims, configuration, grants)
    except IntegrityError:  # signed in twice at once: the other one made the account
        with transaction.atomic():
            return _sign_in(claims, configuration, grants)


def link_identity(user_id: int, claims: Claims, configuration: Configuration) -> User:
    """Link the account of somebody who is signed in. Raises Conflict."""
    try:
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=user_id)
            identity = _identity_to_link(user, claims, configuration)
            grants = grants_of(claims.groups, configuration.groups)
            _update(user, identity, claims, grants)
    except IntegrityError as error:  # somebody else linked it at the same moment
        raise _taken(configuration) from error
    log.info("oidc_linked", user_name=user.get_username())
    return user


def unlink_identity(user_id: int) -> None:
    """Unlink an account from its provider; what the groups gave goes.

    Raises Conflict for an account without another way in.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        if not user.has_usable_password():
            raise Conflict(
                gettext(
                    "This account has no password, so this is its only way in. Ask an "
                    "administrator to set a password first."
                )
            )
        for identity in ExternalIdentity.objects.filter(user=user):
            remove_identity(identity)


@transaction.atomic
def remove_identity(identity: ExternalIdentity) -> None:
    """Unlink an identity, whatever other ways in there are; what groups gave goes."""
    user = User.objects.select_for_update().get(pk=identity.user_id)
    apply_grants(user, identity, Grants())
    identity.delete()
    log.info("oidc_unlinked", user_name=user.get_username())


def linked_identity(user_id: int) -> ExternalIdentity | None:
    """Return whom a provider knows a user as, if anybody. Queries: 1."""
    return ExternalIdentity.objects.filter(user_id=user_id).first()


def _sign_in(claims: Claims, configuration: Configuration, grants: Grants) -> User:
    known = ExternalIdentity.objects.filter(
        issuer=claims.issuer, subject=claims.subject
    ).first()
    if known is None:
        user = _linkable(claims, configuration) or _new_user(claims)
        known = ExternalIdentity(
            user=user, issuer=claims.issuer, subject=claims.subject
        )
    else:
        user = User.objects.select_for_update().get(pk=known.user_id)
    if not user.is_active:
        raise SignInRefused(
            gettext("Your account is deactivated. Ask an administrator.")
        )
    _update(user, known, claims, grants)
    return user


def _linkable(claims: Claims, configuration: Configuration) -> User | None:
    """Return the account to link to a person who is here for the first time."""
    if not claims.email:
        return None
    same = User.objects.select_for_update().filter(email__iexact=claims.email)
    found = list(same[:2])
    if not found:
        return None
    (user, *more) = found
    is_safe = (
        claims.is_email_verified
        and not more
        and not user.is_superuser
        and not _other_identity(user, claims)
    )
    if not is_safe:
        log.warning("oidc_not_linked", user_name=user.get_username())
        raise SignInRefused(
            gettext(
                "There is an account with your address that is not linked to "
                "%(name)s. Sign in with its password and link it under Account, or ask "
                "an administrator."
            )
            % {"name": configuration.name}
        )
    log.info("oidc_linked", user_name=user.get_username())
    return user


def _identity_to_link(
    user: User, claims: Claims, configuration: Configuration
) -> ExternalIdentity:
    known = ExternalIdentity.objects.filter(
        issuer=claims.issuer, subject=claims.subject
    ).first()
    if known is not None and known.user_id != user.pk:
        raise _taken(configuration)
    if known is None and _other_identity(user, claims):
        raise Conflict(
            gettext(
                "Your account is linked to another account of %(name)s. Unlink that "
                "first."
            )
            % {"name": configuration.name}
        )
    return known or ExternalIdentity(
        user=user, issuer=claims.issuer, subject=claims.subject
    )


def _taken(configuration: Configuration) -> Conflict:
    return Conflict(
        gettext(
            "This account of %(name)s is linked to another user here. Sign out of "
            "%(name)s and choose another account."
        )
        % {"name": configuration.name}
    )


def _other_identity(user: User, claims: Claims) -> bool:
    rows = ExternalIdentity.objects.filter(user=user, issuer=claims.issuer)
    return rows.exclude(subject=claims.subject).exists()


def _new_user(claims: Claims) -> User:
    user: User = User.objects.create_user(_free_name(claims.user_name or "user"))
    log.info("oidc_account_made", user_name=user.get_username())
    return user


def _free_name(wanted: str) -> str:
    """Return a name that nobody has, in any spelling."""
    rows = User.objects.filter(username__istartswith=wanted)
    taken = {name.lower() for name in rows.values_list("username", flat=True)}
    names = [wanted, *(f"{wanted}-{number}" for number in range(2, _MOST_NAMES))]
    free = next((name for name in names if name.lower() not in taken), None)
    if free is None:
        raise SignInRefused(
            gettext("There are too many users called %(name)s. Ask an administrator.")
            % {"name": wanted}
        )
    return free


def _update(
    user: User, identity: ExternalIdentity, claims: Claims, grants: Grants
) -> None:
    """Keep names, address and roles as the provider has them."""
    user.first_name, user.last_name = claims.first_name, claims.last_name
    if claims.is_email_verified and not _is_address_taken(user, claims.email):
        user.email = claims.email
    user.save(update_fields=["first_name", "last_name", "email"])
    identity.email, identity.last_sign_in_at = claims.email, timezone.now()
    identity.save()
    apply_grants(user, identity, grants)


def _is_address_taken(user: User, email: str) -> bool:
    others = User.objects.filter(email__iexact=email)
    return others.exclude(pk=user.pk).exists()
