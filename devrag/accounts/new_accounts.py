"""Make accounts with a password that people chose themselves."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from devrag.core.errors import InvalidInput

_MOST_CHARACTERS = 150
# Principals that are nobody's account: jobs belong to a name.
RESERVED_NAMES = frozenset({"system", "anonymous"})


def make_account(*, name: str, password: str) -> Callable[[], User]:
    """Return what makes the account; the password is hashed already.

    Raises InvalidInput for a name that cannot be taken.
    """
    checked = check_user_name(name)
    hashed = make_password(password)
    return lambda: User.objects.create(username=checked, password=hashed)


def check_user_name(name: str) -> str:
    """Return a name in normal form that nobody has in any spelling."""
    normal = unicodedata.normalize("NFKC", name.strip())
    try:
        UnicodeUsernameValidator()(normal)
    except ValidationError as error:
        raise InvalidInput(str(error.messages[0])) from error
    if not 0 < len(normal) <= _MOST_CHARACTERS:
        raise InvalidInput(gettext("Enter a name of up to 150 characters."))
    is_taken = User.objects.filter(username__iexact=normal).exists()
    if is_taken or normal.lower() in RESERVED_NAMES:
        raise InvalidInput(
            gettext("There is a user with this name. Choose another one.")
        )
    return normal
