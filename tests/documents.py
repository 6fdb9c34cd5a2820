"""Pages and tickets to index: a folder that is read as a tracker's mirror would be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.connectors.local import LocalConnector
from devrag.sources.connectors.registry import CONNECTORS
from devrag.sources.documents import DocumentFacts, write_document
from devrag.sources.models import Source
from devrag.sources.server_access import ServerAccess
from devrag.sources.services import register_source
from devrag.use_cases.index import request_index
from tests.conftest import run_job

KIND = "redmine"
Documents = Mapping[str, tuple[DocumentFacts, str]]


@contextmanager
def tracker() -> Iterator[None]:
    """Let folders be registered as a tracker's tickets and pages."""
    with patch.dict(CONNECTORS, {KIND: LocalConnector}):
        yield


def index_documents(
    folder: Path, product: str, documents: Documents, name: str = "tracker"
) -> Source:
    """Write documents, by path, into a folder and index it as a source."""
    for path, (facts, body) in documents.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(write_document(facts, body), encoding="utf-8")
    with tracker():
        source = register_source(
            product=Product.objects.get_or_create(name=product)[0],
            name=name,
            source_type=KIND,
            location=str(folder),
            access=ServerAccess(is_local_user=True),
        )
        job: Job = run_job(request_index(principal=SYSTEM, source=source))
    assert job.state == "completed", job.error
    return source


PAY = DocumentFacts(
    title="Checkout charges twice",
    kind="ticket",
    place=("Shop",),
    status="In Progress",
    author="Jane Doe",
    labels=("payments", "customer reported"),
    created="2026-01-02T09:00:00Z",
    changed="2026-03-04T05:06:07Z",
    url="https://tickets.example.com/issues/7",
    version="12",
)
DONE = DocumentFacts(
    title="Checkout forgets the voucher",
    kind="ticket",
    place=("Shop",),
    status="Resolved",
    is_closed=True,
    author="Ken Sato",
    changed="2025-12-31T23:59:59Z",
    url="https://tickets.example.com/issues/3",
    version="4",
)
FLOW = DocumentFacts(
    title="Payment flow",
    kind="page",
    place=("Shop", "Architecture"),
    author="Jane Doe",
    labels=("payments",),
    changed="2026-02-01T00:00:00Z",
    url="https://tickets.example.com/wiki/flow?version=3",
    version="3",
)
TRACKER: Documents = {
    "issues/7.md": (PAY, "The checkout charges the card twice.\n"),
    "issues/3.md": (DONE, "The checkout forgets the voucher.\n"),
    "wiki/Payment flow.md": (FLOW, "# Payment flow\n\nThe checkout asks the bank.\n"),
}
