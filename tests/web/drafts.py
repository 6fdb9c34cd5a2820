"""Pages of a run that are not published yet."""

from __future__ import annotations

from devrag.jobs.models import Job
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.citations import ClaimDraft
from devrag.wiki.models import PageDraft

from .conftest import COMMIT

GREETER = ClaimDraft(
    *(1, "It greets.", "harbour-code", "src/greeter.py", 5, 6),
    *(COMMIT, "0" * 64, "def greet"),
)


def write_draft(
    run: Job, path: str, title: str, markdown: str, ordinal: int = 1
) -> None:
    """Store a finished page that cites the greeter."""
    page = DraftedPage(
        path=path,
        kind="feature",
        title=title,
        parent="",
        ordinal=ordinal,
        files=(),
        sections=(),
        summary="",
        markdown=markdown,
        fingerprint="",
        claims=(GREETER,),
        findings=(),
    )
    PageDraft.objects.create(run=run.pk, path=path, content=page.as_json())
