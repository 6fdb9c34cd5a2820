"""What went wrong, as JSON-RPC errors: each kind has its code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mcp import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS
from pydantic import ValidationError

from devrag.core.errors import (
    DevragError,
    InvalidInput,
    NotFound,
    PermissionDenied,
    ProviderError,
    ServiceUnavailable,
)
from devrag.core.unavailable import to_unavailable

UNKNOWN_COLLECTION, EMBEDDING_FAILED, DATABASE_FAILED = -32001, -32002, -32003

# A message within the limit can hold a hundred thousand.
_MAX_INVALID = 100


class UnknownCollection(NotFound):
    """No source or product of that name, or the caller may not see it."""


# The first that fits; what is nobody's fault here is -32603.
_CODES: tuple[tuple[type[DevragError], int], ...] = (
    (UnknownCollection, UNKNOWN_COLLECTION),
    (NotFound, INVALID_PARAMS),
    (InvalidInput, INVALID_PARAMS),
    (PermissionDenied, INVALID_PARAMS),
    (ProviderError, EMBEDDING_FAILED),
    (ServiceUnavailable, DATABASE_FAILED),
)


def to_mcp_error(error: BaseException) -> MCPError | None:
    """Return what a caller is told of an expected failure; None for all others."""
    if isinstance(error, ValidationError):
        if error.error_count() > _MAX_INVALID:
            return invalid_params(f"{error.error_count()} values are invalid.")
        return invalid_params(describe_invalid(error.errors()))
    error = to_unavailable(error) or error
    if isinstance(error, DevragError):
        code = next(
            (c for kind, c in _CODES if isinstance(error, kind)), INTERNAL_ERROR
        )
        data: dict[str, Any] = {"code": error.code, "permanent": error.permanent}
        if seconds := getattr(error, "retry_after_seconds", 0.0):
            data["retryAfterSeconds"] = seconds
        return MCPError(code, error.message, data)
    return None


def invalid_params(message: str) -> MCPError:
    """Return the error of arguments that cannot be used."""
    return MCPError(INVALID_PARAMS, message, {"code": "invalid_input"})


def describe_invalid(errors: Iterable[Mapping[str, Any]]) -> str:
    """Return one sentence for each argument that cannot be used."""
    return " ".join(_describe(error) for error in errors)


def _describe(error: Mapping[str, Any]) -> str:
    name = ".".join(str(part) for part in error["loc"])
    if error["type"] == "missing":
        return f"The argument '{name}' is missing."
    return f"{name}: {error['msg']}."
