"""A product of code, pages and tickets, read by the real connectors.

The code is that of a repository at a commit, without the folder of its documentation.
The documentation is the wiki of a tracker on loopback that follows Redmine's API, the
tickets are its issues. Which repository: `mixed_product.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

from benchmarks.pinned import (
    PinnedPart,
    check_out,
    find_repository,
    list_files,
    read_pinned,
)

NAME = "eval-mixed"
_TRACKER = f"{NAME}-tracker"
_CLOSED = frozenset({"Closed", "Rejected"})
# What mkdocs.yml calls a page: `- Static Files: "staticfiles.md"`.
_IN_NAVIGATION = re.compile(r"""-\s+([^:\n"']+):\s*["']?([\w./-]+\.md)""")
_WRITTEN = datetime(2025, 9, 1, 9, 0, tzinfo=UTC)


def index_product(
    git: Path, row: Mapping[str, Any], tickets: Sequence[Mapping[str, Any]]
) -> None:
    """Index everything, and wait until all texts have vectors."""
    from django.conf import settings

    from devrag.use_cases.evaluation import (
        Checkout,
        index_checkouts,
        wait_for_vectors,
    )

    folder = settings.DEVRAG_HOME / "eval" / "pinned"
    check_out(git, [_code(git, row)], folder / "mixed")
    index_checkouts([Checkout("mixed", "")], folder, NAME)
    wait_for_vectors([_read_tracker(_tracker(page_texts(git, row), tickets))])


def page_titles(git: Path, row: Mapping[str, Any]) -> dict[str, str]:
    """Return the titles of the wiki's pages by the paths of their files."""
    repository = find_repository(git, row["repo"])
    whole = PinnedPart(row["repo"], row["commit"])
    files = list_files(repository, whole)
    named: dict[str, str] = {}
    if row["navigation"] in files:
        text = read_pinned(repository, row["commit"], row["navigation"])
        named = {path: name for name, path in _IN_NAVIGATION.findall(text)}
    folder = f"{row['pages']}/"
    pages = [each for each in files if each.startswith(folder) and each.endswith(".md")]
    return {
        path: named.get(path.removeprefix(folder), PurePosixPath(path).stem)
        for path in pages
    }


def page_texts(git: Path, row: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of the wiki's pages by title."""
    repository = find_repository(git, row["repo"])
    return {
        title: read_pinned(repository, row["commit"], path)
        for path, title in page_titles(git, row).items()
    }


def _code(git: Path, row: Mapping[str, Any]) -> PinnedPart:
    """Return the repository without its documentation."""
    repository = find_repository(git, row["repo"])
    files = list_files(repository, PinnedPart(row["repo"], row["commit"]))
    kept = tuple(each for each in files if not each.startswith(f"{row['pages']}/"))
    return PinnedPart(row["repo"], row["commit"], kept)


# -- the tracker --------------------------------------------------------------------


def _tracker(pages: Mapping[str, str], tickets: Sequence[Mapping[str, Any]]) -> Any:
    from tests.sources.redmine.redmine_server import Tracker

    tracker = Tracker(key="mixed")
    tracker.name, tracker.description = "Web framework", "Questions, faults and plans."
    tracker.help = b"## Markdown"
    tracker.clock = _WRITTEN
    for title, text in pages.items():
        tracker.page(title.replace(" ", "_"), text)
    tracker.issues = {ticket["id"]: _issue(ticket) for ticket in tickets}
    tracker.clock = datetime.now(UTC)
    return tracker


def _issue(ticket: Mapping[str, Any]) -> dict[str, Any]:
    """Return a ticket as the API has it."""
    from tests.sources.redmine.records import named

    status = {**named(ticket["status"]), "is_closed": ticket["status"] in _CLOSED}
    kinds = ("tracker", "priority", "author", "category")
    return {
        "id": ticket["id"],
        "project": {"id": 1, "name": "Web framework"},
        **{key: named(ticket[key]) for key in kinds},
        "status": status,
        "subject": ticket["subject"],
        "description": ticket["description"],
        "is_private": False,
        "created_on": ticket["created"],
        "updated_on": ticket["changed"],
        "journals": [_note(each) for each in ticket["comments"]],
    }


def _note(comment: Mapping[str, Any]) -> dict[str, Any]:
    from tests.sources.redmine.records import named

    return {
        "user": named(comment["author"]),
        "notes": comment["text"],
        "created_on": comment["date"],
        "private_notes": False,
        "details": [],
    }


def _read_tracker(tracker: Any) -> Any:
    """Read the tracker in this process; the workers do the rest. Returns the job.

    Workers never read from loopback: what they could take is claimed here before they
    see it.
    """
    from django.db import transaction

    from devrag.core.principal import SYSTEM
    from devrag.jobs import engine
    from devrag.sources.connectors.types import Credentials
    from devrag.use_cases.add_repository import add_repository
    from tests.sources.redmine.redmine_server import KEY, serving

    with serving(tracker, port=_known_port()) as url, _loopback_allowed():
        with transaction.atomic():
            job = add_repository(
                principal=SYSTEM,
                location=url,
                product_name=NAME,
                source_name=_TRACKER,
                source_type="redmine",
                credentials=Credentials("", KEY),
                is_wiki_wanted=False,
            )
            engine.start_job(job.pk)
            batch = job.batches.first()
            run = engine.claim_batch(job.pk, batch.queue) if batch else None
        if run is None:
            raise SystemExit(f"{_TRACKER} is being indexed. Try again later.")
        engine.run_batch(run)
        engine.advance_job(job.pk)
    return job


def _known_port() -> int:
    """Return the port that the tracker had before: a source keeps its address."""
    from devrag.sources.models import Source

    known = Source.objects.filter(name=_TRACKER).first()
    return (urlsplit(known.metadata["url"]).port or 0) if known else 0


@contextmanager
def _loopback_allowed() -> Iterator[None]:
    """Let sources be on this machine, which an installation never allows."""
    from devrag.sources.hosts import AddressRules

    def rules(**chosen: bool) -> AddressRules:
        return AddressRules(**{**chosen, "allow_http": True, "allow_loopback": True})

    with patch("devrag.sources.services.AddressRules", rules):
        yield
