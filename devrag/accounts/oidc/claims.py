"""What an OpenID provider says of a person, taken in with limits."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext

from devrag.accounts.new_accounts import RESERVED_NAMES
from devrag.accounts.oidc.configuration import Configuration
from devrag.accounts.oidc.provider import Provider, Tokens

_ADDRESS = ("email", "email_verified")
_MOST_SUBJECT = 255
_MOST_NAME = 150
_MOST_GROUPS = 5_000
_MOST_GROUP = 500
# What Django's user names may have.
_NOT_IN_NAMES = re.compile(r"[^\w.@+-]")
# Names that look as if they were the installation's own.
_RESERVED = RESERVED_NAMES | {"admin", "administrator", "root"}


@dataclass(frozen=True, slots=True)
class Claims:
    """A person. email: empty unless valid; is_email_verified: the provider says so.

    user_name: how they would like to be called here, '' when it gives none.
    """

    issuer: str
    subject: str
    user_name: str
    first_name: str
    last_name: str
    email: str
    is_email_verified: bool
    groups: tuple[str, ...]


def read_claims(
    found: dict[str, Any],
    tokens: Tokens,
    provider: Provider,
    configuration: Configuration,
) -> Claims:
    """Return a person of an ID token's claims; asks userinfo for what is missing.

    Raises ProviderFailed for a subject that is none, and for groups that the provider
    does not give in full.
    """
    subject = found.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= _MOST_SUBJECT:
        raise provider.failed(gettext("the ID token has no subject"))
    if "\0" in subject:
        raise provider.failed(gettext("the ID token has no subject"))
    wanted = {
        *_ADDRESS,
        *([configuration.groups_claim] if configuration.groups else []),
    }
    if not wanted <= found.keys():
        more = provider.user_info(tokens.access_token)
        if more and more.get("sub") != subject:
            raise provider.failed(gettext("userinfo is about somebody else"))
        found = _merged(found, more)
    return _claims(subject, found, provider, configuration)


def _merged(found: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Return the claims of both; an address and its verification are of one of them."""
    is_whole = "email_verified" in found or "email" not in more
    address = found if is_whole else more
    return {**more, **found, **{name: address.get(name) for name in _ADDRESS}}


def _claims(
    subject: str,
    found: dict[str, Any],
    provider: Provider,
    configuration: Configuration,
) -> Claims:
    email = _email(found.get("email"))
    preferred = _name(found.get("preferred_username")) or email.partition("@")[0]
    first, last = _name(found.get("given_name")), _name(found.get("family_name"))
    if not (first or last):
        first = _name(found.get("name"))
    return Claims(
        issuer=provider.metadata().issuer,
        subject=subject,
        user_name=_user_name(preferred),
        first_name=first,
        last_name=last,
        email=email,
        # Some providers send a string; anything but a clear yes is none.
        is_email_verified=bool(email)
        and found.get("email_verified") in (True, "true", "True"),
        groups=_groups(found, provider, configuration),
    )


def _groups(
    found: dict[str, Any], provider: Provider, configuration: Configuration
) -> tuple[str, ...]:
    """Return the groups. Too many, or those kept elsewhere, must not look like few."""
    if not configuration.groups:
        return ()
    claim = configuration.groups_claim
    elsewhere = found.get("_claim_names")
    if isinstance(elsewhere, dict) and claim in elsewhere:
        raise provider.failed(
            gettext(
                "the person is in more groups than the provider puts into a token; "
                "let it send the groups of this application only"
            )
        )
    value = found.get(claim, [])
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list):
        raise provider.failed(
            gettext("the claim %(claim)s is not a list") % {"claim": claim}
        )
    if len(given) > _MOST_GROUPS:
        raise provider.failed(gettext("the person is in too many groups"))
    return tuple(
        each for each in given if isinstance(each, str) and len(each) <= _MOST_GROUP
    )


def _email(value: object) -> str:
    if not isinstance(value, str) or len(value) > 254:
        return ""
    try:
        validate_email(value)
    except ValidationError:
        return ""
    return value


def _name(value: object) -> str:
    """Return a name in one line, without control characters."""
    if not isinstance(value, str):
        return ""
    text = unicodedata.normalize("NFKC", value[: 4 * _MOST_NAME])
    plain = "".join(
        each if unicodedata.category(each)[0] != "C" else " " for each in text
    )
    return " ".join(plain.split())[:_MOST_NAME]


def _user_name(preferred: str) -> str:
    name = _NOT_IN_NAMES.sub("-", preferred).strip("-.")[: _MOST_NAME - 10]
    return f"{name}-user" if name.lower() in _RESERVED else name
