"""Who calls a tool: the token of an HTTP request, else the local operator."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import Context

from devrag.core.errors import PermissionDenied
from devrag.core.local_operator import LOCAL_OPERATOR
from devrag.core.principal import Principal
from devrag.mcp.local import SCOPE_KEY

Ctx = Context[Any, Any]


def caller(ctx: Ctx, scope: str) -> Principal:
    """Return who calls; PermissionDenied when their token lacks the scope."""
    return principal_of(ctx.request_context.request, scope)


def principal_of(request: Any, scope: str) -> Principal:
    """Return whom a request comes from; None is one that did not come by HTTP."""
    principal: Principal = request.scope[SCOPE_KEY] if request else LOCAL_OPERATOR
    if not principal.may(scope):
        raise PermissionDenied(
            f"This token lacks the scope '{scope}'. Create one with `devrag token "
            f"create --scopes read,{scope}`."
        )
    return principal
