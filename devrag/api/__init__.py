"""The REST interface: Bearer tokens, Go-style JSON names."""

from __future__ import annotations

from devrag import __version__
from devrag.api import (
    ask,
    audit,
    conflicts,
    digest,
    exports,
    files,
    hooks,
    insights,
    jobs,
    labels,
    model,
    notes,
    outdated,
    products,
    search,
    secrets,
    sources,
    symbols,
    tokens,
    uploads,
    versions,
    wiki_pages,
    wikis,
)
from devrag.api.answers import answering
from devrag.api.docs import OfflineSwagger
from devrag.api.errors import add_error_handlers
from devrag.api.idempotency import Replayed, answer_again
from devrag.api.openapi import Api
from devrag.api.operations import READ
from devrag.api.parser import JsonParser

api = Api(
    title="devrag",
    version=__version__,
    description="Index sources, search and ask, generate wikis, and follow jobs.",
    auth=READ,
    docs=OfflineSwagger(),
    parser=JsonParser(),
    urls_namespace="api",
)
add_error_handlers(api)
api.add_decorator(answering, mode="view")
api.add_exception_handler(Replayed, answer_again)
for _prefix, _router in (
    ("/products", products.router),
    ("/products", wikis.router),
    ("/products", wiki_pages.router),
    ("/products", versions.router),
    ("/products", exports.router),
    ("/products", notes.router),
    ("/products", conflicts.router),
    ("/products", outdated.router),
    ("/products", secrets.router),
    ("/products", digest.router),
    ("/products", insights.router),
    ("/sources", sources.router),
    ("/sources", uploads.router),
    ("/sources", files.router),
    ("/products", labels.of_products),
    ("/sources", labels.of_sources),
    ("/symbols", symbols.router),
    ("/search", search.router),
    ("/ask", ask.router),
    ("/hooks", hooks.router),
    ("/jobs", jobs.router),
    ("/tokens", tokens.router),
    ("/model", model.router),
    ("/audit", audit.router),
):
    api.add_router(_prefix, _router)
