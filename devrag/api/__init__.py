"""The REST interface: Bearer tokens, Go-style JSON names (S2-8.10)."""

from __future__ import annotations

from ninja import NinjaAPI

from devrag import __version__
from devrag.api import hooks, jobs, products, search, sources, wikis
from devrag.api.docs import OfflineSwagger
from devrag.api.door import BearerToken
from devrag.api_errors import add_error_handlers

api = NinjaAPI(
    title="devrag",
    version=__version__,
    description="Index sources, search them, generate wikis, follow jobs.",
    auth=BearerToken(),
    docs=OfflineSwagger(),
    urls_namespace="api",
)
add_error_handlers(api)
for _prefix, _router in (
    ("/products", products.router),
    ("/products", wikis.router),
    ("/sources", sources.router),
    ("/search", search.router),
    ("/hooks", hooks.router),
    ("/jobs", jobs.router),
):
    api.add_router(_prefix, _router)
