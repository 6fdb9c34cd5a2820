"""The one error tree. Every message names the thing, the reason and the way out.

DevragError
├── InvalidInput        what the caller gave cannot be used            (400)
├── NotFound            no such thing, or not visible to the caller    (404)
│   └── FileNotFound        a version of a source has no such file     (404)
├── PermissionDenied    known caller, not allowed                      (403)
│   └── MissingScope        another token of the same caller may       (403)
├── Conflict            the state does not allow it now                (409)
├── ConfigurationError  a setting or the installation is wrong         (500)
├── ServiceError        an embedded or configured service failed       (503)
│   └── ServiceUnavailable  it does not answer now, or not in time     (503)
├── SourceError         a source could not be reached or read          (502)
└── ProviderError       a language or embedding model failed           (502)

`permanent` says whether trying again without a change can help.
"""

from __future__ import annotations

from typing import ClassVar


class DevragError(Exception):
    """Base of all expected failures.

    message: one human sentence (or two) with the way out.
    permanent: False when a retry may succeed.
    """

    code: ClassVar[str] = "error"
    http_status: ClassVar[int] = 500
    default_permanent: ClassVar[bool] = True

    def __init__(self, message: str, *, permanent: bool | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.permanent = self.default_permanent if permanent is None else permanent


class InvalidInput(DevragError):
    """The caller's input cannot be used."""

    code = "invalid_input"
    http_status = 400


class NotFound(DevragError):
    """No such thing, or the caller may not see it."""

    code = "not_found"
    http_status = 404


class FileNotFound(NotFound):
    """A version of a source has no such file. closest: the likest path, '' = none."""

    def __init__(self, message: str, closest: str) -> None:
        super().__init__(message)
        self.closest = closest


class PermissionDenied(DevragError):
    """The caller is known and may not do this."""

    code = "permission_denied"
    http_status = 403


class MissingScope(PermissionDenied):
    """A token may not do it; one with `needed_scope` may, as its owner does."""

    def __init__(self, message: str, needed_scope: str) -> None:
        super().__init__(message)
        self.needed_scope = needed_scope


class Conflict(DevragError):
    """The present state does not allow it."""

    code = "conflict"
    http_status = 409


class ConfigurationError(DevragError):
    """A setting or the installation is wrong."""

    code = "configuration"


class ServiceError(DevragError):
    """An embedded or configured service (database, broker, web) failed."""

    code = "service"
    http_status = 503
    default_permanent = False


class ServiceUnavailable(ServiceError):
    """A service that a request needs does not answer, or not in time.

    retry_after_seconds: when the same request may succeed.
    """

    def __init__(self, message: str, *, retry_after_seconds: float = 5.0) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class SourceError(DevragError):
    """A source could not be reached or read."""

    code = "source"
    http_status = 502


class ProviderError(DevragError):
    """A language or embedding model failed.

    retry_after_seconds: when the provider wants to be asked again, 0 if it did not say.
    reason: what to change, where that is known: key, model, quota, rate, redirect,
    connection, timeout, server, prompt.
    """

    code = "provider"
    http_status = 502
    default_permanent = False

    def __init__(
        self,
        message: str,
        *,
        permanent: bool | None = None,
        retry_after_seconds: float = 0.0,
        reason: str = "",
    ) -> None:
        super().__init__(message, permanent=permanent)
        self.retry_after_seconds = retry_after_seconds
        self.reason = reason
