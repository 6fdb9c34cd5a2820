"""Why somebody cannot sign in this way."""

from __future__ import annotations

from typing import ClassVar

from devrag.core.errors import DevragError


class SignInRefused(DevragError):
    """The provider or this installation does not let the person in."""

    code: ClassVar[str] = "sign_in_refused"
    http_status: ClassVar[int] = 403


class ProviderFailed(DevragError):
    """The OpenID provider cannot be reached or does not answer as it must."""

    code: ClassVar[str] = "sign_in_provider"
    http_status: ClassVar[int] = 502
    default_permanent: ClassVar[bool] = False
