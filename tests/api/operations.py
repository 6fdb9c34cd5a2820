"""The interface as it describes itself.

OPERATIONS: `get /api/v1/products` → details; EXAMPLES: name of a schema → example.
"""

from __future__ import annotations

from typing import Any

from devrag.api import api

_DESCRIPTION = api.get_openapi_schema()
OPERATIONS: dict[str, dict[str, Any]] = {
    f"{method} {path}": operation
    for path, methods in _DESCRIPTION["paths"].items()
    for method, operation in methods.items()
}
EXAMPLES: dict[str, dict[str, Any]] = {
    name: schema["examples"][0]
    for name, schema in _DESCRIPTION["components"]["schemas"].items()
    if "examples" in schema
}
