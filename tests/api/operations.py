"""All operations as the interface describes them: `get /api/v1/products` → details."""

from __future__ import annotations

from typing import Any

from devrag.api import api

OPERATIONS: dict[str, dict[str, Any]] = {
    f"{method} {path}": operation
    for path, methods in api.get_openapi_schema()["paths"].items()
    for method, operation in methods.items()
}
